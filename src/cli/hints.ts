// Owns what is known of a commander argument or option beside its grammar: what completion may offer. Runs nothing.
import type { Argument, Option } from 'commander';
import type { Completion } from '../derive/shape.ts';

const HINTS = new WeakMap<Argument | Option, Completion>();

/** Says what may stand there; gives back what it was given. */
export function hint<T extends Argument | Option>(of: T, completion: Completion): T {
  HINTS.set(of, completion);
  return of;
}

/** By the word a place is named with, where nothing else is said. */
const BY_WORD: Readonly<Record<string, Completion>> = {
  file: { kind: 'files', extensions: [] },
  'file=file': { kind: 'files', extensions: [] },
  files: { kind: 'files', extensions: [] },
  dir: { kind: 'folders' },
  folder: { kind: 'folders' },
  id: { kind: 'asked', what: 'jobs' },
  job: { kind: 'asked', what: 'jobs' },
  ids: { kind: 'asked', what: 'jobs' },
  profile: { kind: 'asked', what: 'profiles' },
  key: { kind: 'asked', what: 'settings' },
};

/** What may stand in the place of an argument or of an option's value. */
export function completionOf(of: Argument | Option, word: string): Completion {
  const known = HINTS.get(of);
  if (known !== undefined) return known;
  if (of.argChoices !== undefined) return { kind: 'words', words: of.argChoices };
  return BY_WORD[word] ?? { kind: 'none' };
}
