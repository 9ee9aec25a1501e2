import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { pageContent } from '../../page/contents.ts';
import { contains, type Rect } from '../../page/geometry.ts';
import { type PageSpace, pageSpace, toDisplayed, toUserSpace } from '../../page/space.ts';
import { destinationsOf } from '../../structure/destination-pages.ts';
import { inputOf } from '../../structure/input.ts';
import { Damage, Unreadable } from '../../syntax/damage.ts';
import { decimalText } from '../../syntax/serialize.ts';
import { decodeText } from '../../syntax/text-strings.ts';
import { Dict, Name, PdfString, type Ref, type Value } from '../../syntax/values.ts';
import { editContent, groupOf } from '../content/content-editor.ts';
import { ValueCopier } from '../content/copy-value.ts';
import { FontRegistry, type Redraw } from '../content/font-registry.ts';
import { GraphicsState } from '../content/graphics-state.ts';
import { type Findings, noFindings, type PageEdit, type Wish, type Workshop } from '../content/page-edit.ts';
import { type DecodePicture, PictureEditor } from '../content/picture-editor.ts';
import { type Annotations, annotationsOf, touches } from '../find/annotations.ts';
import { LayerView } from '../find/layers.ts';
import { KeptFields } from './kept-fields.ts';
import { type KeptPart, keepStructure } from './kept-structure.ts';
import { dictOf, flateStream, name, OutputDocument, text } from './output-document.ts';
import { NAMES } from './own-names.ts';

/** A page that is a picture of itself from now on: what is written for it. It is not turned any more. */
export interface PicturePage {
  readonly width: number;
  readonly height: number;
  readonly content: string;
  readonly resources: (output: OutputDocument) => Dict;
}

/** What is drawn over a page at the very end. */
export interface Overlay {
  /** Boxes and labels for the page as it comes out. */
  readonly content: (space: PageSpace) => string;
  /** The name that the content has for Helvetica, where it writes. */
  readonly font?: string;
}

export interface BuildWish {
  /** By page, from 0. */
  readonly pages: ReadonlyMap<number, Wish>;
  readonly pictures: ReadonlyMap<number, PicturePage>;
  readonly overlays: ReadonlyMap<number, Overlay>;
  /** Whether a text must not be in the output: addresses of links are asked about. */
  readonly isSecret: (text: string) => boolean;
  /** Pages that cannot be edited come as they are: for looking at them, never for an output. */
  readonly raw: boolean;
  /** Nothing is kept but the pages. */
  readonly clean: boolean;
}

/** What is known of a document that was built. */
export interface BuiltPages {
  readonly spaces: readonly PageSpace[];
  readonly findings: readonly Findings[];
  readonly annotations: readonly Annotations[];
  /** Pages that could not be edited with certainty, with the reason. Their content in the output is not to be trusted. */
  readonly failed: ReadonlyMap<number, string>;
  readonly layers: LayerView;
  /** How often a picture that lost pixels in a region is drawn whole, where nobody marked it. */
  readonly wholePictures: number;
  /** Embedded fonts that keep glyphs of what was removed. */
  readonly wholeFonts: number;
  readonly parts: readonly KeptPart[];
}

export interface Built extends BuiltPages {
  readonly bytes: Uint8Array;
}

export const NOTHING: BuildWish = {
  pages: new Map(),
  pictures: new Map(),
  overlays: new Map(),
  isSecret: () => false,
  raw: false,
  clean: true,
};
/** Points that may stand out from under a cover. */
const HIDDEN_SLACK = 1.5;
const NO_WISH: Wish = { regions: [], erase: [] };

/**
 * Builds a new document from the pages of the source: their content without what is asked to go and without what is hidden,
 * appearances of annotations drawn on them, links. Title, language, bookmarks, tags and fields stay where they hold nothing
 * secret and `clean` is not asked for. Nothing else of the source is in it.
 */
export async function buildDocument(
  source: Source,
  wish: BuildWish,
  decodePicture: DecodePicture,
  turn: (page: number) => Promise<void>,
): Promise<Built> {
  const { file, tree } = source;
  const output = new OutputDocument();
  const copier = new ValueCopier(file, output);
  const fonts = new FontRegistry(file, output, copier);
  const layers = new LayerView(file);
  const pictures = new PictureEditor(file, output, copier);
  const shop: Workshop = {
    file,
    output,
    copier,
    fonts,
    layers,
    pictures,
    shared: new Map(),
    cells: new Map(),
    named: 0,
  };
  const root = output.reserve();
  const refs = tree.pages.map(() => output.reserve());
  const input = inputOf(source);
  const destinations = destinationsOf(input);
  const keeps = (value: Value) => {
    if (value instanceof PdfString) return !wish.isSecret(decodeText(value.bytes));
    return !(value instanceof Name && !NAMES.has(value.value) && wish.isSecret(value.value));
  };
  const wishOf = (page: number): Wish => {
    const asked = wish.pages.get(page) ?? NO_WISH;
    // PDFium reads a page with the texts that marked content has for its glyphs: these have places then.
    if (wish.raw) return { ...asked, keeps: () => true };
    return wish.clean ? asked : { ...asked, keeps };
  };
  const fields = new KeptFields(shop, tree.pages, keeps, (page) =>
    wish.clean || wish.pictures.has(page) ? undefined : wishOf(page),
  );
  const kept = new Map(fields.widgets);
  const spaces: PageSpace[] = [];
  const findings: Findings[] = [];
  const annotations: Annotations[] = [];
  const failed = new Map<number, string>();
  for (const [i, page] of tree.pages.entries()) {
    await turn(i);
    const dict = wholeDictOfPage(file, page);
    const made = wish.pictures.get(i);
    const before = pageSpace(file, dict, page.rotate);
    const space = made === undefined ? before : plainSpace(made);
    const found = noFindings();
    const marks = annotationsOf(file, dict, layers, destinations, fields.widgets);
    spaces.push(space);
    findings.push(found);
    annotations.push(marks);
    const own = wishOf(i);
    pictures.page = i;
    const edit: PageEdit = { shop, wish: own, shown: space.shown, findings: found };
    let drawn: Drawn | undefined;
    if (made === undefined) {
      try {
        drawn = drawPage(edit, dict, marks, space);
      } catch (error) {
        if (!(error instanceof Unreadable || error instanceof Damage)) throw error;
        failed.set(i, error.message);
        if (wish.raw) drawn = rawPage(shop, dict, marks);
      }
    } else drawn = { content: Buffer.from(made.content), resources: made.resources(output) };
    output.set(refs[i]!, pageDict(shop, dict, space, drawn, root, wish.overlays.get(i)));
    const links = marks.links.filter(
      (link) => !touches(link, own.regions) && !(typeof link.to === 'string' && wish.isSecret(link.to)),
    );
    const written = links.flatMap((link) => {
      const box = made === undefined ? link.rect : moved(link.rect, before, space);
      if (box === undefined) return [];
      const ref = output.add(linkDict(box, link.to, refs));
      if (link.num > 0) kept.set(link.num, ref);
      return [ref];
    });
    const list = [...written, ...fields.on(i)];
    const pageWritten = output.get(refs[i]!);
    if (list.length > 0 && pageWritten instanceof Dict) pageWritten.set('Annots', list);
  }
  fonts.finish(redrawnGlyphs(shop));
  for (const [page, reason] of await pictures.finish(decodePicture)) failed.set(page, reason);
  let wholePictures = 0;
  const cut = new Set(findings.flatMap((each) => [...each.cut]));
  for (const [page, { whole, covers }] of findings.entries())
    for (const { num, box, at } of whole) {
      if (!cut.has(num)) continue;
      wholePictures++;
      // Nobody sees it there, and so nobody could mark it.
      if (covers.some((cover) => cover.at > at && contains(cover.box, box, HIDDEN_SLACK)))
        failed.set(page, 'a picture of the regions that lies under something');
    }
  output.set(root, dictOf({ Type: name('Pages'), Kids: refs, Count: refs.length }));
  const marked = refs.map((ref, i) => ({ ref, marked: findings[i]?.marked ?? new Map<number, boolean>() }));
  const { entries, title, parts } = wish.clean
    ? { entries: {}, title: undefined, parts: [] }
    : keepStructure({ input, output, pages: marked, annotations: kept, keeps });
  if (fields.all > 0 && !wish.clean) parts.push({ part: 'fields', kept: fields.kept, left: fields.all - fields.kept });
  const catalog = dictOf({ Type: name('Catalog'), Pages: root, ...entries, AcroForm: fields.write(refs) });
  const info = title === undefined ? undefined : output.add(dictOf({ Title: title }));
  const bytes = output.write(output.add(catalog), info);
  return { bytes, spaces, findings, annotations, failed, layers, wholePictures, wholeFonts: fonts.whole, parts };
}

interface Drawn {
  readonly content: Uint8Array;
  readonly resources: Dict;
  readonly group?: Dict | undefined;
}

function drawPage(edit: PageEdit, dict: Dict, { appearances }: Annotations, { shown }: PageSpace): Drawn {
  const { shop } = edit;
  const { file } = shop;
  const state = new GraphicsState([1, 0, 0, 1, 0, 0], grownFar(shown));
  const made = editContent(pageContent(file, dict), file.dict(dict.get('Resources')), edit, state);
  const group = groupOf(shop, dict.get('Group'));
  if (appearances.length === 0) return { content: made.bytes, resources: made.resources, group };
  // Appearances become forms that the page draws after everything else.
  const lines = appearances.map(({ matrix }, i) => `q ${matrix.map(decimal).join(' ')} cm /Note${i} Do Q`);
  const forms = new Dict(appearances.map(({ form }, i) => [`Note${i}`, form]));
  const after = editContent(
    Buffer.from(lines.join('\n')),
    new Dict([['XObject', forms]]),
    edit,
    new GraphicsState([1, 0, 0, 1, 0, 0], grownFar(shown)),
  );
  const form = shop.output.add(
    flateStream(
      [
        ['Type', name('XObject')],
        ['Subtype', name('Form')],
        ['BBox', [shown.x0, shown.y0, shown.x1, shown.y1]],
        ['Resources', after.resources],
      ],
      after.bytes,
    ),
  );
  const resources = new Dict(made.resources);
  const xobjects = resources.get('XObject');
  resources.set('XObject', new Dict([...(xobjects instanceof Dict ? xobjects : []), ['CutNotes', form]]));
  const content = Buffer.concat([Buffer.from('q\n'), made.bytes, Buffer.from('Q\n/CutNotes Do\n')]);
  return { content, resources, group };
}

function decimal(value: number): string {
  return decimalText(value, 6);
}

/** Clipping begins with more than the page: what lies just beside it is still looked at. */
function grownFar({ x0, y0, x1, y1 }: Rect): Rect {
  return { x0: x0 - 1e6, y0: y0 - 1e6, x1: x1 + 1e6, y1: y1 + 1e6 };
}

function plainSpace({ width, height }: PicturePage): PageSpace {
  return { shown: { x0: 0, y0: 0, x1: width, y1: height }, rotate: 0, width, height };
}

function moved(rect: Rect, from: PageSpace, to: PageSpace): Rect | undefined {
  const box = toDisplayed(rect, from);
  return box === undefined ? undefined : toUserSpace(box, to);
}

/** A page's content as it is, with its annotations. What only a reader that knows layers would hide could be seen. */
function rawPage({ file, copier, layers }: Workshop, dict: Dict, { appearances }: Annotations): Drawn | undefined {
  if (layers.hiddenCount > 0) return undefined;
  const copied = copier.copy(file.resolve(dict.get('Resources')));
  const resources = new Dict(copied instanceof Dict ? copied : []);
  const forms = appearances.map(({ form }, i) => [`CutNote${i}`, copier.copy(form)] as const);
  const known = file.dict(file.dict(dict.get('Resources'))?.get('XObject'));
  const own = [...(known ?? [])].map(([key, value]) => [key, copier.copy(value)] as const);
  if (forms.length > 0) resources.set('XObject', new Dict([...own, ...forms]));
  const after = appearances.map(({ matrix }, i) => `q ${matrix.map(decimal).join(' ')} cm /CutNote${i} Do Q`);
  try {
    const content = Buffer.concat([
      Buffer.from('q\n'),
      pageContent(file, dict),
      Buffer.from(`\nQ\n${after.join('\n')}`),
    ]);
    return { content, resources };
  } catch (error) {
    if (error instanceof Damage) return undefined;
    throw error;
  }
}

function pageDict(
  { output }: Workshop,
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
    // What lies beside the part that is shown is gone: there is no larger page any more.
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

function linkDict({ x0, y0, x1, y1 }: Rect, to: string | number, pages: readonly Ref[]): Dict {
  const common = { Type: name('Annot'), Subtype: name('Link'), Rect: [x0, y0, x1, y1], Border: [0, 0, 0] };
  if (typeof to === 'number') return dictOf({ ...common, Dest: [pages[to] ?? null, name('Fit')] });
  return dictOf({ ...common, A: dictOf({ S: name('URI'), URI: text(to) }) });
}

const GLYPH_CAP = 8 << 20;

/** Glyphs of Type 3 fonts, edited as content that has no place. */
function redrawnGlyphs(shop: Workshop): Redraw {
  const everywhere = { x0: -1e9, y0: -1e9, x1: 1e9, y1: 1e9 };
  return (glyphs, value) => {
    const edit: PageEdit = { shop, wish: NO_WISH, shown: everywhere, findings: noFindings() };
    const made = new Dict();
    const resources = new Dict();
    for (const [glyph, { num }] of glyphs) {
      const found = streamOf(shop.file, num);
      if (found === undefined) continue;
      const state = new GraphicsState([1, 0, 0, 1, 0, 0], everywhere);
      const edited = editGlyph(found, shop.file.dict(value), edit, state);
      if (edited === undefined) continue;
      for (const [category, entries] of edited.resources) {
        if (!(entries instanceof Dict)) continue;
        const known = resources.get(category);
        resources.set(category, new Dict([...(known instanceof Dict ? known : []), ...entries]));
      }
      made.set(glyph, shop.output.add(flateStream([], edited.bytes)));
    }
    return { glyphs: made, resources };
  };
}

function editGlyph(bytes: Uint8Array, resources: Dict | undefined, edit: PageEdit, state: GraphicsState) {
  try {
    return editContent(bytes, resources, edit, state);
  } catch (error) {
    // A glyph that cannot be read is not drawn; the pages that show it differ, and are seen to.
    if (error instanceof Unreadable || error instanceof Damage) return undefined;
    throw error;
  }
}

function streamOf(file: PdfFile, num: number): Uint8Array | undefined {
  try {
    return file.streamBytes(num, GLYPH_CAP)?.bytes;
  } catch (error) {
    if (error instanceof Damage) return undefined;
    throw error;
  }
}
