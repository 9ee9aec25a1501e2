import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { Failure } from '../../../contract/base/failure.ts';
import { readFailure } from './file-failure.ts';

/** A merge of 5,000 files must not run into the limit of descriptors, which is 256 on some systems. */
const OPEN_AT_ONCE = 64;

/** What must be the same when a file is opened again. */
interface Identity {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface Opened {
  readonly path: string;
  /** As the person wrote it. */
  readonly name: string;
  readonly identity: Identity;
}

/** A pool of open files: at most 64 have a descriptor at a time, the least recently used is closed first. */
export class Descriptors {
  readonly #openAt: (path: string) => number;
  readonly #open = new Map<Opened, number>();
  readonly #held = new Map<Opened, Promise<unknown>>();

  /** `openAt`: opens a path, the first time and again after the pool closed it. */
  constructor(openAt: (path: string) => number = (path) => openSync(path, 'r')) {
    this.#openAt = openAt;
  }

  /** Opens a file for the first time. Throws what the system says. */
  open(path: string, name: string): Opened {
    return this.adopt(this.#openAt(path), path, name);
  }

  /** Takes over a descriptor that can be read from, such as a draft's. */
  adopt(descriptor: number, path: string, name: string): Opened {
    const { dev, ino, size, mtimeMs } = fstatSync(descriptor);
    const file = { path, name, identity: { dev, ino, size, mtimeMs } };
    this.#keep(file, descriptor);
    return file;
  }

  /** Fills `into` from `position`, and returns how many bytes there were. */
  read(file: Opened, into: Uint8Array, position: number): number {
    const descriptor = this.of(file);
    let filled = 0;
    try {
      while (filled < into.length) {
        const got = readSync(descriptor, into, filled, into.length - filled, position + filled);
        if (got === 0) break;
        filled += got;
      }
    } catch (error) {
      throw readFailure(error, file.name);
    }
    return whole(file, into, position, filled);
  }

  /** As `read`, on the thread pool. */
  async readAside(file: Opened, into: Uint8Array, position: number): Promise<number> {
    const descriptor = this.of(file);
    const reading = fill(descriptor, into, position);
    this.hold(file, Promise.allSettled([reading]));
    let filled: number;
    try {
      filled = await reading;
    } catch (error) {
      throw readFailure(error, file.name);
    }
    return whole(file, into, position, filled);
  }

  /** Keeps the file's descriptor from being closed until `until` settles; it must not reject. */
  hold(file: Opened, until: Promise<unknown>): void {
    const before = this.#held.get(file);
    const all = before === undefined ? until : Promise.all([before, until]);
    this.#held.set(file, all);
    void all.then(() => {
      if (this.#held.get(file) === all) this.#held.delete(file);
    });
  }

  close(): void {
    for (const [file, descriptor] of this.#open) this.#close(file, descriptor);
    this.#open.clear();
  }

  #close(file: Opened, descriptor: number): void {
    const until = this.#held.get(file);
    if (until === undefined) closeSync(descriptor);
    else void until.then(() => closeSync(descriptor));
  }

  /** The file's descriptor, opened again where it was closed. It is valid until the next file is read. */
  of(file: Opened): number {
    const known = this.#open.get(file);
    if (known !== undefined) {
      this.#open.delete(file);
      this.#open.set(file, known);
      return known;
    }
    return this.#reopen(file);
  }

  #reopen(file: Opened): number {
    try {
      const descriptor = this.#openAt(file.path);
      this.#keep(file, descriptor);
      const now = fstatSync(descriptor);
      const { dev, ino, size, mtimeMs } = file.identity;
      if (now.dev === dev && now.ino === ino && now.size === size && now.mtimeMs === mtimeMs) return descriptor;
    } catch (error) {
      throw readFailure(error, file.name);
    }
    throw changed(file.name);
  }

  #keep(file: Opened, descriptor: number): void {
    this.#open.set(file, descriptor);
    if (this.#open.size <= OPEN_AT_ONCE) return;
    const [oldest] = this.#open;
    if (oldest === undefined) return;
    this.#open.delete(oldest[0]);
    this.#close(oldest[0], oldest[1]);
  }
}

/** The number of bytes read. Throws where the file became shorter: a reader that waits for the rest would wait forever. */
function whole({ name, identity }: Opened, into: Uint8Array, position: number, filled: number): number {
  if (filled < into.length && position + filled < identity.size) throw changed(name);
  return filled;
}

function changed(name: string): Failure {
  return new Failure('refused', `${name} changed while it was being read`, {
    hint: 'Try again when nothing writes to it.',
  });
}

async function fill(descriptor: number, into: Uint8Array, position: number): Promise<number> {
  for (let filled = 0; ; ) {
    const got = await new Promise<number>((resolve, reject) => {
      read(descriptor, into, filled, into.length - filled, position + filled, (error, count) => {
        if (error === null) resolve(count);
        else reject(error);
      });
    });
    filled += got;
    if (got === 0 || filled === into.length) return filled;
  }
}
