import { Argument, type Command, Option } from 'commander';
import type { Field, TextField } from '../../contract/field.ts';
import { ANY, EXTENSIONS, PDF } from '../../contract/media.ts';
import { type AnyOperation, FAMILIES, familyOf, GROUPS, positionalOf, wordsOf } from '../../contract/operation.ts';
import { takesPages } from '../../contract/page-fields.ts';
import type { Completion } from '../../derive/shape.ts';
import { addJobOptions, several } from './grammar.ts';
import { hint } from './hints.ts';

/** Declares a subcommand by name and summary: all that the program's help needs. */
export function nameCommand(program: Command, op: AnyOperation): Command {
  const family = familyOf(op);
  const parent = family === undefined ? program : familyCommand(program, op, family);
  const command = parent.command(wordsOf(op).split(' ').at(-1) ?? op.name).summary(op.summary);
  if (family === undefined) command.helpGroup(`${GROUPS[op.group]}:`);
  for (const alias of op.aliases) command.alias(alias);
  return command;
}

/** The parent command of a family of rows, made for the first of them. */
function familyCommand(program: Command, { group }: AnyOperation, name: keyof typeof FAMILIES): Command {
  const summary = FAMILIES[name];
  return (
    program.commands.find((command) => command.name() === name) ??
    program.command(name).summary(summary).description(`${summary}.`).helpGroup(`${GROUPS[group]}:`)
  );
}

export function buildCommand(command: Command, op: AnyOperation): Command {
  command.description(`${op.description ?? op.summary}.`);
  if (op.aliases.length > 0) command.addHelpText('after', `\nAlso called ${op.aliases.join(', ')}.`);
  const positional = positionalOf(op);
  if (positional !== undefined) {
    const [name, field] = positional;
    // Optional here, so that a missing file is reported together with all else that is wrong.
    command.addArgument(hint(new Argument(`[${placeholder(name)}...]`, field.summary), completionFor(field)));
    command.usage(usageOf(op, field, placeholder(name)));
  }
  for (const [name, field] of Object.entries(op.input)) {
    if (name === positional?.[0]) continue;
    for (const option of optionsOf(op, name, field)) command.addOption(option);
  }
  if (positional !== undefined && positional[1].kind !== 'text') {
    command.option('--recursive', 'Also take the files in all subfolders of a folder');
    const sort = new Option('--sort <order>', 'Order of the files: given, or natural (1, 2, 10)');
    command.addOption(hint(sort, { kind: 'words', words: ['given', 'natural'] }));
  }
  if (readsPdf(positional?.[1])) {
    command.option('--password-file <file>', 'File whose first line is the password of the PDFs; - is standard input');
    const single = 'The same for one input: FILE=PASSWORDFILE; may be repeated';
    command.option('--password-for <file=file>', single, several);
    if (offersSalvage(op)) {
      const salvage = 'Of a damaged PDF that readers disagree on take what is likeliest, on this machine; exit 3';
      command.option('--salvage', salvage);
      if (writesPdf(op)) {
        const keep = 'Refuse what would break a claim to be PDF/A or PDF/UA, on this machine';
        command.option('--keep-conformance', keep);
      }
    }
  }
  if (isBatchable(op)) {
    command.option(
      '--out-dir <dir>',
      'Folder for the outputs of several files, or of a folder; made where it is missing',
    );
    command.option('-j, --jobs <n>', 'Files worked on at the same time, with --out-dir (default 1)');
    command.option('--skip-existing', 'Skip files whose output exists');
  }
  if (Object.values(op.outputs).some(({ kind }) => kind === 'job')) {
    addJobOptions(command, true);
    command.option('--again', 'Send it even if an earlier try may have been charged, or still runs');
    command.option('-y, --yes', 'Do not ask before expensive calls');
  }
  if (Object.values(op.outputs).some((output) => output.kind === 'bytes' && output.measured === true)) {
    command.option('--require-target', 'Exit 3 when the output is above the target size');
  }
  return command;
}

function completionFor(field: Field): Completion {
  switch (field.kind) {
    case 'file':
    case 'files':
      return {
        kind: 'files',
        extensions: field.types.includes(ANY) ? [] : field.types.flatMap((type) => EXTENSIONS[type] ?? []),
      };
    case 'choice':
      return { kind: 'words', words: field.values.map(String) };
    case 'text':
      return field.seen === undefined ? { kind: 'none' } : { kind: 'words', words: field.seen };
    default:
      return { kind: 'none' };
  }
}

/** The field of the last word of a line, behind the files. */
export function trailingField(op: AnyOperation): readonly [string, TextField<boolean>] | undefined {
  for (const [name, field] of Object.entries(op.input)) {
    if (field.kind === 'text' && field.last === true) return [name, field];
  }
  return undefined;
}

/** A command for one file takes several, one after the other. */
export function isBatchable(op: AnyOperation): boolean {
  return positionalOf(op)?.[1].kind === 'file';
}

/** Whether the command takes `--salvage`. */
export function offersSalvage(op: AnyOperation): boolean {
  return op.local === true && op.surface === 'command' && readsPdf(positionalOf(op)?.[1]);
}

function readsPdf(field: Field | undefined): boolean {
  return (field?.kind === 'file' || field?.kind === 'files') && field.types.includes(PDF);
}

function writesPdf({ outputs }: AnyOperation): boolean {
  return Object.values(outputs).some(
    (output) =>
      (output.kind === 'bytes' && output.mediaType === PDF) ||
      (output.kind === 'parts' && output.partTypes.includes(PDF)),
  );
}

/** `target_bytes` -> `--target-bytes` */
export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** The flag of a field; that of a secret takes a file name. */
export function optionFlag(name: string, field: Field): string {
  return field.kind === 'secret' ? `${flagOf(name)}-file` : flagOf(name);
}

/** `target-bytes` -> `targetBytes`: the key under which commander keeps an option's value. */
export function optionKey(flag: string): string {
  return flag.replace(/^--/, '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function optionsOf(op: AnyOperation, name: string, field: Field): Option[] {
  const flag = optionFlag(name, field);
  const summary = describe(op, name, field);
  if (field.kind === 'secret') return field.ofFile ? [] : [new Option(`${flag} <file>`, summary)];
  if (field.kind === 'flag') {
    const no = new Option(flag.replace('--', '--no-'), `Turn ${flag} off`);
    return field.default === true ? [new Option(flag, summary), no] : [new Option(flag, summary)];
  }
  const value =
    field.kind === 'integer' && field.alone !== undefined ? `[${valueName(field)}]` : `<${valueName(field)}>`;
  const option = hint(new Option(`${flag} ${value}`, summary), completionFor(field));
  if (field.spelling === undefined) return [option];
  return [new Option(`--${field.spelling} <size>`, `${field.summary}; such as 200KB`), option.hideHelp()];
}

function describe(op: AnyOperation, name: string, field: Field): string {
  const chosen = op.commandDefaults?.[name] ?? field.default;
  const notes = [
    field.kind === 'choice' ? `one of ${field.values.join(', ')}` : undefined,
    field.kind === 'text' && field.seen !== undefined ? `such as ${field.seen.join(', ')}` : undefined,
    field.kind === 'text' && field.maxLength !== undefined ? `at most ${field.maxLength} characters` : undefined,
    field.kind === 'integer' || field.kind === 'number' ? boundsOf(field.min, field.max) : undefined,
    field.kind === 'integer' && field.alone !== undefined ? `${field.alone} without a number` : undefined,
    field.kind === 'text' && field.last === true ? 'or as the last word' : undefined,
    chosen === undefined ? undefined : chosen === true ? 'the default' : `default ${String(chosen)}`,
    field.kind === 'secret' ? `the first line of this file, or ${field.environment}` : undefined,
    field.required ? (field.kind === 'secret' ? 'else asked for' : 'required') : undefined,
    field.extension === true ? 'on this machine only' : undefined,
  ].filter((note) => note !== undefined && !field.summary.includes(note));
  return notes.length === 0 ? field.summary : `${field.summary} (${notes.join('; ')})`;
}

function boundsOf(min: number | undefined, max: number | undefined): string | undefined {
  if (max === undefined) return min === undefined ? undefined : `at least ${min}`;
  return `${min ?? 0} to ${max}`;
}

function valueName(field: Field): string {
  if (takesPages(field) || (field.kind === 'text' && field.grammar !== undefined)) return 'pages';
  const names = { integer: 'n', number: 'n', size: 'bytes', object: 'json', file: 'file' } as const;
  return field.kind in names ? names[field.kind as keyof typeof names] : field.kind === 'choice' ? 'choice' : 'text';
}

function placeholder(name: string): string {
  return name.replaceAll('_', '-');
}

function usageOf(op: AnyOperation, field: Field, name: string): string {
  const last = trailingField(op);
  const shown = name.toUpperCase();
  if (last !== undefined) {
    const word = placeholder(last[0]).toUpperCase();
    return `${shown} ${last[1].required ? word : `[${word}]`} [options]`;
  }
  const more = field.kind === 'files' ? (field.min > 1 ? ` ${shown}...` : '...') : '';
  return `${shown}${more} [options]`;
}
