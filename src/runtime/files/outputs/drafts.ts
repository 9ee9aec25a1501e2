import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { sep } from 'node:path';
import type { ByteSource, Draft, RandomAccess, Temp } from '../../../contract/base/ports.ts';
import type { Descriptors } from '../system/descriptors.ts';
import { writeFailure } from '../system/file-failure.ts';
import { fileSource } from '../system/file-source.ts';
import { forgetSync, syncEarly } from '../system/sync.ts';
import type { Scratch } from './scratch.ts';

const BUFFER = 256 * 1024;
/** Bytes after which a sync begins while the work goes on. At half of it, merges of 100 MB and 1 GB took 6 % longer. */
const SYNC_EVERY = 8 * 1024 * 1024;

const paths = new WeakMap<ByteSource, string>();

/** The path of a finished draft; undefined for any other source. */
export function draftPath(source: ByteSource): string | undefined {
  return paths.get(source);
}

export function pathOfDraft(draft: RandomAccess): string {
  const path = draftPath(draft);
  if (path === undefined) throw new TypeError(`${draft.name} is no draft of this machine`);
  return path;
}

/** Returns a draft unchanged; writes any other body, such as one from the network, to a draft of `temp`. */
export async function asDraft(
  body: ByteSource,
  name: string,
  temp: () => Temp,
  signal: AbortSignal,
): Promise<RandomAccess> {
  const { size, read } = body;
  if (draftPath(body) !== undefined && size !== undefined && read !== undefined) return body as RandomAccess; // just checked
  const draft = temp().create(name);
  for await (const chunk of body.open(signal)) draft.write(chunk);
  return draft.finish();
}

/** The drafts of one call, in one scratch folder. */
export class Drafts implements Temp {
  readonly #scratch: Scratch;
  readonly #descriptors: Descriptors;
  /** The output that the drafts are for, as messages name it. */
  readonly #output: string;
  readonly #together: boolean;
  #inside: string | undefined;
  readonly #names = new Set<string>();
  readonly #unfinished = new Set<FileDraft>();
  // Drafts that end before the next begins (a split) share one buffer.
  readonly #spare: Buffer[] = [];

  /** `together`: the drafts become the files of one folder, so they lie in a folder of their own. */
  constructor(scratch: Scratch, descriptors: Descriptors, output: string, together = false) {
    this.#scratch = scratch;
    this.#descriptors = descriptors;
    this.#output = output;
    this.#together = together;
  }

  create(name: string): Draft {
    if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) {
      throw new TypeError(`not a plain file name: ${name}`);
    }
    if (this.#names.has(name)) throw new TypeError(`a draft named ${name} was made already`);
    this.#names.add(name);
    const buffer = this.#spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER);
    const draft = new FileDraft(name, this.#folder() + sep + name, this.#output, buffer, {
      finished: (descriptor) => {
        this.#unfinished.delete(draft);
        this.#spare.push(buffer);
        const file = this.#descriptors.adopt(descriptor, draft.path, name);
        if (draft.syncing !== undefined) this.#descriptors.hold(file, draft.syncing);
        const source = fileSource(file, this.#descriptors);
        paths.set(source, draft.path);
        return source;
      },
      discarded: () => {
        // A finished draft's descriptor belongs to the pool, which closes it with the call.
        if (this.#unfinished.delete(draft)) draft.close();
        forgetSync(draft.path);
        // No file exists yet if no byte has left the buffer.
        rmSync(draft.path, { force: true });
        this.#names.delete(name);
      },
    });
    this.#unfinished.add(draft);
    return draft;
  }

  #folder(): string {
    this.#inside ??= this.#together ? this.#scratch.wholeFolder() : this.#scratch.folder();
    return this.#inside;
  }

  /** Closes the drafts that a failed call did not finish. */
  close(): void {
    for (const draft of this.#unfinished) draft.close();
    this.#unfinished.clear();
  }
}

interface Owner {
  finished(descriptor: number): RandomAccess;
  discarded(): void;
}

class FileDraft implements Draft {
  readonly name: string;
  readonly path: string;
  size = 0;
  readonly #output: string;
  readonly #buffer: Buffer;
  readonly #owner: Owner;
  #buffered = 0;
  /** Opened when the buffer is full, or at the end. */
  #descriptor: number | undefined;
  /** Bytes written since a sync was begun. */
  #unsynced = 0;
  /** The sync under way, or the last one. */
  syncing: Promise<unknown> | undefined;

  constructor(name: string, path: string, output: string, buffer: Buffer, owner: Owner) {
    this.name = name;
    this.path = path;
    this.#output = output;
    this.#buffer = buffer;
    this.#owner = owner;
  }

  write(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (this.#buffered + bytes.length > BUFFER) this.#flush();
    if (bytes.length >= BUFFER) {
      this.#put(bytes);
    } else {
      this.#buffer.set(bytes, this.#buffered);
      this.#buffered += bytes.length;
    }
  }

  finish(): RandomAccess {
    this.#flush();
    return this.#owner.finished(this.#open());
  }

  discard(): void {
    this.#owner.discarded();
  }

  close(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    if (this.syncing === undefined) closeSync(descriptor);
    else void this.syncing.then(() => closeSync(descriptor));
  }

  #open(): number {
    try {
      // For reading too: the descriptor is handed on when the draft is finished.
      this.#descriptor ??= openSync(this.path, 'wx+');
      return this.#descriptor;
    } catch (error) {
      throw writeFailure(error, this.#output);
    }
  }

  #flush(): void {
    if (this.#buffered > 0) this.#put(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  #put(bytes: Uint8Array): void {
    const { length } = bytes;
    const descriptor = this.#open();
    try {
      for (let from = 0; from < length; ) from += writeSync(descriptor, bytes, from, length - from);
    } catch (error) {
      throw writeFailure(error, this.#output);
    }
    this.#unsynced += length;
    if (this.#unsynced < SYNC_EVERY) return;
    this.syncing = syncEarly(descriptor, this.path) ?? this.syncing;
    this.#unsynced = 0;
  }
}
