// A font file of which the shown glyphs are embedded (ISO 32000-1, 9.7.4): codes are glyph numbers.

import { createHash } from 'node:crypto';
import { Failure } from '../../../contract/base/failure.ts';
import { field, say } from '../../../contract/base/wording.ts';
import { writeStream } from '../../file/write/writer.ts';
import { RTL } from '../../fonts/characters.ts';
import { openCff } from '../../fonts/programs/cff-program.ts';
import { cffWithGlyphs } from '../../fonts/programs/cff-subset.ts';
import {
  advanceOf,
  bytesOf,
  openTrueType,
  type SfntTables,
  sfntTables,
  withGlyphs,
} from '../../fonts/programs/truetype.ts';
import { unicodeMap } from '../../fonts/programs/truetype-lookup.ts';
import { toUnicodeText } from '../../fonts/to-unicode.ts';
import { lineCharacters, type PageFont } from './page-font.ts';

/** The largest fonts, of Chinese, have 40 MB. */
export const MOST_FONT_FILE = 64 * 1024 * 1024;
/** Bits of fsType (OpenType, OS/2): embedding is forbidden, is allowed in other ways, or only as a whole. */
const [RESTRICTED, OTHER_RIGHTS, WHOLE] = [0x0002, 0x000c, 0x0100];
const OPEN_TYPE = 0x4f54544f;
/** Scripts whose letters change with their neighbours: one glyph a character would be wrong. */
const SHAPED = /[\u0600-\u08ff\u0900-\u0dff\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff]/;

interface Program {
  cid(glyph: number): number;
  subset(glyphs: Iterable<number>): Uint8Array;
  readonly entry: 'FontFile2' | 'FontFile3';
  readonly subtype: 'CIDFontType2' | 'CIDFontType0';
}

/** `file`: for messages. Throws a Failure where the font cannot be used. */
export function embeddedFont(file: string, bytes: Uint8Array): PageFont {
  const tables = sfntTables(bytes);
  const [head, hhea, hmtx] = ['head', 'hhea', 'hmtx'].map((tag) => tables?.get(tag));
  if (tables === undefined || head === undefined || hhea === undefined || hmtx === undefined) {
    throw unusable(file, 'is no TrueType or OpenType font');
  }
  if (head.byteLength < 54 || hhea.byteLength < 36) throw unusable(file, 'is a damaged font');
  const map = unicodeMap(tables);
  if (map === undefined) throw unusable(file, 'has no table of characters');
  const whole = refuseRestricted(file, tables);
  const program = programOf(file, bytes, tables, whole);
  const units = Math.max(16, head.getUint16(18));
  const scaled = (value: number): number => Math.round((value * 1000) / units);
  const widthOf = (glyph: number): number => scaled(advanceOf(tables, glyph));
  const used = new Map<number, string>();
  const glyphOf = (character: string): number => {
    const glyph = map(character.codePointAt(0) ?? 0);
    if (glyph > 0) return glyph;
    throw new Failure('usage', `${file} has no character '${character}'`, { hint: 'Name a font that has it.' });
  };
  const name = nameOf(tables, file);
  const ascent = scaled(hhea.getInt16(4));
  const descent = scaled(hhea.getInt16(6));
  return {
    name,
    ascent,
    descent,
    covers: (text) => lineCharacters(text).every((character) => map(character.codePointAt(0) ?? 0) > 0),
    width: (text) => lineCharacters(text).reduce((sum, character) => sum + widthOf(glyphOf(character)), 0),
    show(text) {
      refuseShaped(text);
      const codes = lineCharacters(text).map((character) => {
        const glyph = glyphOf(character);
        if (!used.has(glyph)) used.set(glyph, character);
        return program.cid(glyph).toString(16).padStart(4, '0');
      });
      return `<${codes.join('')}>`;
    },
    async write(writer, listed) {
      const glyphs = [...used.keys()].sort((a, b) => a - b);
      const data = program.subset(glyphs);
      const tag = whole ? '' : `${tagOf(data)}+`;
      const box = [36, 38, 40, 42].map((at) => scaled(head.getInt16(at))).join(' ');
      const kind = program.entry === 'FontFile2' ? `/Length1 ${data.length}` : '/Subtype/CIDFontType0C';
      const file = writeStream(writer, kind, data);
      const characters = new Map([...used].map(([glyph, character]) => [program.cid(glyph), character]));
      const unicode = writeStream(writer, '', Buffer.from(toUnicodeText(characters), 'latin1'));
      const cids = glyphs.map((glyph) => program.cid(glyph));
      const set = listed === true ? `/CIDSet ${writeStream(writer, '', cidSet(cids))} 0 R` : '';
      const widths = glyphs.map((glyph) => `${program.cid(glyph)}[${widthOf(glyph)}]`).join('');
      const [font, descendant, descriptor] = [writer.allocate(), writer.allocate(), writer.allocate()];
      const identity = program.entry === 'FontFile2' ? '/CIDToGIDMap/Identity' : '';
      await writer.object(
        font,
        `<</Type/Font/Subtype/Type0/BaseFont/${tag}${name}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${unicode} 0 R>>`,
      );
      await writer.object(
        descendant,
        `<</Type/Font/Subtype/${program.subtype}/BaseFont/${tag}${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
          `${identity}/DW ${widthOf(0)}/W[${widths}]/FontDescriptor ${descriptor} 0 R>>`,
      );
      await writer.object(
        descriptor,
        `<</Type/FontDescriptor/FontName/${tag}${name}/Flags 4/FontBBox[${box}]/ItalicAngle 0/Ascent ${ascent}/Descent ${descent}` +
          `/CapHeight ${ascent}/StemV 80${set}/${program.entry} ${file} 0 R>>`,
      );
      return font;
    },
  };
}

/** A bit for each CID of a subset, the highest bit of the first byte for 0, which is always there (ISO 19005-1, 6.3.5). */
function cidSet(cids: readonly number[]): Uint8Array {
  const bits = new Uint8Array(Math.floor(Math.max(0, ...cids) / 8) + 1);
  for (const cid of [0, ...cids]) bits[cid >> 3] = (bits[cid >> 3] ?? 0) | (0x80 >> (cid & 7));
  return bits;
}

function programOf(file: string, bytes: Uint8Array, tables: SfntTables, whole: boolean): Program {
  try {
    const cff = tables.get('CFF ');
    if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === OPEN_TYPE && cff !== undefined) {
      const program = openCff(bytesOf(cff));
      if (program === undefined) throw unusable(file, 'is an OpenType font of a kind that is not understood');
      return {
        entry: 'FontFile3',
        subtype: 'CIDFontType0',
        cid: (glyph) => program.numbers?.[glyph] ?? glyph,
        subset: (glyphs) => (whole ? program.bytes : cffWithGlyphs(program, glyphs)),
      };
    }
    const font = openTrueType(bytes);
    if (font === undefined) throw unusable(file, 'is a variable or colour font, or a damaged one');
    return {
      entry: 'FontFile2',
      subtype: 'CIDFontType2',
      cid: (glyph) => glyph,
      subset: (glyphs) => (whole ? bytes : withGlyphs(font, glyphs, false)),
    };
  } catch (error) {
    if (error instanceof RangeError) throw unusable(file, 'is a damaged font');
    throw error;
  }
}

/** Whether it may only be embedded as a whole. Throws a Failure where its maker forbids embedding. */
function refuseRestricted(file: string, tables: SfntTables): boolean {
  const os2 = tables.get('OS/2');
  const rights = os2 === undefined || os2.byteLength < 10 ? 0 : os2.getUint16(8);
  if ((rights & RESTRICTED) !== 0 && (rights & OTHER_RIGHTS) === 0) {
    throw unusable(file, 'may not be embedded, as its maker says in it');
  }
  return (rights & WHOLE) !== 0;
}

/** Throws a Failure for text that one glyph a character would show wrong. */
export function refuseShaped(text: string): void {
  if (!RTL.test(text) && !SHAPED.test(text)) return;
  throw new Failure('usage', 'text that runs from right to left, or whose letters join, cannot be written', {
    hint: say`Make a picture or a page of it with another program, and give that: ${field('image')} or ${field('pdf')}.`,
  });
}

/** The PostScript name of the font (OpenType, `name`, 6), else one made from its file's name. */
function nameOf(tables: SfntTables, file: string): string {
  const table = tables.get('name');
  const plain = (text: string): string => text.replace(/[^A-Za-z0-9.-]/g, '').slice(0, 60);
  const count = table === undefined || table.byteLength < 6 ? 0 : table.getUint16(2);
  for (let at = 6; table !== undefined && at < 6 + 12 * count && at + 12 <= table.byteLength; at += 12) {
    if (table.getUint16(at + 6) !== 6) continue;
    const from = table.getUint16(4) + table.getUint16(at + 10);
    const end = Math.min(table.byteLength, from + table.getUint16(at + 8));
    const bytes = Buffer.from(table.buffer, table.byteOffset + from, Math.max(0, end - from));
    const text = plain(bytes.toString('latin1'));
    if (text !== '') return text;
  }
  return plain(file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')) || 'Font';
}

/** The six letters that mark this subset of a font (9.6.4). */
export function tagOf(data: Uint8Array): string {
  const digest = createHash('sha256').update(data).digest();
  return [...digest.subarray(0, 6)].map((byte) => String.fromCharCode(65 + (byte % 26))).join('');
}

function unusable(file: string, what: string): Failure {
  return new Failure('unprocessable', `${file} ${what}`, {
    kind: 'unsupported',
    hint: 'Give a TrueType or OpenType font file (.ttf, .otf).',
  });
}
