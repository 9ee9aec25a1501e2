import type { Writable } from 'node:stream';
import { Failure } from '../../contract/failure.ts';

/** The name of an upload or a result, the same on every server. */
export type BlobName = `uploads/${string}` | `results/${string}`;

export const uploadBlob = (uploadId: string): BlobName => `uploads/${uploadId}`;
export const resultBlob = (name: string): BlobName => `results/${name}`;

/** What a client that fetches a result straight from the storage is told of it. */
export interface Shown {
  readonly mediaType: string;
  readonly fileName: string;
}

/** The bytes of uploads and results. What is there and what may go is said by rows of the store alone. */
export interface Blobs {
  /** They take room on the disk of this machine. */
  readonly isOnDisk: boolean;
  /** Bytes from the first one on that are kept; 0 where there is no such blob. */
  size(blob: BlobName): Promise<number>;
  /** Appends to what is there, `offset` bytes. Where `chunks` throws, what came before stays as far as that is possible. */
  append(blob: BlobName, offset: number, chunks: AsyncIterable<Buffer>): Promise<void>;
  /** All has come: it stays, whatever happens to this machine's memory. */
  seal(blob: BlobName): Promise<void>;
  /** Writes the bytes from `start` up to `end` to a stream and leaves it open. */
  read(blob: BlobName, into: Writable, start: number, end: number): Promise<void>;
  /** As a file of this machine: where it is, or a copy at `scratch`. */
  fetch(blob: BlobName, scratch: string): Promise<string>;
  /** Makes a file of this machine a blob, which is whole or not there. */
  promote(path: string, blob: BlobName): Promise<void>;
  /** One that is not there is fine. */
  remove(blob: BlobName): Promise<void>;
  list(): Promise<BlobName[]>;
  /** An address of a promoted blob that clients can fetch for so many seconds; undefined where they must ask the server. */
  address(blob: BlobName, bytes: number, seconds: number, shown: Shown): Promise<string | undefined>;
  close(): void;
}

/** The storage was away for longer than it is waited for: what was asked can be asked again. */
export class StorageAway extends Failure {
  constructor(message: string, cause: unknown) {
    super('rate_limited', message, { status: 503, cause });
  }
}
