// Owns writing a small file on the thread pool while the work goes on. Knows neither its content nor who waits for it.
import { closeSync, open, writeSync } from 'node:fs';
import type { RandomAccess } from '../contract/ports.ts';
import type { Descriptors, Opened } from './descriptors.ts';
import { writeFailure } from './file-failure.ts';
import { streamed } from './file-source.ts';

/** The file as it will be: read from `bytes` until these are on disk. They must not change before `written` settles. */
export function writeBehind(
  path: string,
  name: string,
  bytes: Uint8Array,
  output: string,
  descriptors: Descriptors,
): { body: RandomAccess; written: Promise<void> } {
  const size = bytes.length;
  let held: Uint8Array | undefined = bytes;
  const release = () => {
    held = undefined;
  };
  const written = writeWhole(path, bytes).catch((error) => {
    throw writeFailure(error, output);
  });
  written.then(release, release);
  let file: Opened | undefined;
  const read = (into: Uint8Array, position: number): number => {
    if (held !== undefined) {
      const piece = held.subarray(position, position + into.length);
      into.set(piece);
      return piece.length;
    }
    file ??= descriptors.open(path, name);
    return descriptors.read(file, into, position);
  };
  return { body: streamed({ name, size, read }), written };
}

/**
 * Writes a new file. Creating it is what takes long, up to a millisecond while the file system looks for a place: handing
 * over the writing and the closing too gained nothing.
 */
function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    open(path, 'wx', (error, descriptor) => {
      if (error !== null) {
        reject(error);
        return;
      }
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
        resolve();
      } catch (failed) {
        reject(failed);
      } finally {
        closeSync(descriptor);
      }
    });
  });
}
