// Voices of different sample rates are brought to one.
import { describe, expect, it } from 'vitest';
import { atRate } from '../../src/speech/audio/level.ts';

const tone = (frequency: number, sampleRate: number) => ({
  sampleRate,
  pcm: Int16Array.from({ length: sampleRate / 2 }, (_, i) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * frequency * i) / sampleRate)),
  ),
});

/** The largest difference between two sounds, away from their ends. */
function difference(a: Int16Array, b: Int16Array): number {
  return a.reduce(
    (most, sample, i) => (i < 100 || i > a.length - 100 ? most : Math.max(most, Math.abs(sample - b[i]!))),
    0,
  );
}

describe('a sound at another rate', () => {
  it.each([
    [22_050, 16_000],
    [16_000, 22_050],
    [48_000, 16_000],
    [8_000, 48_000],
  ])('keeps a tone of 1 kHz from %i to %i samples a second', (from, to) => {
    const made = atRate(tone(1_000, from), to);
    expect([made.sampleRate, made.pcm.length]).toEqual([to, to / 2]);
    expect(difference(made.pcm, tone(1_000, to).pcm)).toBeLessThan(20);
  });

  it('loses what the lower rate cannot hold, and does not mirror it', () => {
    const { pcm } = atRate(tone(9_500, 22_050), 16_000);
    expect(difference(pcm, new Int16Array(pcm.length))).toBeLessThan(50);
  });

  it('is the same sound at its own rate', () => {
    const sound = tone(440, 16_000);
    expect(atRate(sound, 16_000)).toBe(sound);
  });
});
