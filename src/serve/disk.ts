// Owns refusing work that the disk has no room for, before anything is read. Knows no operation.
import { Failure } from '../contract/failure.ts';
import { freeBytes } from '../runtime/blobs.ts';
import type { Service } from './service.ts';

/** Throws where less would stay free than the operator wants kept. `bytes`: what is about to be written. */
export async function assertRoom({ folders, settings }: Service, bytes = 0): Promise<void> {
  const free = await freeBytes(folders.requests);
  if (free - bytes >= settings.reserve_disk_bytes) return;
  throw new Failure('rate_limited', 'the server has no room on its disk now', { status: 503 });
}
