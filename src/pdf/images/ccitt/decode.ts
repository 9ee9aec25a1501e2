// Decodes CCITT facsimile as in PDF (ISO 32000-1, 7.4.6): Group 3 in one and two dimensions (ITU-T T.4), Group 4 (T.6).
export interface CcittForm {
  /** Below 0: Group 4. 0: Group 3 in one dimension. Above: in two. */
  readonly k: number;
  readonly columns: number;
  readonly byteAlign: boolean;
  readonly endOfLine: boolean;
  readonly blackIs1: boolean;
}

/**
 * The first `count` rows, packed as in PDF; undefined where they are not all there without a fault, since viewers
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
  if (!blackIs1) for (let i = 0; i < rows.length; i++) rows[i]! ^= 0xff;
  return rows;
}

/** An end of line is at least so many zeros, and a one. */
const EOL_ZEROS = 11;

class Rows {
  private readonly data: Uint8Array;
  private readonly form: CcittForm;
  /** The position, in bits. */
  private at = 0;
  private readonly end: number;
  /** Places where the colour changes, in the row above and in this one: first to black, the row's end last. */
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

  /** Begins a row: whether it is coded in one dimension; undefined where there is none. */
  begin(): boolean | undefined {
    const { k, byteAlign, endOfLine } = this.form;
    [this.above, this.here] = [this.here, this.above];
    this.changes = 0;
    if (byteAlign && !endOfLine) this.at = (this.at + 7) & ~7;
    const ended = k >= 0 && this.skipEndOfLine();
    if (this.at >= this.end) return undefined;
    if (k <= 0) return k === 0;
    // The tag bit for the coding of a row follows an end of line; coders differ in what they do without one.
    if (!ended) return undefined;
    const tag = this.peek(1);
    this.at += 1;
    return tag === 1;
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

  /** T.4, 4.2.1.3: the row is known up to a0; b1 and b2 are the next two changes above it. */
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

  /** A change at the place of the last one cancels it: the run between them is empty. */
  private put(x: number): void {
    if (this.changes > 0 && this.here[this.changes - 1] === x) this.changes -= 1;
    else this.here[this.changes++] = x;
  }

  /** Puts the row's end behind the last change, for the row below. */
  private close(): boolean {
    this.here.fill(this.form.columns, this.changes);
    return true;
  }

  /** A run: any make-up codes and the terminating one; below 0 for an invalid code. */
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
    const entry = codes[this.peek(bits)] ?? 0;
    const length = entry & 15;
    if (length === 0 || this.at + length > this.end) return -1;
    this.at += length;
    return entry >> 4;
  }

  /** Up to 16 bits that come next; behind the end there are zeros. */
  private peek(count: number): number {
    const from = this.at >> 3;
    const { data } = this;
    const three = ((data[from] ?? 0) << 16) | ((data[from + 1] ?? 0) << 8) | (data[from + 2] ?? 0);
    return (three >> (24 - (this.at & 7) - count)) & ((1 << count) - 1);
  }

  /** Fill, which is zeros, belongs to the end of line behind it. */
  private skipEndOfLine(): boolean {
    if (this.peek(EOL_ZEROS) !== 0) return false;
    let at = this.at + EOL_ZEROS;
    while (at < this.end && (((this.data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) === 0) at += 1;
    this.at = at + 1;
    return true;
  }
}

// Code words of ITU-T T.4 (tables 2 to 4) and of its two-dimensional coding (T.4 table 4, T.6 table 1).

/** Runs of 0 to 63 pixels, then of 64, 128 … 1728. */
const WHITE = `
00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101
101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010
00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101 00000100 00000101 00001010
00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011 00110010 00110011 00110100
11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 011010010 011010011 011010100 011010101
011010110 011010111 011011000 011011001 011011010 011011011 010011000 010011001 010011010 011000 010011011`;
const BLACK = `
0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000
0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000 000011001010 000011001011 000011001100 000011001101 000001101000 000001101001
000001101010 000001101011 000011010010 000011010011 000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011 000001010100 000001010101 000001010110 000001010111
000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 000001100111
0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 0000001110100
0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011 0000001100100 0000001100101`;
/** Runs of 1792, 1856 … 2560 of either colour. */
const LONG = `
00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 000000010111
000000011100 000000011101 000000011110 000000011111`;

/** The modes by which a change of colour is coded relative to the row above. */
const PASS = 8;
const HORIZONTAL = 9;
/** Vertical modes: how far to the right of the change above, from -3 to 3, plus this. */
const VERTICAL = 3;
const MODES: readonly (readonly [string, number])[] = [
  ['0001', PASS],
  ['001', HORIZONTAL],
  ['1', VERTICAL],
  ['011', VERTICAL + 1],
  ['000011', VERTICAL + 2],
  ['0000011', VERTICAL + 3],
  ['010', VERTICAL - 1],
  ['000010', VERTICAL - 2],
  ['0000010', VERTICAL - 3],
];

/** The longest code of a run, and of a mode. */
const RUN_BITS = 13;
const MODE_BITS = 7;

/** By as many bits as the longest code has: 16 times the decoded value, plus the length of the code; 0 for none. */
type Codes = Uint16Array;

const WHITE_RUNS = runCodes(WHITE);
const BLACK_RUNS = runCodes(BLACK);
const MODE_CODES = table(MODES, MODE_BITS);

function runCodes(list: string): Codes {
  const codes = list.trim().split(/\s+/);
  const long = LONG.trim().split(/\s+/);
  const runs = codes.map((code, i): [string, number] => [code, i < 64 ? i : (i - 63) * 64]);
  return table([...runs, ...long.map((code, i): [string, number] => [code, 1792 + i * 64])], RUN_BITS);
}

function table(codes: readonly (readonly [code: string, says: number])[], bits: number): Codes {
  const all = new Uint16Array(1 << bits);
  for (const [code, says] of codes) {
    const free = bits - code.length;
    const first = Number.parseInt(code, 2) << free;
    all.fill(says * 16 + code.length, first, first + (1 << free));
  }
  return all;
}
