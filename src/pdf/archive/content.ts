// Reads the content of pages and of all that they draw: the shown codes of each font, device colours, and content that
// ISO 19005-2 does not allow (6.1.6, 6.1.10, 6.1.13, 6.2.2), which is rewritten without it.
import { ContentLexer } from '../content/lexer.ts';
import { OPERATORS, SHOWS } from '../content/operators.ts';
import { type ContentOperation, ContentScanner } from '../content/scanner.ts';
import { ContentWriter } from '../content/writer.ts';
import type { Pace } from '../file/read/pace.ts';
import { wholeDictOfPage } from '../file/read/page-dict.ts';
import { contentStream, pageContent } from '../page/contents.ts';
import { latin1 } from '../syntax/characters.ts';
import { Damage, Unreadable } from '../syntax/damage.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../syntax/values.ts';
import { broken, type Conversion, refuse } from './job.ts';
import { isWholeHex } from './raw-syntax.ts';

const MOST_NESTED = 28;
export const MOST_STRING = 32_767;
export const MOST_NAME = 127;
const MOST_WHOLE = 2_147_483_647;
const LEAST_REAL = 1.175e-38;
const INVISIBLE = 3;
export const LONG_STRING = `a string longer than ${MOST_STRING} bytes`;
export const ODD_STRING = 'a hexadecimal string that is not of whole bytes';
const INTENTS = /^(?:RelativeColorimetric|AbsoluteColorimetric|Perceptual|Saturation)$/;
const DEVICE_OF: Readonly<Record<string, string>> = {
  rg: 'DeviceRGB',
  RG: 'DeviceRGB',
  k: 'DeviceCMYK',
  K: 'DeviceCMYK',
};
const SPACES: Readonly<Record<string, string>> = { RGB: 'DeviceRGB', CMYK: 'DeviceCMYK' };

export interface ShownFont {
  readonly num: number;
  readonly dict: Dict;
  /** Strings, one character a byte: drawn ones, and ones in invisible text. */
  readonly drawn: Set<string>;
  readonly unseen: Set<string>;
  /** The first page that shows it, from 1. */
  readonly page: number;
}

interface State {
  font: ShownFont | undefined;
  mode: number;
}

export class ContentJudge {
  /** By object number. */
  readonly fonts = new Map<number, ShownFont>();
  private readonly job: Conversion;
  private readonly seen = new Set<number>();
  private page = 0;

  constructor(job: Conversion) {
    this.job = job;
  }

  async read(pace: Pace): Promise<void> {
    const { changes, source } = this.job;
    for (const [i, page] of source.tree.pages.entries()) {
      this.page = i + 1;
      this.job.page = i + 1;
      this.job.at = page.num;
      const dict = wholeDictOfPage(changes.file, page);
      const given = dict.get('Resources');
      const resources = changes.dict(given) ?? new Dict();
      const mended = this.unlessUnreadable(() => this.content(pageContent(changes.file, dict), resources, given));
      const pageDict = changes.object(page.num);
      // A page must have resources of its own: inherited ones do not count (6.2.2).
      const isBare = pageDict instanceof Dict && !pageDict.has('Resources') && dict.has('Resources');
      broken(this.job, '6.2.2', 'a page without resources of its own', isBare);
      if (pageDict instanceof Dict && (mended !== undefined || isBare)) {
        if (isBare) pageDict.set('Resources', dict.get('Resources') ?? null);
        if (mended !== undefined) pageDict.set('Contents', changes.add(new Dict(), mended));
        changes.set(page.num, pageDict);
      }
      for (const item of changes.list(dict.get('Annots'))) this.annotation(changes.dict(item));
      if (pace.isOver()) await pace.yield();
    }
  }

  private annotation(note: Dict | undefined): void {
    const normal = this.job.changes.dict(note?.get('AP'))?.get('N');
    const appearance = this.job.changes.dict(normal);
    for (const form of appearance?.has('Length') === true ? [normal] : [...(appearance?.values() ?? [])])
      this.stream(form, undefined);
  }

  private unlessUnreadable<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Damage) && !(error instanceof Unreadable)) throw error;
      refuse(this.job, '6.2.2', `the content of page ${this.page} cannot be read (${error.message})`);
      return undefined;
    }
  }

  /** A form, a pattern or a glyph; `outer`: resources of the content that draws it, for one without its own. */
  private stream(value: Value | undefined, outer: Value | undefined): void {
    const { changes } = this.job;
    const dict = changes.dict(value);
    if (!(value instanceof Ref) || dict?.has('Length') !== true || this.seen.has(value.num)) return;
    if (changes.name(dict, 'Subtype') === 'Image') return;
    this.seen.add(value.num);
    if (!changes.file.has(value.num)) return;
    const isGlyph = !dict.has('BBox');
    if (!dict.has('Resources') && !isGlyph && outer !== undefined) {
      dict.set('Resources', outer);
      changes.set(value.num, dict);
    }
    const given = dict.get('Resources') ?? outer;
    const resources = changes.dict(given) ?? new Dict();
    const mended = this.unlessUnreadable(() =>
      this.content(contentStream(changes.file, value.num), resources, given, changes.dict(outer)),
    );
    if (mended !== undefined) changes.set(value.num, dict, mended);
  }

  /** The fixed content; undefined where it may stay unchanged. */
  private content(bytes: Uint8Array, resources: Dict, given: Value | undefined, outer?: Dict): Uint8Array | undefined {
    const { job } = this;
    const { changes } = job;
    const lexer = new ContentLexer(bytes);
    const named = (kind: string, name: string): Value | undefined => {
      const resource = changes.dict(resources.get(kind))?.get(name);
      // Readers look in the page's resources, which PDF/A does not allow (6.2.2).
      if (resource === undefined && changes.dict(outer?.get(kind))?.has(name) === true)
        refuse(this.job, '6.2.2', `the content of page ${this.page} names ${name}, which is not among its resources`);
      return resource;
    };
    const saved: State[] = [];
    let state: State = { font: undefined, mode: 0 };
    let name = '';
    let number = 0;
    let strings: string[] = [];
    let isSound = true;
    for (let token = lexer.next(); token !== 'end'; token = lexer.next()) {
      if (token === 'name') {
        name = lexer.name;
        if (name.length > MOST_NAME)
          refuse(this.job, '6.1.13', `a name in the content of page ${this.page} is longer than ${MOST_NAME} bytes`);
      } else if (token === 'number') {
        number = lexer.number;
        isSound =
          !broken(job, '6.1.13', 'a number that is too large or too small', fitting(number) !== number) && isSound;
      } else if (token === 'string') {
        strings.push(Buffer.from(lexer.string.buffer, 0, lexer.length).toString('latin1'));
        const isLong = broken(job, '6.1.13', LONG_STRING, lexer.length > MOST_STRING);
        const isHex = bytes[lexer.start] === 0x3c;
        const isWhole = !isHex || isWholeHex(latin1(bytes, lexer.start + 1, lexer.position - 1));
        const isOdd = broken(job, '6.1.6', ODD_STRING, !isWhole);
        isSound &&= !isLong && !isOdd;
      }
      if (token !== 'operator') continue;
      const { operator } = lexer;
      if (!isKnown(operator, name, lexer.image?.dict)) {
        const clause = operator === 'ri' ? '6.2.6' : operator === 'EI' ? '6.2.8' : '6.2.2';
        isSound = !broken(job, clause, `content that sets what PDF/A has not (${operator})`);
      }
      const device = DEVICE_OF[operator];
      if (device !== undefined) this.device(device, resources);
      else if (operator === 'q') {
        saved.push({ ...state });
        if (saved.length > MOST_NESTED)
          refuse(this.job, '6.1.13', `graphics states are nested too deep on page ${this.page}`);
      } else if (operator === 'Q') state = saved.pop() ?? state;
      else if (operator === 'Tf') state.font = this.font(named('Font', name), given);
      else if (operator === 'Tr') state.mode = number;
      else if (operator === 'cs' || operator === 'CS') this.device(name, resources);
      else if (operator === 'Do') this.stream(named('XObject', name), given);
      else if (operator === 'scn' || operator === 'SCN') this.stream(named('Pattern', name), given);
      else if (operator === 'gs') this.graphicsState(changes.dict(named('ExtGState', name)), state, given);
      else if (operator === 'EI') this.inlineImage(lexer.image?.dict, resources);
      else if (SHOWS.has(operator) && state.font !== undefined) {
        const { drawn, unseen } = state.font;
        for (const text of strings) (state.mode === INVISIBLE ? unseen : drawn).add(text);
      }
      strings = [];
      name = '';
    }
    // Readers differ in where a word ends that a comment follows directly.
    return isSound && lexer.commentAt < 0 ? undefined : mended(bytes);
  }

  private device(name: string, resources: Dict): void {
    const { changes, devices } = this.job;
    const spaces = changes.dict(resources.get('ColorSpace'));
    if (!/^Device(?:RGB|CMYK)$/.test(name) || spaces?.has(name.replace('Device', 'Default')) === true) return;
    if (!devices.has(name)) devices.set(name, this.page);
  }

  private inlineImage(image: Dict | undefined, resources: Dict): void {
    const space = image?.get('ColorSpace');
    const inner = Array.isArray(space) ? space[1] : space;
    const name = inner instanceof Name ? inner.value : '';
    this.device(SPACES[name] ?? name, resources);
    const filter = image?.get('Filter');
    for (const name of Array.isArray(filter) ? filter : [filter])
      if (name instanceof Name && /^(?:LZW|Crypt)/.test(name.value))
        refuse(this.job, '6.1.10', `a picture in the content of page ${this.page} is coded by ${name.value}`);
  }

  private graphicsState(dict: Dict | undefined, state: State, given: Value | undefined): void {
    const { changes } = this.job;
    const [font] = changes.list(dict?.get('Font'));
    if (font !== undefined) state.font = this.font(font, given);
    this.stream(changes.dict(dict?.get('SMask'))?.get('G'), given);
  }

  private font(value: Value | undefined, given: Value | undefined): ShownFont | undefined {
    const { changes } = this.job;
    const dict = changes.dict(value);
    if (dict === undefined) return undefined;
    if (!(value instanceof Ref)) {
      refuse(this.job, '6.2.11.2', `a font of page ${this.page} is no object of its own`);
      return undefined;
    }
    const known = this.fonts.get(value.num);
    if (known !== undefined) return known;
    const font = { num: value.num, dict, drawn: new Set<string>(), unseen: new Set<string>(), page: this.page };
    this.fonts.set(value.num, font);
    for (const glyph of changes.dict(dict.get('CharProcs'))?.values() ?? [])
      this.stream(glyph, dict.get('Resources') ?? given);
    return font;
  }
}

function isKnown(operator: string, name: string, image: Dict | undefined): boolean {
  if (operator === 'ri') return INTENTS.test(name);
  if (operator === 'EI') return image?.get('Interpolate') !== true;
  return Object.hasOwn(OPERATORS, operator);
}

/** A number within PDF/A's limits. */
function fitting(number: number): number {
  if (number !== 0 && Math.abs(number) < LEAST_REAL) return 0;
  return Math.abs(number) <= MOST_WHOLE ? number : Math.sign(number) * MOST_WHOLE;
}

function mended(bytes: Uint8Array): Uint8Array {
  const scanner = new ContentScanner(bytes);
  const writer = new ContentWriter(bytes);
  for (let operation = scanner.next(); operation !== undefined; operation = scanner.next())
    mend(operation, writer, bytes);
  return writer.bytes();
}

function mend(operation: ContentOperation, writer: ContentWriter, bytes: Uint8Array): void {
  const { name, operands, image, start, end } = operation;
  const last = operands.at(-1);
  if (image?.dict.get('Interpolate') === true) {
    const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
    writer.raw(Buffer.from(text.replace(/\/(?:I|Interpolate)\s+true/, '/I false'), 'latin1'));
    return;
  }
  if (!isKnown(name, last instanceof Name ? last.value : '', image?.dict)) return;
  const right = operands.map(fitted);
  if (name === 'Tj' && last instanceof PdfString && last.bytes.length > MOST_STRING) writer.write([pieces(last)], 'TJ');
  else if (image === undefined) writer.write(right, name);
  else writer.keep(operation);
}

function fitted(value: Value): Value {
  if (typeof value === 'number') return fitting(value);
  if (!Array.isArray(value)) return value;
  return value.flatMap((item) => (item instanceof PdfString ? pieces(item) : [fitted(item)]));
}

function pieces({ bytes }: PdfString): PdfString[] {
  const count = Math.max(1, Math.ceil(bytes.length / MOST_STRING));
  return Array.from({ length: count }, (_, i) => new PdfString(bytes.slice(i * MOST_STRING, (i + 1) * MOST_STRING)));
}
