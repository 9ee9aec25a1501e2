// Loudness as ITU-R BS.1770-4 measures it: K-weighting, blocks of 400 ms, two gates. Sound is mono, samples are -1 to 1.

/** The usual loudness of audiobooks, in LUFS. */
export const TARGET = -18;
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
export function loudnessOf(samples: Float32Array, sampleRate: number): number {
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
