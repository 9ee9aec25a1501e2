import { statSync } from 'node:fs';
import type { RandomAccess } from '../../../contract/base/ports.ts';

/** Files up to this size are read whole. */
const WHOLE = 32 * 1024 * 1024;
/** Blocks read of a larger file: reading 1 GiB before sending it would take as long as sending it. */
const BLOCKS = 64;
const BLOCK = 256 * 1024;

/** node:crypto is loaded on demand: it takes 3 ms, and most commands need no digest. */
const sha256 = () => process.getBuiltinModule('node:crypto').createHash('sha256');

/** SHA-256 of the content; of a file above 32 MiB, of its size and of 64 blocks spread over it. */
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

/** A text that changes whenever a file is written to or replaced; undefined where there is no file. */
export function stampOf(path: string): string | undefined {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? undefined : `${facts.dev}-${facts.ino}-${facts.size}-${facts.mtimeNs}`;
}

/** SHA-256 of a text. */
export function digest(text: string): string {
  return sha256().update(text).digest('hex');
}
