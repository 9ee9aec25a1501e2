// Reading /ToUnicode: which characters a font's codes stand for (ISO 32000-1, 9.10.3).

/** Codes of a font have at most two bytes here; a range that is longer is damaged. */
const MOST_CODES = 0x10000;

const SECTION = /begin(bfchar|bfrange)\b([\s\S]*?)\bend\1/g;
const HEX = /<([0-9A-Fa-f\s]*)>/g;
const RANGE = /<([0-9A-Fa-f\s]*)>\s*<([0-9A-Fa-f\s]*)>\s*(?:<([0-9A-Fa-f\s]*)>|\[([^\]]*)\])/g;

/** Characters by code; undefined where the map builds on another one. */
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

/** The next value of a range: its last byte counts, and carries into the one before it. */
function countOn(bytes: number[]): void {
  const last = bytes.length - 1;
  if (last < 0) return;
  bytes[last]!++;
  if (bytes[last]! > 0xff) {
    bytes[last] = 0;
    if (last > 0) bytes[last - 1] = (bytes[last - 1]! + 1) & 0xff;
  }
}

function numberOf(hex: string): number {
  return Number.parseInt(hex.replace(/\s/g, ''), 16) || 0;
}

function bytesOf(hex: string): number[] {
  return [...Buffer.from(hex.replace(/\s/g, ''), 'hex')];
}

/** UTF-16, high byte first; a single byte is the low one. */
function textOf(bytes: readonly number[]): string {
  let text = '';
  const odd = bytes.length % 2;
  if (odd === 1) text = String.fromCharCode(bytes[0]!);
  for (let i = odd; i + 1 < bytes.length; i += 2) text += String.fromCharCode((bytes[i]! << 8) | bytes[i + 1]!);
  return text;
}
