// Owns PNG's row filters as an encoder uses them (W3C PNG, chapter 9). Knows neither PNG files nor PDF.
import type { Rows } from './recode.ts';

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
  const trials = Array.from({ length: 5 }, () => new Uint8Array(width));
  let above = new Uint8Array(width);
  for (let row = 0; row < count; row++) {
    const here = bytes.subarray(row * width, (row + 1) * width);
    const [none, sub, up, average, paeth] = trials as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const cost = [0, 0, 0, 0, 0];
    for (let i = 0; i < width; i++) {
      const value = here[i]!;
      const a = i >= pixel ? here[i - pixel]! : 0;
      const b = above[i]!;
      const c = i >= pixel ? above[i - pixel]! : 0;
      const p = b - c;
      const q = a - c;
      const pa = p < 0 ? -p : p;
      const pb = q < 0 ? -q : q;
      const s = p + q;
      const pc = s < 0 ? -s : s;
      none[i] = value;
      sub[i] = value - a;
      up[i] = value - b;
      average[i] = value - ((a + b) >> 1);
      paeth[i] = value - (pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
      cost[0]! += size(none[i]!);
      cost[1]! += size(sub[i]!);
      cost[2]! += size(up[i]!);
      cost[3]! += size(average[i]!);
      cost[4]! += size(paeth[i]!);
    }
    const best = cost.indexOf(Math.min(...cost));
    out[row * (width + 1)] = best;
    out.set(trials[best]!, row * (width + 1) + 1);
    above = Uint8Array.from(here);
  }
  return out;
}

/** How far a difference is from none, around the circle of bytes. */
function size(byte: number): number {
  return byte < 128 ? byte : 256 - byte;
}
