import { readFileSync } from 'node:fs';
import type { ByteSource, RandomAccess } from '../../../contract/base/ports.ts';
import type { Descriptors, Opened } from './descriptors.ts';
import { readFailure } from './file-failure.ts';

const CHUNK = 256 * 1024;

const descriptorOf = new WeakMap<ByteSource, () => number>();

/** The descriptor of a source that is a file, otherwise undefined. It is valid until another source is read. */
export function descriptorFor(source: ByteSource): number | undefined {
  return descriptorOf.get(source)?.();
}

export function fileSource(file: Opened, descriptors: Descriptors, mediaType?: string): RandomAccess {
  const read = (into: Uint8Array, position: number) => descriptors.read(file, into, position);
  const readAside = (into: Uint8Array, position: number) => descriptors.readAside(file, into, position);
  const type = mediaType === undefined ? {} : { mediaType };
  const open = (signal: AbortSignal) => chunksOf({ read }, signal);
  const source = { name: file.name, size: file.identity.size, read, readAside, ...type, open };
  descriptorOf.set(source, () => descriptors.of(file));
  return source;
}

/** The text of a small file. @throws Failure */
export function readNow(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw readFailure(error, path);
  }
}

/** All bytes of a source, from its beginning. */
async function* chunksOf(source: Pick<RandomAccess, 'read'>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    // A new buffer for each chunk, because the consumer may keep it.
    const chunk = new Uint8Array(CHUNK);
    const got = source.read(chunk, position);
    if (got === 0) return;
    position += got;
    yield got === CHUNK ? chunk : chunk.subarray(0, got);
  }
}
