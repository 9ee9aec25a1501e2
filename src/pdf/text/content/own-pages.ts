// Reads pages with our own reader: content, form fields and links. Where it meets something it does not know, it says
// so, and the page is left to pdf.js, which is slower and loads for a quarter of a second.

import { Walk } from '../../content/walk.ts';
import { listOf, nameAt } from '../../file/read/entries.ts';
import { fieldType, inherited } from '../../file/read/form-fields.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { type Font, readFont } from '../../fonts/font-reader.ts';
import { Unknown } from '../../fonts/unknown.ts';
import { type Appearance, appearanceOf, isHiddenAnnotation } from '../../page/annotations.ts';
import { rectOf } from '../../page/boxes.ts';
import { pageContent } from '../../page/contents.ts';
import { boundsOf, multiply, quadOf, type Rect } from '../../page/geometry.ts';
import { type View, viewOf } from '../../page/view.ts';
import { Damage, unlessDamaged } from '../../syntax/damage.ts';
import { decodeTextString, textOf } from '../../syntax/text-strings.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../../syntax/values.ts';
import { ContentReader } from './content-reader.ts';
import { Drawing } from './drawing.ts';
import { MOST_OPERATORS } from './operators.ts';
import { type Figure, type PageContent, type TextBox, turnBox, type Word } from './page-content.ts';

export class OwnPages {
  private readonly file: PdfFile;
  private readonly walk: Walk;
  private readonly fonts = new Map<number, Font | Unknown>();
  private readonly direct = new WeakMap<Dict, Font>();

  private readonly annotations: boolean;

  /** `annotations`: whether form fields, text boxes and stamps are read too. */
  constructor(file: PdfFile, annotations = true) {
    this.file = file;
    this.annotations = annotations;
    this.walk = new Walk(file, 'whole', MOST_OPERATORS);
  }

  /** The page, or why it must be left to pdf.js. */
  read(page: Page): PageContent | string {
    try {
      return this.draw(page);
    } catch (error) {
      if (error instanceof Unknown || error instanceof Damage) return error.message;
      throw error;
    }
  }

  /** Marks the words of a page that link to an address, also on pages that pdf.js read. */
  markLinks(page: Page, content: PageContent): void {
    try {
      const dict = wholeDictOfPage(this.file, page);
      markLinks(this.file, dict, viewOf(this.file, dict, page.rotate), content);
    } catch (error) {
      // Damaged links are left out: the words of the page are still good.
      if (!(error instanceof Damage)) throw error;
    }
  }

  /** Figures that stand in the user space of a page, where its words are. */
  placed(page: Page, content: PageContent, figures: readonly { alt: string; box: Rect }[]): Figure[] {
    if (figures.length === 0) return [];
    const view = unlessDamaged(undefined, () => viewOf(this.file, wholeDictOfPage(this.file, page), page.rotate));
    if (view === undefined) return [];
    const shown = figures.map(({ alt, box }) => ({ alt, ...shownBox(box, view, content) }));
    return shown.filter((figure) => !saysItself(figure, content));
  }

  private draw(page: Page): PageContent {
    const { file, walk } = this;
    const dict = wholeDictOfPage(file, page);
    const view = viewOf(file, dict, page.rotate);
    const drawing = new Drawing(view.transform, view.width, view.height);
    const reader = this.reader(drawing);
    reader.save();
    walk.begin(reader, view.transform).content(pageContent(file, dict), file.dict(dict.get('Resources')));
    reader.restore();
    this.addFields(page, drawing);
    return drawing.finish();
  }

  private reader(drawing: Drawing): ContentReader {
    return new ContentReader(this.file, drawing, (value) => this.font(value));
  }

  /** Draws what the form fields of a page show. One whose appearance cannot be read shows its value. */
  addFields(page: Page, drawing: Drawing): void {
    const { walk } = this;
    const reader = this.reader(drawing);
    walk.begin(reader, drawing.state.ctm);
    for (const { rect, appearance, lines } of this.fieldsOf(page)) {
      const depth = drawing.depth;
      drawing.beginField();
      try {
        if (appearance === undefined) drawing.field(lines, rect);
        else reader.draw(walk.part(appearance.form), walk, multiply(appearance.matrix, walk.matrix));
      } catch (error) {
        if (!(error instanceof Unknown || error instanceof Damage)) throw error;
        while (drawing.depth > depth) reader.restore();
        if (lines.length > 0) drawing.field(lines, rect);
      }
    }
  }

  private fieldsOf(page: Page): ShownAnnotation[] {
    if (!this.annotations) return [];
    // Damaged form fields are left out: the text of the page is still good.
    return unlessDamaged([], () => shownAnnotations(this.file, wholeDictOfPage(this.file, page)));
  }

  private directFont(dict: Dict): Font {
    const font = this.direct.get(dict) ?? readFont(this.file, dict);
    this.direct.set(dict, font);
    return font;
  }

  private font(value: Value | undefined): Font | undefined {
    const { file, fonts } = this;
    if (!(value instanceof Ref)) {
      if (value instanceof Dict) return this.directFont(value);
      throw new Unknown('no font');
    }
    const known = fonts.get(value.num);
    if (known instanceof Unknown) throw known;
    if (known !== undefined) return known;
    try {
      const dict = file.object(value.num);
      if (!(dict instanceof Dict)) throw new Unknown('no font');
      const font = readFont(file, dict);
      fonts.set(value.num, font);
      return font;
    } catch (error) {
      if (error instanceof Unknown) fonts.set(value.num, error);
      throw error;
    }
  }
}

/** Marks the words of a page that link to the web or to a mailbox. */
function markLinks(file: PdfFile, page: Dict, view: View, content: PageContent): void {
  for (const item of listOf(file, page.get('Annots'))) {
    const annotation = file.dict(item);
    const url = annotation === undefined ? undefined : addressOf(file, annotation);
    const rect = url === undefined ? undefined : rectOf(file, annotation?.get('Rect'));
    if (rect === undefined) continue;
    const area = shownBox(rect, view, content);
    for (const word of content.words) if (url !== undefined && isInside(word, area)) word.link = url;
  }
}

/** Whether the words in a figure are most of what it says: then they are read already. */
function saysItself(figure: Figure, { words }: PageContent): boolean {
  const inside = new Set(words.flatMap((word) => (isInside(word, figure) ? word.text : [])));
  const said = figure.alt.split(' ');
  return said.filter((text) => inside.has(text)).length > 0.5 * said.length;
}

function isInside({ x0, x1, y, size }: Word, area: TextBox): boolean {
  const [across, height] = [(x0 + x1) / 2, y - 0.3 * size];
  return across > area.x0 && across < area.x1 && height > area.y0 && height < area.y1;
}

/** A box of user space on a page as it is read. */
function shownBox(box: Rect, { transform, width, height }: View, { direction }: PageContent): TextBox {
  return turnBox(boundsOf(quadOf(box, transform)), direction, width, height);
}

/** The address of a link; undefined for links within the document. */
function addressOf(file: PdfFile, annotation: Dict): string | undefined {
  if (annotation.name('Subtype') !== 'Link') return undefined;
  const action = file.dict(annotation.get('A'));
  if (action?.name('S') !== 'URI') return undefined;
  const uri = file.resolve(action.get('URI'));
  if (!(uri instanceof PdfString)) return undefined;
  const text = utf8(uri.bytes).trim();
  const whole = /^www\./i.test(text) ? `http://${text}` : text;
  return /^(https?|mailto):/i.test(whole) && URL.canParse(whole) ? new URL(whole).href : undefined;
}

/** The standard says ASCII; producers write UTF-8. */
function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // A fatal TextDecoder throws for bytes that are not UTF-8, and for nothing else.
    return decodeTextString(bytes);
  }
}

// The annotations of a page as people see them (ISO 32000-1, 12.5 and 12.7). An appearance is drawn like the page; a check box
// reads `[x]` or `[ ]`; a field or text box whose appearance the viewer must make shows its value.

interface ShownAnnotation {
  readonly rect: Rect;
  /** Undefined where the viewer makes it, and for check boxes. */
  readonly appearance: Appearance | undefined;
  readonly lines: readonly string[];
}

const LINE_END = /\r\n?|\n/;
const PASSWORD = 1 << 13;
const PUSH_BUTTON = 1 << 16;

/** `page`: its dictionary. Hidden annotations and those without an area are left out. */
function shownAnnotations(file: PdfFile, page: Dict): ShownAnnotation[] {
  const catalog = file.dict(file.xref.trailer.get('Root'));
  const made = file.resolve(file.dict(catalog?.get('AcroForm'))?.get('NeedAppearances')) === true;
  return listOf(file, page.get('Annots')).flatMap((item): ShownAnnotation[] => {
    const annotation = file.dict(item);
    if (annotation === undefined || isHiddenAnnotation(file, annotation)) return [];
    const subtype = nameAt(file, annotation, 'Subtype');
    const rect = rectOf(file, annotation.get('Rect'));
    if (subtype === 'Popup' || rect === undefined || rect.x1 <= rect.x0 || rect.y1 <= rect.y0) return [];
    if (subtype !== 'Widget') {
      const appearance = appearanceOf(file, annotation);
      const contents =
        subtype === 'FreeText' && appearance === undefined ? file.resolve(annotation.get('Contents')) : null;
      const lines = textOf(contents ?? null)?.split(LINE_END) ?? [];
      return appearance === undefined && lines.length === 0 ? [] : [{ rect, appearance, lines }];
    }
    const kind = fieldType(file, annotation);
    const flag = inherited(file, annotation, 'Ff');
    const flags = typeof flag === 'number' ? flag : 0;
    if (kind === 'Btn' && (flags & PUSH_BUTTON) === 0) {
      const value = inherited(file, annotation, 'V');
      const state = nameAt(file, annotation, 'AS') ?? (value instanceof Name ? value.value : 'Off');
      return [{ rect, appearance: undefined, lines: [state === 'Off' ? '[ ]' : '[x]'] }];
    }
    const isText = (kind === 'Tx' || kind === 'Ch') && (flags & PASSWORD) === 0;
    const lines = isText ? shownValue(file, annotation) : [];
    const appearance = made && lines.length > 0 ? undefined : appearanceOf(file, annotation);
    return appearance === undefined && lines.length === 0 ? [] : [{ rect, appearance, lines }];
  });
}

/** The lines of a text field, or the display names of the chosen options. */
function shownValue(file: PdfFile, widget: Dict): string[] {
  const value = inherited(file, widget, 'V');
  const texts = (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(file.resolve(item) ?? null) ?? []);
  const options = inherited(file, widget, 'Opt');
  const shown = new Map(
    (Array.isArray(options) ? options : []).flatMap((item): [string, string][] => {
      const pair = file.resolve(item);
      if (!Array.isArray(pair)) return [];
      const [stored, name] = pair.map((part) => textOf(file.resolve(part) ?? null));
      return typeof stored === 'string' && typeof name === 'string' ? [[stored, name]] : [];
    }),
  );
  const lines = texts.flatMap((text) => (shown.get(text) ?? text).split(LINE_END));
  return lines.some((line) => line.trim() !== '') ? lines : [];
}
