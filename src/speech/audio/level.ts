// Prepares a voice's sound for the encoder: trims silence, brings voices to one rate, applies one gain to each voice,
// limits peaks.
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
/** Seconds of a limiter window. */
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

/** Lobes of the windowed sinc on each side of a sample. */
const LOBES = 16;

/** The sound at another sample rate; frequencies that the lower of both rates cannot hold are left out. */
export function atRate(sound: Sound, rate: number): Sound {
  const { pcm, sampleRate } = sound;
  if (sampleRate === rate) return sound;
  const cutoff = Math.min(1, rate / sampleRate);
  const reach = LOBES / cutoff;
  const made = Float64Array.from({ length: Math.round((pcm.length * rate) / sampleRate) }, (_, i) => {
    const centre = (i * sampleRate) / rate;
    let sum = 0;
    for (let at = Math.max(0, Math.ceil(centre - reach)); at < pcm.length && at <= centre + reach; at++) {
      const x = Math.PI * cutoff * (at - centre);
      const window = (1 + Math.cos((Math.PI * (at - centre)) / reach)) / 2;
      sum += pcm[at]! * cutoff * (x === 0 ? 1 : Math.sin(x) / x) * window;
    }
    return Math.round(Math.min(32_767, Math.max(-32_768, sum)));
  });
  return { sampleRate: rate, pcm: Int16Array.from(made) };
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

// Loudness as ITU-R BS.1770-4 measures it: K-weighting, blocks of 400 ms, two gates. Sound is mono, samples are -1 to 1.

/** The usual loudness of audiobooks, in LUFS. */
const TARGET = -18;
const BLOCK = 0.4;
const STEP = 0.1;
const ABSOLUTE_GATE = -70;
const RELATIVE_GATE = -10;
const OFFSET = -0.691;

interface Biquad {
  readonly b: readonly [number, number, number];
  readonly a: readonly [number, number];
}

/** The integrated loudness in LUFS; -Infinity for silence. */
function loudnessOf(samples: Float32Array, sampleRate: number): number {
  const weighted = filtered(filtered(samples, shelf(sampleRate)), highPass(sampleRate));
  const [block, step] = [Math.round(BLOCK * sampleRate), Math.round(STEP * sampleRate)];
  const powers: number[] = [];
  for (let at = 0; at === 0 || at + block <= weighted.length; at += step) {
    const end = Math.min(weighted.length, at + block);
    let sum = 0;
    for (let i = at; i < end; i++) sum += weighted[i]! * weighted[i]!;
    powers.push(end > at ? sum / (end - at) : 0);
  }
  const heard = powers.filter((power) => levelOf(power) > ABSOLUTE_GATE);
  const gate = levelOf(mean(heard)) + RELATIVE_GATE;
  return levelOf(mean(heard.filter((power) => levelOf(power) > gate)));
}

function levelOf(power: number): number {
  return OFFSET + 10 * Math.log10(power);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The filters of the standard, which gives coefficients for 48 kHz only, at any rate. */
function shelf(rate: number): Biquad {
  const [frequency, gain, q] = [1681.974450955533, 3.999843853973347, 0.7071752369554196];
  const k = Math.tan((Math.PI * frequency) / rate);
  const high = 10 ** (gain / 20);
  const band = high ** 0.4996667741545416;
  const norm = 1 + k / q + k * k;
  return {
    b: [(high + (band * k) / q + k * k) / norm, (2 * (k * k - high)) / norm, (high - (band * k) / q + k * k) / norm],
    a: [(2 * (k * k - 1)) / norm, (1 - k / q + k * k) / norm],
  };
}

function highPass(rate: number): Biquad {
  const [frequency, q] = [38.13547087602444, 0.5003270373238773];
  const k = Math.tan((Math.PI * frequency) / rate);
  const norm = 1 + k / q + k * k;
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / norm, (1 - k / q + k * k) / norm] };
}

function filtered(samples: Float32Array, { b, a }: Biquad): Float32Array {
  const out = new Float32Array(samples.length);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let i = 0; i < samples.length; i++) {
    const x = samples[i]!;
    const y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    out[i] = y;
  }
  return out;
}
