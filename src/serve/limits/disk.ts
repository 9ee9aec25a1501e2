import { firstError } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { Clock } from '../../contract/base/ports.ts';
import { freeBytes } from '../../runtime/files/stores/blobs.ts';
import { errnoOf } from '../../runtime/files/system/file-failure.ts';
import type { ServeSettings } from '../base/settings.ts';
import { type Blobs, uploadBlob } from '../blobs/blobs.ts';
import type { Store } from '../store/store.ts';

/** Milliseconds for which the free bytes of the disk are cached. */
const CACHED_FOR = 250;

export type DiskReservations = ReturnType<typeof createDiskReservations>;

/** Reserves disk space for requests, awaited uploads and outputs of jobs. A request that does not fit is refused unread. */
export function createDiskReservations(
  folder: string,
  { reserve_disk_bytes }: ServeSettings,
  { blobs, store, clock }: { readonly blobs: Blobs; readonly store: Store; readonly clock: Clock },
) {
  let reserved = 0;
  let known: { readonly at: number; readonly left: number } | undefined;

  /** Free bytes less those that jobs and their sessions have yet to write. */
  async function bytesLeft(): Promise<number> {
    const now = clock.now();
    if (known !== undefined && now - known.at < CACHED_FOR) return known.left;
    const [free, jobs] = await Promise.all([freeBytes(folder), blobs.isOnDisk ? store.jobsWithFiles() : []]);
    let awaited = 0;
    for (const { state, uploadId, inputBytes } of jobs) {
      if (state === 'succeeded') continue;
      // An output is about as large as its input.
      awaited += inputBytes;
      if (state !== 'awaiting_upload') continue;
      awaited += inputBytes - (await blobs.size(uploadBlob(uploadId)));
    }
    known = { at: now, left: free - awaited };
    return known.left;
  }

  return {
    /** Reserves bytes. The returned function gives them back; a second call does nothing. Throws 503 when the disk has too few. */
    async reserve(bytes: number): Promise<() => void> {
      const left = (await bytesLeft()) - reserved - reserve_disk_bytes;
      if (bytes > left) {
        const message = `the server has no room on its disk for ${bytes} bytes now`;
        throw new Failure('rate_limited', message, { status: 503 });
      }
      reserved += bytes;
      let over = false;
      return () => {
        if (!over) reserved -= bytes;
        over = true;
      };
    },

    /** Drops the cache, because a new session has taken some bytes. */
    invalidate(): void {
      known = undefined;
    },
  };
}

/** Status 507 for a write that failed because the disk is full; else what failed first. */
export function fullDisk(thrown: unknown): unknown {
  const error = firstError(thrown);
  const cause = error instanceof Failure ? error.cause : error;
  const codes = [errnoOf(error), errnoOf(cause)];
  if (!codes.includes('ENOSPC') && !codes.includes('EDQUOT')) return error;
  return new Failure('rate_limited', 'the disk of the server is full; nothing was charged', {
    status: 507,
    cause: error,
  });
}
