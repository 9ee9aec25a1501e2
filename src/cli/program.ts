import { Command, CommanderError } from 'commander';
import { Failure } from '../contract/base/failure.ts';
import { type AnyOperation, familyOf } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations/all.ts';
import { OWN_COMMANDS, withApiFields } from './commands/all.ts';
import type { OwnRequest } from './line/call.ts';
import { addFlags, type Flags, type Options, readFlags } from './line/flags.ts';
import type { OwnCommand } from './line/grammar.ts';
import { completeFlags, markRanges } from './line/line-words.ts';
import { buildCommand, nameCommand } from './line/row-command.ts';
import { lineFor, optionFor } from './other-words.ts';

export type Request =
  | {
      readonly kind: 'run';
      readonly op: AnyOperation;
      readonly args: readonly string[];
      readonly options: Options;
      readonly flags: Flags;
    }
  | { readonly kind: 'own'; readonly command: OwnCommand; readonly request: OwnRequest }
  /** `topic`: the words may name a topic; `pages --help` means the command, `help pages` the topic. */
  | { readonly kind: 'help'; readonly words: readonly string[]; readonly topic: boolean }
  | { readonly kind: 'version' };

/** Parses a command line. Throws a usage Failure. */
export function parseLine(words: readonly string[]): Request {
  const argv = inPlace(withApiFields(words));
  if (argv.length === 0) return { kind: 'help', words: [], topic: false };
  let request: Request | undefined;
  let helped: readonly string[] = [];
  const program = buildProgram(argv, {
    parsed: (parsed) => (request = parsed),
    // Help is made elsewhere, so that a run without help does not load it.
    helped: (command) => (helped = pathOf(command)),
  });
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { kind: 'help', words: withTopic(helped, argv), topic: false };
    if (program.opts().version !== true) throw usageFailure(error, program, argv);
  }
  if (request === undefined || program.opts().version === true) return { kind: 'version' };
  return request;
}

/** The words with short forms written out, and page ranges kept in their places (line/line-words.ts). */
function inPlace(words: readonly string[]): readonly string[] {
  const named = words.find((word) => word === 'booklet' || OPERATIONS.some((op) => isCalled(op, word)));
  const argv = inFull(words, named);
  const command = argv.find((word) => OPERATIONS.some((op) => isCalled(op, word)));
  const op = OPERATIONS.find((row) => command !== undefined && isCalled(row, command));
  return op === undefined ? argv : markRanges(completeFlags(argv, op), op);
}

function isCalled({ name, aliases, surface }: AnyOperation, word: string): boolean {
  return surface === 'command' && (name === word || aliases.includes(word));
}

/** `serve --help settings`: a command has topics of its own. Other words behind a command are its arguments. */
function withTopic(path: readonly string[], argv: readonly string[]): readonly string[] {
  const [command = ''] = path;
  const topics = path.length === 1 ? OWN_COMMANDS.find(({ name }) => name === command)?.topics : undefined;
  const asked = topics?.find((name) => argv.slice(argv.indexOf(command) + 1).includes(name));
  return asked === undefined ? path : [...path, asked];
}

interface Listener {
  parsed(request: Request): void;
  helped(command: Command): void;
}

const NO_LISTENER: Listener = { parsed() {}, helped() {} };

/**
 * The commander program. Only commands among `words` are built in full, since all would cost 10 ms of every start;
 * without words all are.
 */
export function buildProgram(
  words: readonly string[] | undefined,
  { parsed, helped }: Listener = NO_LISTENER,
): Command {
  const wanted = (names: readonly string[]) => words === undefined || names.some((name) => words.includes(name));
  const program = new Command('pdftool')
    .configureHelp({
      formatHelp: (command) => {
        helped(command);
        return '';
      },
    })
    .usage('COMMAND [options]')
    .description(
      'The command-line tool for PDFs: merge, split, rotate, compress, read; on this machine, or on a service with the same commands.',
    )
    .exitOverride()
    .configureOutput({ writeOut() {}, writeErr() {}, outputError() {} })
    .option('-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show this help')
    .helpCommand(false);
  addFlags(program);
  const fill = (command: Command, declaration: OwnCommand) =>
    declaration.build(command, (leaf, subcommand = '') => {
      if (leaf.description() === '') leaf.description(`${leaf.summary()}.`);
      leaf.action(() => {
        const flags = readFlags(program.opts());
        // The command keeps an option that it shares with its subcommand, wherever it stands.
        const options = { ...leaf.opts(), ...command.opts() };
        parsed({ kind: 'own', command: declaration, request: { subcommand, args: leaf.args, options, flags } });
      });
    });
  const addOwn = (parent: Command, declaration: OwnCommand) =>
    fill(
      parent.command(declaration.name).summary(declaration.summary).description(`${declaration.summary}.`),
      declaration,
    );
  for (const op of OPERATIONS) {
    if (op.surface !== 'command') continue;
    const command = nameCommand(program, op);
    if (!wanted([familyOf(op) ?? op.name, ...op.aliases])) continue;
    buildCommand(command, op).action(() => {
      const flags = readFlags(program.opts());
      parsed({ kind: 'run', op, args: command.args, options: command.opts(), flags });
    });
    for (const declaration of OWN_COMMANDS) if (declaration.under === op.name) addOwn(command, declaration);
  }
  for (const declaration of OWN_COMMANDS) {
    if (declaration.under !== undefined || (declaration.hidden === true && !wanted([declaration.name]))) continue;
    const known = program.commands.find((command) => command.name() === declaration.name);
    const command = known ?? program.command(declaration.name, { hidden: declaration.hidden === true });
    command
      .summary(declaration.summary)
      .description(`${declaration.summary}.`)
      .helpGroup(declaration.group ?? 'Set-up:');
    if (wanted([declaration.name])) fill(command, declaration);
  }
  const help = program.command('help').argument('[words...]', 'A command or a topic').helpGroup('Set-up:');
  help.summary('Show the help of a command or a topic').description('Shows the help of a command or a topic.');
  help.action(() => parsed({ kind: 'help', words: help.args, topic: true }));
  return program;
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

/** The line to suggest where somebody used a word of another program. */
function otherLine(
  code: string,
  message: string,
  argv: readonly string[],
  program: Command,
  command: Command | undefined,
): string | undefined {
  const word = /'(.*)'/.exec(message)?.[1] ?? '';
  const commands = program.commands.map((known) => known.name());
  if (code === 'commander.unknownCommand') {
    const ownLine = lineFor(word, argv, commands, command?.name());
    if (ownLine !== undefined || command !== undefined) return ownLine;
    // The file first, as in `in.pdf cat 1-3`.
    const others = argv.filter((other) => other !== word && !/[./\\-]/.test(other));
    return /\.pdf$/i.test(word) ? first(others, (other) => lineFor(other, argv, commands)) : undefined;
  }
  // A command written as an option, as in `--decrypt in.pdf`.
  if (code === 'commander.unknownOption' && command !== undefined) return optionFor(word, command.name(), argv);
  return code === 'commander.unknownOption' && command === undefined
    ? (lineFor(word, argv, commands) ?? (commands.includes(word.slice(2)) ? `pdftool ${word.slice(2)}` : undefined))
    : undefined;
}

function first<T, U>(list: readonly T[], find: (item: T) => U | undefined): U | undefined {
  for (const item of list) {
    const value = find(item);
    if (value !== undefined) return value;
  }
  return undefined;
}

function usageFailure(error: CommanderError, program: Command, argv: readonly string[]): Failure {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const command = program.commands.find(
    (named) => argv.includes(named.name()) || named.aliases().some((alias) => argv.includes(alias)),
  );
  if (error.code === 'commander.help' && command !== undefined) {
    const names = command.commands.map((verb) => verb.name()).join(', ');
    return new Failure('usage', `${command.name()} takes one of ${names}`, {
      hint: `Run pdftool ${command.name()} --help.`,
    });
  }
  if (error.code === 'commander.help') {
    return new Failure('usage', 'expected a command', { hint: 'Run pdftool --help, which lists them.' });
  }
  const help = `Run pdftool ${command === undefined ? '' : `${command.name()} `}--help.`;
  const line = otherLine(error.code, message, argv, program, command);
  if (line !== undefined) return new Failure('usage', message, { hint: `Here it is written: ${line}` });
  if (error.code === 'commander.unknownCommand' && /\.(pdf|png|jpe?g)'$/i.test(message)) {
    const file = /'(.*)'/.exec(message)?.[1] ?? '';
    return new Failure('usage', `${file} is no command`, {
      hint: `Name one first, such as pdftool info ${file}. ${help}`,
    });
  }
  if (error.code === 'commander.unknownOption' && /\.\w{3,4}'$/.test(message)) {
    const file = /'(.*)'/.exec(message)?.[1] ?? '';
    return new Failure('usage', message, { hint: `A file whose name begins with - is written ./${file}. ${help}` });
  }
  const meant = suggestion === undefined ? '' : `${suggestion.replace(/^\((.*)\)$/, '$1')} `;
  return new Failure('usage', message, { hint: `${meant}${help}` });
}

// Short forms, written in full before parsing: `rotate a.pdf left`, `booklet a.pdf`.

const ANGLES: Readonly<Record<string, string>> = { left: '-90', right: '90' };
const ANGLE = /^([+-]?(90|180|270)|left|right)$/;

/** `command`: the word that names the command. */
function inFull(argv: readonly string[], command: string | undefined): readonly string[] {
  if (command === 'booklet') {
    return inFull(
      argv.map((word) => (word === command ? 'nup' : word)).toSpliced(argv.indexOf(command) + 1, 0, '--booklet'),
      'nup',
    );
  }
  if (command === 'nup') {
    const isShort = argv.includes('--booklet') && !argv.some((word) => word.startsWith('--per-sheet'));
    return isShort ? argv.toSpliced(argv.indexOf('--booklet'), 0, '--per-sheet=2') : argv;
  }
  return command === 'rotate' ? withAngle(argv) : argv;
}

function withAngle(argv: readonly string[]): readonly string[] {
  const flag = argv.findIndex((word) => word.startsWith('--angle'));
  if (flag >= 0) {
    const [name = '', value = argv[flag + 1] ?? ''] = (argv[flag] ?? '').split('=');
    const angle = ANGLES[value];
    const taken = argv[flag] === name ? 2 : 1;
    return angle === undefined || name !== '--angle' ? argv : argv.toSpliced(flag, taken, `--angle=${angle}`);
  }
  if (argv.includes('--')) return argv;
  // A word behind an option may be its value.
  const at = argv.findIndex(
    (word, i) => i > argv.indexOf('rotate') && ANGLE.test(word) && !/^-/.test(argv[i - 1] ?? ''),
  );
  const word = argv[at];
  return word === undefined ? argv : argv.with(at, `--angle=${ANGLES[word] ?? word}`);
}
