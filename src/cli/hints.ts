import { Argument, type Option } from 'commander';
import type { Completion } from '../derive/shape.ts';

/** Says what completion may offer there; gives back what it was given. */
export function hint<T extends Argument | Option>(of: T, completion: Completion): T & { completion: Completion } {
  return Object.assign(of, { completion });
}

/** By the word a place is named with, where nothing else is said. */
const BY_WORD: Readonly<Record<string, Completion>> = {
  file: { kind: 'files', extensions: [] },
  'file=file': { kind: 'files', extensions: [] },
  files: { kind: 'files', extensions: [] },
  dir: { kind: 'folders' },
  folder: { kind: 'folders' },
  profile: { kind: 'asked', what: 'profiles' },
};

/** An id that stands alone is that of a job; the id of an option may be anything's. */
const ARGUMENT_BY_WORD: Readonly<Record<string, Completion>> = { id: { kind: 'asked', what: 'jobs' } };

/** What may stand in the place of an argument or of an option's value. */
export function completionOf(of: (Argument | Option) & { completion?: Completion }, word: string): Completion {
  if (of.completion !== undefined) return of.completion;
  if (of.argChoices !== undefined) return { kind: 'words', words: of.argChoices };
  return BY_WORD[word] ?? (of instanceof Argument ? ARGUMENT_BY_WORD[word] : undefined) ?? { kind: 'none' };
}
