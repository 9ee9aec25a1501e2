import { describe, expect, it } from 'vitest';
import { helpFor } from '../../src/cli/help.ts';
import { optionFlag } from '../../src/cli/line/row-command.ts';
import { OTHER_LINES, OTHER_WORDS } from '../../src/cli/other-words.ts';
import { buildProgram, parseLine } from '../../src/cli/program.ts';
import { Failure } from '../../src/contract/base/failure.ts';
import { positionalOf, wordsOf } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
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

describe('a word of another program', () => {
  const said = (...argv: string[]) => {
    try {
      return JSON.stringify(line(...argv));
    } catch (error) {
      return error instanceof Failure ? `${error.message}: ${error.hint}` : String(error);
    }
  };

  it.each([
    [['burst', 'report.pdf'], "unknown command 'burst': Here it is written: pdftool split report.pdf"],
    [['CAT', 'a.pdf', 'b.pdf'], "unknown command 'CAT': Here it is written: pdftool merge a.pdf b.pdf -o all.pdf"],
    [['delete', 'my file.pdf'], "unknown command 'delete': Here it is written: pdftool pages drop FILE 2,5"],
    [['pages', 'extract', 'in.pdf'], "unknown command 'extract': Here it is written: pdftool pages take in.pdf 1-3"],
    [['attach', 'get', 'in.pdf'], "unknown command 'get': Here it is written: pdftool attach extract in.pdf"],
    [['in.pdf', 'cat', '1-3', 'output', 'out.pdf'], 'pdftool merge a.pdf b.pdf'],
    [['--decrypt', 'in.pdf'], 'pdftool decrypt'],
    [['unlock', 'in.pdf'], 'pdftool decrypt in.pdf'],
    [['watermark', 'in.pdf'], 'pdftool stamp in.pdf --text Draft'],
    [['to-text', 'in.pdf'], 'pdftool extract-text in.pdf'],
    [['rotate-pages', 'in.pdf'], 'pdftool rotate in.pdf --angle 90'],
    [['concat', 'in.pdf'], 'pdftool merge'],
    [['extract', 'letter.pdf', '2-3'], 'pdftool pages take letter.pdf 2-3'],
    [['sanitize', 'in.pdf'], 'pdftool redact inspect in.pdf'],
    [['validate', 'in.pdf'], 'pdftool check in.pdf'],
    [['repair', 'in.pdf'], 'pdftool pages take in.pdf 1-z'],
    [['search', 'in.pdf'], 'pdftool extract-text in.pdf'],
    [['video', 'in.pdf'], 'pdftool narrate in.pdf'],
    [['compress', 'in.pdf', '--max-size', '1MB'], 'Here it is written: --target 1MB'],
    [['compress', 'in.pdf', '--max-size=1.5mb'], 'Here it is written: --target 1.5mb'],
    [['compress', 'in.pdf', '--max-size'], 'Here it is written: --target 200KB'],
    [['compress', 'in.pdf', '--range', '2-z'], 'Here it is written: --pages 2-z'],
    [['number', 'in.pdf', '--bates', 'ACME-'], 'Here it is written: --format ACME-{page:6}'],
    [['encrypt', 'in.pdf', '--password', 'x'], 'Here it is written: --user-password-file FILE'],
    [['info', 'in.pdf', '--password', 'x'], 'Here it is written: --password-file FILE'],
    [['number', 'in.pdf', '--bates'], 'Here it is written: --format A{page:6}'],
    // A slip is still a slip.
    [['mrege', 'a.pdf'], 'Did you mean merge?'],
    [['frobnicate'], "unknown command 'frobnicate': Run pdftool --help."],
  ])('%j', (argv, says) => {
    expect(said(...argv)).toContain(says);
  });

  it('leads to a line that can be typed, and is no command here', () => {
    const known = buildProgram(undefined).commands.map((each) => each.name());
    for (const each of OTHER_LINES) {
      const [command = '', ...args] = each.split(' ');
      // Some of them are to come.
      if (!known.includes(command)) continue;
      expect(said(command, ...args), each).toMatch(/"kind":"(run|own|help)"/);
    }
    const names = commands.flatMap((op) => [wordsOf(op), ...op.aliases]);
    expect(OTHER_WORDS.filter((word) => names.includes(word) || known.includes(word))).toEqual([]);
    expect(new Set(OTHER_WORDS).size).toBe(OTHER_WORDS.length);
  });

  it.each([
    [['rotate', 'f.pdf', '90'], { angle: '90' }],
    [['rotate', 'f.pdf', '-90', '--local'], { angle: '-90' }],
    [['rotate', 'f.pdf', 'left'], { angle: '-90' }],
    [['rotate', 'left', 'f.pdf'], { angle: '-90' }],
    [['rotate', '180', 'f.pdf', '-f'], { angle: '180' }],
    [['rotate', 'f.pdf', '--angle', 'right'], { angle: '90' }],
    [['rotate', '--angle=left', 'f.pdf'], { angle: '-90' }],
    [['booklet', 'f.pdf'], { booklet: true, perSheet: '2' }],
    [['nup', 'f.pdf', '--booklet'], { booklet: true, perSheet: '2' }],
  ])('%j is understood as it is written', (argv, options) => {
    expect(parseLine(argv)).toMatchObject({ kind: 'run', args: ['f.pdf'], options });
  });

  it('is known to help', () => {
    const request = { kind: 'help', words: ['burst'], topic: true } as const;
    const style = { width: 80, heading: (text: string) => text, wrap };
    expect(() => helpFor(request, style)).toThrow(
      expect.objectContaining({ hint: 'Here it is written: pdftool split FILE' }),
    );
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
