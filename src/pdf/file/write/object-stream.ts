// Object streams (ISO 32000-1, 7.5.7): numbers and places first, then the objects, compressed.
import { constants, deflate, deflateSync } from 'node:zlib';
import { putNumber } from '../../syntax/characters.ts';

/** An object stream ends at this size: it is compressed by one thread, and read whole for each of its objects. */
export const MOST_BODY = 256 * 1024;
/** Object streams compressed on other threads before the writer waits: fixed, so that the file does not depend on time. */
export const IN_FLIGHT = 8;
const MOST_CHUNK = 64 * 1024;
/** From this level on, short matches are left out (keys repeat, digits differ): 2 to 3 % smaller, a sixth more time. */
const THOROUGH = 6;
/** An object's number and its offset take no more bytes. */
const LONGEST = 2 * 17;
/** Bits of a window's length, as zlib has it. */
const LEAST_WINDOW = 10;
const MOST_WINDOW = 15;
export const FLATE = '/Filter/FlateDecode';

/** The members of an object stream; reused for the next one, which saves growing new arrays. */
export class Members {
  count = 0;
  readonly nums: number[] = [];
  private readonly offsets: number[] = [];

  add(num: number, offset: number): void {
    this.nums[this.count] = num;
    this.offsets[this.count++] = offset;
  }

  /** The numbers and offsets at the start of the stream (7.5.7). */
  header(): Uint8Array {
    const out = new Uint8Array(this.count * LONGEST);
    let at = 0;
    for (let i = 0; i < this.count; i++) {
      at = putNumber(out, at, this.nums[i] ?? 0);
      out[at++] = 0x20;
      at = putNumber(out, at, this.offsets[i] ?? 0);
      out[at++] = 0x20;
    }
    return out.subarray(0, at);
  }
}

/** An object stream, compressed or being compressed by another thread. */
export interface ObjectStream {
  readonly num: number;
  readonly count: number;
  readonly first: number;
  readonly data: Promise<Uint8Array> | Uint8Array;
}

/** Compresses object stream `num` of `members` in `body`; both may change afterwards. `now`: on this thread. */
export function objectStream(
  num: number,
  members: Members,
  body: Uint8Array,
  level: number,
  now: boolean,
): ObjectStream {
  const { count } = members;
  const before = members.header();
  const first = before.length;
  const whole = Buffer.allocUnsafe(first + body.length);
  whole.set(before);
  whole.set(body, first);
  // One chunk holds the whole output: larger ones take time to allocate, and smaller ones would be joined.
  const chunkSize = Math.max(64, Math.min(whole.length, MOST_CHUNK));
  const strategy = level < THOROUGH ? constants.Z_DEFAULT_STRATEGY : constants.Z_FILTERED;
  // A window longer than the data takes time to allocate and saves nothing.
  const windowBits = Math.max(LEAST_WINDOW, Math.min(MOST_WINDOW, Math.ceil(Math.log2(whole.length))));
  const options = { level, strategy, chunkSize, windowBits, memLevel: windowBits - 7 };
  if (now) return { num, count, first, data: deflateSync(whole, options) };
  const data = new Promise<Uint8Array>((resolve, reject) => {
    deflate(whole, options, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  });
  // Awaited when the streams before it are written; until then a rejection must not count as unhandled.
  data.catch(() => undefined);
  return { num, count, first, data };
}
