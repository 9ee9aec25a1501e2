/** Reads `length` bytes of a stream from its byte `from` on. */
export type ReadRaw = (from: number, length: number) => Uint8Array;

/** Bytes of a stream that are read at a time. */
export const PIECE = 4 * 1024 * 1024;

export function* readInPieces(length: number, read: ReadRaw): Iterable<Uint8Array> {
  for (let from = 0; from < length; from += PIECE) yield read(from, Math.min(PIECE, length - from));
}
