import { deflate, type ZlibOptions } from 'node:zlib';
import type { NewEntries } from '../../file/copy/new-entries.ts';
import { decodable, decode, type Filter, inflate } from '../../file/read/filters.ts';
import type { Dict } from '../../syntax/values.ts';
import { forecast } from '../flate/forecast.ts';
import { predictRows, type RowLayout } from '../flate/predict.ts';

/** A stream to be written: /Filter and /DecodeParms as text, undefined where there is none. */
export interface Coded {
  readonly data: Uint8Array;
  readonly filter: string | undefined;
  readonly parms: string | undefined;
  readonly more?: NewEntries;
}

/** One bit a pixel: black and white, a mask, or two colours. */
export function isBilevel(rows: RowLayout | undefined): rows is RowLayout {
  return rows !== undefined && rows.bits === 1 && rows.colors === 1;
}

/** Larger streams are copied: decoding them would take more memory than everything else together. */
export const MOST_DECODED = 64 << 20;
/** Filters that decode to bytes; an image's own may follow them. */
const LOSSLESS = new Set(['FlateDecode', 'LZWDecode', 'ASCII85Decode', 'ASCIIHexDecode', 'RunLengthDecode']);

/** The level below the highest, which takes two and a half times as long for 1 % of a picture's bytes (measured). */
export const LEVEL = 8;
/** For pictures of documents in which others lose pixels: a quarter of the time for 5 % of their bytes. */
export const QUICK_LEVEL = 6;

const MOST_CHUNK = 64 << 10;
/** Nearly empty pictures stay as they are: below so many bytes, and this part of their samples. */
const SMALL = 1500;
const EMPTY = 1 / 50;

/** Compresses on another thread. */
export function deflated(bytes: Uint8Array, level = LEVEL): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    deflate(bytes, deflating(bytes, level), (error, data) => (error === null ? resolve(data) : reject(error)));
  });
}

/** Options with tables no larger than the data needs: allocating the largest takes as long as deflating 5 KB. */
export function deflating({ length }: Uint8Array, level: number): ZlibOptions {
  // A window of 2^n bytes reaches 2^n - 262 bytes back.
  const windowBits = Math.min(15, Math.ceil(Math.log2(length + 262)));
  const chunkSize = Math.max(64, Math.min(length, MOST_CHUNK));
  return { level, windowBits, memLevel: windowBits - 6, chunkSize };
}

/** The same bytes in another coding; undefined unless smaller than `most`. `rows`: the bytes are an image of this form. */
export async function recode(
  raw: Uint8Array,
  filters: readonly Filter[],
  rows: RowLayout | undefined,
  {
    most = raw.length,
    level = LEVEL,
    decoded = () => decode(raw, filters, MOST_DECODED),
  }: {
    readonly most?: number | undefined;
    readonly level?: number;
    readonly decoded?: (() => Uint8Array) | undefined;
  } = {},
): Promise<Coded | undefined> {
  const image = filters.findIndex(({ name }) => !LOSSLESS.has(name));
  if (image === 0) return undefined;
  if (image > 0) return unwrap(raw, filters, image);
  if (!decodable(filters)) return undefined;
  const [only] = filters;
  const predictor = only?.parms?.number('Predictor') ?? 1;
  const bytes = decoded();
  const filtered =
    filters.length === 1 && only?.name === 'FlateDecode' && predictor > 1
      ? await refiltered(raw, bytes, only.parms, rows, { most, level })
      : undefined;
  const best = smallerOf(filtered, await smallest(bytes, rows, Math.min(most, filtered?.data.length ?? most), level));
  if (best === undefined || best.data.length >= most) return undefined;
  return filters.length === 0 && best.data.length + 30 >= bytes.length ? undefined : best;
}

function smallerOf(a: Coded | undefined, b: Coded | undefined): Coded | undefined {
  return a === undefined || (b !== undefined && b.data.length < a.data.length) ? b : a;
}

/** The existing filtered rows, deflated again. Undefined where another predictor is forecast to do better. */
async function refiltered(
  raw: Uint8Array,
  bytes: Uint8Array,
  parms: Dict | undefined,
  rows: RowLayout | undefined,
  { most, level }: { readonly most: number; readonly level: number },
): Promise<Coded | undefined> {
  const inflated = inflate(raw, MOST_DECODED);
  const kept = forecast(inflated, undefined, most)?.atLeast ?? 0;
  if (kept >= most || kept > (forecast(bytes, rows, kept)?.atLeast ?? kept)) return undefined;
  return { data: await deflated(inflated, level), filter: '/FlateDecode', parms: predictorParms(parms) };
}

/** Deflated, after PNG's row filters where that is smaller; undefined where it is forecast to be larger than `most`. */
export function smallest(bytes: Uint8Array, rows: RowLayout | undefined): Promise<Coded>;
export function smallest(
  bytes: Uint8Array,
  rows: RowLayout | undefined,
  most: number,
  level?: number,
): Promise<Coded | undefined>;
export async function smallest(
  bytes: Uint8Array,
  rows: RowLayout | undefined,
  most = Number.POSITIVE_INFINITY,
  level = LEVEL,
): Promise<Coded | undefined> {
  if (rows !== undefined && most < SMALL && most < bytes.length * EMPTY) return undefined;
  const expected = forecast(bytes, rows, most);
  if (expected !== undefined && expected.atLeast >= most) return undefined;
  const predicted = rows === undefined || expected?.predicted === false ? undefined : predictRows(bytes, rows);
  const plain = async () => ({ data: await deflated(bytes, level), filter: '/FlateDecode', parms: undefined });
  if (predicted === undefined || rows === undefined) return plain();
  const { columns, colors, bits } = rows;
  const parms = `<</Predictor 15/Columns ${columns}/Colors ${colors}/BitsPerComponent ${bits}>>`;
  const data = await deflated(predicted, level);
  const filtered = { data, filter: '/FlateDecode', parms };
  // Forecast to be smaller, so not compared.
  if (expected !== undefined) return filtered;
  const other = await plain();
  return other.data.length <= data.length + parms.length ? other : filtered;
}

/** Removes filters around an image's own coding. */
function unwrap(raw: Uint8Array, filters: readonly Filter[], image: number): Coded | undefined {
  const last = filters.at(-1);
  if (last === undefined || image !== filters.length - 1 || last.parms !== undefined) return undefined;
  const data = decode(raw, filters.slice(0, image), MOST_DECODED);
  return data.length < raw.length ? { data, filter: `/${last.name}`, parms: undefined } : undefined;
}

function predictorParms(parms: Dict | undefined): string {
  const entries = ['Predictor', 'Columns', 'Colors', 'BitsPerComponent'].flatMap((key) => {
    const value = parms?.number(key);
    return value === undefined ? [] : [`/${key} ${value}`];
  });
  return `<<${entries.join('')}>>`;
}
