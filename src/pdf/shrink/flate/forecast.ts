import { deflateSync } from 'node:zlib';
import { predictRows, type RowLayout } from './predict.ts';

/** Bytes of one band, and number of bands. Shorter data is deflated without a forecast. */
const BAND = 12 << 10;
const BANDS = 8;
/** The window of deflate: a band is deflated with the bytes before it as a dictionary, as in the whole. */
const WINDOW = 32 << 10;
/** The tables of a block, which each band has for itself. */
const TABLES = 96;
/** Bands are short and deflated quickly: the whole may come out smaller than forecast by this factor. */
const PESSIMISM = 1.3;

/**
 * `rows`: the bytes are an image of this form and may be filtered. `most`: the forecast ends once it exceeds this.
 * Undefined: too few bytes to forecast.
 */
export function forecast(bytes: Uint8Array, rows: RowLayout | undefined, most = Number.POSITIVE_INFINITY) {
  const width = rows === undefined ? 1 : Math.ceil((rows.columns * rows.colors * rows.bits) / 8);
  const size = Math.max(1, Math.floor(BAND / width)) * width;
  if (bytes.length < size * BANDS * 2) return undefined;
  const enough = (most * PESSIMISM * size * BANDS) / bytes.length;
  let plain = 0;
  let filtered = 0;
  for (let band = 0; band < BANDS && Math.min(plain, filtered) < enough; band++) {
    const from = Math.floor(((bytes.length - size) * (band + 0.5)) / BANDS / width) * width;
    const before = Math.min(from, Math.ceil(WINDOW / width) * width);
    const part = bytes.subarray(from - before, from + size);
    const better = rows === undefined ? undefined : predictRows(part, rows);
    plain += deflatedBehind(part, before);
    // A filtered row begins with a byte that names the filter.
    filtered += better === undefined ? Number.POSITIVE_INFINITY : deflatedBehind(better, before + before / width);
  }
  const atLeast = ((Math.min(plain, filtered) / (size * BANDS)) * bytes.length) / PESSIMISM;
  return { predicted: filtered < plain, atLeast };
}

/** The deflated size of the bytes from `from` on, with those before as a dictionary. */
function deflatedBehind(bytes: Uint8Array, from: number): number {
  const known = bytes.subarray(Math.max(0, from - WINDOW), from);
  const options = known.length === 0 ? {} : { dictionary: known };
  return Math.max(1, deflateSync(bytes.subarray(from), options).length - TABLES);
}
