// Owns refusing work that the disk has no room for, before anything is read. Knows no operation.
import { Failure } from '../contract/failure.ts';
import type { Clock } from '../contract/ports.ts';
import { freeBytes } from '../runtime/blobs.ts';
import type { Service } from './service.ts';

/** Milliseconds for which an answer of the disk is taken as still true. */
const TRUE_FOR = 250;
const answers = new Map<string, { readonly at: number; readonly free: number }>();

async function freeOf(folder: string, clock: Clock): Promise<number> {
  const known = answers.get(folder);
  if (known !== undefined && clock.now() - known.at < TRUE_FOR) return known.free;
  const free = await freeBytes(folder);
  answers.set(folder, { at: clock.now(), free });
  return free;
}

/** Throws where less would stay free than the operator wants kept. `bytes`: what is about to be written. */
export async function assertRoom({ folders, settings, clock }: Service, bytes = 0): Promise<void> {
  const free = await freeOf(folders.requests, clock);
  if (free - bytes >= settings.reserve_disk_bytes) return;
  throw new Failure('rate_limited', 'the server has no room on its disk now', { status: 503 });
}
