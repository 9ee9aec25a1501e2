// A font without shapes for text that is found and not seen: every character of 16 bits has the same empty glyph, half as
// wide as high. It is embedded, because PDF/A asks for that, and its widths are those that the PDF states.
import { deflateSync } from 'node:zlib';
import type { Update } from '../file/write/update.ts';

/** The width of a glyph, of the font's 1,000 units. */
export const ADVANCE = 500;
const NAME = 'PdftoolGlyphless';

/** Writes the font and returns the number of its object. */
export function writeFont(update: Update): number {
  const [font, descendant, descriptor] = [update.allocate(), update.allocate(), update.allocate()];
  const [program, glyphs, unicode] = [update.allocate(), update.allocate(), update.allocate()];
  const flate = '/Filter/FlateDecode';
  update.object(
    font,
    `<</Type/Font/Subtype/Type0/BaseFont/${NAME}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${unicode} 0 R>>`,
  );
  update.object(
    descendant,
    `<</Type/Font/Subtype/CIDFontType2/BaseFont/${NAME}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
      `/CIDToGIDMap ${glyphs} 0 R/DW ${ADVANCE}/FontDescriptor ${descriptor} 0 R>>`,
  );
  update.object(
    descriptor,
    `<</Type/FontDescriptor/FontName/${NAME}/Flags 4/FontBBox[0 0 ${ADVANCE} 1000]/ItalicAngle 0/Ascent 1000/Descent 0` +
      `/CapHeight 1000/StemV 80/FontFile2 ${program} 0 R>>`,
  );
  const file = trueType();
  update.stream(program, `${flate}/Length1 ${file.length}`, [deflateSync(file)]);
  // Glyph 0 stands for characters that a font has not, which PDF/A forbids to show: all are glyph 1.
  update.stream(glyphs, flate, [deflateSync(new Uint8Array(2 * 65_536).map((_, i) => i % 2))]);
  update.stream(unicode, flate, [deflateSync(Buffer.from(toUnicode(), 'latin1'))]);
  return font;
}

/** Codes are UTF-16. A range keeps to one first byte (ISO 32000-1, 9.10.3), and a map has at most 100 ranges at a time. */
function toUnicode(): string {
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  const ranges = Array.from({ length: 256 }, (_, i) => `<${hex(i)}00><${hex(i)}ff><${hex(i)}00>`);
  const blocks = [ranges.slice(0, 100), ranges.slice(100, 200), ranges.slice(200)];
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo <</Registry (Adobe)/Ordering (UCS)/Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000><ffff> endcodespacerange',
    ...blocks.map((block) => `${block.length} beginbfrange\n${block.join('\n')}\nendbfrange`),
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}

/** A TrueType program (OpenType, "Font file") of two empty glyphs, with the tables that PDF asks for. */
function trueType(): Uint8Array {
  const words = (...values: number[]) => {
    const bytes = Buffer.alloc(2 * values.length);
    for (const [i, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * i);
    return bytes;
  };
  const head = words(
    ...[1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000],
    ...new Array<number>(10).fill(0),
    ...[ADVANCE, 1000, 0, 8, 2, 0, 0],
  );
  const tables: readonly (readonly [string, Buffer])[] = [
    // Empty, and yet a table: some readers take one of no bytes for missing.
    ['glyf', words(0, 0)],
    ['head', head],
    ['hhea', words(1, 0, 1000, 0, 0, ADVANCE, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1)],
    ['hmtx', words(ADVANCE, 0, 0)],
    ['loca', words(0, 0, 0)],
    ['maxp', words(1, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)],
  ];
  const directory: Uint8Array[] = [words(1, 0, tables.length, 64, 2, 16 * tables.length - 64)];
  const bodies: Uint8Array[] = [];
  let at = 12 + 16 * tables.length;
  for (const [tag, table] of tables) {
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    directory.push(Buffer.from(tag, 'latin1'), numbers(sumOf(padded), at, table.length));
    bodies.push(padded);
    at += padded.length;
  }
  const file = Buffer.concat([...directory, ...bodies]);
  // The sum of the whole file, itself left out, is set right by a field of `head`.
  const place = file.indexOf(head) + 8;
  file.writeUInt32BE((0xb1b0afba - sumOf(file)) >>> 0, place);
  return file;
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
}

function sumOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}
