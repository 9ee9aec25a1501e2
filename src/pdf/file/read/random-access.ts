import type { ByteSource, RandomAccess } from '../../../contract/base/ports.ts';

/** The source with random access. Throws a TypeError for a stream: runtime/ must have stored it first. */
export function onDisk(source: ByteSource): RandomAccess {
  const { size, read } = source;
  if (size === undefined || read === undefined) throw new TypeError(`${source.name} cannot be read at any place`);
  return {
    name: source.name,
    size,
    get held() {
      return source.held;
    },
    open: (signal) => source.open(signal),
    read: (into, at) => read.call(source, into, at),
  };
}

/** Fills `into` from a place in the source. Returns the number of bytes read: fewer only where the source ends. */
export function fill(source: Pick<RandomAccess, 'read'>, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const got = source.read(done === 0 ? into : into.subarray(done), position + done);
    if (got === 0) break;
    done += got;
  }
  return done;
}
