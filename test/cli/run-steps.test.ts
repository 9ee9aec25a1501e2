// `pdftool run`: lists of steps, each on the output of the one before.
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSteps } from '../../src/cli/commands/run/steps.ts';
import { folder, pdftool } from '../e2e/pdftool.ts';

const BOOK = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const here = folder();
afterAll(() => here[Symbol.dispose]());

const run = (steps: unknown, ...args: string[]) => {
  writeFileSync(here.at('steps.json'), JSON.stringify(steps));
  return pdftool(['run', 'steps.json', ...args], { cwd: here.path });
};

describe('a list of steps', () => {
  it('is run in order: each works on what the one before has made, and nothing between is left', async () => {
    writeFileSync(here.at('password.txt'), 'open sesame\n');
    const steps = [
      { operation: 'merge' },
      { operation: 'pages-drop', pages: '1,5' },
      { operation: 'rotate', angle: -90, pages: 'z' },
      { operation: 'encrypt', user_password: 'password.txt' },
    ];
    const done = await run({ steps }, BOOK, BOOK, '-o', 'out.pdf');
    expect([done.exitCode, done.stdout, done.stderr]).toEqual([0, 'out.pdf\n', expect.not.stringContaining('error')]);
    const told = execFileSync('pdfinfo', ['-upw', 'open sesame', '-f', '6', '-l', '6', here.at('out.pdf')], {
      encoding: 'utf8',
    });
    expect(told).toMatch(/Pages: +6\n/);
    expect(told).toMatch(/rot: +270/);
    expect(readdirSync(here.path).sort()).toEqual(['out.pdf', 'password.txt', 'steps.json']);
  });

  it('hands several files on to a step that takes several, and prints what the last one tells', async () => {
    const steps = [{ operation: 'split' }, { operation: 'merge' }, { operation: 'info' }];
    const done = await run({ steps }, BOOK, '--json');
    expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, page_count: 4 });
  });

  it('ends at the step that fails, says which, and leaves no output', async () => {
    const done = await run(
      {
        steps: [
          { operation: 'rotate', angle: 90 },
          { operation: 'pages-take', pages: '9' },
        ],
      },
      BOOK,
      '-o',
      'none.pdf',
    );
    expect([done.exitCode, done.stdout]).toEqual([2, '']);
    expect(done.stderr).toContain('step 2 of 2 (pages take) ended with 2');
    expect(readdirSync(here.path)).not.toContain('none.pdf');
  });

  it('tells with --plan what it would do, and does nothing', async () => {
    const done = await run({ steps: [{ operation: 'rotate', angle: 90 }] }, BOOK, '--plan', '-o', 'none.pdf');
    expect([done.exitCode, done.stdout]).toEqual([0, expect.stringContaining('1. rotate --angle=90: 0 credits')]);
  });

  it.each([
    [{}, '1 to 100 steps'],
    [{ steps: [{ operation: 'fly' }] }, 'step 1: there is no operation "fly"'],
    [{ steps: [{ operation: 'rotate', corner: 1 }] }, 'rotate has no field corner'],
    [{ steps: [{ operation: 'rotate', angle: { a: 1 }, incremental: 'yes' }] }, 'no field incremental of that kind'],
    [{ steps: [{ operation: 'info' }, { operation: 'rotate', angle: 90 }] }, 'step 1 (info) makes no PDF'],
    [{ steps: [{ operation: 'split' }, { operation: 'rotate', angle: 90 }] }, 'takes one'],
  ])('%j is refused: %s', async (steps, message) => {
    const done = await run(steps, BOOK, '-o', 'none.pdf');
    expect([done.exitCode, done.stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('makes no option of a value that begins with a dash', () => {
    const text = JSON.stringify({ steps: [{ operation: 'stamp', text: '--force' }] });
    expect(readSteps(text, 'x', String)[0]?.options).toEqual(['--text=--force']);
  });
});
