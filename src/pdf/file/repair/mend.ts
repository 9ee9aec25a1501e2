/** Reads what is left of an object that breaks the syntax: those entries of its dictionary that can be read. */

import {
  at,
  BRACKET_OPEN,
  CLASS,
  GREATER,
  LESS,
  latin1,
  padded,
  SLASH,
  SPACE,
  skipSpace,
} from '../../syntax/characters.ts';
import { Damage, unlessDamaged } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { Dict, Name, type Value } from '../../syntax/values.ts';

/** Reads a value from `bytes`, which end before the next object. `data`: the position of its stream, if it is one. */
export function mend(bytes: Uint8Array) {
  const start = beginningOfDict(bytes);
  if (start === undefined) return { value: plainValue(bytes), data: undefined };
  const dict = new Dict();
  const parser = new Parser(padded(bytes), start, bytes.length);
  while (bytes[parser.pos] === LESS) parser.pos += 1;
  for (;;) {
    const pos = skipSpace(bytes, parser.pos, bytes.length);
    if (pos >= bytes.length || at(bytes, pos, 'endobj')) break;
    if (at(bytes, pos, 'stream')) return { value: dict, data: behindLine(bytes, pos + 6) };
    parser.pos = pos;
    if (bytes[pos] === SLASH) readEntry(parser, dict);
    // Anything else is skipped, even the end of a dictionary: its stream, or more entries, may follow.
    else parser.pos = pos + 1;
  }
  return { value: dict.size === 0 ? null : dict, data: undefined };
}

/** The start of a dictionary, or of its first key where `<<` is lost; undefined for other values. */
function beginningOfDict(bytes: Uint8Array): number | undefined {
  const start = skipSpace(bytes, 0, bytes.length);
  if (bytes[start] === LESS) return start;
  return isBrokenDict(plainValue(bytes), bytes.subarray(start)) ? bytes.indexOf(SLASH, start) : undefined;
}

/** Whether an unreadable value, or one read as something else, is a dictionary whose `<<` is damaged. */
export function isBrokenDict(value: Value, bytes: Uint8Array): boolean {
  if (value instanceof Dict || Array.isArray(value)) return false;
  const [text = ''] = latin1(bytes, 0, Math.min(bytes.length, 4096)).split('endobj');
  return /^[^(>]{0,16}?\/[A-Z][\s\S]*>>/.test(text);
}

function readEntry(parser: Parser, dict: Dict): void {
  const key = parser.name();
  const { pos } = parser;
  try {
    const next = skipSpace(parser.buf, pos, parser.limit);
    if (parser.buf[next] === GREATER) return;
    const value = parser.value();
    if (!dict.has(key)) dict.set(key, value);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    const items = openArray(parser, pos);
    if (items !== undefined) {
      if (!dict.has(key)) dict.set(key, items);
      return;
    }
    // The entries that follow may be whole.
    parser.pos = Math.max(pos, parser.pos);
    while (
      parser.pos < parser.limit &&
      parser.buf[parser.pos] !== SLASH &&
      !at(parser.buf, parser.pos, 'stream') &&
      !at(parser.buf, parser.pos, 'endobj')
    )
      parser.pos += 1;
  }
}

/** The items of an array whose `]` is damaged: names, references or numbers, up to the key of the next entry. */
function openArray(parser: Parser, pos: number): Value[] | undefined {
  const { buf, limit } = parser;
  const from = skipSpace(buf, pos, limit);
  if (buf[from] !== BRACKET_OPEN) return undefined;
  const items: Value[] = [];
  const starts: number[] = [];
  parser.pos = from + 1;
  for (;;) {
    const next = skipSpace(buf, parser.pos, limit);
    parser.pos = next;
    if (next >= limit || !/[/\d.+-]/.test(String.fromCharCode(buf[next] ?? 0))) break;
    const item = parser.value();
    if (items.length > 0 && item?.constructor !== items[0]?.constructor) {
      parser.pos = next;
      break;
    }
    items.push(item);
    starts.push(next);
  }
  // The last of several names is the key.
  if (items.length > 1 && items[0] instanceof Name) {
    items.pop();
    parser.pos = starts.at(-1) ?? from;
  }
  return items.length > 0 ? items : undefined;
}

function behindLine(bytes: Uint8Array, pos: number): number {
  if (bytes[pos] === 13) pos += 1;
  if (bytes[pos] === 10) pos += 1;
  return pos;
}

function plainValue(bytes: Uint8Array): Value {
  return unlessDamaged(null, () => new Parser(padded(bytes)).value());
}

export function withoutEnd(bytes: Uint8Array, word: 'endobj' | 'endstream'): Uint8Array {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(word);
  let end = at < 0 ? bytes.length : at;
  while (end > 0 && CLASS[bytes[end - 1] ?? 0] === SPACE) end -= 1;
  return bytes.subarray(0, end);
}
