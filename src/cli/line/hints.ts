import { Argument, type Option } from 'commander';
import type { Completion } from '../../derive/shape.ts';

/** Sets what completion offers for an argument or option, and returns it. */
export function hint<T extends Argument | Option>(of: T, completion: Completion): T & { completion: Completion } {
  return Object.assign(of, { completion });
}

/** The default completion, by the name of an argument or value. */
const BY_WORD: Readonly<Record<string, Completion>> = {
  file: { kind: 'files', extensions: [] },
  'file=file': { kind: 'files', extensions: [] },
  files: { kind: 'files', extensions: [] },
  dir: { kind: 'folders' },
  folder: { kind: 'folders' },
  profile: { kind: 'asked', what: 'profiles' },
};

/** An argument `id` is a job's id; the id of an option may be anything. */
const ARGUMENT_BY_WORD: Readonly<Record<string, Completion>> = { id: { kind: 'asked', what: 'jobs' } };

/** What completion offers for an argument or for the value of an option. */
export function completionOf(of: (Argument | Option) & { completion?: Completion }, word: string): Completion {
  if (of.completion !== undefined) return of.completion;
  if (of.argChoices !== undefined) return { kind: 'words', words: of.argChoices };
  return BY_WORD[word] ?? (of instanceof Argument ? ARGUMENT_BY_WORD[word] : undefined) ?? { kind: 'none' };
}
