// PNG's row filters as an encoder uses them (W3C PNG, chapter 9).

/** The rows of an image, where the stream is one. */
export interface Rows {
  readonly columns: number;
  readonly colors: number;
  readonly bits: number;
  /** How many rows there are. */
  readonly count: number;
}

/** Samples of a row that are looked at to choose its filter, at most and about; fewer choose as well (measured). */
const LOOKED_AT = 1024;

/**
 * Each row with the filter that leaves the least to say, by the usual measure: the sum of the differences' sizes.
 * Undefined where the bytes are not whole rows.
 */
export function predictRows(bytes: Uint8Array, { columns, colors, bits }: Rows): Uint8Array | undefined {
  const width = Math.ceil((columns * colors * bits) / 8);
  const pixel = Math.max(1, (colors * bits) >> 3);
  const count = Math.floor(bytes.length / width);
  // Rows of less than a byte a sample have no neighbours worth predicting from.
  if (bits < 8 || width === 0 || count === 0 || bytes.length - count * width > 2) return undefined;
  const out = new Uint8Array(count * (width + 1));
  const nothing = new Uint8Array(width);
  for (let row = 0; row < count; row++) {
    const here = bytes.subarray(row * width, (row + 1) * width);
    const above = row === 0 ? nothing : bytes.subarray((row - 1) * width, row * width);
    const filter = bestFilter(here, above, pixel);
    const to = row * (width + 1);
    out[to] = filter;
    writeRow(filter, here, above, pixel, out, to + 1);
  }
  return out;
}

const [SUB, UP, AVERAGE, PAETH] = [1, 2, 3, 4];

function bestFilter(here: Uint8Array, above: Uint8Array, pixel: number): number {
  // A step that no number of samples a pixel divides, so that all of them are looked at.
  const step = here.length <= LOOKED_AT ? 1 : (Math.floor(here.length / LOOKED_AT / 12) + 1) * 12 - 7;
  let [none, sub, up, average, paeth] = [0, 0, 0, 0, 0];
  for (let i = pixel; i < here.length; i += step) {
    const value = here[i]!;
    const a = here[i - pixel]!;
    const b = above[i]!;
    none += size(value);
    sub += size((value - a) & 255);
    up += size((value - b) & 255);
    average += size((value - ((a + b) >> 1)) & 255);
    paeth += size((value - nearest(a, b, above[i - pixel]!)) & 255);
  }
  const least = Math.min(none, sub, up, average, paeth);
  return [none, sub, up, average, paeth].indexOf(least);
}

function writeRow(
  filter: number,
  here: Uint8Array,
  above: Uint8Array,
  pixel: number,
  out: Uint8Array,
  to: number,
): void {
  const { length } = here;
  const first = Math.min(pixel, length);
  if (filter === SUB) {
    out.set(here.subarray(0, first), to);
    for (let i = pixel; i < length; i++) out[to + i] = here[i]! - here[i - pixel]!;
  } else if (filter === UP) {
    for (let i = 0; i < length; i++) out[to + i] = here[i]! - above[i]!;
  } else if (filter === AVERAGE) {
    for (let i = 0; i < first; i++) out[to + i] = here[i]! - (above[i]! >> 1);
    for (let i = pixel; i < length; i++) out[to + i] = here[i]! - ((here[i - pixel]! + above[i]!) >> 1);
  } else if (filter === PAETH) {
    for (let i = 0; i < first; i++) out[to + i] = here[i]! - above[i]!;
    for (let i = pixel; i < length; i++)
      out[to + i] = here[i]! - nearest(here[i - pixel]!, above[i]!, above[i - pixel]!);
  } else out.set(here, to);
}

/** Paeth's predictor: of the left, the upper and the upper left, the one nearest to left + upper - upper left. */
function nearest(a: number, b: number, c: number): number {
  const p = b - c;
  const q = a - c;
  const pa = p < 0 ? -p : p;
  const pb = q < 0 ? -q : q;
  const s = p + q;
  const pc = s < 0 ? -s : s;
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** How far a difference is from none, around the circle of bytes. */
function size(byte: number): number {
  return byte < 128 ? byte : 256 - byte;
}
