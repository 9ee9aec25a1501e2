// The voices of this machine: the order of the engines, and the choice of a voice.
import { Failure } from '../../contract/base/failure.ts';
import type { Context } from '../../contract/base/ports.ts';
import type { InputOf } from '../../contract/operation.ts';
import type { narrate } from '../../contract/operations/speech.ts';
import type { SpeechEngine, Voice } from './engine.ts';
import { fliteEngine } from './flite.ts';
import { programEngines } from './programs.ts';

export interface Listed extends Voice {
  readonly engine: string;
  readonly licence: string;
  readonly installed: boolean;
  /** Its version, or how to install it. */
  readonly note: string;
  /** The voice used when none is chosen. */
  readonly default: boolean;
}

/** The voice and speed of each --voice-style. */
const STYLES: Readonly<Record<string, { readonly voice: string; readonly speed: number }>> = {
  audiobook: { voice: 'flite:slt', speed: 0.95 },
  professional: { voice: 'flite:rms', speed: 1.1 },
  educational: { voice: 'flite:slt', speed: 0.9 },
  presenter: { voice: 'flite:awb', speed: 1.05 },
};
const DEFAULT_VOICE = 'flite:rms';
const SPEEDS = { least: 0.5, most: 3 } as const;

const SEE = 'See what can speak here with pdftool voices.';

/** The embedded engine comes first: it is the same on every machine, and always there. */
export function speechEngines(ctx: Pick<Context, 'packageFile' | 'programs' | 'signal'>): SpeechEngine[] {
  return [fliteEngine(ctx), ...programEngines(ctx.programs, ctx.signal)];
}

export async function listVoices(engines: readonly SpeechEngine[]): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (const engine of engines) {
    const detected = await engine.detect();
    const installed = 'version' in detected;
    const facts = { engine: engine.id, licence: engine.licence, installed };
    const note = installed ? detected.version : `${detected.why}: ${engine.install}`;
    const voices = installed || engine.id === 'flite' ? await engine.voices() : [];
    for (const voice of voices) listed.push({ ...voice, ...facts, note, default: voice.id === DEFAULT_VOICE });
    if (voices.length === 0) {
      listed.push({ id: `${engine.id}:`, language: 'und', quality: 'clear', ...facts, note, default: false });
    }
  }
  return listed;
}

type VoiceChoice = Pick<InputOf<typeof narrate>, 'voice_id' | 'voice_style' | 'language' | 'speed'>;

export interface Speaker {
  readonly engine: SpeechEngine;
  readonly version: string;
  readonly voice: Voice;
  readonly speed: number;
}

/** The voice for a job. Throws where the voice, language or speed is not available. */
export async function chooseSpeaker(engines: readonly SpeechEngine[], choice: VoiceChoice): Promise<Speaker> {
  const { voice_id, voice_style, language } = choice;
  const style = voiceStyle(voice_style);
  const speed = (choice.speed ?? 1) * style.speed;
  if (!(speed >= SPEEDS.least && speed <= SPEEDS.most)) {
    throw new Failure('usage', `expected a speed from ${SPEEDS.least} to ${SPEEDS.most}, found ${choice.speed}`);
  }
  if (voice_id !== undefined) return { ...(await named(engines, voice_id, language)), speed };
  const wanted = style.voice;
  for (const engine of engines) {
    const detected = await engine.detect();
    if (!('version' in detected)) continue;
    const able = (await engine.voices()).filter((voice) => speaks(voice, language ?? 'en'));
    const voice = able.find(({ id }) => id === wanted) ?? able[0];
    if (voice !== undefined) return { engine, version: detected.version, voice, speed };
  }
  const missing = language ?? 'en';
  const embedded = /^en\b/i.test(missing) ? engines.find(({ id }) => id === 'flite') : undefined;
  throw new Failure('unavailable', `no voice here speaks ${missing}`, {
    hint:
      embedded === undefined
        ? 'Install a program that does, such as espeak-ng (apt install espeak-ng); see pdftool voices.'
        : `Install the embedded voice: ${embedded.install}.`,
  });
}

/** @throws Failure where there is no such style. */
export function voiceStyle(name: string | undefined): { readonly voice: string; readonly speed: number } {
  if (name === undefined) return { voice: DEFAULT_VOICE, speed: 1 };
  const key = name.toLowerCase();
  const style = Object.hasOwn(STYLES, key) ? STYLES[key] : undefined;
  if (style !== undefined) return style;
  throw new Failure('usage', `there is no voice style ${name}: expected ${Object.keys(STYLES).join(', ')}`);
}

async function named(engines: readonly SpeechEngine[], id: string, language: string | undefined) {
  const [prefix = ''] = id.split(':');
  for (const engine of engines) {
    if (id.includes(':') && engine.id !== prefix) continue;
    const voices = await engine.voices();
    const voice = voices.find((candidate) => candidate.id === id || candidate.id === `${engine.id}:${id}`);
    if (voice === undefined) continue;
    const detected = await engine.detect();
    if (!('version' in detected)) {
      throw new Failure('unavailable', `the voice ${voice.id} is not installed: ${detected.why}`, {
        hint: `To have it: ${engine.install}.`,
      });
    }
    if (language !== undefined && !speaks(voice, language)) {
      throw new Failure('usage', `the voice ${voice.id} speaks ${voice.language}, not ${language}`, { hint: SEE });
    }
    return { engine, version: detected.version, voice };
  }
  throw new Failure('usage', `there is no voice ${id}`, { hint: SEE });
}

/** Whether a voice speaks a language: en-US and en-GB speak `en`; only en-GB and `en` speak en-GB. */
export function speaks({ language }: Pick<Voice, 'language'>, wanted: string): boolean {
  const [has, wants] = [language.toLowerCase(), wanted.toLowerCase().replaceAll('_', '-')];
  return has === wants || has.startsWith(`${wants}-`) || (wants.includes('-') && has === wants.split('-')[0]);
}
