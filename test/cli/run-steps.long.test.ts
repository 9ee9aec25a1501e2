// One list of steps on three rigs: on this machine, as requests to a server, and as one job of that server.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { killServers, remote, type Served, serve } from '../serve/program.ts';

const BOOK = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const STEPS = [
  { operation: 'pages-drop', pages: 'r1' },
  // Page 3 is now the last one.
  { operation: 'crop', margin: 50, pages: 'z' },
  { operation: 'number', position: 'bottom-right' },
  { operation: 'meta-set', title: '--force' },
];
const here = folder();
let served: Served;
beforeAll(async () => {
  served = await serve(here);
});
afterAll(() => {
  killServers();
  here[Symbol.dispose]();
});

const run = (steps: unknown, ...args: string[]) => {
  writeFileSync(here.at('steps.json'), JSON.stringify({ steps }));
  return pdftool(['run', 'steps.json', BOOK, ...args], { cwd: here.path, env: remote(served, served.key) });
};
const credits = async () => {
  const account = await fetch(`${served.url}/api/v1/account`, { headers: { 'X-API-Key': String(served.key) } });
  return Number(((await account.json()) as { credits_remaining: number }).credits_remaining);
};

const RIGS = [
  ['on this machine', ['--local'], 0],
  ['as requests', ['--remote'], 4],
  ['as one job', ['--as-job'], 4],
] as const;

describe.each(RIGS)('a list of steps, %s', (rig, flags, price) => {
  it('makes the same document, for the price that its plan tells', async () => {
    const plan = await run(STEPS, ...flags, '--plan', '--json', '-o', 'none.pdf');
    const told = JSON.parse(plan.stdout) as { credits?: number; plan: { price?: { credits: number } } };
    expect([plan.exitCode, told.credits ?? told.plan.price?.credits]).toEqual([0, price]);
    const before = await credits();
    const name = `${rig.replaceAll(' ', '-')}.pdf`;
    const done = await run(STEPS, ...flags, '-o', name);
    expect([done.exitCode, done.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect(before - (await credits())).toBe(price);
    const said = execFileSync('pdfinfo', ['-f', '1', '-l', '3', here.at(name)], { encoding: 'utf8' });
    expect(said).toMatch(/Title: +--force\n/);
    expect(said).toMatch(/Pages: +3\n/);
    const [, second, third] = [...said.matchAll(/size: +([\d.]+)/g)].map(([, width]) => Number(width));
    expect(Number(second) - Number(third)).toBeCloseTo(100, 0);
    expect(execFileSync('pdftotext', [here.at(name), '-'], { encoding: 'utf8' })).toMatch(/\b3\b/);
    execFileSync('qpdf', ['--check', here.at(name)]);
  });

  it('says which step failed, and charges nothing for it', async () => {
    const steps = [
      { operation: 'rotate', angle: 90 },
      { operation: 'pages-take', pages: '9' },
    ];
    const before = await credits();
    const done = await run(steps, ...flags, '-o', 'none.pdf');
    expect(done.exitCode).not.toBe(0);
    expect(done.stderr).toMatch(/step 2 (of 2 )?\(pages take\)/);
    // A job is paid as a whole.
    expect(before - (await credits())).toBe(rig === 'as requests' ? 1 : 0);
  });
});

describe('a job', () => {
  it.each([
    [[{ operation: 'merge' }], /step 1: merge takes several files/],
    [[{ operation: 'split' }, { operation: 'merge' }], /split makes several files/],
    [[{ operation: 'audiobook' }], /audiobook cannot be a step of a job/],
    [[{ operation: 'rotate' }], /angle is missing/],
    [[{ operation: 'encrypt', user_password: 'password.txt' }], /no other file and no password/],
  ])('%j is refused before anything is sent or charged', async (steps, message) => {
    const before = await credits();
    const done = await run(steps, '--as-job', '-o', 'none.pdf');
    expect([done.exitCode, done.stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(await credits()).toBe(before);
  });

  it('ends with the files of its last step', async () => {
    const done = await run([{ operation: 'rotate', angle: 90 }, { operation: 'split' }], '--as-job', '-o', 'parts.zip');
    expect(done.exitCode).toBe(0);
    expect(readFileSync(here.at('parts.zip')).subarray(0, 2).toString()).toBe('PK');
  });

  it('is not more than --max-credits allows', async () => {
    const done = await run(STEPS, '--as-job', '--max-credits', '3', '-o', 'none.pdf');
    expect([done.exitCode, done.stderr]).toEqual([5, expect.stringContaining('--max-credits 4')]);
  });
});
