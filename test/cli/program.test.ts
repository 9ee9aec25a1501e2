import { describe, expect, it } from 'vitest';
import { helpFor } from '../../src/cli/help.ts';
import { parseLine } from '../../src/cli/program.ts';
import { optionFlag, positionalOf } from '../../src/cli/row-command.ts';
import { Failure } from '../../src/contract/failure.ts';
import { wordsOf } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { wrap } from '../../src/runtime/terminal/wrap.ts';

const line = (...argv: string[]) => parseLine(argv);
const helpOf = (...argv: string[]) => {
  const request = line(...argv);
  if (request.kind !== 'help') throw new TypeError('expected help');
  return helpFor(request, { width: 80, heading: (text) => text, wrap });
};
const commands = OPERATIONS.filter((op) => op.surface === 'command');

describe('every row', () => {
  it.each(commands.flatMap((op) => [wordsOf(op), ...op.aliases].map((name) => [name, op] as const)))(
    '%s',
    (name, op) => {
      const args = positionalOf(op) === undefined ? [] : ['x.pdf'];
      const request = line(...name.split(' '), ...args);
      if (request.kind !== 'run') throw new TypeError('expected a run');
      expect(request.op).toBe(op);
      expect(request.args).toEqual(args);
    },
  );

  it.each(commands.map((op) => [wordsOf(op), op] as const))(
    '%s has a flag for each field that is no positional',
    (name, op) => {
      const words = name.split(' ');
      const help = helpOf(...words, '--help');
      for (const [field, each] of Object.entries(op.input)) {
        const { kind, spelling } = each;
        if (field === positionalOf(op)?.[0]) continue;
        const flag = optionFlag(field, each);
        expect(help).toContain(spelling === undefined ? flag : `--${spelling}`);
        const given = line(...words, flag, ...(kind === 'flag' ? [] : ['7']));
        // Ranges of files are found among these: see line-words.ts.
        const isWord = kind === 'text' && each.grammar === 'ranges';
        const found = given.kind !== 'run' ? [] : isWord ? given.args : Object.values(given.options);
        expect(found).toContain(kind === 'flag' ? !flag.startsWith('--no-') : isWord ? '\x007' : '7');
      }
    },
  );

  it('of the service that is internal is no command', () => {
    expect(() => line('job-status', 'x')).toThrow(Failure);
  });
});

describe('help', () => {
  it('fits the width it is given', () => {
    for (const argv of [['--help'], ...commands.map((op) => [...wordsOf(op).split(' '), '--help'])]) {
      expect(
        helpOf(...argv)
          .split('\n')
          .filter((each) => each.length > 80),
      ).toEqual([]);
    }
  });

  it('and version are asked for anywhere', () => {
    expect(line('-V')).toEqual({ kind: 'version' });
    expect(line('merge', 'a', '--version')).toEqual({ kind: 'version' });
  });
});
