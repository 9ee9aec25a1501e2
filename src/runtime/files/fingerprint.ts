import { statSync } from 'node:fs';
import type { RandomAccess } from '../../contract/ports.ts';

/** Up to this size all of a file is read. */
const WHOLE = 32 * 1024 * 1024;
/** Of a larger one, so many blocks: reading 1 GiB before sending it would take as long as sending it. */
const BLOCKS = 64;
const BLOCK = 256 * 1024;

/** Loaded when it is asked for: node:crypto takes 3 ms, and most commands need no digest. */
const sha256 = () => process.getBuiltinModule('node:crypto').createHash('sha256');

/** SHA-256 of the content; of a large file, of its size and of blocks from its first byte to its last. */
export function fingerprint(source: RandomAccess): string {
  const { size } = source;
  const hash = sha256();
  const buffer = new Uint8Array(BLOCK);
  const step = size <= WHOLE ? BLOCK : (size - BLOCK) / (BLOCKS - 1);
  const count = size <= WHOLE ? Math.ceil(size / BLOCK) : BLOCKS;
  if (size > WHOLE) hash.update(`${size} bytes\n`);
  for (let index = 0; index < count; index += 1) {
    hash.update(buffer.subarray(0, source.read(buffer, Math.floor(index * step))));
  }
  return hash.digest('hex');
}

/** Whether `fingerprint` is the SHA-256 of the whole file. */
export function isWhole({ size }: RandomAccess): boolean {
  return size <= WHOLE;
}

/** What changes whenever a file is written to or replaced; undefined where there is none. */
export function stampOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}-${found.ino}-${found.size}-${found.mtimeNs}`;
}

/** SHA-256 of a text. */
export function digest(text: string): string {
  return sha256().update(text).digest('hex');
}
