// Prepares a voice's sound for the encoder: trims silence, applies one gain for the whole job, limits peaks.
import { loudnessOf, TARGET } from './loudness.ts';

export interface Sound {
  readonly pcm: Int16Array;
  readonly sampleRate: number;
}

/** -60 dB in 16-bit samples: anything below is inaudible. */
const SILENCE = 33;
/** Seconds kept on both sides of the audible part. */
const FADE = 0.02;
/** -3 dB: encoders add to a peak, and true peaks lie between samples; both then stay below the -1 dB that players want. */
const CEILING = 0.708;
const WINDOW = 0.005;
/** Seconds of speech whose loudness stands for the whole job: a voice does not change from sentence to sentence. */
export const SAMPLE_SECONDS = 60;
/** The largest gain: more would raise noise. */
const MOST_GAIN = 8;

export function trimmed({ pcm, sampleRate }: Sound): Sound {
  let [start, end] = [0, pcm.length];
  while (start < end && Math.abs(pcm[start]!) < SILENCE) start++;
  while (end > start && Math.abs(pcm[end - 1]!) < SILENCE) end--;
  const fade = Math.round(FADE * sampleRate);
  return { sampleRate, pcm: pcm.subarray(Math.max(0, start - fade), Math.min(pcm.length, end + fade)) };
}

/** The factor that brings these sounds, played one after the other, to the target loudness. */
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

/** Samples with gain, and peaks below the ceiling. Sentences begin and end in silence, so each can be limited by itself. */
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
  // The gain at an edge is the smaller of its two windows'; between two edges it is interpolated.
  const edge = (window: number) => Math.min(needed[window]!, needed[window + 1]!);
  for (let i = 0; i < samples.length; i++) {
    const window = Math.floor(i / size);
    const share = (i - window * size) / size;
    const way = edge(window) + (edge(window + 1) - edge(window)) * share;
    samples[i] = samples[i]! * Math.min(way, needed[window + 1]!);
  }
  return samples;
}
