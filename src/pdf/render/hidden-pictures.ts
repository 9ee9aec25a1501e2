// Pictures in tiling patterns, soft masks and annotations. PDFium lists only the objects of a page, so these are read
// from a copy of the document that draws them as forms, too.
import { operands } from '../content/operands.ts';
import { surrounded } from '../content/surrounded.ts';
import { type Visitor, Walk } from '../content/walk.ts';
import { FORM_ENTRIES } from '../file/copy/new-entries.ts';
import type { PageChange } from '../file/copy/rewrite.ts';
import { listOf, nameAt } from '../file/read/entries.ts';
import { wholeDictOfPage } from '../file/read/page-dict.ts';
import type { Page } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { appearanceOf } from '../page/annotations.ts';
import { pageContent } from '../page/contents.ts';
import type { Matrix } from '../page/geometry.ts';
import { encodeName, serialize } from '../syntax/serialize.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';

/** The most streams of a page, against files made to be slow. */
const MOST_STREAMS = 5_000;

/** The change for a copy that draws hidden pictures; undefined where the pages have none. */
export function showingHidden(file: PdfFile, pages: readonly Page[]): PageChange | undefined {
  const hidden = new Map<Page, ReadonlyMap<number, Matrix>>();
  for (const page of pages) {
    const { forms } = new HiddenForms(file, wholeDictOfPage(file, page));
    if (forms.size > 0) hidden.set(page, forms);
  }
  if (hidden.size === 0) return undefined;
  return (page, copier) => {
    const forms = hidden.get(page) ?? new Map<number, Matrix>();
    if (forms.size === 0) return new Map();
    const dict = wholeDictOfPage(file, page);
    const resources = new Dict(file.dict(dict.get('Resources')) ?? []);
    const objects = new Dict(file.dict(resources.get('XObject')) ?? []);
    const operators = [...forms].map(([num, matrix], i) => {
      let name = `Hidden${i}`;
      while (objects.has(name)) name += '_';
      objects.set(name, new Ref(num, 0));
      copier.plan(num, FORM_ENTRIES);
      return `q ${operands(matrix)} cm /${encodeName(name)} Do Q`;
    });
    resources.set('XObject', objects);
    const text = serialize(resources, ({ num }) => copier.reference(num));
    const contents = surrounded(copier, dict, { after: operators.join('\n') });
    return new Map(Object.entries({ Resources: text, Contents: contents }));
  };
}

/** The streams that show pictures without being objects of the page, with the matrix of their first use. */
class HiddenForms implements Visitor {
  readonly forms = new Map<number, Matrix>();
  private readonly file: PdfFile;
  private readonly walk: Walk;
  /** Whether a stream shows a picture, by its number. */
  private readonly known = new Map<number, boolean>();
  /** Whether the stream being walked does, itself or by a form. */
  private shows = false;

  constructor(file: PdfFile, page: Dict) {
    this.file = file;
    this.walk = new Walk(file, 'readable').begin(this);
    this.walk.content(pageContent(file, page, 'readable'), file.dict(page.get('Resources')));
    for (const item of listOf(file, page.get('Annots'))) {
      const dict = file.dict(item);
      const appearance = dict === undefined ? undefined : appearanceOf(file, dict);
      if (appearance !== undefined) this.hide(appearance.form, appearance.matrix);
    }
  }

  operator(operator: string, walk: Walk): void {
    const { file } = this;
    if (operator === 'EI') this.shows = true;
    else if (operator === 'gs') {
      const mask = file.dict(file.dict(walk.resource('ExtGState'))?.get('SMask'));
      this.hide(mask?.get('G'), walk.matrix);
    } else if (operator === 'scn' || operator === 'SCN') {
      const pattern = walk.resource('Pattern');
      // A pattern's matrix is relative to the content's start, regardless of `cm`.
      if (file.dict(pattern)?.get('PatternType') === 1) this.hide(pattern, walk.base);
    } else if (operator === 'Do') {
      const object = walk.resource('XObject');
      if (nameAt(file, file.dict(object), 'Subtype') === 'Image' || this.formShows(object, walk.matrix))
        this.shows = true;
    }
  }

  private hide(form: Value | undefined, matrix: Matrix): void {
    if (form instanceof Ref && !this.forms.has(form.num) && this.formShows(form, matrix))
      this.forms.set(form.num, matrix);
  }

  /** Whether a stream shows a picture. Each is walked once, with the matrix of its first use. */
  private formShows(form: Value | undefined, matrix: Matrix): boolean {
    const { known, shows, walk } = this;
    if (!(form instanceof Ref)) return false;
    const before = known.get(form.num);
    if (before !== undefined || known.size >= MOST_STREAMS) return before ?? false;
    // Guards against forms that draw themselves.
    known.set(form.num, false);
    const part = walk.part(form);
    this.shows = false;
    if (part !== undefined) walk.enter(part, matrix);
    known.set(form.num, this.shows);
    this.shows = shows;
    return known.get(form.num) === true;
  }
}
