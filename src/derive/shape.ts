/** What can be completed at one place of a command line. */
export type Completion =
  /** Files with these extensions; any file where the list is empty. */
  | { readonly kind: 'files'; readonly extensions: readonly string[] }
  | { readonly kind: 'folders' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Words that only the machine itself knows: `pdftool __complete` prints them. */
  | { readonly kind: 'asked'; readonly what: Asked }
  | { readonly kind: 'none' };

export const ASKED = ['jobs', 'profiles', 'settings'] as const;
export type Asked = (typeof ASKED)[number];

export interface OptionShape {
  readonly short: string | undefined;
  readonly long: string | undefined;
  /** The name of its value; undefined for a switch. */
  readonly value: string | undefined;
  readonly completes: Completion;
  readonly summary: string;
}

export interface ArgumentShape {
  readonly name: string;
  readonly summary: string;
  readonly many: boolean;
  readonly completes: Completion;
}

export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly blocks: readonly (
    | string
    | { readonly title: string; readonly rows: readonly (readonly [string, string])[] }
  )[];
}

/** A block of text with a title of its own, such as limits. */
export interface Note {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface CommandShape {
  readonly name: string;
  /** Names from the program down, without the program: `auth login`. */
  readonly path: readonly string[];
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** The heading it stands under. */
  readonly group: string;
  /** What follows its name: `FILE [options]`. */
  readonly usage: string;
  readonly arguments: readonly ArgumentShape[];
  readonly options: readonly OptionShape[];
  readonly commands: readonly CommandShape[];
  readonly examples: readonly string[];
  readonly notes: readonly Note[];
  /** Topics of `COMMAND --help TOPIC`, which its man page shows too. */
  readonly topics: readonly Topic[];
}

export interface ProgramShape extends CommandShape {
  readonly everywhere: readonly OptionShape[];
}

/** The command at a path of names or aliases. */
export function commandAt(program: CommandShape, path: readonly string[]): CommandShape | undefined {
  return path.reduce<CommandShape | undefined>(
    (at, name) => at?.commands.find((command) => command.name === name || command.aliases.includes(name)),
    program,
  );
}

/** A command and all below it, the outer first. */
export function* everyCommand(command: CommandShape): Generator<CommandShape> {
  yield command;
  for (const child of command.commands) yield* everyCommand(child);
}
