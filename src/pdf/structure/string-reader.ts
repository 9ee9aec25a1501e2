// Owns finding the bytes of a string object: where they stand, as in nearly all, or decoded. Knows no names.
import { Parser } from '../file/parse.ts';
import { BACKSLASH, CR, LESS, PAREN_CLOSE, PAREN_OPEN } from '../file/syntax.ts';
import { PdfString } from '../file/values.ts';

/** Bytes of a name as long as any. Longer strings are read in another way. */
const MOST_DECODED = 512;

/** One is used again and again: of most strings nothing is made. */
export class StringReader {
  /** The bytes are [start, end) of `buf`, after escapes. */
  buf: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  /** The place behind the string where it was read. */
  behind = 0;

  /** What a string with escapes says, until the next one is read. */
  private readonly decoded = new Uint8Array(MOST_DECODED);
  private view: Buffer = Buffer.alloc(0);

  /** Reads the string at `pos`; false where there is none or it does not end before `limit`. */
  read(buf: Uint8Array, pos: number, limit: number): boolean {
    const first = buf[pos];
    if (first !== PAREN_OPEN && (first !== LESS || buf[pos + 1] === LESS)) return false;
    const end = first === PAREN_OPEN ? endOfPlain(buf, pos + 1, limit) : -1;
    if (end < 0) return this.octal(buf, pos, limit) || this.decode(new Parser(buf, pos, limit));
    this.buf = buf;
    this.start = pos + 1;
    this.end = end;
    this.behind = end + 1;
    return true;
  }

  /** Reads a string whose escapes are all `\ddd`, as TeX writes blanks: they are in one of ten names of some manuals. */
  private octal(buf: Uint8Array, start: number, limit: number): boolean {
    const { decoded } = this;
    let end = 0;
    let pos = start + 1;
    for (; pos < limit && end < decoded.length; pos++) {
      let byte = buf[pos]!;
      if (byte === PAREN_CLOSE) break;
      if (byte === PAREN_OPEN || byte === CR) return false;
      if (byte === BACKSLASH) {
        byte = 0;
        for (let digits = 0; digits < 3; digits++) {
          const digit = buf[++pos]! - 0x30;
          if (!(digit >= 0 && digit <= 7)) return false;
          byte = byte * 8 + digit;
        }
      }
      decoded[end++] = byte;
    }
    if (pos >= limit || buf[pos] !== PAREN_CLOSE || buf[start] !== PAREN_OPEN) return false;
    this.buf = decoded;
    this.start = 0;
    this.end = end;
    this.behind = pos + 1;
    return true;
  }

  /** The string that was read, one character a byte. */
  text(): string {
    return this.latin1(this.buf, this.start, this.end);
  }

  /** As `latin1` (syntax.ts), where the same bytes are read from again and again. */
  latin1(buf: Uint8Array, start: number, end: number): string {
    if (this.view.buffer !== buf.buffer) this.view = Buffer.from(buf.buffer);
    return this.view.toString('latin1', buf.byteOffset + start, buf.byteOffset + end);
  }

  private decode(parser: Parser): boolean {
    const value = parser.value();
    if (!(value instanceof PdfString)) return false;
    this.buf = value.bytes;
    this.start = 0;
    this.end = value.bytes.length;
    this.behind = parser.pos;
    return true;
  }
}

/** The closing parenthesis of a string in which every byte stands for itself; -1 where there is none. */
function endOfPlain(buf: Uint8Array, start: number, limit: number): number {
  for (let pos = start; pos < limit; pos++) {
    const byte = buf[pos]!;
    if (byte === PAREN_CLOSE) return pos;
    if (byte === BACKSLASH || byte === PAREN_OPEN || byte === CR) return -1;
  }
  return -1;
}
