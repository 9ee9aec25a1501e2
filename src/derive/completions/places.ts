import { type CommandShape, type Completion, everyCommand, type OptionShape, type ProgramShape } from '../shape.ts';

export interface CompletionPlace {
  /** Names from the program down, joined by spaces; empty for the program. */
  readonly path: string;
  readonly commands: readonly Pick<CommandShape, 'name' | 'path' | 'aliases' | 'summary'>[];
  /** Its own options. Global options stand at the program. */
  readonly options: readonly OptionShape[];
  /** Completions of its arguments, in order; the last one repeats where `many` is set. */
  readonly arguments: readonly Completion[];
  readonly many: boolean;
}

/** Every command as a place of the line; the program has the global options. */
export function placesOf(program: ProgramShape): CompletionPlace[] {
  return [...everyCommand(program)].map((command) => ({
    path: command.path.join(' '),
    commands: command.commands,
    options: command.path.length === 0 ? program.everywhere : command.options,
    arguments: command.arguments.map(({ completes }) => completes),
    many: command.arguments.at(-1)?.many === true,
  }));
}

/** `-o`, `--output` */
export function flagsOf({ short, long }: OptionShape): string[] {
  return [short, long].filter((flag) => flag !== undefined);
}

/** Texts of options that two or more commands share, in order of appearance: a script has each once. */
export function repeated(
  places: readonly CompletionPlace[],
  write: (option: OptionShape) => readonly string[],
): string[] {
  const times = new Map<string, number>();
  for (const { options } of places.slice(1)) {
    for (const text of options.flatMap(write)) times.set(text, (times.get(text) ?? 0) + 1);
  }
  return [...times].filter(([, count]) => count > 1).map(([text]) => text);
}

export function extensionsOf(places: readonly CompletionPlace[]): string[] {
  const all = places.flatMap((place) => [...place.arguments, ...place.options.map(({ completes }) => completes)]);
  return [...new Set(all.flatMap((completion) => (completion.kind === 'files' ? completion.extensions : [])))].sort();
}

/** A completion as one line: `files pdf`, `folders`, `words a b`, `asked jobs`; undefined for nothing. */
export function wordsFor(completion: Completion): string | undefined {
  switch (completion.kind) {
    case 'files':
      return ['files', ...completion.extensions].join(' ');
    case 'folders':
      return 'folders';
    case 'words':
      return ['words', ...completion.words].join(' ');
    case 'asked':
      return `asked ${completion.what}`;
    case 'none':
      return undefined;
  }
}

/** `pdf` -> `[pP][dD][fF]`: extensions in either case, for shells without an option for that. */
export function eitherCase(extension: string): string {
  return [...extension]
    .map((letter) => (/[a-z]/.test(letter) ? `[${letter}${letter.toUpperCase()}]` : letter))
    .join('');
}
