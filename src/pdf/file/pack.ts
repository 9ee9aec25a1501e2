// Owns the bytes of an object stream (ISO 32000-1, 7.5.7): what stands where, then the objects, compressed. Knows no file.
import { deflate, deflateSync } from 'node:zlib';

const MOST_CHUNK = 64 * 1024;

/**
 * An object stream of `members`, which begin at these `offsets` of `body`; `first` is its /First. The arrays may change
 * afterwards. `now`: on this thread, which is quicker for a single one.
 */
export function packed(
  members: readonly number[],
  offsets: readonly number[],
  body: Uint8Array,
  level: number,
  now: boolean,
): { first: number; data: Promise<Uint8Array> } {
  let header = '';
  for (let i = 0; i < members.length; i++) header += `${members[i]} ${offsets[i]} `;
  const whole = Buffer.allocUnsafe(header.length + body.length);
  whole.write(header, 'latin1');
  whole.set(body, header.length);
  // One chunk holds what comes of it: larger ones must be made, and smaller ones joined.
  const options = { level, chunkSize: Math.max(64, Math.min(whole.length, MOST_CHUNK)) };
  const data = now
    ? Promise.resolve(deflateSync(whole, options))
    : new Promise<Uint8Array>((resolve, reject) => {
        deflate(whole, options, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
      });
  // Looked at when the ones before it are written; until then a rejection must not count as unhandled.
  data.catch(() => undefined);
  return { first: header.length, data };
}
