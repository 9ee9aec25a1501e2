import { close, ftruncateSync, open, write } from 'node:fs';
import type { RandomAccess } from '../../contract/ports.ts';
import type { Descriptors, Opened } from './descriptors.ts';
import { writeFailure } from './file-failure.ts';
import { chunksOf } from './file-source.ts';

/** The file as it will be: read from memory until it is on disk. Its bytes must not change before `written` settles. */
export function writeBehind(
  path: string,
  name: string,
  content: Uint8Array,
  output: string,
  descriptors: Descriptors,
): { body: RandomAccess; written: Promise<void> } {
  const body = new WrittenFile(path, name, content, descriptors);
  const written = new Promise<void>((resolve, reject) => {
    writeWhole(path, content, (error) => {
      body.forget();
      if (error === null) resolve();
      else reject(writeFailure(error, output));
    });
  });
  return { body, written };
}

/** A class, because it is made for each of hundreds of files. */
class WrittenFile implements RandomAccess {
  readonly name: string;
  readonly size: number;
  #content: Uint8Array | undefined;
  readonly #path: string;
  readonly #descriptors: Descriptors;
  #file: Opened | undefined;

  constructor(path: string, name: string, content: Uint8Array, descriptors: Descriptors) {
    this.name = name;
    this.size = content.length;
    this.#content = content;
    this.#path = path;
    this.#descriptors = descriptors;
  }

  get held(): Uint8Array | undefined {
    return this.#content;
  }

  /** Settled: it is on disk, or its writing was given up. */
  forget(): void {
    this.#content = undefined;
  }

  open(signal: AbortSignal): AsyncIterable<Uint8Array> {
    return chunksOf(this, signal);
  }

  read(into: Uint8Array, position: number): number {
    if (this.#content !== undefined) {
      const piece = this.#content.subarray(position, position + into.length);
      into.set(piece);
      return piece.length;
    }
    this.#file ??= this.#descriptors.open(this.#path, this.name);
    return this.#descriptors.read(this.#file, into, position);
  }
}

/** Steps of files, to be taken with the next turn of the event loop. */
let waiting: (() => void)[] = [];

/** Hands a step to the pool together with others: each thread that is woken for one takes more time than its JavaScript. */
function together(step: () => void): void {
  if (waiting.push(step) > 1) return;
  setImmediate(() => {
    const steps = waiting;
    waiting = [];
    for (const each of steps) each();
  });
}

/**
 * Writes a new file. Creating it takes up to a millisecond while the file system looks for a place, writing it takes more of
 * the main thread's time than handing that over.
 */
function writeWhole(path: string, bytes: Uint8Array, ended: (error: unknown) => void): void {
  const created = (error: unknown, descriptor: number): void => {
    if (error !== null) {
      ended(error);
      return;
    }
    const end = (failed: unknown) => together(() => close(descriptor, (unclosed) => ended(failed ?? unclosed)));
    sendEarly(descriptor);
    together(() => writeAll(descriptor, bytes, end));
  };
  together(() => open(path, 'wx', created));
}

/**
 * Has ext4 begin to put the file on the disk when it is closed, as it does with what was cut to nothing. Else all of it waits
 * for the sync, where each of 500 files then needs a commit of its own: 60 ms became 30.
 */
function sendEarly(descriptor: number): void {
  try {
    ftruncateSync(descriptor, 0);
  } catch {
    // A file system that cannot do it has nothing to gain: the file is empty.
  }
}

function writeAll(descriptor: number, bytes: Uint8Array, end: (failed: unknown) => void): void {
  write(descriptor, bytes, (failed, count) => {
    if (failed === null && count < bytes.length) writeAll(descriptor, bytes.subarray(count), end);
    else end(failed);
  });
}
