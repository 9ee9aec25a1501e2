import type { Argument, Command, Option } from 'commander';
import { wordsOf } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations/all.ts';
import type { ArgumentShape, CommandShape, OptionShape, ProgramShape, Topic } from '../derive/shape.ts';
import { TOPICS } from '../derive/topics.ts';
import { settingShapes } from '../serve/base/settings.ts';
import { examplesOf } from './examples.ts';
import { completionOf } from './line/hints.ts';
import { buildProgram } from './program.ts';
import { notesOf } from './row-notes.ts';

/** The program as data. Commands among `words` are described in full; without words all are. */
export function describeProgram(words?: readonly string[]): ProgramShape {
  const program = buildProgram(words);
  const shape = describe(program, []);
  const names = [...shape.commands.map(({ name }) => name), ...TOPICS.map(({ name }) => name)];
  // The arguments of help are the names of all commands and topics.
  const completes = { kind: 'words', words: [...new Set(names)] } as const;
  const commands = shape.commands.map((command) => {
    if (command.name !== 'help') return command;
    return { ...command, arguments: command.arguments.map((argument) => ({ ...argument, completes })) };
  });
  return { ...shape, commands, options: [], everywhere: visible(program).map(option) };
}

function describe(command: Command, path: readonly string[]): CommandShape {
  const op = OPERATIONS.find((row) => row.surface === 'command' && wordsOf(row) === path.join(' '));
  const summary = path.length > 1 && command.description() === '' ? command.summary() : command.description();
  const help = command.createHelp();
  return {
    name: command.name(),
    path,
    aliases: command.aliases(),
    summary: command.summary(),
    description: summary.endsWith('.') ? summary : `${summary}.`,
    group: command.helpGroup() || 'Commands:',
    usage: usageOf(command),
    arguments: command.registeredArguments.map(argument),
    options: visible(command).map(option),
    commands: help
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help' || path.length === 0)
      .map((child) => describe(child, [...path, child.name()])),
    examples: examplesOf(path),
    notes: op === undefined ? [] : notesOf(op),
    topics: path.length === 1 && path[0] === 'serve' ? [serveSettings()] : [],
  };
}

/** Commander writes `[options] <key>`; our usage follows CLI.md. */
function usageOf(command: Command): string {
  const usage = command.usage();
  if (!usage.startsWith('[options]')) return usage;
  // A command with options of its own can run without a subcommand.
  if (command.commands.length > 0) return visible(command).length > 0 ? '[COMMAND] [options]' : 'COMMAND [options]';
  const words = command.registeredArguments.map((registeredArgument) => {
    const word = `${registeredArgument.name().toUpperCase()}${registeredArgument.variadic ? '...' : ''}`;
    return registeredArgument.required ? word : `[${word}]`;
  });
  return [...words, '[options]'].join(' ');
}

function visible(command: Command): Option[] {
  const help = command.createHelp();
  return help.visibleOptions(command).filter(({ long }) => long !== '--help' || command.parent === null);
}

function option(declared: Option): OptionShape {
  const value =
    declared.required || declared.optional ? (/[<[]([^>\]]+)[>\]]/.exec(declared.flags)?.[1] ?? 'value') : undefined;
  return {
    short: declared.short,
    long: declared.long,
    value,
    completes: value === undefined ? { kind: 'none' } : completionOf(declared, value),
    summary: declared.description,
  };
}

function argument(declared: Argument): ArgumentShape {
  return {
    name: declared.name(),
    summary: declared.description || `The ${declared.name()}`,
    many: declared.variadic,
    completes: completionOf(declared, declared.name()),
  };
}

function serveSettings(): Topic {
  return {
    name: 'settings',
    summary: 'Settings of a server',
    blocks: [
      'The file serve.json in the data folder is a JSON object of these keys; each may be left out. A variable of the environment comes before the file. Sizes are in bytes. A wrong key keeps the server from starting.',
      {
        title: 'Keys, what holds without them, and their variables:',
        rows: settingShapes().map(({ name, value, variable, about }) => {
          const usual = value === undefined ? 'Not set.' : `Default ${value}.`;
          return [name, `${about} ${usual} ${variable}`] as const;
        }),
      },
    ],
  };
}
