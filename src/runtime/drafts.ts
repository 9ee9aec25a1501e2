// Owns files being written: buffered, synchronous, under no final name. Knows neither their content nor their destination.
import { closeSync, openSync, writeSync } from 'node:fs';
import type { ByteSource, Draft, RandomAccess, Temp } from '../contract/ports.ts';
import type { Descriptors } from './descriptors.ts';
import { writeFailure } from './file-failure.ts';
import { fileSource } from './file-source.ts';
import type { Scratch } from './scratch.ts';

const BUFFER = 256 * 1024;

const paths = new WeakMap<ByteSource, string>();

/** Where a finished draft lies; undefined for a source that is no draft of this machine. */
export function draftPath(source: ByteSource): string | undefined {
  return paths.get(source);
}

/** Drafts in `scratch`. `output` names what they are for, in messages. */
export function createTemp(scratch: Scratch, descriptors: Descriptors, output: string): Temp {
  const names = new Set<string>();
  // Drafts that end before the next begins (a split) share one buffer.
  const spare: Buffer[] = [];
  return {
    create(name) {
      if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) {
        throw new TypeError(`not a plain file name: ${name}`);
      }
      if (names.has(name)) throw new TypeError(`a draft named ${name} was made already`);
      names.add(name);
      return new FileDraft(name, scratch.path(name), output, descriptors, spare);
    },
  };
}

class FileDraft implements Draft {
  readonly name: string;
  size = 0;
  readonly #path: string;
  readonly #output: string;
  readonly #descriptors: Descriptors;
  readonly #spare: Buffer[];
  readonly #buffer: Buffer;
  #buffered = 0;
  #descriptor: number;

  constructor(name: string, path: string, output: string, descriptors: Descriptors, spare: Buffer[]) {
    this.name = name;
    this.#path = path;
    this.#output = output;
    this.#descriptors = descriptors;
    this.#spare = spare;
    try {
      this.#descriptor = openSync(path, 'wx');
    } catch (error) {
      throw writeFailure(error, output);
    }
    this.#buffer = spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER);
  }

  write(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (this.#buffered + bytes.length > BUFFER) this.#flush();
    if (bytes.length >= BUFFER) {
      this.#put(bytes, bytes.length);
    } else {
      this.#buffer.set(bytes, this.#buffered);
      this.#buffered += bytes.length;
    }
  }

  finish(): RandomAccess {
    this.#flush();
    closeSync(this.#descriptor);
    this.#spare.push(this.#buffer);
    const source = fileSource(this.#descriptors.open(this.#path, this.name), this.#descriptors);
    paths.set(source, this.#path);
    return source;
  }

  #flush(): void {
    this.#put(this.#buffer, this.#buffered);
    this.#buffered = 0;
  }

  #put(bytes: Uint8Array, length: number): void {
    try {
      for (let from = 0; from < length; ) from += writeSync(this.#descriptor, bytes, from, length - from);
    } catch (error) {
      throw writeFailure(error, this.#output);
    }
  }
}
