// Parses /ToUnicode: the characters of a font's codes (ISO 32000-1, 9.10.3).
import type { PdfFile } from '../file/read/pdf-file.ts';
import { unlessDamaged } from '../syntax/damage.ts';
import { type Dict, Ref } from '../syntax/values.ts';

/** Larger maps, in bytes, are refused. */
export const MOST_MAP = 8 << 20;
/** Codes have at most two bytes here; a longer range is damaged. */
const MOST_CODES = 0x10000;

const SECTION = /begin(bfchar|bfrange)\b([\s\S]*?)\bend\1/g;
const HEX = /<([0-9A-Fa-f\s]*)>/g;
const RANGE = /<([0-9A-Fa-f\s]*)>\s*<([0-9A-Fa-f\s]*)>\s*(?:<([0-9A-Fa-f\s]*)>|\[([^\]]*)\])/g;

/** The map of a font; undefined where it has none that can be read. */
export function toUnicodeOf(file: PdfFile, font: Dict): Map<number, string> | undefined {
  const ref = font.get('ToUnicode');
  if (!(ref instanceof Ref) || !file.has(ref.num)) return undefined;
  return unlessDamaged(undefined, () => {
    const stream = file.streamBytes(ref.num, MOST_MAP);
    return stream && readToUnicode(stream.bytes);
  });
}

/** Characters by code; undefined where the map is based on another one. */
export function readToUnicode(bytes: Uint8Array): Map<number, string> | undefined {
  const program = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  if (/\busecmap\b/.test(program)) return undefined;
  const map = new Map<number, string>();
  for (const [, kind, body = ''] of program.matchAll(SECTION)) {
    if (kind === 'bfchar') readCharacters(body, map);
    else readRanges(body, map);
  }
  return map;
}

function readCharacters(body: string, map: Map<number, string>): void {
  let code: number | undefined;
  for (const [, hex = ''] of body.matchAll(HEX)) {
    if (code === undefined) code = numberOf(hex);
    else {
      map.set(code, textOf(bytesOf(hex)));
      code = undefined;
    }
  }
}

function readRanges(body: string, map: Map<number, string>): void {
  for (const [, from = '', to = '', first, list] of body.matchAll(RANGE)) {
    const [low, high] = [numberOf(from), numberOf(to)];
    if (high - low >= MOST_CODES) continue;
    if (list !== undefined) {
      let code = low;
      for (const [, hex = ''] of list.matchAll(HEX)) if (code <= high) map.set(code++, textOf(bytesOf(hex)));
      continue;
    }
    const bytes = bytesOf(first ?? '');
    for (let code = low; code <= high; code++) {
      map.set(code, textOf(bytes));
      countOn(bytes);
    }
  }
}

/** The next value of a range: counts the last byte up, with a carry. */
function countOn(bytes: Buffer): void {
  const last = bytes.length - 1;
  if (last < 0) return;
  const next = bytes.readUInt8(last) + 1;
  bytes.writeUInt8(next & 0xff, last);
  if (next > 0xff && last > 0) bytes.writeUInt8((bytes.readUInt8(last - 1) + 1) & 0xff, last - 1);
}

function numberOf(hex: string): number {
  return Number.parseInt(hex.replace(/\s/g, ''), 16) || 0;
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replace(/\s/g, ''), 'hex');
}

/** macOS writes every character that a glyph stands for: of a space and of a hyphen there are several. */
const [SPACES, HYPHENS] = [/^\s{2,}$/, /^-\u00ad\u2010?$/];

/** UTF-16, high byte first; a single byte is the low one. */
function textOf(bytes: Buffer): string {
  const odd = bytes.length % 2;
  let text = odd === 1 ? String.fromCharCode(bytes.readUInt8(0)) : '';
  for (let i = odd; i + 1 < bytes.length; i += 2) text += String.fromCharCode(bytes.readUInt16BE(i));
  return text.replace(SPACES, ' ').replace(HYPHENS, '-');
}

/** Writes a map from codes of so many bytes to characters. */
export function toUnicodeText(characters: ReadonlyMap<number, string>, length = 2): string {
  const rows = [...characters].map(([code, character]) => {
    const text = Buffer.from(character, 'utf16le').swap16().toString('hex');
    return `<${code.toString(16).padStart(2 * length, '0')}><${text}>`;
  });
  const blocks = Array.from({ length: Math.ceil(rows.length / 100) }, (_, i) => rows.slice(100 * i, 100 * i + 100));
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo <</Registry (Adobe)/Ordering (UCS)/Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    `1 begincodespacerange <${'00'.repeat(length)}><${'ff'.repeat(length)}> endcodespacerange`,
    ...blocks.map((block) => `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`),
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}
