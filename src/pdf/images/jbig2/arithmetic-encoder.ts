// The MQ arithmetic encoder of JBIG2 (ITU-T T.88, annex E.2, software conventions of E.3).

/** Table E.1: [Qe, next state after the more probable symbol, after the less probable one, whether the two change places]. */
const STATES: readonly (readonly [number, number, number, number])[] = [
  [0x5601, 1, 1, 1],
  [0x3401, 2, 6, 0],
  [0x1801, 3, 9, 0],
  [0x0ac1, 4, 12, 0],
  [0x0521, 5, 29, 0],
  [0x0221, 38, 33, 0],
  [0x5601, 7, 6, 1],
  [0x5401, 8, 14, 0],
  [0x4801, 9, 14, 0],
  [0x3801, 10, 14, 0],
  [0x3001, 11, 17, 0],
  [0x2401, 12, 18, 0],
  [0x1c01, 13, 20, 0],
  [0x1601, 29, 21, 0],
  [0x5601, 15, 14, 1],
  [0x5401, 16, 14, 0],
  [0x5101, 17, 15, 0],
  [0x4801, 18, 16, 0],
  [0x3801, 19, 17, 0],
  [0x3401, 20, 18, 0],
  [0x3001, 21, 19, 0],
  [0x2801, 22, 19, 0],
  [0x2401, 23, 20, 0],
  [0x2201, 24, 21, 0],
  [0x1c01, 25, 22, 0],
  [0x1801, 26, 23, 0],
  [0x1601, 27, 24, 0],
  [0x1401, 28, 25, 0],
  [0x1201, 29, 26, 0],
  [0x1101, 30, 27, 0],
  [0x0ac1, 31, 28, 0],
  [0x09c1, 32, 29, 0],
  [0x08a1, 33, 30, 0],
  [0x0521, 34, 31, 0],
  [0x0441, 35, 32, 0],
  [0x02a1, 36, 33, 0],
  [0x0221, 37, 34, 0],
  [0x0141, 38, 35, 0],
  [0x0111, 39, 36, 0],
  [0x0085, 40, 37, 0],
  [0x0049, 41, 38, 0],
  [0x0025, 42, 39, 0],
  [0x0015, 43, 40, 0],
  [0x0009, 44, 41, 0],
  [0x0005, 45, 42, 0],
  [0x0001, 45, 43, 0],
  [0x5601, 46, 46, 0],
];

// A context is one number, twice its state plus its more probable symbol, so that a decision costs one look-up each.
const QE = new Uint16Array(2 * STATES.length);
const AFTER_MPS = new Uint8Array(2 * STATES.length);
const AFTER_LPS = new Uint8Array(2 * STATES.length);
for (const [state, [qe, nextMps, nextLps, change]] of STATES.entries()) {
  for (const mps of [0, 1]) {
    QE[2 * state + mps] = qe;
    AFTER_MPS[2 * state + mps] = 2 * nextMps + mps;
    AFTER_LPS[2 * state + mps] = 2 * nextLps + (change === 1 ? 1 - mps : mps);
  }
}

export class ArithmeticEncoder {
  private readonly contexts: Uint8Array;
  private out = new Uint8Array(1 << 14);
  /** Bytes in `out`; the first of them comes before the data (E.2.9, INITENC) and is no part of it. */
  private length = 1;
  private interval = 0x8000;
  private code = 0;
  /** Shifts until a byte is complete. */
  private shifts = 12;

  constructor(contexts: number) {
    this.contexts = new Uint8Array(contexts);
  }

  /** Codes one decision in its context (E.2.3 to E.2.6). */
  encode(context: number, bit: number): void {
    const state = this.contexts[context] ?? 0;
    const qe = QE[state] ?? 0;
    this.interval -= qe;
    if ((state & 1) === bit) {
      if (this.interval >= 0x8000) {
        this.code += qe;
        return;
      }
      if (this.interval < qe) this.interval = qe;
      else this.code += qe;
      this.contexts[context] = AFTER_MPS[state] ?? 0;
    } else {
      if (this.interval < qe) this.code += qe;
      else this.interval = qe;
      this.contexts[context] = AFTER_LPS[state] ?? 0;
    }
    do {
      this.interval <<= 1;
      this.code <<= 1;
      this.shifts -= 1;
      if (this.shifts === 0) this.byteOut();
    } while (this.interval < 0x8000);
  }

  /** Ends the data (E.2.9, FLUSH) and returns it with its end marker. */
  finish(): Uint8Array {
    const upper = this.code + this.interval;
    this.code |= 0xffff;
    if (this.code >= upper) this.code -= 0x8000;
    this.code <<= this.shifts;
    this.byteOut();
    this.code <<= this.shifts;
    this.byteOut();
    if (this.out[this.length - 1] !== 0xff) this.put(0xff);
    this.put(0xac);
    return this.out.subarray(1, this.length);
  }

  /** E.2.8. A byte behind 0xFF holds seven bits, so that no marker can come about. */
  private byteOut(): void {
    const last = this.length - 1;
    const previous = this.out[last] ?? 0;
    if (previous !== 0xff && this.code >= 0x8000000) {
      this.out[last] = previous + 1;
      // The carry is taken; what is left of it would be written again behind 0xFF.
      if (previous + 1 === 0xff) this.code &= 0x7ffffff;
    }
    if (this.out[last] === 0xff) {
      this.put(this.code >> 20);
      this.code &= 0xfffff;
      this.shifts = 7;
    } else {
      this.put((this.code >> 19) & 0xff);
      this.code &= 0x7ffff;
      this.shifts = 8;
    }
  }

  private put(byte: number): void {
    if (this.length === this.out.length) {
      const longer = new Uint8Array(2 * this.length);
      longer.set(this.out);
      this.out = longer;
    }
    this.out[this.length++] = byte;
  }
}
