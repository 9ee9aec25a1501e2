// Checks numbers from a file before they become an index, a length or the size of an array.

/** The number, if it is a whole one from 0 to `most`; else undefined. */
export function wholeUpTo(value: unknown, most: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : undefined;
}

/** The bytes from `start` to `end`, cut at the end of the buffer. */
export function bytesBetween(buf: Uint8Array, start: number, end: number): Buffer {
  const from = Math.min(Math.max(0, start), buf.length);
  return Buffer.from(buf.buffer, buf.byteOffset + from, Math.max(0, Math.min(end, buf.length) - from));
}
