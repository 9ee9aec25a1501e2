import { operands } from '../../content/operands.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { pageContent } from '../../page/contents.ts';
import { contains, grown, type Rect } from '../../page/geometry.ts';
import { type PageSpace, pageSpace, toDisplayed, toUserSpace } from '../../page/space.ts';
import { destinationsOf } from '../../structure/destination-pages.ts';
import { inputOf } from '../../structure/input.ts';
import { Damage, Unreadable, unlessDamaged, unlessThrown } from '../../syntax/damage.ts';
import { decodeTextString } from '../../syntax/text-strings.ts';
import { Dict, dictOf, Name, PdfString, type Ref, type Value } from '../../syntax/values.ts';
import { editContent, editUnplaced, groupOf } from '../content/content-editor.ts';
import { FontRegistry, type Redraw } from '../content/font-registry.ts';
import { GraphicsState } from '../content/graphics-state.ts';
import { type DocumentEdit, Findings, type PageEdit, type Removal } from '../content/page-edit.ts';
import { type DecodePicture, PictureEditor } from '../content/picture-editor.ts';
import { ValueCopier } from '../objects/copy-value.ts';
import { LayerView } from '../objects/layers.ts';
import { flateStream, formStream, latinString, name, OutputDocument } from '../objects/output-document.ts';
import { STANDARD_NAMES } from '../objects/standard-names.ts';
import { type Annotations, surveyAnnotations, touches } from './annotations.ts';
import { VALUE_FONT } from './field-values.ts';
import { KeptFields } from './kept-fields.ts';
import { type KeptPart, keepStructure } from './kept-structure.ts';

/** A page that became a picture. The picture is upright, so the page has no rotation. */
export interface PicturePage {
  readonly width: number;
  readonly height: number;
  readonly content: string;
  readonly resources: (output: OutputDocument) => Dict;
}

/** Drawn over a page last. */
export interface Overlay {
  /** Operators for boxes and labels on the page. */
  readonly content: (space: PageSpace) => string;
  /** The resource name of Helvetica in `content`, where it shows text. */
  readonly font?: string;
}

export interface BuildOptions {
  /** By page, from 0. */
  readonly pages: ReadonlyMap<number, Removal>;
  readonly pictures: ReadonlyMap<number, PicturePage>;
  readonly overlays: ReadonlyMap<number, Overlay>;
  /** Whether a text must not be in the output, addresses of links included. */
  readonly isSecret: (text: string) => boolean;
  /** Keep pages that cannot be edited as they are: for reading only, never for an output. */
  readonly raw: boolean;
  /** Keep only the pages. */
  readonly clean: boolean;
}

export interface BuiltPages {
  readonly spaces: readonly PageSpace[];
  readonly findings: readonly Findings[];
  readonly annotations: readonly Annotations[];
  /** Pages that could not be edited safely, with the reason. Their content in the output is unreliable. */
  readonly failed: ReadonlyMap<number, string>;
  readonly layers: LayerView;
  /** Unmarked whole uses of pictures that lost pixels in a region. */
  readonly wholePictures: number;
  /** Embedded fonts that keep glyphs of removed text. */
  readonly wholeFonts: number;
  readonly parts: readonly KeptPart[];
  readonly fields: number;
}

export interface Built extends BuiltPages {
  readonly bytes: Uint8Array;
}

export const NOTHING: BuildOptions = {
  pages: new Map(),
  pictures: new Map(),
  overlays: new Map(),
  isSecret: () => false,
  raw: false,
  clean: true,
};
/** Points that may stand out from under a cover. */
const HIDDEN_SLACK = 1.5;
/** The initial clip, in points beyond the page: content off the page is examined too. */
const FAR = 1e6;
const NO_REMOVAL: Removal = { regions: [], erase: [] };

/** Builds a new document of edited pages with drawn annotations and links, and structure that holds nothing secret. */
export async function buildDocument(
  source: Source,
  options: BuildOptions,
  decodePicture: DecodePicture,
  onPage: (page: number) => Promise<void>,
): Promise<Built> {
  const { file, tree } = source;
  const document = documentEditOf(file);
  const { output, fonts, pictures, layers } = document;
  const root = output.reserve();
  const refs = tree.pages.map(() => output.reserve());
  const input = inputOf(source);
  const destinations = destinationsOf(input);
  const keeps = (value: Value) => !isSecretValue(value, options);
  const removalOf = (page: number): Removal => {
    const asked = options.pages.get(page) ?? NO_REMOVAL;
    // PDFium extracts the /ActualText of marked content, so that these texts get positions.
    if (options.raw) return { ...asked, keeps: () => true };
    return options.clean ? asked : { ...asked, keeps };
  };
  const fields = new KeptFields(document, tree.pages, keeps, (page) =>
    options.clean || options.pictures.has(page) ? undefined : removalOf(page),
  );
  const kept = new Map(fields.widgets);
  const spaces: PageSpace[] = [];
  const findings: Findings[] = [];
  const annotations: Annotations[] = [];
  const failed = new Map<number, string>();
  for (const [i, page] of tree.pages.entries()) {
    await onPage(i);
    const dict = wholeDictOfPage(file, page);
    const made = options.pictures.get(i);
    const before = pageSpace(file, dict, page.rotate);
    const space = made === undefined ? before : plainSpace(made);
    const edit: PageEdit = { document, removal: removalOf(i), shown: space.shown, findings: new Findings() };
    const marks = surveyAnnotations(file, page, layers, destinations, fields.widgets);
    spaces.push(space);
    findings.push(edit.findings);
    annotations.push(marks);
    pictures.page = i;
    let drawn: Drawn | undefined;
    try {
      if (made !== undefined) drawn = { content: Buffer.from(made.content), resources: made.resources(output) };
      else drawn = drawPage(edit, dict, marks, space);
    } catch (error) {
      if (!(error instanceof Unreadable || error instanceof Damage)) throw error;
      failed.set(i, error.message);
      if (options.raw) drawn = rawPage(document, dict, marks);
    }
    const written = pageDict(document, dict, space, drawn, root, options.overlays.get(i));
    const links = marks.links.flatMap((link) => {
      if (touches(link, edit.removal.regions) || (typeof link.to === 'string' && options.isSecret(link.to))) return [];
      const box = made === undefined ? link.rect : moved(link.rect, before, space);
      if (box === undefined) return [];
      const ref = output.add(linkDict(box, link.to, refs));
      if (link.num > 0) kept.set(link.num, ref);
      return [ref];
    });
    const list = [...links, ...fields.on(i)];
    if (list.length > 0) written.set('Annots', list);
    output.set(refs[i] ?? output.reserve(), written);
  }
  fonts.finish(redrawnGlyphs(document));
  for (const [page, reason] of await pictures.finish(decodePicture)) failed.set(page, reason);
  const wholePictures = pictureDrawnWhole(findings, failed);
  output.set(root, dictOf({ Type: name('Pages'), Kids: refs, Count: refs.length }));
  const marked = refs.map((ref, i) => ({ ref, marked: findings[i]?.marked ?? new Map<number, boolean>() }));
  const { entries, title, parts } = options.clean
    ? { entries: {}, title: undefined, parts: [] }
    : keepStructure({ input, output, pages: marked, annotations: kept, keeps });
  if (fields.all > 0 && !options.clean)
    parts.push({ part: 'fields', kept: fields.kept, left: fields.all - fields.kept });
  const catalog = dictOf({ Type: name('Catalog'), Pages: root, ...entries, AcroForm: fields.write(refs) });
  const info = title === undefined ? undefined : output.add(dictOf({ Title: title }));
  const bytes = output.write(output.add(catalog), info);
  const counts = { wholePictures, wholeFonts: fonts.whole, fields: fields.all };
  return { bytes, spaces, findings, annotations, failed, layers, parts, ...counts };
}

/** Whether a string, or a name that is not of the standard, is secret. */
function isSecretValue(value: Value, { isSecret }: BuildOptions): boolean {
  if (value instanceof PdfString) return isSecret(decodeTextString(value.bytes));
  return value instanceof Name && !STANDARD_NAMES.has(value.value) && isSecret(value.value);
}

function documentEditOf(file: PdfFile): DocumentEdit {
  const output = new OutputDocument();
  const copier = new ValueCopier(file, output);
  return {
    ...{ file, output, copier, layers: new LayerView(file), shared: new Map(), cells: new Map(), named: 0 },
    fonts: new FontRegistry(file, output, copier),
    pictures: new PictureEditor(file, output, copier),
  };
}

/** Counts whole uses of pictures that lost pixels. A page fails where one of them is covered. */
function pictureDrawnWhole(findings: readonly Findings[], failed: Map<number, string>): number {
  const cut = new Set(findings.flatMap((page) => [...page.cut]));
  let count = 0;
  for (const [page, { whole, covers }] of findings.entries())
    for (const { num, box, at } of whole) {
      if (!cut.has(num)) continue;
      count++;
      // Nobody sees the picture there, so nobody could mark it.
      if (covers.some((cover) => cover.at > at && contains(cover.box, box, HIDDEN_SLACK)))
        failed.set(page, 'a covered picture that lost pixels in a region');
    }
  return count;
}

interface Drawn {
  readonly content: Uint8Array;
  readonly resources: Dict;
  readonly group?: Dict | undefined;
}

function drawPage(edit: PageEdit, dict: Dict, marks: Annotations, { shown }: PageSpace): Drawn {
  const { document } = edit;
  const { file } = document;
  const state = new GraphicsState([1, 0, 0, 1, 0, 0], grown(shown, FAR));
  const made = editContent(pageContent(file, dict), file.dict(dict.get('Resources')), edit, state);
  const group = groupOf(document, dict.get('Group'));
  const { appearances } = marks;
  const values = marks.values.map(({ operators }) => operators);
  if (appearances.length + values.length === 0) return { content: made.bytes, resources: made.resources, group };
  // Appearances become forms that the page draws after everything else.
  const lines = appearances.map(({ matrix }, i) => `q ${operands(matrix)} cm /Note${i} Do Q`);
  const forms = new Dict(appearances.map(({ form }, i) => [`Note${i}`, form]));
  const after = editContent(
    Buffer.from([...lines, ...values].join('\n')),
    dictOf({ XObject: forms, Font: FONT_OF_VALUES }),
    { ...edit, isOfAppearances: true },
    new GraphicsState([1, 0, 0, 1, 0, 0], grown(shown, FAR)),
  );
  const box = [shown.x0, shown.y0, shown.x1, shown.y1];
  const entries = Object.entries({ BBox: box, Resources: after.resources });
  const form = document.output.add(formStream(entries, after.bytes));
  const resources = new Dict(made.resources);
  const xobjects = resources.get('XObject');
  resources.set('XObject', new Dict([...(xobjects instanceof Dict ? xobjects : []), ['CutNotes', form]]));
  const content = Buffer.concat([Buffer.from('q\n'), made.bytes, Buffer.from('Q\n/CutNotes Do\n')]);
  return { content, resources, group };
}

function plainSpace({ width, height }: PicturePage): PageSpace {
  return { shown: { x0: 0, y0: 0, x1: width, y1: height }, rotate: 0, width, height };
}

function moved(rect: Rect, from: PageSpace, to: PageSpace): Rect | undefined {
  const box = toDisplayed(rect, from);
  return box === undefined ? undefined : toUserSpace(box, to);
}

/** A page's unedited content with its annotations; undefined where hidden layers would become visible. */
function rawPage({ file, copier, layers }: DocumentEdit, dict: Dict, marks: Annotations): Drawn | undefined {
  const { appearances } = marks;
  const values = marks.values.map(({ operators }) => operators);
  if (layers.hiddenCount > 0) return undefined;
  const copied = copier.copy(file.resolve(dict.get('Resources')));
  const resources = new Dict(copied instanceof Dict ? copied : []);
  const forms = appearances.map(({ form }, i) => [`CutNote${i}`, copier.copy(form)] as const);
  const known = file.dict(file.dict(dict.get('Resources'))?.get('XObject'));
  const copies = [...(known ?? [])].map(([key, value]) => [key, copier.copy(value)] as const);
  if (forms.length > 0) resources.set('XObject', new Dict([...copies, ...forms]));
  if (values.length > 0) {
    const fonts = copier.copy(file.dict(file.dict(dict.get('Resources'))?.get('Font')) ?? new Dict());
    resources.set('Font', new Dict([...(fonts instanceof Dict ? fonts : []), ...FONT_OF_VALUES]));
  }
  const after = [...appearances.map(({ matrix }, i) => `q ${operands(matrix)} cm /CutNote${i} Do Q`), ...values];
  const content = unlessDamaged(undefined, () => pageContent(file, dict));
  const drawn = content && Buffer.concat([Buffer.from('q\n'), content, Buffer.from(`\nQ\n${after.join('\n')}`)]);
  return drawn && { content: drawn, resources };
}

function pageDict(
  { output }: DocumentEdit,
  source: Dict,
  { shown, rotate, width, height }: PageSpace,
  drawn: Drawn | undefined,
  parent: Ref,
  overlay: Overlay | undefined,
): Dict {
  const resources = new Dict(drawn?.resources);
  let content = drawn?.content ?? new Uint8Array(0);
  if (overlay !== undefined) {
    const fonts = resources.get('Font');
    if (overlay.font !== undefined)
      resources.set('Font', new Dict([...(fonts instanceof Dict ? fonts : []), [overlay.font, HELVETICA]]));
    const over = overlay.content({ shown, rotate, width, height });
    content = Buffer.concat([Buffer.from('q\n'), content, Buffer.from(`\nQ\n${over}`, 'latin1')]);
  }
  const unit = source.number('UserUnit');
  return dictOf({
    Type: name('Page'),
    Parent: parent,
    // Content outside the shown area was removed, so that area becomes the whole page.
    MediaBox: [shown.x0, shown.y0, shown.x1, shown.y1],
    Rotate: rotate === 0 ? undefined : rotate,
    UserUnit: unit,
    Group: drawn?.group,
    Resources: resources,
    Contents: output.add(flateStream([], content)),
  });
}

const HELVETICA = dictOf({
  Type: name('Font'),
  Subtype: name('Type1'),
  BaseFont: name('Helvetica'),
  Encoding: name('WinAnsiEncoding'),
});
const FONT_OF_VALUES = new Dict([[VALUE_FONT, HELVETICA]]);

function linkDict({ x0, y0, x1, y1 }: Rect, to: string | number, pages: readonly Ref[]): Dict {
  const common = { Type: name('Annot'), Subtype: name('Link'), Rect: [x0, y0, x1, y1], Border: [0, 0, 0] };
  if (typeof to === 'number') return dictOf({ ...common, Dest: [pages[to] ?? null, name('Fit')] });
  return dictOf({ ...common, A: dictOf({ S: name('URI'), URI: latinString(to) }) });
}

const GLYPH_CAP = 8 << 20;

/** Edits the glyphs of Type 3 fonts as content without a place. */
function redrawnGlyphs(document: DocumentEdit): Redraw {
  return (glyphs, value) => {
    const made = new Dict();
    const resources = new Dict();
    for (const [glyph, { num }] of glyphs) {
      const bytes = unlessDamaged(undefined, () => document.file.streamBytes(num, GLYPH_CAP)?.bytes);
      if (bytes === undefined) continue;
      const edited = editGlyph(bytes, document.file.dict(value), document);
      if (edited === undefined) continue;
      for (const [category, entries] of edited.resources) {
        if (!(entries instanceof Dict)) continue;
        const known = resources.get(category);
        resources.set(category, new Dict([...(known instanceof Dict ? known : []), ...entries]));
      }
      made.set(glyph, document.output.add(flateStream([], edited.bytes)));
    }
    return { glyphs: made, resources };
  };
}

function editGlyph(bytes: Uint8Array, resources: Dict | undefined, document: DocumentEdit) {
  // An unreadable glyph is dropped; verification catches the pages that show it.
  return unlessThrown([Unreadable, Damage], undefined, () => editUnplaced(bytes, resources, document));
}
