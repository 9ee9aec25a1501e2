// Every command, option and field that a text of the program names is there. hints.long.test.ts runs what hints say.
import { readdirSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { describeProgram } from '../../src/cli/shape.ts';
import { field, setting } from '../../src/contract/base/wording.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { asCommandLine } from '../../src/contract/spelling.ts';
import type { CommandShape } from '../../src/derive/shape.ts';

const PROGRAM = describeProgram();
const EVERYWHERE = PROGRAM.everywhere.flatMap(({ short, long }) => [short, long]);

/** The command that words begin with, and the words that are left. */
function commandOf(words: readonly string[]): { command: CommandShape; rest: readonly string[] } {
  let command: CommandShape = PROGRAM;
  let at = 0;
  for (; at < words.length; at++) {
    const next = command.commands.find(({ name, aliases }) => [name, ...aliases].includes(words[at] ?? ''));
    if (next === undefined) break;
    command = next;
  }
  return { command, rest: words.slice(at) };
}

/** What is wrong with `jobs watch ID --interval 3`, as far as its names tell. */
function faultOf(line: string): string | undefined {
  const words = line.trim().split(/\s+/);
  const { command, rest } = commandOf(words);
  if (command === PROGRAM && !line.startsWith('-')) return `no command ${words[0]}`;
  const needsVerb = command.commands.length > 0 && !command.usage.startsWith('[COMMAND]');
  if (needsVerb && /^[a-z]/.test(rest[0] ?? '')) return `no command ${command.path.join(' ')} ${rest[0]}`;
  const options = [...command.options.flatMap(({ short, long }) => [short, long]), ...EVERYWHERE, '--help'];
  return rest.filter((word) => /^--?[a-z]/.test(word) && !options.includes(word)).map((word) => `no option ${word}`)[0];
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const { code } = transformSync(readFileSync(`src/${name}`, 'utf8'), { loader: 'ts', target: 'esnext' });
    return { name, lines: code.split('\n').filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line)) };
  });
const every = (pattern: RegExp) =>
  sources.flatMap(({ name, lines }) =>
    lines.flatMap((line) => [...line.matchAll(pattern)].map(([, text = '']) => ({ name, text }))),
  );
const OPTIONS = new Set<string | undefined>();
const collect = ({ options, commands }: CommandShape) => {
  for (const { short, long } of options) OPTIONS.add(short).add(long);
  commands.forEach(collect);
};
collect(PROGRAM);
for (const each of EVERYWHERE) OPTIONS.add(each);

/** Of a row, or an option of a command that calls several rows, such as `redact`. */
const isField = (text = '') => OPTIONS.has(asCommandLine(field(text))) || OPERATIONS.some(({ input }) => text in input);

describe('texts name what is there', () => {
  it('commands', () => {
    // Behind these words stands a line to type; elsewhere the program's name begins a sentence.
    const line = '(?:[a-z][a-z-]*|--?[a-z][a-z-]*|[A-Z]+)';
    const named = [
      ...every(/\$\{command\(["'`]([a-z][^"'`$]*)/g),
      ...every(
        new RegExp(`(?:[Rr]un|[Uu]se|[Ss]ee|with|or|then|through|:) pdftool (?!itself)(${line}(?: ${line})*)`, 'g'),
      ),
    ];
    expect(named.length).toBeGreaterThan(40);
    const faults = named.flatMap(({ name, text }) => {
      const fault = faultOf(text);
      return fault === undefined ? [] : [`${name}: pdftool ${text}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it('options', () => {
    const named = every(/\bsetting\(["'`]([a-z-]+)["'`]/g);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ text }) => !OPTIONS.has(asCommandLine(setting(text))))).toEqual([]);
  });

  it('operations and their fields', () => {
    const operations = every(/\boperation\(["'`]([a-z-]+)["'`]\)/g);
    expect(operations.filter(({ text }) => !OPERATIONS.some(({ name }) => name === text))).toEqual([]);
    const said = sources.filter(({ lines }) => lines.some((line) => /^import .*\bsay\b/.test(line)));
    const fields = said.flatMap(({ name, lines }) =>
      lines.flatMap((line) =>
        [...line.matchAll(/\$\{field\(["'`]([a-z_]+)["'`]/g)].map(([, text]) => ({ name, text })),
      ),
    );
    expect(fields.length).toBeGreaterThan(50);
    expect(fields.filter(({ text }) => !isField(text))).toEqual([]);
  });
});
