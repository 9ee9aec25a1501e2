// Recodes pictures of one bit per pixel: black and white, a stencil, or two colours. Each pixel keeps its value.

import { decodable, decode, type Filter } from '../../file/read/filters.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { decodeCcitt } from '../../images/ccitt/decode.ts';
import { encodeJbig2 } from '../../images/jbig2/encode.ts';
import { Dict, Ref } from '../../syntax/values.ts';
import type { RowLayout } from '../flate/predict.ts';
import type { Bits, Codec } from './codec.ts';
import { type Coded, MOST_DECODED, smallest } from './recode.ts';

/** Bytes of packed rows: 128 million pixels. */
const MOST_PACKED = 16 << 20;
const GLOBALS = 4 << 20;

/** A picture's coded bytes, without outer filters. */
interface Stored {
  readonly bytes: Uint8Array;
  readonly coding: Bits;
}

interface Wanted {
  readonly most: number;
  readonly level: number;
  readonly codec: Codec | undefined;
}

/** The smallest coding; undefined where it is not smaller than `most`, or the data is damaged. */
export async function recodeBilevel(
  file: PdfFile,
  num: number,
  dict: Dict,
  rows: RowLayout,
  wanted: Wanted,
): Promise<Coded | undefined> {
  const stored = storedBits(file, num, dict, rows);
  return stored === undefined || isOurs(stored) ? undefined : smallestBilevel(stored, rows, wanted);
}

/** As `recodeBilevel`, for bytes at hand. */
export async function smallestBilevel(
  stored: Stored,
  rows: RowLayout,
  { most, level, codec }: Wanted,
): Promise<Coded | undefined> {
  const data = await jbig2Of(stored, rows, codec);
  if (data === undefined) return undefined;
  const jbig2: Coded = { data, filter: '/JBIG2Decode', parms: undefined };
  // Regular patterns, such as a dither, deflate to less.
  const flate =
    stored.coding.kind === 'rows'
      ? await smallest(stored.bytes, undefined, Math.min(most, data.length), level)
      : undefined;
  const best = flate !== undefined && flate.data.length < data.length ? flate : jbig2;
  return best.data.length < most ? best : undefined;
}

/** The rows of the picture; undefined where they are incomplete. */
export async function rowsOfBilevel(
  file: PdfFile,
  num: number,
  dict: Dict,
  rows: RowLayout,
  codec: Codec,
): Promise<Uint8Array | undefined> {
  const stored = storedBits(file, num, dict, rows);
  if (stored === undefined || stored.coding.kind === 'rows') return stored?.bytes;
  return codec.rowsOf(stored.bytes, { width: rows.columns, height: rows.count }, stored.coding);
}

/** Whether `rowsOfBilevel` can undo these filters. */
export function isBilevelCoded(filters: readonly Filter[]): boolean {
  const last = filters.at(-1)?.name;
  return (last === 'CCITTFaxDecode' || last === 'JBIG2Decode') && decodable(filters.slice(0, -1));
}

function storedBits(file: PdfFile, num: number, dict: Dict, rows: RowLayout): Stored | undefined {
  const packed = rows.count * Math.ceil(rows.columns / 8);
  const filters = file.filters(dict);
  const coded = isBilevelCoded(filters);
  if (packed > MOST_PACKED || !(coded || decodable(filters))) return undefined;
  const { raw } = file.rawStream(num, MOST_DECODED);
  const bytes = decode(raw, coded ? filters.slice(0, -1) : filters, MOST_DECODED);
  const last = filters.at(-1);
  // Viewers choose different colours for missing rows.
  if (!coded || last === undefined) return bytes.length < packed ? undefined : { bytes, coding: { kind: 'rows' } };
  const { parms } = last;
  if (last.name === 'JBIG2Decode') {
    const globals = globalsOf(file, dict);
    const whole = globals === undefined ? bytes : Buffer.concat([globals, bytes]);
    return { bytes: whole, coding: { kind: 'jbig2', globals: globals?.length ?? 0 } };
  }
  const columns = parms?.number('Columns') ?? 1728;
  if (columns !== rows.columns) return undefined;
  const is = (key: string) => parms?.get(key) === true;
  const form = { columns, k: parms?.number('K') ?? 0, byteAlign: is('EncodedByteAlign'), blackIs1: is('BlackIs1') };
  return { bytes, coding: { kind: 'ccitt', ...form, endOfLine: is('EndOfLine') } };
}

function globalsOf(file: PdfFile, dict: Dict): Uint8Array | undefined {
  const target = file.resolve(dict.get('DecodeParms'));
  const parms = Array.isArray(target) ? file.dict(target.at(-1)) : target;
  const globals = parms instanceof Dict ? parms.get('JBIG2Globals') : undefined;
  return globals instanceof Ref ? file.streamBytes(globals.num, GLOBALS)?.bytes : undefined;
}

/** Coded by encodeJbig2, so that the result would be the same: a page, and one region with typical prediction. */
function isOurs({ bytes, coding }: Stored): boolean {
  return coding.kind === 'jbig2' && coding.globals === 0 && bytes[4] === 48 && bytes[34] === 38 && bytes[58] === 0x08;
}

function jbig2Of(
  { bytes, coding }: Stored,
  { columns, count }: RowLayout,
  codec: Codec | undefined,
): Promise<Uint8Array | undefined> | Uint8Array | undefined {
  const atHand = codec?.isWorthStarting(columns * count) !== true;
  if (coding.kind === 'rows' && atHand) return encodeJbig2(bytes, columns, count);
  if (coding.kind === 'ccitt' && atHand) {
    const rows = decodeCcitt(bytes, coding, count);
    return rows === undefined ? undefined : encodeJbig2(rows, columns, count);
  }
  return codec?.asJbig2(bytes, { width: columns, height: count }, coding);
}
