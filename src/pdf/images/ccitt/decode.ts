// CCITT facsimile as PDF embeds it (ISO 32000-1, 7.4.6): Group 3 in one and two dimensions (ITU-T T.4), Group 4 (T.6).
import {
  BLACK_RUNS,
  type Codes,
  HORIZONTAL,
  MODE_BITS,
  MODE_CODES,
  PASS,
  RUN_BITS,
  VERTICAL,
  WHITE_RUNS,
} from './codes.ts';

export interface CcittForm {
  /** Below 0: Group 4. 0: Group 3 in one dimension. Above: in two. */
  readonly k: number;
  readonly columns: number;
  readonly byteAlign: boolean;
  readonly endOfLine: boolean;
  readonly blackIs1: boolean;
}

/**
 * The first `count` rows, packed as PDF has them; undefined where they are not all there without a fault, since viewers
 * differ in what they show of damaged data.
 */
export function decodeCcitt(data: Uint8Array, form: CcittForm, count: number): Uint8Array | undefined {
  const { columns, blackIs1, k } = form;
  const stride = (columns + 7) >> 3;
  const rows = new Uint8Array(stride * count);
  const decoder = new Rows(data, form);
  for (let row = 0; row < count; row++) {
    const flat = decoder.begin();
    if (flat === undefined) return undefined;
    if (!(flat && k >= 0 ? decoder.flatRow() : decoder.rowFromAbove())) return undefined;
    decoder.paint(rows, row * stride);
  }
  if (!blackIs1) for (const [i, byte] of rows.entries()) rows[i] = byte ^ 0xff;
  return rows;
}

/** An end of line is at least so many zeros, and a one. */
const EOL_ZEROS = 11;

class Rows {
  private readonly data: Uint8Array;
  private readonly form: CcittForm;
  private at = 0;
  private readonly end: number;
  /** Places at which the colour changes, in the row above and in this one: first to black, and the row's end last. */
  private above: Int32Array;
  private here: Int32Array;
  private changes = 0;

  constructor(data: Uint8Array, form: CcittForm) {
    this.data = data;
    this.form = form;
    this.end = data.length * 8;
    this.above = new Int32Array(form.columns + 4).fill(form.columns);
    this.here = new Int32Array(form.columns + 4).fill(form.columns);
  }

  /** Before a row: whether it is coded in one dimension; undefined where there is none. */
  begin(): boolean | undefined {
    const { k, byteAlign, endOfLine } = this.form;
    [this.above, this.here] = [this.here, this.above];
    this.changes = 0;
    if (byteAlign && !endOfLine) this.at = (this.at + 7) & ~7;
    const ended = k >= 0 && this.skipEndOfLine();
    if (this.at >= this.end) return undefined;
    if (k <= 0) return k === 0;
    // The tag that says how a row is coded stands behind an end of line; coders differ in what they do without one.
    return ended ? this.bits(1) === 1 : undefined;
  }

  flatRow(): boolean {
    const { columns } = this.form;
    for (let x = 0, black = false; x < columns; black = !black) {
      const run = this.run(black);
      if (run < 0 || x + run > columns) return false;
      x += run;
      this.put(x);
    }
    return this.close();
  }

  /** T.4, 4.2.1.3: a0 is where the row is known up to, b1 and b2 the next two changes above it. */
  rowFromAbove(): boolean {
    const { above } = this;
    const { columns } = this.form;
    let a0 = -1;
    let black = 0;
    let next = 0;
    while (a0 < columns) {
      // b1: the first change above to the right of a0 that is to the other colour.
      while (next > 0 && (above[next - 1] ?? 0) > a0) next -= 1;
      while (
        next < above.length - 2 &&
        ((above[next] ?? 0) <= a0 || (next & 1) !== black) &&
        (above[next] ?? 0) < columns
      )
        next += 1;
      const b1 = above[next] ?? 0;
      const mode = this.code(MODE_CODES, MODE_BITS);
      if (mode < 0) return false;
      if (mode === PASS) {
        a0 = above[next + 1] ?? 0;
        if (a0 >= columns) return false;
      } else if (mode === HORIZONTAL) {
        const first = this.run(black === 1);
        const second = this.run(black === 0);
        const from = Math.max(0, a0);
        if (first < 0 || second < 0 || from + first + second > columns) return false;
        this.put(from + first);
        a0 = from + first + second;
        this.put(a0);
      } else {
        const a1 = b1 + mode - VERTICAL;
        if (a1 > columns || a1 < Math.max(0, a0)) return false;
        this.put(a1);
        a0 = a1;
        black ^= 1;
      }
    }
    return this.close();
  }

  /** Sets the row's black pixels in `rows`, which are all 0. */
  paint(rows: Uint8Array, start: number): void {
    const { columns } = this.form;
    for (let i = 0; i < this.changes; i += 2) {
      const from = this.here[i] ?? 0;
      const to = Math.min(columns, this.here[i + 1] ?? 0);
      if (from >= to) continue;
      const first = from >> 3;
      const last = to >> 3;
      const head = 0xff >> (from & 7);
      const tail = 0xff00 >> (to & 7);
      if (first === last) rows[start + first]! |= head & tail;
      else {
        rows[start + first]! |= head;
        rows.fill(0xff, start + first + 1, start + last);
        if ((tail & 0xff) !== 0) rows[start + last]! |= tail & 0xff;
      }
    }
  }

  /** A change that takes back the last one is none: the run between them is empty. */
  private put(x: number): void {
    if (this.changes > 0 && this.here[this.changes - 1] === x) this.changes -= 1;
    else this.here[this.changes++] = x;
  }

  /** Puts the row's end behind the last change, for the row below. */
  private close(): boolean {
    this.here.fill(this.form.columns, this.changes);
    return true;
  }

  /** Make-up codes, of which there may be several, and the terminating one; below 0 for what is no code. */
  private run(black: boolean): number {
    const codes = black ? BLACK_RUNS : WHITE_RUNS;
    for (let sum = 0; ; ) {
      const part = this.code(codes, RUN_BITS);
      if (part < 0) return -1;
      sum += part;
      if (part < 64) return sum;
      if (sum > this.form.columns) return -1;
    }
  }

  private code(codes: Codes, bits: number): number {
    const found = codes[this.peek(bits)] ?? 0;
    const length = found & 15;
    if (length === 0 || this.at + length > this.end) return -1;
    this.at += length;
    return found >> 4;
  }

  /** Up to 16 bits that come next; behind the end there are zeros. */
  private peek(count: number): number {
    const from = this.at >> 3;
    const { data } = this;
    const three = ((data[from] ?? 0) << 16) | ((data[from + 1] ?? 0) << 8) | (data[from + 2] ?? 0);
    return (three >> (24 - (this.at & 7) - count)) & ((1 << count) - 1);
  }

  private bits(count: number): number {
    const found = this.peek(count);
    this.at += count;
    return found;
  }

  /** Fill, which is zeros, counts to the end of line behind it. */
  private skipEndOfLine(): boolean {
    if (this.peek(EOL_ZEROS) !== 0) return false;
    let at = this.at + EOL_ZEROS;
    while (at < this.end && (((this.data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) === 0) at += 1;
    this.at = at + 1;
    return true;
  }
}
