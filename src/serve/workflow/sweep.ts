// Owns taking away what has outlived its time: uploads nobody finished, results nobody may fetch any more. Knows no HTTP.
import { joinPath, listBlobs, removeBlob } from '../../runtime/blobs.ts';
import type { Service } from '../service.ts';

type Swept = Pick<Service, 'store' | 'clock' | 'folders'>;

/** Returns what outlived its time, and removes files that no row stands for. */
export async function sweep({ store, clock, folders }: Swept): Promise<number> {
  const expired = await store.expireJobs(clock.now());
  const known = await store.jobsWithFiles();
  const uploads = new Set(known.filter(({ state }) => state !== 'succeeded').map(({ uploadId }) => uploadId));
  const results = new Set(known.map(({ id }) => id));
  let removed = expired.length;
  for (const name of await listBlobs(folders.uploads)) {
    if (uploads.has(name)) continue;
    await removeBlob(joinPath(folders.uploads, name));
    removed += 1;
  }
  for (const name of await listBlobs(folders.results)) {
    if (results.has(name.split('.', 1)[0] ?? '')) continue;
    await removeBlob(joinPath(folders.results, name));
    removed += 1;
  }
  return removed;
}
