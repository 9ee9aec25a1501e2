import { Failure } from '../../contract/failure.ts';
import type { Clock } from '../../contract/ports.ts';
import { freeBytes } from '../../runtime/files/blobs.ts';
import { errnoOf } from '../../runtime/files/file-failure.ts';
import { type Blobs, uploadBlob } from '../blobs/blobs.ts';
import type { ServeSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';

/** Milliseconds for which an answer of the disk is taken as still true. */
const TRUE_FOR = 250;

/**
 * The room on the disk, of which every byte is promised once: to requests under way, to sessions that wait for their
 * upload, and to what jobs will write. Who comes when the rest is promised is refused before anything is read.
 */
export class Room {
  readonly #folder: string;
  readonly #blobs: Blobs;
  readonly #settings: Pick<ServeSettings, 'reserve_disk_bytes'>;
  readonly #store: Store;
  readonly #clock: Clock;
  #promised = 0;
  #known: { readonly at: number; readonly left: number } | undefined;

  constructor(
    folder: string,
    blobs: Blobs,
    settings: Pick<ServeSettings, 'reserve_disk_bytes'>,
    store: Store,
    clock: Clock,
  ) {
    this.#folder = folder;
    this.#blobs = blobs;
    this.#settings = settings;
    this.#store = store;
    this.#clock = clock;
  }

  /** Promises room; the function that is returned gives it back, once. Throws where there is none. */
  async promise(bytes: number): Promise<() => void> {
    const left = (await this.#left()) - this.#promised - this.#settings.reserve_disk_bytes;
    if (bytes > left) {
      const message = `the server has no room on its disk for ${bytes} bytes now`;
      throw new Failure('rate_limited', message, { status: 503 });
    }
    this.#promised += bytes;
    let over = false;
    return () => {
      if (!over) this.#promised -= bytes;
      over = true;
    };
  }

  /** A session has taken some of it: the next one asks the disk and the database again. */
  forget(): void {
    this.#known = undefined;
  }

  /** Free, without what jobs and their sessions have yet to write. */
  async #left(): Promise<number> {
    const now = this.#clock.now();
    if (this.#known !== undefined && now - this.#known.at < TRUE_FOR) return this.#known.left;
    const { isOnDisk } = this.#blobs;
    const [free, jobs] = await Promise.all([freeBytes(this.#folder), isOnDisk ? this.#store.jobsWithFiles() : []]);
    let awaited = 0;
    for (const { state, uploadId, inputBytes } of jobs) {
      if (state === 'succeeded') continue;
      // An output is about as large as its input.
      awaited += inputBytes;
      if (state !== 'awaiting_upload') continue;
      awaited += inputBytes - (await this.#blobs.size(uploadBlob(uploadId)));
    }
    this.#known = { at: now, left: free - awaited };
    return this.#known.left;
  }
}

/** What a write that found the disk full is for a client; other errors as they are. */
export function fullDisk(error: unknown): unknown {
  const cause = error instanceof Failure ? error.cause : error;
  const found = [errnoOf(error), errnoOf(cause)];
  if (!found.includes('ENOSPC') && !found.includes('EDQUOT')) return error;
  return new Failure('rate_limited', 'the disk of the server is full; nothing was charged', {
    status: 507,
    cause: error,
  });
}
