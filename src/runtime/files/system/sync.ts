import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { errnoOf } from './file-failure.ts';

const syncFile = promisify(fdatasync);

/** The thread pool syncs several files at once: 500 files took 44 ms, one after the other 150 ms. */
const AT_ONCE = 16;
/** A single file below this size is synced synchronously: the thread pool takes longer (3 ms at start-up). */
const HERE = 1024 * 1024;

/** Syncs that began while a file is still written. A failure is kept for `sync`. */
const early = new Map<string, Promise<void>>();
let running = 0;

/**
 * Begins to sync what was written of a large file so far, so that less is left at the end. Undefined when enough syncs run; else
 * the descriptor must stay open until the promise settles. The promise never rejects: `sync` reports the failure later. Not for
 * many small files: while one is synced the next cannot be created (1.4 ms each instead of 0.05).
 */
export function syncEarly(descriptor: number, path: string): Promise<unknown> | undefined {
  if (running >= AT_ONCE) return undefined;
  running += 1;
  const before = early.get(path);
  const done = Promise.all([before, syncFile(descriptor)]).then(() => undefined);
  const settled = Promise.allSettled([done]);
  early.set(path, done);
  void settled.then(() => {
    running -= 1;
  });
  return settled;
}

/** For a file that is removed: its sync no longer matters, and its name may be used again. */
export function forgetSync(path: string): void {
  early.delete(path);
}

/** Syncs files, waiting for syncs that have begun. Rejects with the system's error. */
export async function sync(paths: readonly string[]): Promise<void> {
  const [only] = paths;
  if (only !== undefined && paths.length === 1 && !early.has(only) && statSync(only).size <= HERE) {
    withFile(only, 'r+', fdatasyncSync);
    return;
  }
  const begun = paths.flatMap((path) => early.get(path) ?? []);
  for (const path of paths) early.delete(path);
  await Promise.all(begun);
  const left = paths.values();
  const worker = async () => {
    for (const path of left) {
      const descriptor = openSync(path, 'r+');
      await syncFile(descriptor).finally(() => closeSync(descriptor));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Syncs a folder, where the system and its file system can: a new name survives a power cut only then. */
export function syncFolder(path: string): void {
  // Windows opens no folder, and its file systems keep names in a journal.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some network file systems cannot sync a folder; the files in it are synced all the same.
    if (!['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR'].includes(errnoOf(error) ?? '')) throw error;
  } finally {
    closeSync(descriptor);
  }
}

export function withFile<T>(path: string, flags: string | number, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
