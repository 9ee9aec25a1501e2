import type { PdfFile } from '../file/read/pdf-file.ts';
import { Unreadable } from '../syntax/damage.ts';
import { Dict, Name, Ref, type Value } from '../syntax/values.ts';
import { MOST_MAP } from './to-unicode.ts';

/** Splits the strings of a composite font into codes, with the glyph number (CID) of each. */
export interface CodeMap {
  read(bytes: Uint8Array, at: number): { readonly code: number; readonly cid: number; readonly length: number };
}

const IDENTITY_MAP: CodeMap = {
  read(bytes, at) {
    const length = Math.min(2, bytes.length - at);
    const code = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    return { code, cid: code, length };
  },
};

interface Span {
  readonly length: number;
  readonly low: number;
  readonly high: number;
}

const MOST_RANGES = 200_000;
const SECTION = /begin(codespacerange|cidrange|cidchar)\b([\s\S]*?)\bend\1/g;

/** The map of a composite font. @throws Unreadable for vertical writing, or a predefined map. */
export function codeMapOf(file: PdfFile, value: Value | undefined): CodeMap {
  const target = file.resolve(value);
  if (target instanceof Name) {
    if (target.value === 'Identity-H') return IDENTITY_MAP;
    throw new Unreadable(`text by the character map ${target.value}`);
  }
  if (!(value instanceof Ref) || !(target instanceof Dict))
    throw new Unreadable('a composite font without a character map');
  if (target.number('WMode') === 1) throw new Unreadable('vertical text');
  const stream = file.streamBytes(value.num, MOST_MAP);
  if (stream === undefined) throw new Unreadable('a character map that cannot be decoded');
  return readCodeMap(stream.bytes);
}

/** Parses an embedded character map (ISO 32000-1, 9.7.5.4). */
function readCodeMap(bytes: Uint8Array): CodeMap {
  const program = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  if (/\busecmap\b/.test(program) || /\/WMode\s+1\b/.test(program))
    throw new Unreadable('a character map built on another');
  const spaces: Span[] = [];
  const cids: (Span & { readonly cid: number })[] = [];
  for (const [, kind, body = ''] of program.matchAll(SECTION)) {
    const words = [...body.matchAll(/<([0-9A-Fa-f\s]*)>|(-?\d+)/g)].map(([, hex, number]) =>
      hex === undefined ? { value: Number(number), length: 0 } : spanOf(hex),
    );
    const step = kind === 'cidrange' ? 3 : 2;
    for (let i = 0; i + step <= words.length; i += step) {
      const [first, second, third] = words.slice(i, i + 3);
      if (first === undefined || second === undefined) break;
      if (kind === 'codespacerange') spaces.push({ length: first.length, low: first.value, high: second.value });
      else if (kind === 'cidchar')
        cids.push({ length: first.length, low: first.value, high: first.value, cid: second.value });
      else cids.push({ length: first.length, low: first.value, high: second.value, cid: third?.value ?? 0 });
    }
    if (cids.length > MOST_RANGES) throw new Unreadable('a character map too long');
  }
  if (spaces.length === 0) throw new Unreadable('a character map without code spaces');

  const known = new Map<number, number>();
  return {
    read(bytes, at) {
      let code = 0;
      for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
        code = code * 256 + (bytes[at + length - 1] ?? 0);
        if (!spaces.some((span) => span.length === length && inSpace(code, span))) continue;
        const slot = code * 8 + length;
        let cid = known.get(slot);
        if (cid === undefined) {
          const span = cids.findLast((span) => span.length === length && code >= span.low && code <= span.high);
          cid = span === undefined ? 0 : span.cid + code - span.low;
          known.set(slot, cid);
        }
        return { code, cid, length };
      }

      throw new Unreadable('a code that its character map does not know');
    },
  };
}

function spanOf(hex: string): { value: number; length: number } {
  const digits = hex.replace(/\s/g, '');
  return { value: Number.parseInt(digits, 16) || 0, length: Math.ceil(digits.length / 2) };
}

/** Whether every byte of a code lies between those of the range's ends. */
function inSpace(code: number, { length, low, high }: Span): boolean {
  for (let i = 0; i < length; i++) {
    const shift = 256 ** i;
    const byte = Math.floor(code / shift) % 256;
    if (byte < Math.floor(low / shift) % 256 || byte > Math.floor(high / shift) % 256) return false;
  }
  return true;
}
