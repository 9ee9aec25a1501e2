/**
 * Caches the sound of sentences, so that a run that was killed goes on where it stopped, and a second run with one word changed
 * speaks one sentence.
 *
 * The key is a digest of all that the sound depends on: engine and version, voice, speed, pronunciations, text. The value is the
 * sample rate and the samples: differences of neighbours, all high bytes before all low ones, deflated to two thirds of the
 * samples' size. A damaged entry counts as missing. The cache itself keeps to its size by removing what was used longest ago.
 */
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Cache } from '../../contract/base/ports.ts';
import type { Sound } from './level.ts';

/** Version of the format: entries of another version are ignored. */
const FORM = 1;
const MOST_BYTES = 64 * 1024 * 1024;

/** The key of a sentence. `facts`: everything that its sound depends on. */
export function sentenceKey(facts: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([FORM, ...facts]))
    .digest('hex');
}

export function recall(cache: Cache | undefined, name: string): Sound | undefined {
  const bytes = cache?.get(name);
  if (bytes === undefined || bytes.length < 4) return undefined;
  try {
    const sampleRate = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
    const plain = inflateRawSync(bytes.subarray(4), { maxOutputLength: MOST_BYTES });
    const pcm = new Int16Array(plain.length / 2);
    let before = 0;
    for (let i = 0; i < pcm.length; i++) {
      before += ((plain[i] ?? 0) << 8) | (plain[pcm.length + i] ?? 0);
      pcm[i] = before;
    }
    return { pcm, sampleRate };
  } catch (error) {
    // A damaged entry, of which zlib tells with a code: the sentence is spoken again.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error)) return undefined;
    throw error;
  }
}

export function keep(cache: Cache | undefined, name: string, { pcm, sampleRate }: Sound): void {
  if (cache === undefined) return;
  const plain = new Uint8Array(2 * pcm.length);
  let before = 0;
  for (let i = 0; i < pcm.length; i++) {
    const step = pcm[i]! - before;
    before = pcm[i]!;
    plain[i] = (step >> 8) & 0xff;
    plain[pcm.length + i] = step & 0xff;
  }
  const head = new Uint8Array(4);
  new DataView(head.buffer).setUint32(0, sampleRate);
  cache.put(name, Buffer.concat([head, deflateRawSync(plain, { level: 1 })]));
}
