// The lossless stream filters (ISO 32000-1, 7.4), with a bound on what comes out.
import { constants, inflateSync } from 'node:zlib';
import { Failure } from '../../../contract/base/failure.ts';
import { copiedInto } from '../../syntax/arrays.ts';
import { CLASS, GREATER, SPACE } from '../../syntax/characters.ts';
import { Damage, Undecodable } from '../../syntax/damage.ts';
import { Dict, Name, type Value } from '../../syntax/values.ts';
import { unpredictPng } from './png-predictor.ts';

export interface Filter {
  readonly name: string;
  readonly parms: Dict | undefined;
}

const ABBREVIATIONS: Record<string, string> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  RL: 'RunLengthDecode',
};

/** The filters of a stream dictionary, in the order they are applied; references must be resolved already. */
export function filtersOf(filter: Value | undefined, parms: Value | undefined): Filter[] {
  const names = Array.isArray(filter) ? filter : [filter];
  const list = Array.isArray(parms) ? parms : [parms];
  return names.flatMap((value, i) => {
    if (!(value instanceof Name)) return [];
    const parm = list[i];
    return [{ name: ABBREVIATIONS[value.value] ?? value.value, parms: parm instanceof Dict ? parm : undefined }];
  });
}

/** Whether `decode` knows every filter of the list. Image filters are not decoded here. */
export function decodable(filters: readonly Filter[]): boolean {
  return filters.every((filter) => filter.name in DECODERS);
}

/** Undoes the filters. @throws Undecodable; Failure `limit` beyond `cap`: a small file may hold a gigabyte of zeros. */
export function decode(data: Uint8Array, filters: readonly Filter[], cap: number): Uint8Array {
  let bytes = data;
  for (const filter of filters) {
    const decoder = DECODERS[filter.name];
    if (decoder === undefined) throw new Damage(`cannot decode the filter ${filter.name}`);
    bytes = decoded(decoder, bytes, filter.parms, cap);
    if (bytes.length > cap) throw tooLarge(cap);
  }
  return bytes;
}

function decoded(decoder: Decoder, data: Uint8Array, parms: Dict | undefined, cap: number): Uint8Array {
  try {
    return decoder(data, parms, cap);
  } catch (error) {
    throw error instanceof Damage ? new Undecodable(error.message, { cause: error }) : error;
  }
}

function tooLarge(cap: number): Failure {
  return new Failure('unprocessable', `a compressed stream holds more than ${cap >> 20} MiB`, {
    kind: 'limit',
    hint: 'The file may be made to exhaust memory; it was not processed.',
  });
}

type Decoder = (data: Uint8Array, parms: Dict | undefined, cap: number) => Uint8Array;

const DECODERS: Record<string, Decoder> = {
  FlateDecode: (data, parms, cap) => unpredict(inflate(data, cap), parms),
  LZWDecode: (data, parms, cap) => unpredict(unlzw(data, parms?.number('EarlyChange') ?? 1, cap), parms),
  ASCII85Decode: (data) => unascii85(data),
  ASCIIHexDecode: (data) => unhex(data),
  RunLengthDecode: (data, _parms, cap) => unrun(data, cap),
  // Undone when the stream was read, if it had to be.
  Crypt: (data) => data,
};

/** Content compresses to a sixth at most as a rule: one chunk then holds the output and nothing is joined. */
const USUAL_RATIO = 6;
const MOST_CHUNK = 256 * 1024;

/** Undoes Flate, at most `cap` bytes of it. */
export function inflate(data: Uint8Array, cap: number): Uint8Array {
  try {
    // Z_SYNC_FLUSH: a stream without its end still gives what it has, as in every reader.
    return inflateSync(data, {
      maxOutputLength: cap + 1,
      finishFlush: constants.Z_SYNC_FLUSH,
      chunkSize: Math.max(1024, Math.min(data.length * USUAL_RATIO, MOST_CHUNK)),
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(cap);
    throw new Damage('a Flate stream cannot be decoded', { cause: error });
  }
}

/** As `inflate`, but returns what comes out before the damage: the longest part that inflates is found by halving. */
function inflateAsFar(data: Uint8Array, cap: number): Uint8Array {
  let bytes: Uint8Array = new Uint8Array(0);
  let [whole, damaged] = [0, data.length + 1];
  for (let length = data.length; whole < length && length < damaged; length = (whole + damaged) >> 1) {
    try {
      bytes = inflate(data.subarray(0, length), cap);
      whole = length;
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      damaged = length;
    }
  }
  return bytes;
}

/** As `decode`, but of a stream of Flate alone it decodes what it can, of the first bytes only where `most` is given. */
export function decodeAsFar(data: Uint8Array, filters: readonly Filter[], cap: number, most?: number): Uint8Array {
  const [only] = filters;
  const isFlate = filters.length === 1 && only?.name === 'FlateDecode' && only.parms === undefined;
  return isFlate ? inflateAsFar(data.subarray(0, most), cap) : decode(data, filters, cap);
}

/** Undoes PNG and TIFF predictors (7.4.4.4). */
function unpredict(data: Uint8Array, parms: Dict | undefined): Uint8Array {
  const predictor = parms?.number('Predictor') ?? 1;
  if (predictor <= 1) return data;
  const colors = parms?.number('Colors') ?? 1;
  const bits = parms?.number('BitsPerComponent') ?? 8;
  const columns = parms?.number('Columns') ?? 1;
  const rowBytes = Math.ceil((colors * bits * columns) / 8);
  const pixel = Math.max(1, Math.ceil((colors * bits) / 8));
  if (!(rowBytes > 0) || rowBytes > 1 << 28) throw new Damage('a predictor has impossible rows');
  return predictor === 2 ? untiff(data, rowBytes, pixel, bits) : unpredictPng(data, rowBytes, pixel);
}

function untiff(data: Uint8Array, rowBytes: number, pixel: number, bits: number): Uint8Array {
  if (bits !== 8) throw new Damage(`cannot undo a TIFF predictor of ${bits} bits`);
  const out = Uint8Array.from(data);
  for (let row = 0; row < out.length; row += rowBytes) {
    const end = Math.min(row + rowBytes, out.length);
    for (let i = row + pixel; i < end; i++) out[i] = ((out[i] ?? 0) + (out[i - pixel] ?? 0)) & 0xff;
  }
  return out;
}

/** Collects bytes of unknown number, up to a bound. */
class Sink {
  private buf: Uint8Array = new Uint8Array(4096);
  private length = 0;
  private readonly cap: number;
  constructor(cap: number) {
    this.cap = cap;
  }
  push(bytes: Uint8Array): void {
    const need = this.length + bytes.length;
    if (need > this.cap) throw tooLarge(this.cap);
    if (need > this.buf.length)
      this.buf = copiedInto(this.buf.subarray(0, this.length), new Uint8Array(Math.max(need, this.buf.length * 2)));
    this.buf.set(bytes, this.length);
    this.length = need;
  }
  bytes(): Uint8Array {
    return this.buf.subarray(0, this.length);
  }
}

function unlzw(data: Uint8Array, early: number, cap: number): Uint8Array {
  const out = new Sink(cap);
  const first: Uint8Array[] = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  let table: Uint8Array[] = [];
  let width = 9;
  let previous: Uint8Array | undefined;
  let bits = 0;
  let held = 0;
  for (const byte of data) {
    bits = (bits << 8) | byte;
    held += 8;
    if (held < width) continue;
    held -= width;
    const code = (bits >> held) & ((1 << width) - 1);
    bits &= (1 << held) - 1;
    if (code === 257) break;
    if (code === 256) {
      table = [];
      width = 9;
      previous = undefined;
      continue;
    }
    let entry = code < 256 ? first[code] : table[code - 258];
    if (entry === undefined) {
      if (previous === undefined || code !== 258 + table.length) throw new Damage('an LZW stream cannot be decoded');
      entry = append(previous, previous[0] ?? 0);
    }
    out.push(entry);
    if (previous !== undefined && table.length < 4096 - 258) table.push(append(previous, entry[0] ?? 0));
    previous = entry;
    const next = 258 + table.length + early + 1;
    width = next > 2048 ? 12 : next > 1024 ? 11 : next > 512 ? 10 : 9;
  }
  return out.bytes();
}

function append(bytes: Uint8Array, byte: number): Uint8Array {
  const longer = copiedInto(bytes, new Uint8Array(bytes.length + 1));
  longer[bytes.length] = byte;
  return longer;
}

function unascii85(data: Uint8Array): Uint8Array {
  const out = new Sink(data.length * 4 + 4);
  let group = 0;
  let count = 0;
  for (const byte of data) {
    if (CLASS[byte] === SPACE) continue;
    if (byte === 0x7e) break;
    if (byte === 0x7a && count === 0) {
      out.push(Uint8Array.of(0, 0, 0, 0));
      continue;
    }
    if (byte < 0x21 || byte > 0x75) throw new Damage('an ASCII85 stream cannot be decoded');
    group = group * 85 + byte - 0x21;
    if (++count === 5) {
      out.push(Uint8Array.of(group / 0x1000000, group >>> 16, group >>> 8, group));
      group = 0;
      count = 0;
    }
  }
  if (count > 1) {
    for (let i = count; i < 5; i++) group = group * 85 + 84;
    out.push(Uint8Array.of(group / 0x1000000, group >>> 16, group >>> 8, group).subarray(0, count - 1));
  }
  return out.bytes();
}

function unhex(data: Uint8Array): Uint8Array {
  const out = new Uint8Array((data.length >> 1) + 1);
  let digits = 0;
  for (const byte of data) {
    if (byte === GREATER) break;
    const digit = Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit)) continue;
    out[digits >> 1] = digits % 2 === 0 ? digit << 4 : (out[digits >> 1] ?? 0) | digit;
    digits++;
  }
  return out.subarray(0, (digits + 1) >> 1);
}

function unrun(data: Uint8Array, cap: number): Uint8Array {
  const out = new Sink(cap);
  for (let i = 0; i < data.length; ) {
    const length = data[i++] ?? 0;
    if (length === 128) break;
    if (length < 128) {
      out.push(data.subarray(i, i + length + 1));
      i += length + 1;
    } else out.push(new Uint8Array(257 - length).fill(data[i++] ?? 0));
  }
  return out.bytes();
}
