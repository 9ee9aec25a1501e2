// Voices of other programs and of the system. They run as processes, so their code is not linked here, whatever its
// licence.

import { Failure } from '../../contract/base/failure.ts';
import type { Programs } from '../../contract/base/ports.ts';
import { command, field, say } from '../../contract/base/wording.ts';
import type { Sound } from '../audio/level.ts';
import { readWav } from '../audio/wav.ts';
import type { SpeechEngine, SpeechOptions, Voice } from './engine.ts';

/** Milliseconds for one sentence, which takes a second at most. */
const PATIENCE = 60_000;
/** A list of voices. */
const LOOK = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

interface SpeechProgram {
  readonly id: string;
  readonly licence: string;
  readonly install: string;
  readonly program: string;
  /** The program that lists its voices, where that is another one. */
  readonly lister?: string;
  /** The only system that has it. */
  readonly platform?: string;
  /** Why it cannot speak even though its program is installed. */
  lacks?(programs: Programs): string | undefined;
  /** Arguments that print its version, which is the first number of the output. */
  readonly version?: readonly string[];
  readonly ascii?: true;
  readonly quality: Voice['quality'];
  /** The names of its voices, and their languages. */
  voices(ask: (...args: string[]) => Promise<string>, programs: Programs): Promise<(readonly [string, string])[]>;
  /** `{output}` stands for a WAV file; without it the sound is on standard output. */
  command(name: string, speed: number, text: string, programs: Programs): { args: string[]; input?: string };
}

const PIPER_MODEL = 'PDFTOOL_PIPER_MODEL';

/** The order of preference for a language: the most natural first. */
const SPEAKERS: readonly SpeechProgram[] = [
  {
    id: 'piper',
    licence: 'GPL-3.0, a separate program',
    install: `install piper and a voice of yours, and set ${PIPER_MODEL} to its .onnx file`,
    program: 'piper',
    quality: 'natural',
    lacks: ({ setting }) => (setting(PIPER_MODEL) === undefined ? `${PIPER_MODEL} names no model` : undefined),
    async voices(_, { setting }) {
      // Models are named en_US-lessac-medium.onnx.
      const name = /([^/\\]+?)(?:\.onnx)?$/.exec(setting(PIPER_MODEL) ?? '')?.[1] ?? 'model';
      const language = /^([a-z]{2,3})_([A-Z]{2})/.exec(name);
      return [[name, language ? `${language[1]}-${language[2]}` : 'und']];
    },
    command: (_, speed, text, { setting }) => ({
      args: [
        ...['--model', setting(PIPER_MODEL) ?? '', '--length_scale', (1 / speed).toFixed(3)],
        ...['--noise_scale', '0', '--noise_w', '0', '--output_file', '{output}'],
      ],
      input: text,
    }),
  },
  {
    id: 'say',
    licence: 'part of macOS',
    install: 'comes with macOS; more voices: System Settings, Accessibility, Spoken Content',
    program: 'say',
    quality: 'natural',
    platform: 'darwin',
    async voices(ask) {
      const list = await ask('-v', '?');
      const lines = list.matchAll(/^(\S.*?)\s+([a-z]{2,3})[_-]([A-Z]{2,3})\s+#/gm);
      return [...lines].map(([, name = '', language, region]) => [name, `${language}-${region}`]);
    },
    command: (name, speed, text) => ({
      args: [
        '-v',
        name,
        '-r',
        String(Math.round(175 * speed)),
        '--data-format=LEI16@22050',
        '-o',
        '{output}',
        '-f',
        '-',
      ],
      input: text,
    }),
  },
  {
    id: 'sapi',
    licence: 'part of Windows',
    install: 'comes with Windows; more voices: Settings, Time & language, Speech',
    program: 'powershell',
    quality: 'natural',
    platform: 'win32',
    async voices(ask) {
      const list = await ask(
        '-NoProfile',
        '-Command',
        `${SAPI} $s.GetInstalledVoices() | % { $_.VoiceInfo.Culture.Name + ' ' + $_.VoiceInfo.Name }`,
      );
      const lines = list.matchAll(/^([a-z]{2,3}-[A-Za-z]{2,4}) (.+?)\r?$/gm);
      return [...lines].map(([, language = '', name = '']) => [name, language]);
    },
    command: (name, speed, text) => ({
      args: [
        '-NoProfile',
        '-Command',
        `${SAPI} $s.SelectVoice('${name.replaceAll("'", "''")}'); $s.Rate = ${Math.round((10 * Math.log(speed)) / Math.log(3))}; ` +
          `$s.SetOutputToWaveFile('{output}'); $s.Speak([Console]::In.ReadToEnd()); $s.Dispose()`,
      ],
      input: text,
    }),
  },
  {
    id: 'festival',
    licence: 'permissive, a separate program',
    install: 'apt install festival festvox-us-slt-hts',
    program: 'text2wave',
    quality: 'clear',
    lister: 'festival',
    ascii: true,
    async voices(ask) {
      // English only: voices of other languages need encodings of their own.
      const list = await ask('--batch', FESTIVAL_VOICES);
      const lines = list.matchAll(/^([a-z]\w*) english (\w+)$/gm);
      return [...lines].map(([, name = '', dialect]) => [name, dialect === 'american' ? 'en-US' : 'en-GB']);
    },
    command: (name, speed, text) => ({
      args: [
        '-eval',
        // A kind of voice knows one of the two parameters.
        `(begin (voice_${name}) (Parameter.set 'Duration_Stretch ${(1 / speed).toFixed(3)})
          (if (boundp 'hts_engine_params)
            (set! hts_engine_params (append hts_engine_params (list (list "-r" ${speed.toFixed(3)}))))))`,
        ...['-o', '{output}'],
      ],
      input: text,
    }),
  },
  {
    id: 'pico',
    licence: 'Apache-2.0, a separate program',
    install: 'apt install libttspico-utils (non-free)',
    program: 'pico2wave',
    quality: 'clear',
    async voices() {
      return ['en-US', 'en-GB', 'de-DE', 'es-ES', 'fr-FR', 'it-IT'].map((language) => [language, language]);
    },
    command: (name, speed, text) => ({
      args: [
        '-l',
        name,
        '-w',
        '{output}',
        '--',
        `<speed level="${Math.round(100 * speed)}">${text.replace(/[<>&]/g, ' ')}</speed>`,
      ],
    }),
  },
  {
    id: 'espeak-ng',
    licence: 'GPL-3.0, a separate program',
    install: 'apt install espeak-ng, brew install espeak-ng, or winget install espeak-ng',
    program: 'espeak-ng',
    quality: 'robotic',
    version: ['--version'],
    async voices(ask) {
      const list = await ask('--voices');
      const lines = list.matchAll(/^\s*\d+\s+([a-z]{2,3}(?:-[\w-]+)?)\s/gm);
      return [...lines].map(([, language = '']) => [language, language]);
    },
    command: (name, speed, text) => ({
      args: ['-v', name, '-s', String(Math.round(165 * speed)), '--stdin', '--stdout', '-b', '1'],
      input: text,
    }),
  },
];

/** Prints a line for each voice: its name, language and dialect. */
const FESTIVAL_VOICES = `(mapcar
  (lambda (voice)
    (let ((facts (cadr (voice.description voice))))
      (format t "%l %l %l\\n" voice (cadr (assoc 'language facts)) (cadr (assoc 'dialect facts)))))
  (voice.list))`;

const SAPI = 'Add-Type -AssemblyName System.Speech; $s = New-Object System.Speech.Synthesis.SpeechSynthesizer;';

export function programEngines(programs: Programs | undefined, signal: AbortSignal): SpeechEngine[] {
  const speakers = SPEAKERS.filter(({ platform }) => platform === undefined || platform === programs?.platform);
  return speakers.map((speaker) => engineOf(speaker, programs, signal));
}

function engineOf(speaker: SpeechProgram, programs: Programs | undefined, signal: AbortSignal): SpeechEngine {
  const path = programs?.find(speaker.program);
  const ask = async (...args: string[]): Promise<string> => {
    const asked = speaker.lister === undefined ? path : programs?.find(speaker.lister);
    if (programs === undefined || path === undefined || asked === undefined) return '';
    const { bytes } = await programs.run(asked, args, { signal, patience: LOOK, most: MOST_BYTES });
    return new TextDecoder().decode(bytes);
  };
  const { id, licence, install, ascii = false, quality } = speaker;
  return {
    id,
    licence,
    install,
    ascii,
    takesPhones: false,
    async detect() {
      if (programs === undefined) return { why: 'no other program is run here' };
      if (path === undefined) return { why: `${speaker.program} is not on PATH` };
      const lacking = speaker.lacks?.(programs);
      if (lacking !== undefined) return { why: lacking };
      const version = speaker.version === undefined ? '' : await ask(...speaker.version);
      return { version: /\d+(?:\.\d+)+/.exec(version)?.[0] ?? 'installed' };
    },
    // espeak-ng has several voices of the same name.
    voices: async () => {
      const voices = programs === undefined ? [] : await speaker.voices(ask, programs);
      return [...new Map(voices)].map(([name, language]) => ({ id: `${id}:${name}`, language, quality }));
    },
    async say(text, options) {
      if (programs === undefined || path === undefined) throw lost(speaker, 'is not there any more');
      return sound(speaker, programs, path, text, options);
    },
  };
}

async function sound(
  speaker: SpeechProgram,
  programs: Programs,
  path: string,
  text: string,
  options: SpeechOptions,
): Promise<Sound> {
  const name = options.voice.id.slice(speaker.id.length + 1);
  const { args, input } = speaker.command(name, options.speed, text, programs);
  const run = await programs.run(path, args, {
    signal: options.signal,
    patience: PATIENCE,
    most: MOST_BYTES,
    input: new TextEncoder().encode(input ?? ''),
    ...(args.some((arg) => arg.includes('{output}')) ? { output: '.wav' } : {}),
  });
  const wav = run.code === 0 ? readWav(run.bytes) : undefined;
  if (wav === undefined)
    throw lost(speaker, `gave no sound (exit code ${run.code ?? 'none'}): ${run.output.trim().slice(-300)}`);
  return wav;
}

function lost({ program }: SpeechProgram, what: string): Failure {
  return new Failure('unavailable', `${program} ${what}`, {
    hint: say`Choose another voice with ${field('voice_id')}; see them with ${command('voices')}.`,
  });
}
