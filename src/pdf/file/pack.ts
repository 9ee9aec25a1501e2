// Owns the bytes of an object stream (ISO 32000-1, 7.5.7): what stands where, then the objects, compressed. Knows no file.
import { constants, deflate, deflateSync } from 'node:zlib';
import { putNumber } from './syntax.ts';

const MOST_CHUNK = 64 * 1024;
/**
 * From this level on matches of a few bytes are left out: objects are short repeats of the same keys with other digits, which
 * take 2 to 3 % less like that. Lower levels then take a sixth of their time more.
 */
const THOROUGH = 6;
/** An object's number and its offset take no more bytes. */
const LONGEST = 2 * 17;
/** Room for what stands before the objects; done with before anybody waits. */
let header = new Uint8Array(0);

/** What goes into an object stream. Used again for the next one: arrays that grow anew for each are garbage. */
export class Members {
  count = 0;
  readonly nums: number[] = [];
  private readonly offsets: number[] = [];

  /** The object's number, and where it begins. */
  add(num: number, offset: number): void {
    this.nums[this.count] = num;
    this.offsets[this.count++] = offset;
  }

  /** Writes them as the stream begins (7.5.7). Returns the place behind. */
  put(out: Uint8Array): number {
    let at = 0;
    for (let i = 0; i < this.count; i++) {
      at = putNumber(out, at, this.nums[i]!);
      out[at++] = 0x20;
      at = putNumber(out, at, this.offsets[i]!);
      out[at++] = 0x20;
    }
    return at;
  }
}

/**
 * An object stream of `members`, which stand in `body`; `first` is its /First. Both may change afterwards. `now`: on this
 * thread, which is quicker for a single one.
 */
export function packed(
  members: Members,
  body: Uint8Array,
  level: number,
  now: boolean,
): { first: number; data: Promise<Uint8Array> } {
  if (header.length < members.count * LONGEST) header = new Uint8Array(members.count * LONGEST);
  const first = members.put(header);
  const whole = Buffer.allocUnsafe(first + body.length);
  whole.set(header.subarray(0, first));
  whole.set(body, first);
  // One chunk holds what comes of it: larger ones must be made, and smaller ones joined.
  const chunkSize = Math.max(64, Math.min(whole.length, MOST_CHUNK));
  const strategy = level < THOROUGH ? constants.Z_DEFAULT_STRATEGY : constants.Z_FILTERED;
  const options = { level, strategy, chunkSize };
  const data = now
    ? Promise.resolve(deflateSync(whole, options))
    : new Promise<Uint8Array>((resolve, reject) => {
        deflate(whole, options, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
      });
  // Looked at when the ones before it are written; until then a rejection must not count as unhandled.
  data.catch(() => undefined);
  return { first, data };
}
