import { Failure } from '../contract/base/failure.ts';
import { nearest } from '../contract/nearest.ts';
import { formatHelp, formatTopic, type HelpStyle } from '../derive/help.ts';
import { commandAt } from '../derive/shape.ts';
import { TOPICS } from '../derive/topics.ts';
import { lineFor } from './other-words.ts';
import type { Request } from './program.ts';
import { describeProgram } from './shape.ts';

/** Throws a usage Failure where there is neither such a command nor such a topic. A topic takes precedence. */
export function helpFor({ words, topic: topics }: Request & { kind: 'help' }, style: HelpStyle): string {
  const program = describeProgram(words);
  const topic = topics && words.length === 1 ? TOPICS.find(({ name }) => name === words[0]) : undefined;
  const above = commandAt(program, words.slice(0, -1));
  const nested = above?.topics.find(({ name }) => name === words.at(-1)) ?? topic;
  if (nested !== undefined) return formatTopic(nested, style);
  const command = commandAt(program, words);
  if (command !== undefined) return formatHelp(program, command, style);
  const names = [
    ...program.commands.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...TOPICS.map(({ name }) => name),
  ];
  const commands = program.commands.map(({ name }) => name);
  const other = lineFor(words.join(' '), [], commands);
  if (other !== undefined) {
    throw new Failure('usage', `there is no command or topic named '${words.join(' ')}'`, {
      hint: `Here it is written: ${other}`,
    });
  }
  const meant = nearest(words[0] ?? '', names);
  throw new Failure('usage', `there is no command or topic named '${words.join(' ')}'`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Run pdftool --help.`,
  });
}
