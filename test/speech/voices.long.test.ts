// The voices of this machine: listed in the order in which they are asked, each heard at two speeds, and chosen by language.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { readWav } from '../../src/speech/audio/wav.ts';
import { CLEAN, folder, pdftool } from '../e2e/pdftool.ts';

interface Listed {
  readonly id: string;
  readonly language: string;
  readonly quality: string;
  readonly licence: string;
  readonly engine: string;
  readonly installed: boolean;
  readonly note: string;
  readonly default: boolean;
}

const here = folder();
afterAll(() => here[Symbol.dispose]());
const env = { ...CLEAN, PDFTOOL_ENGINE: 'local' };
const run = (...args: string[]) => pdftool(args, { cwd: here.path, env });
const { voices } = JSON.parse((await run('voices', '--json')).stdout) as { voices: Listed[] };

async function sound(...args: string[]) {
  const done = await run(
    'voice-preview',
    'The keeper climbed the stairs and lit the lamp.',
    ...args,
    '-o',
    'v.wav',
    '-f',
  );
  expect([done.stderr, done.exitCode]).toEqual([expect.not.stringContaining('error'), 0]);
  const made = readWav(readFileSync(here.at('v.wav')));
  if (made === undefined) throw new Error('a preview is a WAV file');
  return { seconds: made.pcm.length / made.sampleRate, peak: made.pcm.reduce((most, each) => Math.max(most, each), 0) };
}

describe('the list', () => {
  it('has each voice once, with all that is to be known of it, the embedded ones first', () => {
    expect(new Set(voices.map(({ id }) => id)).size).toBe(voices.length);
    for (const { licence, language, note } of voices) expect([licence, language, note]).not.toContain('');
    expect(voices.slice(0, 4).map(({ engine }) => engine)).toEqual(Array(4).fill('flite'));
    expect(voices.filter((voice) => voice.default).map(({ id }) => id)).toEqual(['flite:rms']);
    const engines = [...new Set(voices.map(({ engine }) => engine))];
    expect(engines.filter((name) => !['say', 'sapi'].includes(name))).toEqual([
      ...['flite', 'piper', 'festival', 'pico', 'espeak-ng'],
    ]);
  });

  it('is cut to a language, and says how what is missing is installed', async () => {
    const cut = (await run('voices', '--language', 'en-GB')).stdout.split('\n').filter((line) => line.startsWith('ok'));
    expect(cut.some((line) => line.includes('flite:awb'))).toBe(true);
    expect(cut.some((line) => line.includes('flite:slt'))).toBe(false);
    for (const voice of voices.filter(({ installed }) => !installed))
      expect(voice.note).toMatch(/install|set PDFTOOL_/);
  });
});

/** A voice of each engine; those of espeak-ng are many, and begin with other languages. */
const ENGINES = ['flite:rms', 'flite:slt', 'flite:awb', 'flite:kal16', 'festival:', 'pico:en-US', 'espeak-ng:en-us'];

describe('heard', () => {
  describe.each(ENGINES)('%s', (name) => {
    const voice = voices.find(({ id, installed }) => installed && id.startsWith(name));

    it.skipIf(voice === undefined)(
      'and faster where that is asked for (skipped where it is not installed)',
      async () => {
        const normal = await sound('--voice-id', voice?.id ?? '');
        const fast = await sound('--voice-id', voice?.id ?? '', '--speed', '1.5');
        expect(normal.seconds).toBeGreaterThan(1.5);
        expect(normal.seconds / fast.seconds).toBeGreaterThan(1.2);
        expect(normal.peak).toBeGreaterThan(3_000);
      },
    );
  });

  it('a language is spoken by the first that can, and no other', async () => {
    const german = voices.find(({ installed, language }) => installed && /^de\b/.test(language));
    const done = await run('voice-preview', 'Guten Tag.', '--language', 'de', '-o', 'de.mp3');
    expect(done.exitCode).toBe(german === undefined ? 24 : 0);
    expect((await run('voice-preview', 'Guten Tag.', '--language', 'de', '--voice-id', 'rms')).exitCode).toBe(2);
  });

  it('a style is a voice and a speed', async () => {
    const plain = await sound('--voice-id', 'slt');
    const slow = await sound('--voice-style', 'educational');
    expect(slow.seconds / plain.seconds).toBeCloseTo(1 / 0.9, 1);
  });
});
