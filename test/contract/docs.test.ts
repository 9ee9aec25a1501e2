import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { parseLine } from '../../src/cli/program.ts';
import { describeProgram } from '../../src/cli/shape.ts';
import { measuredTable, ROWS, tableIn, withTable } from '../bench/table.mjs';

test.each(['docs/architecture.md', '.github/CONTRIBUTING.md'])(
  'every file and folder that %s names is there',
  (document) => {
    const names = [...readFileSync(document, 'utf8').matchAll(/`([a-z][a-z-]*(?:\/[a-z.-]+)+)`/g)].map(
      ([, name]) => name,
    );
    const missing = names.filter((name) => !existsSync(`src/${name}`) && !existsSync(String(name)));
    expect(names.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  },
);

/** The lines of shell blocks that begin with this program, up to a comment, a pipe or another command. */
function linesOf(document: string): string[][] {
  const blocks = [...document.matchAll(/```(?:sh|console)\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    [...block.matchAll(/^(?:\$ )?(pdftool [^\n]*)/gm)].flatMap(([, line = '']) =>
      line
        .split(/ # |\s#|&&|\|\||[|>]/)
        .filter((part) => part.trim().startsWith('pdftool '))
        .map((part) =>
          [...part.trim().matchAll(/"([^"]*)"|(\S+)/g)].slice(1).map(([, quoted, word = '']) => quoted ?? word),
        ),
    ),
  );
}

test.each(['README.md', 'docs/service.md', 'docs/agents.md'])(
  'every line of %s is one that the program takes',
  (document) => {
    const lines = linesOf(readFileSync(document, 'utf8'));
    expect(lines.length).toBeGreaterThan(0);
    for (const words of lines) expect(() => parseLine(words), words.join(' ')).not.toThrow();
  },
);

test('the table of README has every command of the program, with the subcommands that it names', () => {
  const rows = readFileSync('README.md', 'utf8').split('## Commands')[1]?.split('\n## ')[0] ?? '';
  const cells = [...rows.matchAll(/^\| (`.*?) \| /gm)].map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)(?: ([a-z|\\]+))?`/g)]);
  const { commands } = describeProgram();
  expect(named.map(([, name]) => name).toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
  for (const [, name = '', below] of named) {
    const there = commands.find((command) => command.name === name)?.commands.map((command) => command.name);
    for (const word of below?.split('\\|') ?? []) expect(there, name).toContain(word);
  }
});

describe('the measured table of docs/comparison.md', () => {
  const document = readFileSync('docs/comparison.md', 'utf8');
  const shapeOf = (table: string) => table.replace(/\d[\d.]*(?= s,| MB|, whole)/g, 'N');

  it('is one that the bench makes', () => {
    const measured = { ms: [1000], bytes: [1e6] };
    const both = { pdftool: measured, qpdf: measured };
    const all = { ...both, mutool: measured };
    const results = Object.fromEntries(Object.keys(ROWS).map((name) => [name, name.startsWith('merge') ? all : both]));
    expect(shapeOf(tableIn(document))).toBe(shapeOf(measuredTable('24', results)));
  });

  it('is replaced as a whole, and nothing else is', () => {
    const other = withTable(document, 'another table');
    expect(tableIn(other)).toBe('another table');
    expect(withTable(other, tableIn(document))).toBe(document);
  });
});
