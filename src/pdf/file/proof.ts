// Owns counting the pages of a file in memory without opening it, as a reader finds them: from startxref over the table
// and the catalog. Knows only the forms in which writer.ts puts small files, and says nothing of others.
import type { Held } from '../../contract/ports.ts';
import { referenceAt, referencesIn } from './entries.ts';
import { behindHeader } from './reader.ts';
import { isKey, KEYS, keyAmong, Scan, scanValue } from './scan.ts';
import { at, BRACKET_CLOSE, BRACKET_OPEN, CLASS, DIGIT, ends, skipSpace, wholeNumber } from './syntax.ts';

const NOWHERE = -1;
const NOTHING = new Uint8Array(0);
/** Bytes of the last lines, which end a file: startxref, a number and %%EOF. */
const LAST_LINES = 48;
/** A row of a cross-reference table (ISO 32000-1, 7.5.4), and where in it stands that the object is in use. */
const TEXT_ROW = 20;
const USED_AT = 17;
const USED = 0x6e;
/** In `[1 3 1]`, the widths of a row's fields. */
const PLACE_AT = 3;
const LAST_AT = 5;
const END_AT = 6;
const NEWER = ['Prev', 'XRefStm', 'Encrypt'] as const;
const CODED = ['Filter', ...NEWER] as const;

/** One is used for all outputs: opening each of 500 took four times as long. */
export class Proof {
  private readonly scan = new Scan();
  private readonly leaf = new Scan();
  private bytes: Uint8Array = NOTHING;
  private gaps: Held['gaps'] = [];
  /** The sections of the cross-reference table, three numbers each: its first object, the one behind it, where its rows stand. */
  private readonly sections: number[] = [];
  /** Bytes of a row. */
  private width = 0;
  /** Bytes of the place in a row of a cross-reference stream; 0 for a table, whose rows are text. */
  private field = 0;

  /** The pages of a file whose page tree is one node; undefined for all others. Throws Damage. */
  pagesIn({ bytes, gaps }: Held): number | undefined {
    this.bytes = bytes;
    this.gaps = gaps;
    const found = this.pages();
    this.bytes = NOTHING;
    return found;
  }

  private pages(): number | undefined {
    const { bytes, scan } = this;
    const start = this.startOfTable();
    if (start < 0 || !at(bytes, 0, '%PDF-')) return undefined;
    if (!(at(bytes, start, 'xref') ? this.readTable(start) : this.readStream(start))) return undefined;
    const catalog = this.reference(scan, 'Root');
    if (!this.scanObject(catalog, scan) || !this.is(scan, 'Type', '/Catalog')) return undefined;
    const root = this.reference(scan, 'Pages');
    if (!this.scanObject(root, scan) || !this.is(scan, 'Type', '/Pages')) return undefined;
    return this.kids();
  }

  /** What the last lines say, of which there are three. */
  private startOfTable(): number {
    const { bytes } = this;
    const { length } = bytes;
    for (let pos = length - 'startxref'.length; pos > length - LAST_LINES; pos--) {
      if (at(bytes, pos, 'startxref'))
        return this.here(this.number(skipSpace(bytes, pos + 'startxref'.length, length)));
    }
    return NOWHERE;
  }

  /** How many kids the node scanned last has, where each is a page and an object of its own. */
  private kids(): number | undefined {
    const { bytes, scan, leaf } = this;
    const open = this.valueOf(scan, 'Kids');
    if (open < 0 || bytes[open] !== BRACKET_OPEN) return undefined;
    const kids = referencesIn(scan, bytes, open, scan.end);
    if (kids === undefined) return undefined;
    for (let i = 0; i < kids.length; i++) {
      if (!this.scanObject(kids[i]!, leaf)) return undefined;
      if (!this.is(leaf, 'Type', '/Page') || this.valueOf(leaf, 'Kids') >= 0) return undefined;
    }
    return kids.length;
  }

  /** Finds the rows of a table of one revision, and leaves its trailer in `scan`. */
  private readTable(start: number): boolean {
    const { bytes, scan } = this;
    this.width = TEXT_ROW;
    this.field = 0;
    this.sections.length = 0;
    let pos = skipSpace(bytes, start + 'xref'.length, bytes.length);
    while (!at(bytes, pos, 'trailer')) {
      const first = this.number(pos);
      pos = this.behindNumber(pos);
      const count = this.number(pos);
      pos = this.behindNumber(pos);
      if (first < 0 || count < 0) return false;
      pos = this.addSection(first, count, pos);
    }
    return scanValue(bytes, pos + 'trailer'.length, bytes.length, scan, KEYS) && !this.hasAny(NEWER);
  }

  /** As `readTable`, for a cross-reference stream that is not compressed. */
  private readStream(start: number): boolean {
    const { bytes, scan } = this;
    const value = behindHeader(bytes, start, bytes.length, this.number(start));
    if (!scanValue(bytes, value, bytes.length, scan, KEYS) || !scan.stream || this.hasAny(CODED)) return false;
    const widths = this.valueOf(scan, 'W');
    const last = this.number(widths + LAST_AT);
    this.field = this.number(widths + PLACE_AT);
    this.width = 1 + this.field + last;
    if (this.field < 1 || last < 0 || !at(bytes, widths, '[1 ') || bytes[widths + END_AT] !== BRACKET_CLOSE)
      return false;
    this.sections.length = 0;
    let rows = scan.data;
    const index = this.valueOf(scan, 'Index');
    if (index < 0) rows = this.addSection(0, this.number(this.valueOf(scan, 'Size')), rows);
    for (let pos = index + 1; index >= 0 && bytes[pos] !== BRACKET_CLOSE; ) {
      const first = this.number(pos);
      pos = this.behindNumber(pos);
      if (first < 0 || this.number(pos) < 0) return false;
      rows = this.addSection(first, this.number(pos), rows);
      pos = this.behindNumber(pos);
    }
    return rows === scan.data + scan.length && at(bytes, rows, '\nendstream');
  }

  /** Returns the place behind its rows. */
  private addSection(first: number, count: number, rows: number): number {
    this.sections.push(first, first + count, rows);
    return rows + count * this.width;
  }

  /** Scans the value of an object that does not stand in an object stream. */
  private scanObject(num: number, scan: Scan): boolean {
    const { bytes } = this;
    const place = this.placeOf(num);
    return place >= 0 && scanValue(bytes, behindHeader(bytes, place, bytes.length, num), bytes.length, scan, KEYS);
  }

  private placeOf(num: number): number {
    const { bytes, field, sections } = this;
    let i = 0;
    while (i < sections.length && (num < sections[i]! || num >= sections[i + 1]!)) i += 3;
    if (i === sections.length) return NOWHERE;
    const row = sections[i + 2]! + (num - sections[i]!) * this.width;
    if (field === 0) return bytes[row + USED_AT] === USED ? this.here(this.number(row)) : NOWHERE;
    if (bytes[row] !== 1) return NOWHERE;
    let place = 0;
    for (let at = 1; at <= field; at++) place = place * 256 + bytes[row + at]!;
    return this.here(place);
  }

  /** Where in `bytes` a place of the file is; NOWHERE where what stands there was lent. */
  private here(place: number): number {
    const { gaps } = this;
    let lent = 0;
    for (let i = 0; i < gaps.length && place >= gaps[i]! + lent; i += 2) {
      lent += gaps[i + 1]!;
      if (place < gaps[i]! + lent) return NOWHERE;
    }
    return place - lent;
  }

  private number(pos: number): number {
    return pos < 0 ? NOWHERE : wholeNumber(this.bytes, pos, this.bytes.length);
  }

  private behindNumber(pos: number): number {
    const { bytes } = this;
    while (CLASS[bytes[pos]!] === DIGIT) pos++;
    return skipSpace(bytes, pos, bytes.length);
  }

  /** Where the value of a key begins in the dictionary scanned; NOWHERE where it has none. */
  private valueOf({ keys, keyCount }: Scan, name: string): number {
    const { bytes } = this;
    for (let i = 0; i < keyCount; i += 3) {
      if (isKey(bytes, keys[i]!, keys[i + 1]!, name)) return skipSpace(bytes, keys[i + 1]!, keys[i + 2]!);
    }
    return NOWHERE;
  }

  private is(scan: Scan, key: string, value: string): boolean {
    const pos = this.valueOf(scan, key);
    return at(this.bytes, pos, value) && ends(this.bytes[pos + value.length]!);
  }

  private hasAny(names: readonly string[]): boolean {
    const { keys, keyCount } = this.scan;
    for (let i = 0; i < keyCount; i += 3) {
      if (keyAmong(names, this.bytes, keys[i]!, keys[i + 1]!) !== undefined) return true;
    }
    return false;
  }

  /** The object that a key's value refers to; NOWHERE where it is no reference. */
  private reference(scan: Scan, key: string): number {
    return referenceAt(scan, this.valueOf(scan, key));
  }
}
