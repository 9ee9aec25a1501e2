// The client's redact commands against our own server, from the inspection to the proved output.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { killServers, remote, serve } from '../serve/program.ts';

const BOOK = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const here = folder();
afterAll(() => {
  killServers();
  here[Symbol.dispose]();
});

describe('redaction in serve', () => {
  it('is two jobs of one credit each, with a person in between', { timeout: 120_000 }, async () => {
    const served = await serve(here);
    const run = (...args: string[]) => pdftool(args, { cwd: here.path, env: remote(served, served.key) });
    const credits = async () =>
      (JSON.parse((await run('account', '--json')).stdout) as { credits_remaining: number }).credits_remaining;
    const before = await credits();
    const inspected = await run('redact', 'inspect', BOOK, '--find', 'lorem', '--kinds', 'email', '-o', 'regions.json');
    expect([inspected.exitCode, inspected.stdout]).toEqual([0, 'regions.json\n']);
    const text = readFileSync(here.at('regions.json'), 'utf8');
    const found = JSON.parse(text) as { reviewed: boolean; regions: object[] };
    expect(found.reviewed).toBe(false);
    expect(found.regions.length).toBeGreaterThan(5);
    expect(text.toLowerCase()).not.toContain('lorem');
    expect(await credits()).toBe(before - 1);

    const apply = ['redact', 'apply', BOOK, '--regions', 'regions.json', '-o', 'out.pdf'];
    expect((await run(...apply)).exitCode).toBe(2);
    expect(await credits()).toBe(before - 1);
    writeFileSync(here.at('regions.json'), JSON.stringify({ ...found, reviewed: true }));
    const applied = await run(...apply, '--label', 'GONE');
    expect([applied.exitCode, applied.stdout]).toEqual([0, 'out.pdf\n']);
    expect(await credits()).toBe(before - 2);
    const { stdout: after } = await execa('pdftotext', [here.at('out.pdf'), '-']);
    expect(after.toLowerCase()).not.toContain('lorem');
    expect(after).toContain('GONE');
    await execa('qpdf', ['--check', here.at('out.pdf')]);

    // A region of a page that is not there: the job fails, and costs nothing.
    writeFileSync(
      here.at('regions.json'),
      JSON.stringify({ ...found, reviewed: true, regions: [{ page: 99, x: 0, y: 0, w: 0.1, h: 0.1 }] }),
    );
    const failed = await run('redact', 'apply', BOOK, '--regions', 'regions.json', '-o', 'none.pdf');
    expect([failed.exitCode, failed.stderr]).toEqual([23, expect.stringContaining('there is no page 99')]);
    expect(await credits()).toBe(before - 2);
  });

  it('leaves what was looked for in no file of its data once the job has ended', { timeout: 120_000 }, async () => {
    using own = folder();
    const served = await serve(own);
    const holders = () =>
      readdirSync(own.at('data'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => /quorlax/i.test(readFileSync(path).toString('latin1').replaceAll('\0', '')));
    const env = remote(served, served.key);
    const args = ['redact', 'inspect', BOOK, '--find', 'Quorlax', '--find', 'lorem', '-o', 'words.json'];
    const job = pdftool(args, { cwd: own.path, env });
    let held: string[] = [];
    for (let done = false; !done && held.length === 0; ) {
      held = holders();
      done = await Promise.race([job.then(() => true), sleep(20, false)]);
    }
    // It was there while the job needed it: what finds nothing afterwards would have found it.
    expect(held).not.toEqual([]);
    expect((await job).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(own.at('words.json'), 'utf8')).regions.length).toBeGreaterThan(0);
    // The next write: a client looks at its account, workers report.
    await pdftool(['account'], { cwd: own.path, env });
    await expect.poll(holders, { timeout: 10_000, interval: 200 }).toEqual([]);
    served.child.kill('SIGKILL');
    await served.exit;
  });
});
