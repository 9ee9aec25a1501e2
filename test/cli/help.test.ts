import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helpFor } from '../../src/cli/help.ts';
import { parseLine } from '../../src/cli/program.ts';
import { describeProgram } from '../../src/cli/shape.ts';
import { FAILURES, Failure } from '../../src/contract/base/failure.ts';
import { nearest } from '../../src/contract/nearest.ts';
import { formatPages, parsePageRange, resolvePages } from '../../src/contract/page-range.ts';
import { ENVIRONMENT } from '../../src/derive/environment.ts';
import { EXIT_CODES } from '../../src/derive/exit-codes.ts';
import { everyCommand } from '../../src/derive/shape.ts';
import { PAGE_EXAMPLES, TOPICS } from '../../src/derive/topics.ts';
import { wrap } from '../../src/runtime/terminal/wrap.ts';
import { pdftool } from '../e2e/pdftool.ts';

const plain = (width: number) => ({ width, heading: (text: string) => text, wrap });
const help = (width: number, ...words: string[]) => helpFor({ kind: 'help', words, topic: true }, plain(width));
const commands = [...everyCommand(describeProgram())];

describe('every topic', () => {
  it.each(TOPICS.map(({ name }) => name))('%s fits 60, 80 and 100 columns', (name) => {
    for (const width of [60, 80, 100]) {
      const lines = help(width, name).split('\n');
      // The one word that cannot be broken is a record of JSON.
      expect(lines.filter((line) => line.length > width && !line.startsWith('{"ok"'))).toEqual([]);
    }
  });

  it('has every exit code of the table, and 0, 3', () => {
    const codes = new Set([0, 3, ...Object.values(FAILURES).map(({ exit }) => exit)]);
    expect(Object.keys(EXIT_CODES).map(Number)).toEqual([...codes].sort((a, b) => a - b));
  });

  it('has every environment variable of ours that the code reads', () => {
    const root = resolve(import.meta.dirname, '../../src');
    const texts = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('derive'))
      .map((name) => readFileSync(join(root, name), 'utf8'));
    const read = new Set(texts.flatMap((text) => text.match(/\bPDFTOOL_[A-Z][A-Z_]+\b/g) ?? []));
    // Set by the single executable for the processes that it starts.
    read.delete('PDFTOOL_SINGLE_FILE');
    const told = ENVIRONMENT.map(([name]) => name).join(' ');
    expect([...read].filter((name) => !told.includes(name))).toEqual([]);
  });

  it('says of page ranges what the grammar does', () => {
    for (const [spelling, pages] of PAGE_EXAMPLES) {
      expect([spelling, formatPages(resolvePages(parsePageRange(spelling), 10))]).toEqual([spelling, pages]);
    }
  });
});

describe('every command', () => {
  it.each(commands.map((command) => [command.path.join(' '), command] as const))('%s', (_name, command) => {
    expect(command.description).toMatch(/^[A-Z].*\.$/);
    for (const { summary } of [...command.options, ...command.arguments]) expect(summary).not.toBe('');
    for (const width of [60, 80, 100]) {
      const wide = helpFor({ kind: 'help', words: command.path, topic: false }, plain(width)).split('\n');
      const prose = wide.filter((line) => !line.startsWith('  pdftool '));
      expect(prose.filter((line) => line.length > width)).toEqual([]);
    }
  });

  it('has examples that the command line takes', () => {
    for (const { examples } of commands) {
      for (const example of examples) {
        const [line = ''] = example.replace(/^source <\((.*)\)$/, '$1').split(/ [|><] /);
        const [first, ...words] = line.match(/"[^"]*"|\S+/g) ?? [];
        expect(first).toBe('pdftool');
        const request = parseLine(words.map((word) => word.replaceAll('"', '')));
        expect(['run', 'own', 'help']).toContain(request.kind);
      }
    }
  });
});

describe('what was meant', () => {
  it.each([
    ['mrge', 'merge'],
    ['MERGE', 'merge'],
    ['spilt', 'split'],
    ['comp', 'compress'],
    ['x', undefined],
    ['quite-else', undefined],
    ['a'.repeat(100_000), undefined],
  ])('by %.10s', (word, meant) => expect(nearest(word, ['merge', 'split', 'compress'])).toBe(meant));

  it.each([
    [['mrge', 'a.pdf'], 'Did you mean merge?'],
    [['merge', '--bokmarks', 'a', 'b'], 'Did you mean --bookmarks?'],
    [['help', 'exit-code'], 'Did you mean exit-codes?'],
    [['auth', 'lgin'], 'Did you mean login?'],
    [['report.pdf'], 'such as pdftool info report.pdf'],
    [['auth'], 'Run pdftool auth --help'],
  ])('%j', (argv, hint) => {
    const asked = () => {
      const request = parseLine(argv);
      return request.kind === 'help' ? helpFor(request, plain(80)) : request;
    };
    expect(asked).toThrow(Failure);
    try {
      asked();
    } catch (error) {
      expect(error instanceof Failure && error.hint).toContain(hint);
    }
  });

  it('is asked for values too', async () => {
    const run = await pdftool(['markdown', 'a.pdf', '--mode', 'rga', '--local']);
    expect([run.exitCode, run.stderr]).toEqual([
      2,
      'error: --mode: expected one of developer, academic, rag, found rga; did you mean rag?\n       Run pdftool markdown --help.\n',
    ]);
  });
});

describe('colour', () => {
  it('is there only where it is wanted', async () => {
    expect((await pdftool(['merge', '--help'])).stdout).not.toContain('\u001b');
    const { PATH = '' } = process.env;
    const env = { PATH, FORCE_COLOR: '1' };
    expect((await pdftool(['merge', '--help'], { env })).stdout).toContain('\u001b[1mOptions:\u001b[22m');
    expect((await pdftool(['merge', '--help', '--no-color'], { env })).stdout).not.toContain('\u001b');
  });
});
