// The client's redact commands against our own server, from the inspection to the proved output.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
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
});
