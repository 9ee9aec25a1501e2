// What is left after the program was stopped: nothing under a final name, ever (CLI.md section 4).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePdf } from './make-pdf.ts';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from './pdftool.ts';

let here: Folder;
beforeAll(() => {
  here = folder();
  makePdf(here.at('big.pdf'), { pages: 40, imageBytes: 1_000_000 });
});
afterAll(() => here[Symbol.dispose]());

const MERGE = ['merge', 'big.pdf', 'big.pdf', 'big.pdf', 'big.pdf', 'big.pdf', '-o', 'out.pdf'];

function start(args: readonly string[]): ChildProcess & { said: () => string } {
  let said = '';
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: here.path,
    env: CLEAN,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stderr.on('data', (chunk) => (said += chunk));
  return Object.assign(child, { said: () => said });
}

/** Waits until the program is in the middle of its output: some of it lies in the scratch folder. */
async function inTheMiddle(child: ChildProcess): Promise<void> {
  while (scratchBytes() < 10_000_000) {
    if (child.exitCode !== null) throw new Error('the program ended before it could be stopped');
    await sleep(2);
  }
}

function scratches(): string[] {
  return readdirSync(here.path).filter((name) => name.startsWith('.pdftool-'));
}

function scratchBytes(): number {
  try {
    return scratches()
      .flatMap((name) => readdirSync(here.at(name)).map((file) => join(here.path, name, file)))
      .reduce((sum, file) => sum + statSync(file).size, 0);
  } catch {
    return 0;
  }
}

describe('in the middle of a merge', () => {
  it.each([
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'stopped by a signal'],
  ] as const)('%s ends it cleanly', async (signal, exit, message) => {
    const child = start(MERGE);
    await inTheMiddle(child);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(exit);
    expect(child.said()).toContain(`error: ${message}`);
    expect(readdirSync(here.path)).toEqual(['big.pdf']);
  });

  it('a second Ctrl-C ends it at once, and leaves nothing either', async () => {
    const child = start(['merge', '-', 'big.pdf', '-o', 'out.pdf', '-v']);
    while (!child.said().includes('note:')) await sleep(5);
    child.kill('SIGINT');
    child.kill('SIGINT');
    const [code, signal] = await once(child, 'exit');
    expect(signal ?? code).toSatisfy((end) => end === 'SIGINT' || end === 130);
    expect(readdirSync(here.path)).toEqual(['big.pdf']);
  });

  it('kill -9 leaves no file under the final name, and the next run works', async () => {
    const child = start(MERGE);
    await inTheMiddle(child);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(here.at('out.pdf'))).toBe(false);
    expect(scratches()).toHaveLength(1);
    const again = await pdftool(['merge', 'big.pdf', 'big.pdf', '-o', 'out.pdf'], { cwd: here.path });
    expect(again.exitCode).toBe(0);
  });
});

describe('in the middle of waiting for standard input', () => {
  it('Ctrl-C ends it', async () => {
    const child = start(['info', '-', '-v']);
    child.stdin?.write('%PDF-1.4\n');
    while (!child.said().includes('note:')) await sleep(5);
    await sleep(100);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
  });
});

describe('in the middle of a split', () => {
  it('kill -9 leaves no folder under the final name', async () => {
    using there = folder();
    makePdf(there.at('many.pdf'), { pages: 800 });
    const child = spawn(process.execPath, [PROGRAM, 'split', 'many.pdf'], {
      cwd: there.path,
      env: CLEAN,
      stdio: 'ignore',
    });
    const hasBegun = () =>
      there
        .list()
        .some((name) => name.startsWith('.pdftool-') && readdirSync(there.at(name), { recursive: true }).length > 20);
    while (!hasBegun()) {
      if (child.exitCode !== null) throw new Error('the program ended before it could be stopped');
      await sleep(2);
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(there.at('many-pages'))).toBe(false);
  });
});

describe('what kill -9 left behind', () => {
  it('is removed by the next run that writes there, and nothing else is', async () => {
    for (const name of ['.pdftool-AbCdEf', '.pdftool-00000000-1-1-AbCdEf', '.pdftool']) mkdirSync(here.at(name));
    const killed = start([...MERGE.slice(0, -1), 'left.pdf']);
    await inTheMiddle(killed);
    const [left] = scratches().filter((name) => name.includes(`-${killed.pid}-`));
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(scratches()).toContain(left);
    const living = start([...MERGE.slice(0, -1), 'left.pdf']);
    const ended = once(living, 'exit');
    const own = () => scratches().filter((name) => name.includes(`-${living.pid}-`));
    while (own().length === 0 && living.exitCode === null) await sleep(2);
    // It stands still while another run looks, however fast it is.
    living.kill('SIGSTOP');
    const { exitCode } = await pdftool(['rotate', 'big.pdf', '--angle', '90', '-o', 'r.pdf'], { cwd: here.path });
    expect(exitCode).toBe(0);
    expect(own()).toHaveLength(1);
    living.kill('SIGCONT');
    expect((await ended)[0]).toBe(0);
    expect(scratches()).not.toContain(left);
    expect(here.list()).toEqual(
      expect.arrayContaining(['.pdftool', '.pdftool-00000000-1-1-AbCdEf', '.pdftool-AbCdEf']),
    );
    expect(existsSync(here.at('left.pdf'))).toBe(true);
  });
});
