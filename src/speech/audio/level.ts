// From what a voice gives to what is encoded: silence at its ends cut off, one gain for all of a job, peaks held.
import { loudnessOf, TARGET } from './loudness.ts';

export interface Sound {
  readonly pcm: Int16Array;
  readonly sampleRate: number;
}

/** -60 dB: below this nothing is heard. */
const SILENCE = 33;
/** Seconds kept of what a voice fades out with. */
const FADE = 0.02;
/**
 * -3 dB: what encoders add to a peak, and what lies between two samples, stays below the -1 dB that players want.
 */
const CEILING = 0.708;
/** Seconds in which a peak is taken back and let go again. */
const WINDOW = 0.005;
/** A voice is the same from its first to its last sentence: a minute tells how loud it is. */
export const SAMPLE_SECONDS = 60;
/** What would make a noise out of a whisper. */
const MOST_GAIN = 8;

export function trimmed({ pcm, sampleRate }: Sound): Sound {
  let [start, end] = [0, pcm.length];
  while (start < end && Math.abs(pcm[start]!) < SILENCE) start++;
  while (end > start && Math.abs(pcm[end - 1]!) < SILENCE) end--;
  const fade = Math.round(FADE * sampleRate);
  return { sampleRate, pcm: pcm.subarray(Math.max(0, start - fade), Math.min(pcm.length, end + fade)) };
}

/** The factor that brings these sounds, one after the other, to the loudness that is wanted. */
export function gainFor(sounds: readonly Sound[]): number {
  const [first] = sounds;
  if (first === undefined) return 1;
  const all = new Float32Array(sounds.reduce((sum, { pcm }) => sum + pcm.length, 0));
  let at = 0;
  for (const { pcm } of sounds) {
    for (let i = 0; i < pcm.length; i++) all[at + i] = pcm[i]! / 32768;
    at += pcm.length;
  }
  const loudness = loudnessOf(all, first.sampleRate);
  return Number.isFinite(loudness) ? Math.min(MOST_GAIN, 10 ** ((TARGET - loudness) / 20)) : 1;
}

/** The samples as an encoder takes them. A sentence begins and ends in silence, so that each is levelled by itself. */
export function levelled({ pcm, sampleRate }: Sound, gain: number): Float32Array {
  const samples = Float32Array.from(pcm, (sample) => (sample / 32768) * gain);
  const size = Math.max(1, Math.round(WINDOW * sampleRate));
  const windows = Math.ceil(samples.length / size);
  const needed = new Float32Array(windows + 2).fill(1);
  let held = false;
  for (let i = 0; i < samples.length; i++) {
    const peak = Math.abs(samples[i]!);
    if (peak <= CEILING) continue;
    held = true;
    const window = 1 + Math.floor(i / size);
    needed[window] = Math.min(needed[window]!, CEILING / peak);
  }
  if (!held) return samples;
  // At the edge between two windows what both need; in between the way from one edge to the next.
  const edge = (window: number) => Math.min(needed[window]!, needed[window + 1]!);
  for (let i = 0; i < samples.length; i++) {
    const window = Math.floor(i / size);
    const share = (i - window * size) / size;
    const way = edge(window) + (edge(window + 1) - edge(window)) * share;
    samples[i] = samples[i]! * Math.min(way, needed[window + 1]!);
  }
  return samples;
}
