import { Failure } from '../../../contract/base/failure.ts';
import { type ContentPart, type Visitor, Walk } from '../../content/walk.ts';
import type { Pace } from '../../file/read/pace.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { pageContent } from '../../page/contents.ts';
import { type Matrix, scaling } from '../../page/geometry.ts';
import { shownArea, unitOf } from '../../page/view.ts';
import { type Dict, Ref } from '../../syntax/values.ts';

/** Points. */
export interface Shown {
  readonly width: number;
  readonly height: number;
  /** Most of a page, or a strip across one. */
  readonly covers: boolean;
  /** Wherever it is shown nothing is transparent or redefines device colours, so that two pictures may replace it. */
  readonly plain: boolean;
}

/** The least share of a page, and of its width or height, that a scan of it covers. */
const MOST_OF = 0.5;
const ACROSS = 0.85;
/**
 * The largest use of each image XObject, by object number (`same` applied). Images shown by a pattern, an annotation or
 * a glyph are missing: their size on the page is unknown.
 */
export async function findShown(source: Source, same: Int32Array, pace: Pace): Promise<ReadonlyMap<number, Shown>> {
  const placement = new Placement(source.file, same);
  for (const page of source.tree.pages) {
    placement.page(wholeDictOfPage(source.file, page));
    await pace.yield();
  }
  return placement.shown;
}

class Placement implements Visitor {
  readonly shown = new Map<number, Shown>();
  private readonly file: PdfFile;
  private readonly same: Int32Array;
  private readonly walk: Walk;
  /** The size of the current page, in points. */
  private paper: { readonly width: number; readonly height: number } | undefined;
  /** Whether the resources of the current content, and of all content around it, are plain. */
  private plain = true;

  constructor(file: PdfFile, same: Int32Array) {
    this.file = file;
    this.same = same;
    this.walk = new Walk(file, 'readable');
  }

  page(dict: Dict): void {
    const { file, walk } = this;
    const resources = file.dict(dict.get('Resources'));
    if (!this.hasObjects(resources)) return;
    const unit = unitOf(file, dict);
    const { x0, y0, x1, y1 } = shownArea(file, dict);
    this.paper = { width: (x1 - x0) * unit, height: (y1 - y0) * unit };
    this.plain = this.isPlain(resources);
    walk.begin(this, scaling(unit));
    try {
      walk.content(pageContent(file, dict, 'readable'), resources);
    } catch (error) {
      // Forms that draw forms without end: pictures not reached by then have no known size.
      if (!(error instanceof Failure)) throw error;
    }
  }

  operator(operator: string, walk: Walk): void {
    const ref = operator === 'Do' ? walk.resource('XObject') : undefined;
    if (!(ref instanceof Ref)) return;
    const form = walk.part(ref, 'Form');
    if (form !== undefined) this.enter(form, walk);
    else {
      const dict = this.file.dict(ref);
      if (dict?.name('Subtype') === 'Image') this.note(ref, dict, walk.matrix);
    }
  }

  private enter(form: ContentPart, walk: Walk): void {
    const { plain } = this;
    const resources = this.file.dict(form.dict.get('Resources'));
    if (!this.hasObjects(resources ?? walk.resources)) return;
    this.plain = plain && this.isPlain(resources);
    walk.enter(form);
    this.plain = plain;
  }

  private note(ref: Ref, dict: Dict, [a, b, c, d]: Matrix): void {
    const width = Math.hypot(a, b);
    const height = Math.hypot(c, d);
    const covers = this.covers(width, height);
    for (const image of [ref, dict.get('SMask')]) {
      if (!(image instanceof Ref)) continue;
      const num = this.same[image.num] ?? image.num;
      const before = this.shown.get(num);
      this.shown.set(num, {
        width: Math.max(width, before?.width ?? 0),
        height: Math.max(height, before?.height ?? 0),
        covers: covers || before?.covers === true,
        plain: this.plain && before?.plain !== false,
      });
    }
  }

  private covers(width: number, height: number): boolean {
    const { paper } = this;
    if (paper === undefined) return false;
    const across = Math.min(1, Math.max(width / paper.width, height / paper.height));
    return width * height >= paper.width * paper.height * MOST_OF || across >= ACROSS;
  }

  /** Whether nothing in the resources makes content transparent, blends it, or redefines device colours. */
  private isPlain(dict: Dict | undefined): boolean {
    const { file } = this;
    const spaces = file.dict(dict?.get('ColorSpace'));
    if (['DefaultGray', 'DefaultRGB'].some((key) => spaces?.has(key) === true)) return false;
    return [...(file.dict(dict?.get('ExtGState')) ?? [])].every(([, value]) => {
      const state = file.dict(value);
      const opaque = ['ca', 'CA'].every((key) => (state?.number(key) ?? 1) === 1);
      const [mask, mode] = [state?.name('SMask') ?? 'None', state?.name('BM') ?? 'Normal'];
      return (
        opaque && (state?.has('SMask') !== true || mask === 'None') && (mode === 'Normal' || mode === 'Compatible')
      );
    });
  }

  private hasObjects(resources: Dict | undefined): boolean {
    return (this.file.dict(resources?.get('XObject'))?.size ?? 0) > 0;
  }
}
