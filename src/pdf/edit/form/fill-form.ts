import { Failure } from '../../../contract/base/failure.ts';
import type { Draft } from '../../../contract/base/ports.ts';
import { entryAt } from '../../../contract/base/present.ts';
import type { Copier } from '../../file/copy/copier.ts';
import { type NewEntries, UNCHANGED } from '../../file/copy/new-entries.ts';
import { type Append, rewrite } from '../../file/copy/rewrite.ts';
import { claimsOf } from '../../file/read/claims.ts';
import { catalogOf, nameAt, numberAt } from '../../file/read/entries.ts';
import type { Pace } from '../../file/read/pace.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { writeStream } from '../../file/write/writer.ts';
import { valueText } from '../../structure/input.ts';
import { encodeName, stringText } from '../../syntax/serialize.ts';
import { encodeText, textOf } from '../../syntax/text-strings.ts';
import { Dict, Ref } from '../../syntax/values.ts';
import { type FontFile, fontFor } from '../fonts/font-choice.ts';
import type { PageFont } from '../fonts/page-font.ts';
import { type Look, listLook, textDefaults, textLook, tickLook } from './appearance.ts';
import {
  buttonNames,
  type FieldValue,
  FLAGS,
  type Form,
  type FormField,
  filledIn,
  onState,
  optionsOf,
  type Widget,
} from './fields.ts';

/** A field with its new value; fields without one are redrawn where the form asks for that. */
export interface Filling {
  readonly field: FormField;
  readonly value: FieldValue;
}

/** Writes the document with these values into an unfinished draft. `font`: for texts, instead of the form's. */
export async function fillForm(
  source: Source,
  form: Form,
  fillings: readonly Filling[],
  draft: Draft,
  id: string,
  pace: Pace,
  font: PageFont | undefined,
  fontFile: FontFile | undefined,
  append: Append | undefined,
): Promise<void> {
  const { file } = source;
  const filled = new Set(fillings.map(({ field }) => field));
  // If the form asks viewers to draw, or a field is hidden, earlier values are drawn, too.
  const asks = file.resolve(form.dict.get('NeedAppearances')) === true;
  const others = form.fields.filter((field) => !filled.has(field));
  await rewrite(
    source,
    draft,
    id,
    pace,
    () => UNCHANGED,
    async (copier) => {
      const work = new FormWriter(copier, form, font, fontFile);
      for (const { field, value } of fillings) {
        await work.fill(field, value);
        if (pace.isOver()) await pace.yield();
      }
      for (const field of others) {
        await work.redraw(field, asks);
        if (pace.isOver()) await pace.yield();
      }
      await work.finish();
    },
    { append },
  );
}

/** An appearance to write, and its widget; `state`: of a check box or radio button. */
interface Pending {
  readonly look: Look;
  readonly num: number;
  readonly state?: string;
}

class FormWriter {
  private readonly copier: Copier;
  private readonly file: PdfFile;
  private readonly form: Form;
  private readonly given: PageFont | undefined;
  private readonly fontFile: FontFile | undefined;
  /** Standard fonts and Liberation, by name. */
  private readonly fonts = new Map<string, PageFont>();
  private readonly pending: Pending[] = [];

  constructor(copier: Copier, form: Form, given: PageFont | undefined, fontFile: FontFile | undefined) {
    this.copier = copier;
    this.file = copier.file;
    this.form = form;
    this.given = given;
    this.fontFile = fontFile;
  }

  async fill(field: FormField, value: FieldValue): Promise<void> {
    if (field.num === 0) throw unreachable(this.file, field);
    if (field.type === 'check' || field.type === 'radio') return this.tick(field, value);
    const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : [String(value)];
    const strings = texts.map((text) => stringText(encodeText(text)));
    this.change(field.num, 'V', strings.length === 1 ? (strings[0] ?? '()') : `[${strings.join('')}]`);
    // Rich text, which viewers would show instead.
    if (field.type === 'text') this.change(field.num, 'RV', undefined);
    if (field.type === 'choice') {
      const options = optionsOf(this.file, field);
      const chosen = texts.map((text) => options.findIndex((option) => option.value === text)).filter((at) => at >= 0);
      this.change(field.num, 'I', chosen.length === 0 ? undefined : `[${chosen.sort((a, b) => a - b).join(' ')}]`);
    }
    await this.draw(field, value, false);
  }

  /** `lenient`: leave out characters that its font lacks, since this value is not new. */
  async draw(field: FormField, value: FieldValue, lenient: boolean): Promise<void> {
    for (const widget of field.widgets) {
      if (widget.num === 0) {
        if (lenient) continue;
        throw unreachable(this.file, field);
      }
      try {
        const look = await this.lookOf(field, widget, value);
        if (look !== undefined) this.pending.push({ look, num: widget.num });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (!lenient) throw new Failure(error.code, `${field.name}: ${error.message}`, { hint: error.hint });
      }
    }
  }

  /** Draws an old value as viewers do: text or choice if the form asks, any field where a widget has no appearance. */
  async redraw(field: FormField, asks: boolean): Promise<void> {
    const { file } = this;
    const bare = field.widgets.filter(({ num, dict }) => num > 0 && !dict.has('AP'));
    if (field.type === 'text' || field.type === 'choice') {
      if (asks || bare.length > 0) await this.draw(field, filledIn(file, field), true);
    } else if (field.type === 'button') {
      for (const widget of bare) {
        const caption = textOf(file.resolve(file.dict(widget.dict.get('MK'))?.get('CA'))) ?? '';
        await this.draw({ ...field, widgets: [widget] }, caption, true);
      }
    } else if (field.type !== 'signature') {
      for (const widget of bare) {
        const value = field.widgets.length === 1 ? nameAt(file, field.dict, 'V') : undefined;
        const state = nameAt(file, widget.dict, 'AS') ?? value ?? 'Off';
        this.change(widget.num, 'AS', `/${encodeName(state)}`);
        this.drawStates(field, widget, state === 'Off' ? 'Yes' : state);
      }
    }
  }

  private drawStates({ type }: FormField, widget: Widget, state: string): void {
    for (const name of ['Off', state]) {
      const look = tickLook(this.file, widget, name !== 'Off', type === 'radio');
      if (look !== undefined) this.pending.push({ look, num: widget.num, state: name });
    }
  }

  private async lookOf(field: FormField, widget: Widget, value: FieldValue): Promise<Look | undefined> {
    const { file } = this;
    const texts = Array.isArray(value) ? value.map(String) : [String(value)];
    const options = field.type === 'choice' ? optionsOf(file, field) : [];
    if (field.type === 'choice' && (field.flags & FLAGS.combo) === 0) {
      const rows = options.map(({ value, shown }) => ({ shown, chosen: texts.includes(value) }));
      const font = await this.fontOf(field, widget, rows.map(({ shown }) => shown).join(''));
      return listLook(file, field, widget, rows, font);
    }
    const shown = options.find((option) => option.value === texts[0])?.shown ?? texts.join('\n');
    return textLook(file, field, widget, shown, await this.fontOf(field, widget, shown));
  }

  private tick(field: FormField, value: FieldValue): void {
    const { file } = this;
    const named = buttonNames(file, field).find(({ name }) => name === value)?.state;
    let chosen = 'Off';
    for (const widget of field.widgets) {
      const onName = onState(file, widget);
      const state = onName ?? 'Yes';
      const on =
        typeof value === 'boolean'
          ? value
          : named === undefined
            ? value !== '' && onName === undefined
            : named === onName;
      if (on) chosen = state;
      if (widget.num === 0) throw unreachable(file, field);
      this.change(widget.num, 'AS', on ? `/${encodeName(state)}` : '/Off');
      if (onName === undefined) this.drawStates(field, widget, state);
    }
    this.change(field.num, 'V', `/${encodeName(chosen)}`);
  }

  async finish(): Promise<void> {
    const { writer } = this.copier;
    const numbers = new Map<PageFont, number>();
    for (const { look } of this.pending) {
      if (look.font !== undefined && !numbers.has(look.font)) numbers.set(look.font, await look.font.write(writer));
    }
    const states = new Map<number, string>();
    for (const { look, num, state } of this.pending) {
      const font = look.font === undefined ? undefined : numbers.get(look.font);
      const resources = font === undefined ? '<<>>' : `<</Font<</F ${font} 0 R>>>>`;
      const entries = `/Type/XObject/Subtype/Form/BBox[${look.box.join(' ')}]/Matrix[${look.matrix}]/Resources${resources}`;
      const stream = writeStream(writer, entries, Buffer.from(look.content, 'latin1'));
      if (state === undefined) this.change(num, 'AP', `<</N ${stream} 0 R>>`);
      else {
        states.set(num, `${states.get(num) ?? ''}/${encodeName(state)} ${stream} 0 R`);
        this.change(num, 'AP', `<</N<<${states.get(num)}>>>>`);
      }
    }
    tidyForm(this.copier, this.form);
  }

  /** The given font, else the standard font most like the form's, or its substitute. */
  private async fontOf(field: FormField, widget: Widget, text: string): Promise<PageFont> {
    if (this.given !== undefined) return this.given;
    const { fontName } = textDefaults(this.file, field, widget);
    const fonts = this.file.dict(this.file.dict(this.form.dict.get('DR'))?.get('Font'));
    const base = nameAt(this.file, this.file.dict(fonts?.get(fontName)), 'BaseFont') ?? fontName;
    // PDF/A and PDF/UA require embedded fonts.
    const font = await fontFor(text, standardLike(base), this.fontFile, claimsOf(this.file).length > 0);
    // Each font is written once, with what all fields show in it.
    return entryAt(this.fonts, font.name, () => font);
  }

  private change(num: number, key: string, value: string | undefined): void {
    this.copier.plan(num, new Map([[key, value]]));
  }
}

/** Everything is drawn; and viewers would show the old values of an XFA form. */
const NEEDLESS: NewEntries = new Map(Object.entries({ NeedAppearances: undefined, XFA: undefined }));

/** Removes needless entries from the form's dictionary, wherever that stands. */
function tidyForm(copier: Copier, form: Form): void {
  const value = catalogOf(copier.file).get('AcroForm');
  const left = new Dict([...form.dict].filter(([key]) => !NEEDLESS.has(key)));
  if (value instanceof Ref) copier.plan(value.num, NEEDLESS);
  else copier.planCatalog(new Map([['AcroForm', valueText(left, copier)]]));
}

/** Names that forms give to the standard fonts, and families of others. */
function standardLike(name: string): string {
  const bold = /bold|^(HeBo|TiBo|CoBo|HeBI|TiBI)$|,bd/i.test(name);
  const italic = /italic|oblique|^(HeOb|TiIt|CoOb|HeBI|TiBI|HeBO|CoBO)$/i.test(name);
  if (/cour|mono|^Co/i.test(name)) return `Courier${suffix(bold, italic, 'Oblique', '')}`;
  if (/times|serif|georgia|garamond|roman|^Ti/i.test(name) && !/sans/i.test(name)) {
    return `Times${suffix(bold, italic, 'Italic', '-Roman')}`;
  }
  return `Helvetica${suffix(bold, italic, 'Oblique', '')}`;
}

function suffix(bold: boolean, italic: boolean, slanted: string, plain: string): string {
  return bold || italic ? `-${bold ? 'Bold' : ''}${italic ? slanted : ''}` : plain;
}

function unreachable(file: PdfFile, { name }: FormField): Failure {
  const message = `${file.name}: the field ${name} stands inside another object and cannot be changed`;
  return new Failure('unprocessable', message, { hint: 'Save the form again with the program it came from.' });
}

/** The most characters that a text field takes; undefined without a limit. */
export function mostCharacters(file: PdfFile, field: FormField): number | undefined {
  const most = numberAt(file, field.dict, 'MaxLen');
  return field.type === 'text' && most !== undefined && most > 0 ? most : undefined;
}
