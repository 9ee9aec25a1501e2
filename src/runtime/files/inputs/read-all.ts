import { createReadStream, fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { Failure } from '../../../contract/base/failure.ts';
import type { ByteSource } from '../../../contract/base/ports.ts';
import { folderGiven, readFailure } from '../system/file-failure.ts';
import { withFile } from '../system/sync.ts';

/** The name of standard input in messages. */
export const STDIN_NAME = 'standard input';

/** All of a file, a pipe or standard input (`-`). Throws a Failure for a device, and where there are more than `most` bytes. */
export async function readAll(name: string, most: number, signal: AbortSignal): Promise<Buffer> {
  const shown = name === '-' ? STDIN_NAME : name;
  const stream = openStream(name, shown);
  // Ctrl-C must not wait for a pipe that is open and silent.
  const stop = () => stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) throw new Failure('refused', `${shown} is too large: at most ${most} bytes`, { kind: 'limit' });
      chunks.push(chunk);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof Failure ? error : readFailure(error, shown);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks);
}

function openStream(name: string, shown: string) {
  const { stdin } = process;
  if (name === '-' && stdin.isTTY) {
    throw new Failure('usage', `${shown} is a terminal, expected a file or a pipe`);
  }
  refuseDevice(shown, name === '-' ? fstatSync(0) : factsOf(name));
  return name === '-' ? stdin : createReadStream(name);
}

function factsOf(name: string): Stats {
  let facts: Stats;
  try {
    facts = statSync(name);
  } catch (error) {
    throw readFailure(error, name);
  }
  if (facts.isDirectory()) throw folderGiven(name);
  return facts;
}

/** Devices such as /dev/zero have no end. The null device is an empty file. */
export function refuseDevice(name: string, facts: Stats): void {
  if (!facts.isCharacterDevice() && !facts.isBlockDevice()) return;
  if (facts.rdev === statSync(devNull, { throwIfNoEntry: false })?.rdev) return;
  throw new Failure('refused', `${name} is a device, expected a file or a pipe`, {
    hint: 'Save what it holds to a file first.',
  });
}

/** The bytes of a source that is known to be small. */
export async function bytesOfSource(source: ByteSource, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.open(signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Up to `most` bytes from the beginning of a file or a pipe. */
export function readStart(name: string, most: number): Buffer {
  const bytes = Buffer.alloc(most);
  try {
    return withFile(name, 'r', (descriptor) => {
      let size = 0;
      for (let got = -1; got !== 0 && size < most; size += got)
        got = readSync(descriptor, bytes, size, most - size, null);
      return bytes.subarray(0, size);
    });
  } catch (error) {
    throw readFailure(error, name);
  }
}
