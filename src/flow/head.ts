// Owns reading the first bytes of a source before anything is sent or charged. Knows no engine.
import { HEAD, headText, looksLike } from '../contract/media.ts';
import type { ByteSource } from '../contract/ports.ts';

/** The first bytes as text; `undefined` where the source can be read only once. */
export function headOf(source: ByteSource): string | undefined {
  if (source.read === undefined) return undefined;
  const head = new Uint8Array(HEAD);
  return headText(head.subarray(0, source.read(head, 0)));
}

/** What a head looks like, in words for a check. */
export function foundIn(head: string): string {
  return looksLike(head) ?? 'data of an unknown kind';
}
