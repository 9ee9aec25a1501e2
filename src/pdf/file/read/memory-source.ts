import type { RandomAccess } from '../../../contract/base/ports.ts';

export function memorySource(bytes: Uint8Array, name: string): RandomAccess {
  return {
    name,
    size: bytes.length,
    async *open() {
      yield bytes;
    },
    read(into, position) {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
  };
}
