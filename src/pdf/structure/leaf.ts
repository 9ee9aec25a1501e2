// Owns reading a node of a name tree as nearly all are written, without an object for each string. Knows no tree.
import type { PdfFile } from '../file/reader.ts';
import { Scan } from '../file/scan.ts';
import { latin1 } from '../file/syntax.ts';
import { StringReader } from './string-reader.ts';

// Expressions, because V8 is quick at them from the first one on: a loop over the bytes is slow for its first thousand
// names, and most documents have no more. None of them can go two ways for long.
const SPACE = String.raw`[\0\t\n\f\r ]`;
const LITERAL = String.raw`\((?:[^()\\]|\\[^])*\)`;
const HEX = String.raw`<[\dA-Fa-f\0\t\n\f\r ]*>`;
const REFERENCE = String.raw`(\d{1,9})${SPACE}+\d+${SPACE}+R`;
/** Arrays and dictionaries that hold neither strings nor others of their kind, as destinations do. */
const DIRECT = String.raw`(\[[^[\]()<>%]*\]|<<[^()<>%]*>>)`;
const LIMITS = `(?:/Limits${SPACE}*\\[${SPACE}*(?:(?:${LITERAL}|${HEX})${SPACE}*)*\\]${SPACE}*)?`;
const HEAD = new RegExp(`${SPACE}*<<${SPACE}*${LIMITS}/(Names|Kids)${SPACE}*\\[${SPACE}*`, 'y');
const TAIL = new RegExp(`\\]${SPACE}*${LIMITS}>>$`, 'y');
const KID = new RegExp(`${REFERENCE}${SPACE}*`, 'y');
/** A string in which every byte stands for itself, and a reference. */
const USUAL = new RegExp(String.raw`\([^()\\\r]*\)${SPACE}*${REFERENCE}${SPACE}*`, 'y');
/** Any string, and a value. */
const PAIR = new RegExp(`(?:${LITERAL}|${HEX})${SPACE}*(?:${REFERENCE}|${DIRECT})${SPACE}*`, 'y');
/** An expression notes each byte that it may have to come back to, in room that ends. */
const LONGEST = 1 << 20;

const scan = new Scan();
const string = new StringReader();
/** What a leaf has instead of kids. */
const NONE: readonly number[] = [];

/** Takes names, one character a byte. */
export interface Take {
  /** Takes a name and the object that it refers to. */
  refer(name: string, num: number): void;
  /** Takes a name and its value as it is written. */
  hold(name: string, value: string): void;
}

/**
 * Hands on the names of a leaf and returns none; returns the objects that are the kids of a node above. Undefined where it is
 * something else or holds what needs a second look: then some names may have been taken, and it must be read as any
 * other. A manual has 18,000 names in 3,000 leaves.
 */
export function readNode(file: PdfFile, num: number, take: Take): readonly number[] | undefined {
  if (file.decryption !== undefined || !file.scanObject(num, scan) || scan.stream) return undefined;
  const { buf, pos } = file;
  if (scan.end - pos > LONGEST) return undefined;
  const text = latin1(buf, pos, scan.end);
  const head = from(HEAD, 0).exec(text);
  if (head === null) return undefined;
  if (head[1] === 'Names') return isTail(text, takePairs(buf, pos, text, take)) ? NONE : undefined;
  const kids: number[] = [];
  let at = HEAD.lastIndex;
  for (let kid = from(KID, at).exec(text); kid !== null; kid = KID.exec(text)) {
    kids.push(Number(kid[1]));
    at = KID.lastIndex;
  }
  return isTail(text, at) ? kids : undefined;
}

/** Hands on the pairs of a string and a value behind the head of `text`, which stands at `pos`; returns the place behind. */
function takePairs(buf: Uint8Array, pos: number, text: string, take: Take): number {
  let at = HEAD.lastIndex;
  for (;;) {
    // Without a match, which is five times what is taken from it; and a part of `text` would keep all of it.
    while (from(USUAL, at).test(text)) {
      const close = text.indexOf(')', at);
      const num = Number.parseInt(text.slice(close + 1, USUAL.lastIndex), 10);
      take.refer(string.latin1(buf, pos + at + 1, pos + close), num);
      at = USUAL.lastIndex;
    }
    const pair = from(PAIR, at).exec(text);
    const name = pair === null ? undefined : decoded(buf, pos + at, pos + text.length);
    if (pair === null || name === undefined) return at;
    if (pair[1] !== undefined) take.refer(name, Number(pair[1]));
    else take.hold(name, pair[2]!);
    at = PAIR.lastIndex;
  }
}

function decoded(buf: Uint8Array, pos: number, limit: number): string | undefined {
  return string.read(buf, pos, limit) ? string.text() : undefined;
}

function isTail(text: string, at: number): boolean {
  return from(TAIL, at).test(text);
}

/** An expression, to be tried at a place. */
function from(expression: RegExp, at: number): RegExp {
  expression.lastIndex = at;
  return expression;
}
