import { joinPath, listBlobs, removeBlob } from '../../runtime/files/blobs.ts';
import type { Service } from '../service.ts';

type Swept = Pick<Service, 'store' | 'clock' | 'folders' | 'settings'>;

const DAY = 24 * 3_600_000;

/** Returns what outlived its time, forgets what is old, and removes files that no row stands for. How many rows and files went. */
export async function sweep({ store, clock, folders, settings }: Swept): Promise<number> {
  const expired = await store.expireJobs(clock.now());
  const pruned = await store.prune(clock.now() - settings.history_days * DAY);
  // Files first: one that comes with a job that is made meanwhile has a row when the rows are read.
  const [uploaded, made] = await Promise.all([listBlobs(folders.uploads), listBlobs(folders.results)]);
  const known = await store.jobsWithFiles();
  const uploads = new Set(known.filter(({ state }) => state !== 'succeeded').map(({ uploadId }) => uploadId));
  const results = new Set(known.flatMap(({ result }) => result ?? []));
  const tokens = new Map(known.filter(({ state }) => state !== 'succeeded').map(({ id, token }) => [id, token]));
  // What a try has put there that is under way, or was begun since the rows were read; those before it have no use any more.
  const isAwaited = (name: string) => {
    const [id = '', token] = name.split('.');
    return Number(token) >= (tokens.get(id) ?? Number.POSITIVE_INFINITY);
  };
  let removed = expired.length + pruned;
  for (const name of uploaded) {
    if (uploads.has(name)) continue;
    await removeBlob(joinPath(folders.uploads, name));
    removed += 1;
  }
  for (const name of made) {
    if (results.has(name) || isAwaited(name)) continue;
    await removeBlob(joinPath(folders.results, name));
    removed += 1;
  }
  return removed;
}
