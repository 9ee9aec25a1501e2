import { type BlobName, blobOf } from '../blobs/blobs.ts';
import type { Service } from '../service/service.ts';

type Swept = Pick<Service, 'store' | 'clock' | 'blobs' | 'settings'>;

const DAY = 24 * 3_600_000;

/**
 * Expires jobs, prunes rows and removes blobs without a row; resolves to their number. `suspects`, which is updated:
 * blobs without a row in the last sweep. Only these are removed, because a speech job's upload is stored before its
 * row.
 */
export async function sweep({ store, clock, blobs, settings }: Swept, suspects?: Set<BlobName>): Promise<number> {
  const expired = await store.expireJobs(clock.now());
  const pruned = await store.prune(clock.now() - settings.history_days * DAY);
  // Listed before the rows: a job made meanwhile has its row when the rows are read.
  const stored = await blobs.list();
  const rows = await store.jobsWithFiles();
  const known = new Set(rows.map(blobOf));
  const tokens = new Map(rows.filter(({ state }) => state !== 'succeeded').map(({ id, token }) => [id, token]));
  // Results of the current or a later claim of a job. Those of earlier claims are useless.
  const isAwaited = (blob: string) => {
    const [id = '', token] = blob.replace('results/', '').split('.');
    return Number(token) >= (tokens.get(id) ?? Number.POSITIVE_INFINITY);
  };
  const unknown = stored.filter((blob) => !known.has(blob) && !isAwaited(blob));
  const useless = unknown.filter((blob) => suspects?.has(blob) ?? true);
  for (const blob of useless) await blobs.remove(blob);
  suspects?.clear();
  for (const blob of unknown) suspects?.add(blob);
  return expired.length + pruned + useless.length;
}
