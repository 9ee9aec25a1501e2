// Which glyph of an embedded program a code shows, and its width (ISO 19005-2, 6.2.11; ISO 32000-1, 9.6.6, 9.7.4).
import { differencesOf } from '../fonts/encoding-differences.ts';
import { type Encoding, type EncodingName, encodingNamed } from '../fonts/encodings.ts';
import { characterNamed, uniName } from '../fonts/glyph-names.ts';
import { type CffProgram, openCff } from '../fonts/programs/cff-program.ts';
import { cffWidth } from '../fonts/programs/cff-subset.ts';
import { STANDARD_ENCODING } from '../fonts/programs/standard-strings.ts';
import { advanceOf, bytesOf, openTrueType, sfntTables, type TrueType } from '../fonts/programs/truetype.ts';
import { glyphNames, mapCount, mapFor } from '../fonts/programs/truetype-lookup.ts';
import { parseType1, Unconvertible } from '../fonts/programs/type1.ts';
import { runCharstring } from '../fonts/programs/type1-charstring.ts';
import { Dict, Ref } from '../syntax/values.ts';
import type { ObjectChanges } from './changes.ts';

interface Glyph {
  readonly id: number;
  /** In thousandths of an em, by the program. */
  readonly width: number;
}

export interface Embedded {
  /** The glyph of a code of a simple font, or of a CID of a composite one; undefined where there is none. */
  glyph(code: number): Glyph | undefined;
  /** Set where its tables can be rewritten. */
  readonly trueType?: TrueType;
  /** Set for a TrueType program whose codes are not defined as PDF/A requires. */
  readonly isMisread?: boolean;
  readonly stream: Ref;
}

const MOST_PROGRAM = 64 << 20;
const SYMBOLIC = 4;

/** The program of a font; undefined where none is embedded. @throws Error where it cannot be read. */
export function embeddedIn(changes: ObjectChanges, dict: Dict, inner: Dict): Embedded | undefined {
  const descriptor = changes.dict(inner.get('FontDescriptor'));
  for (const key of ['FontFile', 'FontFile2', 'FontFile3']) {
    const stream = descriptor?.get(key);
    if (!(stream instanceof Ref) || changes.dict(stream)?.has('Length') !== true) continue;
    const bytes = changes.file.streamBytes(stream.num, MOST_PROGRAM)?.bytes;
    if (bytes === undefined) throw new Error('it is coded in an unknown way');
    const isType1 = bytes[0] === 0x25 && bytes[1] === 0x21;
    const isSfnt = sfntTables(bytes) !== undefined;
    const isRight = { FontFile: isType1, FontFile2: isSfnt, FontFile3: !isType1 }[key] === true;
    if (!isRight) throw new Error('it is a program of another kind than its descriptor says');
    return { stream, ...opened(changes, dict, inner, descriptor ?? new Dict(), bytes) };
  }
  return undefined;
}

function opened(
  changes: ObjectChanges,
  font: Dict,
  inner: Dict,
  descriptor: Dict,
  bytes: Uint8Array,
): Omit<Embedded, 'stream'> {
  const tables = sfntTables(bytes);
  const cffTable = tables?.get('CFF ');
  const isComposite = font !== inner;
  if (tables !== undefined && cffTable === undefined) {
    const trueType = openTrueType(bytes, true);
    if (trueType === undefined) throw new Error('it is damaged');
    if (isComposite) return compositeTrueType(changes, inner, trueType);
    return simpleTrueType(changes, font, descriptor, trueType);
  }
  const cffBytes = cffTable === undefined ? bytes : bytesOf(cffTable);
  if (cffBytes[0] !== 1) return namedGlyphs(changes, font, type1Glyphs(bytes));
  const cff = openCff(cffBytes);
  if (cff?.isSound !== true) throw new Error('it is of a kind that is not read');
  if (!isComposite) return namedGlyphs(changes, font, cffGlyphs(cff));
  const places = cff.numbers && new Map(cff.numbers.map((number, glyph) => [number, glyph]));
  return {
    glyph(cid) {
      const id = places === undefined ? cid : places.get(cid);
      if (id === undefined || id === 0 || id + 1 >= cff.charstrings.places.length) return undefined;
      return { id, width: cffWidth(cff, id) };
    },
  };
}

function glyphOf({ tables, glyphs }: TrueType, id: number): Glyph | undefined {
  const units = Math.max(1, tables.get('head')?.getUint16(18) ?? 1000);
  return id > 0 && id < glyphs ? { id, width: (advanceOf(tables, id) * 1000) / units } : undefined;
}

function compositeTrueType(changes: ObjectChanges, inner: Dict, trueType: TrueType): Omit<Embedded, 'stream'> {
  const map = inner.get('CIDToGIDMap');
  const bytes =
    map instanceof Ref && changes.file.isStream(map.num)
      ? changes.file.streamBytes(map.num, 1 << 18)?.bytes
      : undefined;
  const idOf = (cid: number): number =>
    bytes === undefined ? cid : ((bytes[2 * cid] ?? 0) << 8) | (bytes[2 * cid + 1] ?? 0);
  return { trueType, glyph: (cid) => glyphOf(trueType, idOf(cid)) };
}

function simpleTrueType(
  changes: ObjectChanges,
  font: Dict,
  descriptor: Dict,
  trueType: TrueType,
): Omit<Embedded, 'stream'> {
  const { tables } = trueType;
  const isSymbolic = ((changes.number(descriptor, 'Flags') ?? 0) & SYMBOLIC) !== 0;
  const [symbols, macintosh, unicode] = [mapFor(tables, 3, 0), mapFor(tables, 1, 0), mapFor(tables, 3, 1)];
  const count = mapCount(tables);
  const differences = differencesOf(changes.file, font);
  const encoding = changes.resolve(font.get('Encoding'));
  const base = encoding instanceof Dict ? changes.name(encoding, 'BaseEncoding') : changes.name(font, 'Encoding');
  const isUsual = base === 'WinAnsiEncoding' || base === 'MacRomanEncoding';
  const usual: Encoding = encodingNamed(isUsual ? (base as EncodingName) : 'StandardEncoding');
  const mac = encodingNamed('MacRomanEncoding');
  const names = glyphNames(trueType);
  const ofSymbol = (code: number): number => symbols?.(0xf000 + code) || symbols?.(code) || macintosh?.(code) || 0;
  const named = (code: number): number => {
    const name = differences.get(code);
    const character = name === undefined ? usual[code] : characterNamed(name);
    if (character === undefined) return 0;
    const glyph =
      unicode?.(character.codePointAt(0) ?? 0) || (mac.includes(character) ? macintosh?.(mac.indexOf(character)) : 0);
    if (glyph) return glyph;
    const isIt = (candidate: string): boolean => candidate === name || characterNamed(candidate) === character;
    const known = names.findIndex((candidate) => candidate !== undefined && isIt(candidate));
    return Math.max(0, known);
  };
  const isCompliant = [...differences.values()].every(
    (name) => name === '.notdef' || characterNamed(name) !== undefined,
  );
  const isRight = isSymbolic
    ? encoding === null && (count === 1 || symbols !== undefined)
    : isUsual &&
      count > (symbols === undefined ? 0 : 1) &&
      (differences.size === 0 || (isCompliant && unicode !== undefined));
  const right = (code: number): number => (isSymbolic ? ofSymbol(code) : named(code));
  // Readers try other ways where one leads nowhere.
  const lenient = (code: number): number =>
    (encoding === null ? ofSymbol(code) || named(code) : named(code) || ofSymbol(code)) || unicode?.(code) || 0;
  return { trueType, isMisread: !isRight, glyph: (code) => glyphOf(trueType, isRight ? right(code) : lenient(code)) };
}

interface Named {
  readonly names: readonly string[];
  readonly encoding: ReadonlyMap<number, string>;
  width(id: number): number;
}

function type1Glyphs(bytes: Uint8Array): Named {
  try {
    const { glyphs, encoding, subrs, matrix } = parseType1(bytes);
    const names = [...glyphs.keys()];
    const scale = (matrix[0] ?? 0.001) * 1000;
    return {
      names,
      encoding,
      width: (id) => runCharstring(glyphs.get(names[id] ?? '') ?? new Uint8Array(), subrs).width * scale,
    };
  } catch (error) {
    if (error instanceof Unconvertible) throw new Error(error.message);
    throw error;
  }
}

function cffGlyphs(cff: CffProgram): Named {
  const names = cff.names ?? (cff.numbers ?? []).map(String);
  const encoding = cff.encoding && new Map([...cff.encoding].map(([code, id]) => [code, names[id] ?? '']));
  return { names, encoding: encoding ?? STANDARD_ENCODING, width: (id) => cffWidth(cff, id) };
}

function namedGlyphs(
  changes: ObjectChanges,
  font: Dict,
  { names, encoding: own, width }: Named,
): Omit<Embedded, 'stream'> {
  const nameOf = codeNames(changes, font, own);
  const places = new Map(names.map((name, id) => [name, id]));
  const byCharacter = new Map(
    names.flatMap((name, id) => (name === '.notdef' ? [] : [[characterNamed(name) ?? name, id] as const])),
  );
  return {
    glyph(code) {
      const name = nameOf(code);
      const id =
        name === undefined || name === '.notdef'
          ? undefined
          : (places.get(name) ?? byCharacter.get(characterNamed(name) ?? name));
      return id === undefined ? undefined : { id, width: width(id) };
    },
  };
}

/** The glyph name of a simple font's code. `programNames`: the names that the font program gives. */
export function codeNames(
  changes: ObjectChanges,
  font: Dict,
  programNames: ReadonlyMap<number, string>,
): (code: number) => string | undefined {
  const differences = differencesOf(changes.file, font);
  const encoding = changes.resolve(font.get('Encoding'));
  const base = encoding instanceof Dict ? changes.name(encoding, 'BaseEncoding') : changes.name(font, 'Encoding');
  const named = /^(?:WinAnsi|MacRoman|Standard)Encoding$/.test(base ?? '')
    ? encodingNamed(base as EncodingName)
    : undefined;
  return (code) => {
    const character = named?.[code];
    return differences.get(code) ?? (named === undefined ? programNames.get(code) : character && uniName(character));
  };
}
