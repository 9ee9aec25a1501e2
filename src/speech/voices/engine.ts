// What every engine of speech offers, whatever it is: a module of ours, a program, or the system.
import type { Sound } from '../audio/level.ts';

export interface Voice {
  /** `engine:name`, which --voice-id takes; the name alone where no other voice has it. */
  readonly id: string;
  /** BCP 47, such as en-US. */
  readonly language: string;
  /** natural: neural or recorded. clear: synthetic and easy to follow. robotic: for those who like it fast. */
  readonly quality: 'natural' | 'clear' | 'robotic';
}

export interface Wish {
  readonly voice: Voice;
  /** 1 is normal. */
  readonly speed: number;
  /** Sounds of words (ARPABET), by word in lower case. */
  readonly phones: ReadonlyMap<string, readonly string[]>;
  readonly signal: AbortSignal;
}

export type Detected = { readonly version: string } | { readonly why: string };

export interface SpeechEngine {
  readonly id: string;
  readonly licence: string;
  /** How it comes onto a machine that has it not. */
  readonly install: string;
  /** It knows ASCII alone: other characters are written out before. */
  readonly ascii: boolean;
  /** Whether it can be told the sounds of a word. */
  readonly takesPhones: boolean;
  detect(): Promise<Detected>;
  /** Those it has here; those it would have where it is not installed. */
  voices(): Promise<readonly Voice[]>;
  /** The sound of one sentence. */
  say(text: string, wish: Wish): Promise<Sound>;
}
