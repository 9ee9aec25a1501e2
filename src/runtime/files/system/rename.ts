import { renameSync } from 'node:fs';
import { errnoOf } from './file-failure.ts';

/** Milliseconds between the tries: 1.5 s in all. */
const WAITS = [10, 40, 150, 400, 900];
const HELD = ['EBUSY', 'EPERM', 'EACCES'];

/** Renames; on Windows again for a while, since scanners and viewers hold a file there for moments. Throws what the last try did. */
export async function renameHeld(
  from: string,
  to: string,
  rename: (from: string, to: string) => void = renameSync,
  system: string = process.platform,
): Promise<void> {
  for (const wait of system === 'win32' ? WAITS : []) {
    try {
      return rename(from, to);
    } catch (error) {
      if (!HELD.includes(errnoOf(error) ?? '')) throw error;
    }
    await new Promise((done) => setTimeout(done, wait));
  }
  rename(from, to);
}
