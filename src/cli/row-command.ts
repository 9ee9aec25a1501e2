// Owns how a row looks on the command line: positionals, flags, help. Runs nothing.
import { type Command, Option } from 'commander';
import type { Field } from '../contract/field.ts';
import { PDF } from '../contract/media.ts';
import type { AnyOperation } from '../contract/operation.ts';

const GROUPS = { pages: 'Pages:', size: 'Size:', text: 'Text:', speech: 'Speech:', service: 'Service:' } as const;

/** A subcommand's name and summary: all that help of the program needs. */
export function nameCommand(program: Command, op: AnyOperation): Command {
  const command = program.command(op.name).summary(op.summary).helpGroup(GROUPS[op.group]);
  for (const alias of op.aliases) command.alias(alias);
  return command;
}

/** The rest of a subcommand, for the one that is asked for. */
export function buildCommand(command: Command, op: AnyOperation): Command {
  command.description(`${op.description ?? op.summary}.`);
  if (op.aliases.length > 0) command.addHelpText('after', `\nAlso called ${op.aliases.join(', ')}.`);
  const positional = positionalOf(op);
  if (positional !== undefined) {
    const [name, field] = positional;
    // Declared as optional: how many there must be is said together with all else that is wrong.
    command.argument(`[${placeholder(name)}...]`, field.summary);
    command.usage(usageOf(field, placeholder(name)));
  }
  for (const [name, field] of Object.entries(op.input)) {
    if (name === positional?.[0]) continue;
    for (const option of optionsOf(name, field)) command.addOption(option);
  }
  if (positional !== undefined && positional[1].kind !== 'text') {
    command.addOption(new Option('--sort <order>', 'Order of the files: given, or natural (1, 2, 10)'));
  }
  if (readsPdf(positional?.[1])) {
    const each = new Option('--password-for <file=file>', 'The same for one input: FILE=PASSWORDFILE; may be repeated');
    command.addOption(new Option('--password-file <file>', 'File whose first line is the password of the PDFs'));
    command.addOption(each.argParser((value: string, before: string[] = []) => [...before, value]));
  }
  if (isBatchable(op)) command.addOption(new Option('--out-dir <dir>', 'Folder for the outputs of several files'));
  if (isMeasured(op)) {
    command.addOption(new Option('--require-target', 'Exit 3 when the output is above the target size'));
  }
  return command;
}

/** The field that positionals fill: the file or files; where there are none, the first required text. */
export function positionalOf(op: AnyOperation): readonly [string, Field] | undefined {
  const fields = Object.entries(op.input);
  return (
    fields.find(([, field]) => field.kind === 'file' || field.kind === 'files') ??
    fields.find(([, field]) => field.kind === 'text' && field.required)
  );
}

/** A command for one file takes several, one after the other. */
export function isBatchable(op: AnyOperation): boolean {
  return positionalOf(op)?.[1].kind === 'file';
}

function readsPdf(field: Field | undefined): boolean {
  return (field?.kind === 'file' || field?.kind === 'files') && field.types.includes(PDF);
}

function isMeasured(op: AnyOperation): boolean {
  return Object.values(op.outputs).some((output) => output.kind === 'bytes' && output.measured === true);
}

/** `target_bytes` -> `--target-bytes` */
export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** `target-bytes` -> `targetBytes`: the key under which commander keeps an option's value. */
export function keyOf(flag: string): string {
  return flag.replace(/^--/, '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function optionsOf(name: string, field: Field): Option[] {
  const flag = flagOf(name);
  if (field.kind === 'flag') return [new Option(flag, field.summary)];
  const option = new Option(`${flag} <${valueName(field)}>`, describe(field));
  if (field.spelling === undefined) return [option];
  return [new Option(`--${field.spelling} <size>`, `${field.summary}; such as 200KB`), option.hideHelp()];
}

function describe(field: Field): string {
  const notes = [
    field.kind === 'choice' ? `one of ${field.values.join(', ')}` : undefined,
    field.kind === 'text' && field.seen !== undefined ? `such as ${field.seen.join(', ')}` : undefined,
    field.required ? 'required' : undefined,
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? field.summary : `${field.summary} (${notes.join('; ')})`;
}

function valueName(field: Field): string {
  const names = { integer: 'n', number: 'n', size: 'bytes', pages: 'pages', ranges: 'ranges', object: 'json' } as const;
  return field.kind in names ? names[field.kind as keyof typeof names] : field.kind === 'choice' ? 'choice' : 'text';
}

function placeholder(name: string): string {
  return name.replaceAll('_', '-');
}

function usageOf(field: Field, name: string): string {
  const shown = name.toUpperCase();
  const more = field.kind === 'files' ? (field.min > 1 ? ` ${shown}...` : '...') : '';
  return `${shown}${more} [options]`;
}
