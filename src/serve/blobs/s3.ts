// Blobs in a bucket: one or more objects below the blob's name, each named by its offset and length. Uploads come in
// pieces of any size through several servers; S3's multipart uploads need parts of 5 MiB, and unfinished ones stay
// unseen. A promoted file is one object.
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Clock } from '../../contract/base/ports.ts';
import { appendBlob, readBlob, sizeOf } from '../../runtime/files/stores/blobs.ts';
import type { BlobName, Blobs } from './blobs.ts';
import { Bucket, type BucketPlace } from './bucket.ts';

/** Bytes of an upload held in memory before they are stored: the most that is lost with a server. */
const PIECE = 4 * 1024 ** 2;

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly key: string;
}

/** Throws a Failure that says what is wrong with the bucket. `mark` names the store whose blobs these are. */
export async function openS3(place: BucketPlace & { isDirect: boolean }, mark: string, clock: Clock): Promise<Blobs> {
  const bucket = new Bucket(place, clock);
  try {
    await bucket.assertUsable(mark);
  } catch (error) {
    bucket.close();
    throw error;
  }
  return blobsIn(bucket, place.isDirect);
}

function blobsIn(bucket: Bucket, isDirect: boolean): Blobs {
  return {
    isOnDisk: false,
    async size(blob) {
      const pieces = await piecesOf(bucket, blob);
      return pieces.reduce((have, { start, end }) => (start <= have && end > have ? end : have), 0);
    },
    append: (blob, offset, chunks) => appendPieces(bucket, blob, offset, chunks),
    // Each piece was durable when it was acknowledged.
    async seal() {},
    read: (blob, into, start, end) => readPieces(bucket, blob, into, start, end),
    async fetch(blob, scratch) {
      const pieces = await piecesOf(bucket, blob);
      const file = appendBlob(scratch);
      const closed = finished(file);
      closed.catch(() => {});
      try {
        await readPieces(bucket, blob, file, 0, Math.max(0, ...pieces.map(({ end }) => end)));
      } finally {
        file.end();
      }
      await closed;
      return scratch;
    },
    async promote(path, blob) {
      const bytes = (await sizeOf(path)) ?? 0;
      await bucket.put(keyOf(blob, 0, bytes), { bytes, open: () => readBlob(path) });
    },
    async remove(blob) {
      for (const key of await bucket.list(`${blob}/`)) await bucket.remove(key);
    },
    async list() {
      const keys = [...(await bucket.list('uploads/')), ...(await bucket.list('results/'))];
      return [...new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/')) as BlobName))]; // as just listed
    },
    async address(blob, bytes, seconds, { mediaType, fileName }) {
      if (!isDirect) return undefined;
      return bucket.address(keyOf(blob, 0, bytes), seconds, {
        'response-content-type': mediaType,
        'response-content-disposition': `attachment; filename="${fileName}"`,
        'response-cache-control': 'no-store',
      });
    },
    close: () => bucket.close(),
  };
}

async function piecesOf(bucket: Bucket, blob: BlobName): Promise<Piece[]> {
  const keys = await bucket.list(`${blob}/`);
  return keys.map((key) => pieceOf(blob, key)).sort((a, b) => a.start - b.start);
}

/** Reads across pieces, which overlap when two servers received the same bytes. */
async function readPieces(bucket: Bucket, blob: BlobName, into: Writable, start: number, end: number) {
  const pieces = await piecesOf(bucket, blob);
  for (let at = start; at < end; ) {
    const piece = pieces.filter(({ start, end }) => start <= at && end > at).sort((a, b) => b.end - a.end)[0];
    if (piece === undefined) throw new Error(`${end - at} bytes are missing at the end of ${blob}`);
    const until = Math.min(end, piece.end);
    await bucket.pour(piece.key, into, at - piece.start, until - piece.start);
    at = until;
  }
}

async function appendPieces(bucket: Bucket, blob: BlobName, offset: number, chunks: AsyncIterable<Buffer>) {
  let at = offset;
  let waiting: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    if (bytes === 0) return;
    await bucket.put(keyOf(blob, at, bytes), Buffer.concat(waiting));
    at += bytes;
    [waiting, bytes] = [[], 0];
  };
  try {
    for await (const chunk of chunks) {
      waiting.push(chunk);
      bytes += chunk.length;
      if (bytes >= PIECE) await flush();
    }
  } finally {
    await flush();
  }
}

function keyOf(blob: BlobName, start: number, bytes: number): string {
  return `${blob}/${String(start).padStart(15, '0')}.${bytes}`;
}

function pieceOf(blob: BlobName, key: string): Piece {
  const [start = 0, bytes = 0] = key
    .slice(blob.length + 1)
    .split('.')
    .map(Number);
  return { start, end: start + bytes, key };
}
