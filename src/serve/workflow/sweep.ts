import { type BlobName, resultBlob, uploadBlob } from '../blobs/blobs.ts';
import type { Service } from '../service.ts';

type Swept = Pick<Service, 'store' | 'clock' | 'blobs' | 'settings'>;

const DAY = 24 * 3_600_000;

/**
 * Returns what outlived its time, forgets what is old, and removes blobs that no row stands for. How many rows and blobs went.
 * `suspects`: the blobs that had no row the last time; they alone are removed, and those of this time are put in their place.
 * The upload of a speech job is there before its row is.
 */
export async function sweep({ store, clock, blobs, settings }: Swept, suspects?: Set<BlobName>): Promise<number> {
  const expired = await store.expireJobs(clock.now());
  const pruned = await store.prune(clock.now() - settings.history_days * DAY);
  // Blobs first: one that comes with a job that is made meanwhile has a row when the rows are read.
  const found = await blobs.list();
  const rows = await store.jobsWithFiles();
  const known = new Set(
    rows.map(({ state, uploadId, result }) =>
      state === 'succeeded' ? resultBlob(result ?? '') : uploadBlob(uploadId),
    ),
  );
  const tokens = new Map(rows.filter(({ state }) => state !== 'succeeded').map(({ id, token }) => [id, token]));
  // What a try has put there that is under way, or was begun since the rows were read; those before it have no use any more.
  const isAwaited = (blob: string) => {
    const [id = '', token] = blob.replace('results/', '').split('.');
    return Number(token) >= (tokens.get(id) ?? Number.POSITIVE_INFINITY);
  };
  const unknown = found.filter((blob) => !known.has(blob) && !isAwaited(blob));
  const useless = unknown.filter((blob) => suspects?.has(blob) ?? true);
  for (const blob of useless) await blobs.remove(blob);
  suspects?.clear();
  for (const blob of unknown) suspects?.add(blob);
  return expired.length + pruned + useless.length;
}
