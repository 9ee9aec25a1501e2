import type { ByteSource, RandomAccess } from '../../contract/ports.ts';
import type { Descriptors, Opened } from './descriptors.ts';

const CHUNK = 256 * 1024;

const descriptorOf = new WeakMap<ByteSource, () => number>();

/** A descriptor of the file that a source is; undefined for a source that is none. It is good until another source is read. */
export function descriptorFor(source: ByteSource): number | undefined {
  return descriptorOf.get(source)?.();
}

export function fileSource(file: Opened, descriptors: Descriptors, mediaType?: string): RandomAccess {
  const read = (into: Uint8Array, position: number) => descriptors.read(file, into, position);
  const readAside = (into: Uint8Array, position: number) => descriptors.readAside(file, into, position);
  const known = { name: file.name, size: file.identity.size, read, readAside };
  const source = streamed(mediaType === undefined ? known : { ...known, mediaType });
  descriptorOf.set(source, () => descriptors.of(file));
  return source;
}

/** What can be read at any place, as a source that can be read from its beginning too. */
function streamed(known: Omit<RandomAccess, 'open'>): RandomAccess {
  return { ...known, open: (signal) => chunksOf(known, signal) };
}

/** All of what can be read at any place, from its beginning. */
export async function* chunksOf(source: Pick<RandomAccess, 'read'>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    // A chunk of its own each time: whoever takes it may keep it.
    const chunk = new Uint8Array(CHUNK);
    const got = source.read(chunk, position);
    if (got === 0) return;
    position += got;
    yield got === CHUNK ? chunk : chunk.subarray(0, got);
  }
}
