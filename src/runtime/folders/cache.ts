// Keeps files that are costly to make (spoken sentences) in the user's cache folder, and removes those unused longest when
// they grow too many. An error only costs the time to make a file again.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from '../../contract/base/ports.ts';
import { listFiles } from '../files/system/folder.ts';

/** Bytes kept: an audiobook of 300 pages is about 600 MB of sentences. */
const MOST = 2 * 1024 * 1024 * 1024;
/** Bytes written before the folder's size is measured again. */
const LOOK = 256 * 1024 * 1024;

/** `most`: bytes that are kept. */
export function openCache(path: string, most = MOST): Cache {
  const place = (name: string) => join(path, name.slice(0, 2), name);
  // The first write measures what earlier runs left.
  let written = LOOK;
  return {
    get(name) {
      try {
        const file = place(name);
        const bytes = readFileSync(file);
        // The modification time records the last use: file systems may not keep access times.
        const now = Date.now() / 1000;
        utimesSync(file, now, now);
        return bytes;
      } catch {
        // Not cached yet, or removed meanwhile: it is made again.
        return undefined;
      }
    },
    put(name, bytes) {
      try {
        const file = place(name);
        mkdirSync(join(path, name.slice(0, 2)), { recursive: true, mode: 0o700 });
        // Renamed when it is complete, so that a killed process leaves no partial file. Each process has its own name for it.
        const draft = `${file}.${process.pid}`;
        writeFileSync(draft, bytes, { mode: 0o600 });
        renameSync(draft, file);
        written += bytes.length;
        if (written < Math.min(LOOK, most / 4)) return;
        written = 0;
        sweep(path, most);
      } catch {
        // A full disk or a read-only folder: the file is made again another time.
      }
    },
  };
}

/** Removes the least recently used files until a tenth of the space is free. */
function sweep(path: string, most: number): void {
  const files = (listFiles(path) ?? []).flatMap((name) => {
    const file = join(path, name);
    const facts = statSync(file, { throwIfNoEntry: false });
    return facts === undefined ? [] : [{ file, size: facts.size, used: facts.mtimeMs }];
  });
  let total = files.reduce((sum, { size }) => sum + size, 0);
  if (total <= most) return;
  for (const { file, size } of files.sort((a, b) => a.used - b.used)) {
    if (total <= 0.9 * most) return;
    rmSync(file, { force: true });
    total -= size;
  }
}
