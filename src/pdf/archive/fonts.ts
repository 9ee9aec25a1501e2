// Fixes fonts that show text (ISO 19005-2, 6.2.11): embedded, with all shown glyphs, and with matching widths.
import type { Pace } from '../file/read/pace.ts';
import { type CodeMap, codeMapOf } from '../fonts/code-map.ts';
import { differencesOf } from '../fonts/encoding-differences.ts';
import { compositeWidths } from '../fonts/font-reader.ts';
import { readGlyphFont } from '../fonts/glyph-font.ts';
import { characterNamed } from '../fonts/glyph-names.ts';
import { STANDARD_ENCODING } from '../fonts/programs/standard-strings.ts';
import { withMetrics } from '../fonts/programs/truetype.ts';
import { Unconvertible } from '../fonts/programs/type1.ts';
import { toUnicodeOf, toUnicodeText } from '../fonts/to-unicode.ts';
import { Damage, Unreadable } from '../syntax/damage.ts';
import { Dict, Name, Ref, type Value } from '../syntax/values.ts';
import type { ShownFont } from './content.ts';
import { codeNames, type Embedded, embeddedIn } from './glyphs.ts';
import { broken, type Conversion, refuse } from './job.ts';
import { removeEntries } from './objects.ts';
import { embedTwin } from './twins.ts';

const TYPES = /^(?:Type1|MMType1|TrueType|Type3|Type0)$/;
/** Largest difference of widths in the document and the program, in thousandths of an em (6.2.11.5). */
const MOST_OFF = 1;
const SPACE = 32;
const SYMBOLIC = 4;
const NONSYMBOLIC = 32;
const ILLEGAL = /[\0\ufffe\ufeff]/;

interface Code {
  readonly code: number;
  /** The glyph's name in the program: the code itself, or a composite font's CID. */
  readonly cid: number;
  readonly length: number;
  readonly isDrawn: boolean;
}

export async function fixFonts(job: Conversion, fonts: Iterable<ShownFont>, pace: Pace): Promise<void> {
  for (const font of fonts) {
    job.at = font.num;
    job.page = font.page;
    try {
      const why = await fixFont(job, font);
      if (why !== undefined) refuseFont(job, font, why);
    } catch (error) {
      if (error instanceof Unreadable || error instanceof Unconvertible || error instanceof Damage)
        refuseFont(job, font, `cannot be read: ${error.message}`);
      else if (error instanceof Error && /^it |^its |charstring|program|index/.test(error.message))
        refuseFont(job, font, `cannot be read: ${error.message}`);
      else throw error;
    }
    if (pace.isOver()) await pace.yield();
  }
}

function refuseFont(job: Conversion, { dict, page }: ShownFont, why: string): void {
  // What cannot be read here may still be right.
  if (job.isCheck && why.startsWith('cannot be read')) return;
  const clause = /embedded|glyph/.test(why) ? '6.2.11.4.1' : '6.2.11.2';
  refuse(job, clause, `the font ${job.changes.name(dict, 'BaseFont') ?? 'without a name'} on page ${page} ${why}`);
}

function brokenFont(job: Conversion, dict: Dict, clause: string, what: string, is = true): boolean {
  return broken(job, clause, `the font ${job.changes.name(dict, 'BaseFont') ?? 'without a name'} ${what}`, is);
}

async function fixFont(job: Conversion, font: ShownFont): Promise<string | undefined> {
  const { changes } = job;
  const { dict, num } = font;
  const type = changes.name(dict, 'Subtype') ?? '';
  if (!TYPES.test(type)) return `is of the kind ${type}`;
  const inner = type === 'Type0' ? changes.dict(changes.list(dict.get('DescendantFonts'))[0]) : dict;
  if (inner === undefined) return 'has no descendant';
  const codes = codesOf(job, font, type === 'Type0');
  // A font that shows only an empty string still counts as used.
  if (codes.length === 0 && font.drawn.size === 0) return undefined;
  if (brokenFont(job, dict, '6.2.11.2', 'does not say that it is one', dict.name('Type') !== 'Font'))
    changes.set(num, dict.set('Type', new Name('Font')));
  if (type === 'Type0') fixSupplement(job, dict, inner);
  const widthOf = type === 'Type0' ? compositeWidth(job, inner) : simpleWidth(job, dict);
  if (type !== 'Type3') {
    const embedded = embeddedIn(changes, dict, inner);
    if (embedded === undefined) {
      const isShown = font.drawn.size > 0;
      if (isShown && type === 'Type0') return 'is not embedded';
      const ofForms = isShown ? formCodes(job, num).filter((code) => widthOf(code) !== 0) : [];
      const why = isShown ? await embedTwin(job, font, shownOr(codes, ofForms), widthOf) : undefined;
      if (why !== undefined) return why;
      brokenFont(job, dict, '6.2.11.4.1', 'is not embedded', isShown);
    } else {
      fixDescriptor(job, inner);
      fixProgramKind(job, embedded.stream, type === 'Type0' ? 'CIDFontType0C' : 'Type1C');
      const why = fixGlyphs(job, font, inner, embedded, codes, widthOf);
      if (why !== undefined) return why;
    }
  } else if (!dict.has('FirstChar') || !dict.has('Widths')) return 'has no widths';
  else fixDrawings(job, font, codes);
  return job.target.level === 'U' ? fixUnicode(job, font, codes) : undefined;
}

/** A font's supplement of its character collection is not above that of its own character map (6.2.11.3.1). */
function fixSupplement(job: Conversion, dict: Dict, inner: Dict): void {
  const { changes } = job;
  const place = inner.get('CIDSystemInfo');
  const map = changes.dict(changes.dict(dict.get('Encoding'))?.get('CIDSystemInfo'));
  const [own, most] = [changes.dict(place), map].map((info) => changes.number(info, 'Supplement'));
  if (own === undefined || most === undefined) return;
  if (!brokenFont(job, dict, '6.2.11.3.1', 'has more characters than its character map knows', own > most)) return;
  const fixed = new Dict(changes.dict(place)).set('Supplement', most);
  const [descendant] = changes.list(dict.get('DescendantFonts'));
  if (place instanceof Ref) changes.set(place.num, fixed);
  else if (descendant instanceof Ref) changes.set(descendant.num, inner.set('CIDSystemInfo', fixed));
}

/** The codes to embed: the shown ones and `others`, or a space. */
function shownOr(codes: readonly Code[], others: readonly number[]): number[] {
  const all = [...codes.map(({ code }) => code), ...others];
  return all.length === 0 ? [SPACE] : all;
}

/** All codes of fonts for filling in fields, which may need any of them later. */
function formCodes({ changes }: Conversion, num: number): number[] {
  const form = changes.dict(changes.dict(changes.file.xref.trailer.get('Root'))?.get('AcroForm'));
  const fonts = changes.dict(changes.dict(form?.get('DR'))?.get('Font'));
  const isField = [...(fonts?.values() ?? [])].some((value) => value instanceof Ref && value.num === num);
  const nameOf = codeNames(changes, changes.dict(new Ref(num, 0)) ?? new Dict(), STANDARD_ENCODING);
  return isField ? Array.from({ length: 95 }, (_, i) => i + 32).filter((code) => nameOf(code) !== undefined) : [];
}

function codesOf({ changes }: Conversion, { dict, drawn, unseen }: ShownFont, isComposite: boolean): Code[] {
  const codes = new Map<number, Code>();
  const isIdentity = /^Identity-[HV]$/.test(changes.name(dict, 'Encoding') ?? '');
  const encoding = isIdentity ? new Name('Identity-H') : dict.get('Encoding');
  const map: CodeMap | undefined = isComposite ? codeMapOf(changes.file, encoding) : undefined;
  for (const text of [...drawn, ...unseen]) {
    const bytes = Buffer.from(text, 'latin1');
    for (let at = 0; at < bytes.length; ) {
      const { code, cid, length } = map?.read(bytes, at) ?? { code: bytes[at] ?? 0, cid: bytes[at] ?? 0, length: 1 };
      const slot = code * 8 + length;
      if (!codes.has(slot)) codes.set(slot, { code, cid, length, isDrawn: drawn.has(text) });
      at += length;
    }
  }
  return [...codes.values()];
}

function simpleWidth({ changes }: Conversion, dict: Dict): (code: number) => number | undefined {
  const widths = changes.list(dict.get('Widths')).map((width) => changes.resolve(width));
  const first = changes.number(dict, 'FirstChar') ?? 0;
  const missing = changes.number(changes.dict(dict.get('FontDescriptor')), 'MissingWidth');
  if (widths.length === 0) return () => undefined;
  return (code) => {
    const width = widths[code - first];
    return typeof width === 'number' ? width : (missing ?? 0);
  };
}

function compositeWidth({ changes }: Conversion, inner: Dict): (cid: number) => number {
  const widths = compositeWidths(changes.file, inner.get('W'));
  const usual = changes.number(inner, 'DW') ?? 1000;
  return (cid) => widths.get(cid) ?? usual;
}

/** Gives an empty drawing to codes without one in a Type 3 font: no glyph may be missing (6.2.11.8). */
function fixDrawings(job: Conversion, { dict, num }: ShownFont, codes: readonly Code[]): void {
  const { changes } = job;
  const names = differencesOf(changes.file, dict);
  const drawings = new Dict(changes.dict(dict.get('CharProcs')));
  const nameless = (name: string | undefined): boolean =>
    name === undefined || name === '.notdef' || !drawings.has(name);
  const missing = codes.filter(({ code }) => nameless(names.get(code)));
  if (!brokenFont(job, dict, '6.2.11.8', 'has no glyph for a code that is shown', missing.length > 0)) return;
  const encoding = new Dict(changes.dict(dict.get('Encoding')));
  const added = missing.flatMap(({ code }): Value[] => {
    const name = `code${code}`;
    const empty = () => changes.add(new Dict(), Buffer.from(`${simpleWidth(job, dict)(code) ?? 0} 0 d0`));
    drawings.set(name, drawings.get(names.get(code) ?? '') ?? empty());
    return [code, new Name(name)];
  });
  encoding.set('Differences', [...changes.list(encoding.get('Differences')), ...added]);
  changes.set(num, dict.set('CharProcs', drawings).set('Encoding', encoding));
}

/** Removes optional entries that are often wrong, and names that are no UTF-8 (6.1.8, 6.2.11.4.2). */
function fixDescriptor({ changes }: Conversion, inner: Dict): void {
  const ref = inner.get('FontDescriptor');
  const descriptor = changes.dict(ref);
  if (descriptor === undefined || !(ref instanceof Ref)) return;
  if (removeEntries(descriptor, 'CIDSet', 'CharSet')) changes.set(ref.num, descriptor);
}

/** The subtype of a CFF program's stream (6.2.11.2). */
function fixProgramKind(job: Conversion, stream: Ref, kind: string): void {
  const { changes } = job;
  const dict = changes.dict(stream);
  const given = dict?.name('Subtype');
  if (dict === undefined || given === undefined || given === kind || given === 'OpenType') return;
  broken(job, '6.2.11.2', 'a font program of another kind than it says');
  changes.set(stream.num, dict.set('Subtype', new Name(kind)));
}

function fixGlyphs(
  job: Conversion,
  font: ShownFont,
  inner: Dict,
  { glyph, trueType, isMisread, stream }: Embedded,
  codes: readonly Code[],
  widthOf: (cid: number) => number | undefined,
): string | undefined {
  const { changes } = job;
  const { dict, num } = font;
  const metrics = new Map<number, number>();
  const widths = new Map<number, number>();
  const places = new Map<number, number>();
  const units = trueType?.tables.get('head')?.getUint16(18) ?? 1000;
  for (const { code, cid, length, isDrawn } of codes) {
    const outline = glyph(cid);
    if (outline === undefined)
      return `has no glyph for the code ${code.toString(16).padStart(2 * length, '0')} that is shown`;
    places.set(code, outline.id);
    const width = widthOf(cid);
    if (!isDrawn || (width !== undefined && Math.abs(width - outline.width) <= MOST_OFF)) continue;
    brokenFont(job, dict, '6.2.11.5', 'has other widths than its program');
    // The document's width is kept where the program can be changed: nothing moves on the page.
    const known = metrics.get(outline.id);
    if (trueType !== undefined && width !== undefined && width >= 0 && known === undefined)
      metrics.set(outline.id, Math.round((width * units) / 1000));
    else if (known === undefined || width === undefined || Math.abs((known * 1000) / units - width) > MOST_OFF)
      widths.set(cid, known === undefined ? outline.width : (known * 1000) / units);
  }
  brokenFont(job, dict, '6.2.11.6', 'does not tell its codes as TrueType fonts have to', isMisread === true);
  if (trueType !== undefined && (metrics.size > 0 || isMisread === true)) {
    const program = withMetrics(trueType, metrics, isMisread === true ? places : undefined);
    setProgram(job, inner, stream, program, isMisread === true);
    if (isMisread === true) {
      writeUnicode(job, font, codes);
      dict.delete('Encoding');
      changes.set(num, dict);
    }
  }
  if (inner !== dict) return fixComposite(job, dict, inner, widths, trueType !== undefined);
  const [from, to] = [changes.number(dict, 'FirstChar'), changes.number(dict, 'LastChar')];
  const count = changes.list(dict.get('Widths')).length;
  const isWhole = from !== undefined && to !== undefined && count === to - from + 1;
  if (codes.length === 0 || (widths.size === 0 && isWhole)) return undefined;
  brokenFont(job, dict, '6.2.11.2', 'does not have a width for each of its codes', !isWhole);
  const all = [...codes.map(({ code }) => code), ...(isWhole ? [from, to] : [])];
  const [first, last] = [Math.min(...all), Math.max(...all)];
  const widthAt = (code: number): Value => widths.get(code) ?? widthOf(code) ?? 0;
  const list = Array.from({ length: last - first + 1 }, (_, i) => widthAt(first + i));
  changes.set(num, dict.set('FirstChar', first).set('LastChar', last).set('Widths', list));
  return undefined;
}

/** Replaces the program; `isOwn`: for this font alone, whose codes it defines. */
function setProgram(job: Conversion, inner: Dict, stream: Ref, program: Uint8Array, isOwn: boolean): void {
  const { changes } = job;
  const entries = new Dict(changes.dict(stream)).set('Length1', program.length);
  if (!isOwn) {
    changes.set(stream.num, entries, program);
    return;
  }
  const descriptor = new Dict(changes.dict(inner.get('FontDescriptor')));
  const flags = changes.number(descriptor, 'Flags') ?? 0;
  descriptor.set('FontFile2', changes.add(entries, program)).set('Flags', (flags & ~NONSYMBOLIC) | SYMBOLIC);
  inner.set('FontDescriptor', changes.add(descriptor));
}

function fixComposite(
  job: Conversion,
  dict: Dict,
  inner: Dict,
  widths: ReadonlyMap<number, number>,
  isTrueType: boolean,
): string | undefined {
  const { changes } = job;
  const value = changes.list(dict.get('DescendantFonts'))[0];
  let changed = false;
  if (isTrueType && inner.name('Subtype') === 'CIDFontType2' && !inner.has('CIDToGIDMap')) {
    inner.set('CIDToGIDMap', new Name('Identity'));
    changed = brokenFont(job, dict, '6.2.11.3.2', 'does not say which glyphs its codes are');
  }
  if (widths.size > 0) {
    const all = new Map([...compositeWidths(changes.file, inner.get('W')), ...widths]);
    const sorted = [...all].sort(([a], [b]) => a - b);
    const list = sorted.flatMap(([cid, width]): Value[] => [cid, [width]]);
    inner.set('W', list);
    changed = true;
  }
  if (!changed) return undefined;
  if (!(value instanceof Ref)) return 'has a descendant that is no object of its own';
  changes.set(value.num, inner);
  return undefined;
}

/** The characters of the codes: by the font's map, else as in text extraction. */
function charactersOf({ changes }: Conversion, { num, dict }: ShownFont, codes: readonly Code[]): Map<Code, string> {
  const map = toUnicodeOf(changes.file, dict);
  const reader = readGlyphFont(changes.file, new Ref(num, 0));
  return new Map(
    codes.map((code) => {
      const bytes = Buffer.alloc(code.length);
      bytes.writeUIntBE(code.code, 0, code.length);
      return [code, map?.get(code.code) ?? reader.codes(bytes)[0]?.text ?? ''] as const;
    }),
  );
}

function writeUnicode(job: Conversion, font: ShownFont, codes: readonly Code[]): Map<Code, string> {
  const characters = charactersOf(job, font, codes);
  const rows = [...characters].filter(([, text]) => text !== '' && !ILLEGAL.test(text));
  const length = Math.max(...codes.map((one) => one.length));
  const text = toUnicodeText(new Map(rows.map(([{ code }, character]) => [code, character])), length);
  font.dict.set('ToUnicode', job.changes.add(new Dict(), Buffer.from(text, 'latin1')));
  return characters;
}

/** Level U: a character for each shown code (6.2.11.7). */
function fixUnicode(job: Conversion, font: ShownFont, codes: readonly Code[]): string | undefined {
  const { changes } = job;
  const map = changes.dict(new Ref(font.num, 0))?.get('ToUnicode');
  if (map instanceof Ref && !changes.file.has(map.num)) return undefined;
  // Adobe's maps for Chinese, Japanese and Korean define the characters (6.2.11.7.2).
  const predefined = changes.name(font.dict, 'Encoding') ?? 'Identity';
  if (job.isCheck && font.dict.name('Subtype') === 'Type0' && !predefined.startsWith('Identity')) return undefined;
  const known = toUnicodeOf(changes.file, font.dict);
  const isNamed = (code: number): boolean => {
    const name = codeNames(changes, font.dict, new Map())(code);
    return font.dict.name('Subtype') !== 'Type0' && name !== undefined && characterNamed(name) !== undefined;
  };
  const isTold = ({ code }: Code): boolean => {
    const text = known?.get(code);
    return text === undefined || text === '' ? isNamed(code) : !ILLEGAL.test(text);
  };
  if (!brokenFont(job, font.dict, '6.2.11.7', 'does not say which characters its codes are', !codes.every(isTold)))
    return undefined;
  const dict = changes.dict(new Ref(font.num, 0)) ?? font.dict;
  const unknown = [...writeUnicode(job, { ...font, dict }, codes)].find(
    ([, text]) => text === '' || ILLEGAL.test(text),
  );
  if (unknown !== undefined) return `does not say which character its code ${unknown[0].code.toString(16)} is`;
  changes.set(font.num, dict);
  return undefined;
}
