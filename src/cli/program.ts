// Owns the grammar of the command line: one commander program computed from the rows. Runs nothing.
import { Command, CommanderError } from 'commander';
import { Failure } from '../contract/failure.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { OWN_COMMANDS, type OwnCommand, type OwnRequest, withApiFields } from './commands/table.ts';
import { addFlags, type Flags, readFlags } from './flags.ts';
import { formatHelp } from './help.ts';
import { buildCommand, nameCommand } from './row-command.ts';

/** What the line asks for. */
export type Request =
  | {
      readonly kind: 'run';
      readonly op: AnyOperation;
      readonly args: readonly string[];
      readonly options: Options;
      readonly flags: Flags;
    }
  | { readonly kind: 'own'; readonly command: OwnCommand; readonly request: OwnRequest }
  | { readonly kind: 'print'; readonly text: string };

/** What commander found for the options of one command, by camelCase key. */
export type Options = Readonly<Record<string, unknown>>;

/** Parses a command line. Throws a usage Failure; help and version come back as text. */
export function parseLine(words: readonly string[], version: () => string, columns: number): Request {
  const argv = withApiFields(words);
  let printed = '';
  let request: Request | undefined;
  const program = new Command('pdftool')
    .usage('COMMAND [options]')
    .description('Merge, split, rotate and inspect PDFs: on this machine, or on a service with the same commands.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => (printed += text),
      writeErr() {},
      outputError() {},
      getOutHelpWidth: () => columns,
    })
    .configureHelp({ formatHelp, showGlobalOptions: true })
    .option('-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show this help')
    .helpCommand('help [command]', 'Show the help of a command')
    .addHelpText('after', EXAMPLES);
  addFlags(program);
  for (const op of OPERATIONS) {
    if (op.surface !== 'command') continue;
    const command = nameCommand(program, op);
    // Only what the line may mean is built in full: the start-up of all others would cost 10 ms.
    if (![op.name, ...op.aliases].some((name) => argv.includes(name))) continue;
    buildCommand(command, op).action(() => {
      const flags = readFlags(program.opts());
      request = { kind: 'run', op, args: command.args, options: command.opts(), flags };
    });
  }
  for (const own of OWN_COMMANDS) {
    const command = program.command(own.name).summary(own.summary).description(`${own.summary}.`).helpGroup('Set-up:');
    if (!argv.includes(own.name)) continue;
    own.build(command, (leaf, subcommand = '') => {
      leaf.action(() => {
        const flags = readFlags(program.opts());
        request = { kind: 'own', command: own, request: { subcommand, args: leaf.args, options: leaf.opts(), flags } };
      });
    });
  }
  try {
    program.parse(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'print', text: printed };
    if (program.opts().version !== true) throw usageFailure(error, program, argv);
  }
  if (request === undefined || program.opts().version === true) return { kind: 'print', text: `${version()}\n` };
  return request;
}

const EXAMPLES = `
Examples:
  pdftool merge chapter*.pdf -o book.pdf
  pdftool split report.pdf --ranges 1-3,7-9
  pdftool rotate scan.pdf --angle 90
  pdftool info report.pdf --json

pdftool COMMAND --help tells more of a command.`;

function usageFailure(error: CommanderError, program: Command, argv: readonly string[]): Failure {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const command = program.commands.find(
    (each) => argv.includes(each.name()) || each.aliases().some((a) => argv.includes(a)),
  );
  if (error.code === 'commander.help' && command !== undefined) {
    const names = command.commands.map((each) => each.name()).join(', ');
    return new Failure('usage', `${command.name()} takes one of ${names}`, {
      hint: `Run pdftool ${command.name()} --help.`,
    });
  }
  const help = `Run pdftool ${command === undefined ? '' : `${command.name()} `}--help.`;
  const meant = suggestion === undefined ? '' : `${suggestion.replace(/^\((.*)\)$/, '$1')} `;
  return new Failure('usage', message, { hint: `${meant}${help}` });
}
