// What was made once and may be wanted again: files in the cache folder of this person, the oldest removed when they grow
// too many. Whatever goes wrong with it only costs time.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from '../../contract/ports.ts';

/** Bytes kept: an audiobook of 300 pages is about 600 MB of sentences. */
const MOST = 2 * 1024 * 1024 * 1024;
/** Bytes written between two looks at how much there is. */
const LOOK = 256 * 1024 * 1024;

/** `most`: bytes that are kept. */
export function openCache(path: string, most = MOST): Cache {
  const place = (name: string) => join(path, name.slice(0, 2), name);
  // Files of runs before count from the first write on.
  let written = LOOK;
  return {
    get(name) {
      try {
        const file = place(name);
        const bytes = readFileSync(file);
        // Used: the last to go. Its access time may not be kept by the file system.
        const now = Date.now() / 1000;
        utimesSync(file, now, now);
        return bytes;
      } catch {
        return undefined;
      }
    },
    put(name, bytes) {
      try {
        const file = place(name);
        mkdirSync(join(path, name.slice(0, 2)), { recursive: true, mode: 0o700 });
        // Whole or not at all, also when the process is killed; each process has a name of its own.
        const draft = `${file}.${process.pid}`;
        writeFileSync(draft, bytes, { mode: 0o600 });
        renameSync(draft, file);
        written += bytes.length;
        if (written < Math.min(LOOK, most / 4)) return;
        written = 0;
        sweep(path, most);
      } catch {
        // A full disk, or a folder that cannot be written: it is made again another time.
      }
    },
  };
}

/** Removes the files that were used longest ago until a tenth of the room is free. */
function sweep(path: string, most: number): void {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      const facts = statSync(file, { throwIfNoEntry: false });
      return facts === undefined ? [] : [{ file, size: facts.size, used: facts.mtimeMs }];
    });
  let held = files.reduce((sum, { size }) => sum + size, 0);
  if (held <= most) return;
  for (const { file, size } of files.sort((a, b) => a.used - b.used)) {
    if (held <= 0.9 * most) return;
    rmSync(file, { force: true });
    held -= size;
  }
}
