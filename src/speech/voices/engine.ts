// The interface of speech engines: a module of ours, another program, or the system.
import type { Sound } from '../audio/level.ts';

export interface Voice {
  /** `engine:name`, which --voice-id takes; the name alone where no other voice has it. */
  readonly id: string;
  /** BCP 47, such as en-US. */
  readonly language: string;
  /** natural: neural or recorded. clear: synthetic and easy to follow. robotic: for those who like it fast. */
  readonly quality: 'natural' | 'clear' | 'robotic';
}

export interface SpeechOptions {
  readonly voice: Voice;
  readonly speed: number;
  /** Sounds of words (ARPABET), by word in lower case. */
  readonly phones: ReadonlyMap<string, readonly string[]>;
  readonly signal: AbortSignal;
}

type Detected = { readonly version: string } | { readonly why: string };

export interface SpeechEngine {
  readonly id: string;
  readonly licence: string;
  readonly install: string;
  /** Whether it reads ASCII only, so that other characters must be spelled out. */
  readonly ascii: boolean;
  readonly takesPhones: boolean;
  detect(): Promise<Detected>;
  /** Its voices, or those it would have if it were installed. */
  voices(): Promise<readonly Voice[]>;
  say(text: string, options: SpeechOptions): Promise<Sound>;
}
