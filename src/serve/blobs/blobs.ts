import type { Writable } from 'node:stream';
import { Failure } from '../../contract/base/failure.ts';
import type { StoredJobFile } from '../store/rows.ts';

/** The name of an upload or a result, the same on every server. */
export type BlobName = `uploads/${string}` | `results/${string}`;

export const uploadBlob = (uploadId: string): BlobName => `uploads/${uploadId}`;
export const resultBlob = (name: string): BlobName => `results/${name}`;

/** A job's blob: its upload, or its result once it has succeeded. */
export function blobOf({ state, uploadId, resultName = '' }: StoredJobFile): BlobName {
  return state === 'succeeded' ? resultBlob(resultName) : uploadBlob(uploadId);
}

/** Response headers for a client that fetches a result directly from the storage. */
interface Shown {
  readonly mediaType: string;
  readonly fileName: string;
}

/** The bytes of uploads and results. Only rows of the store say which exist and which may be removed. */
export interface Blobs {
  /** Whether the bytes are on this machine's disk. */
  readonly isOnDisk: boolean;
  /** The length of the gapless stored prefix; 0 when there is no such blob. */
  size(blob: BlobName): Promise<number>;
  /** Appends at `offset`, the current size. When `chunks` throws, the bytes before are kept if possible. */
  append(blob: BlobName, offset: number, chunks: AsyncIterable<Buffer>): Promise<void>;
  /** Makes a complete blob durable. */
  seal(blob: BlobName): Promise<void>;
  /** Writes the bytes from `start` up to `end` to a stream and leaves it open. */
  read(blob: BlobName, into: Writable, start: number, end: number): Promise<void>;
  /** The path of a local file with the bytes: the blob itself, or a copy at `scratch`. */
  fetch(blob: BlobName, scratch: string): Promise<string>;
  /** Stores a local file as a blob, which appears whole or not at all. */
  promote(path: string, blob: BlobName): Promise<void>;
  /** Also succeeds when there is no such blob. */
  remove(blob: BlobName): Promise<void>;
  list(): Promise<BlobName[]>;
  /** A signed address of a promoted blob, valid for so many seconds; undefined when clients must fetch it from the server. */
  address(blob: BlobName, bytes: number, seconds: number, shown: Shown): Promise<string | undefined>;
  close(): void;
}

/** The storage did not answer in time. The request can be retried. */
export class StorageAway extends Failure {
  constructor(message: string, cause: unknown) {
    super('rate_limited', message, { status: 503, cause });
  }
}
