// The library on a service: dist/library.mjs against our own server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder } from '../e2e/pdftool.ts';
import { killServers, type Served, serve } from '../serve/program.ts';
import { FIXTURES, type Library, ROOT } from './project.ts';

const here = folder();
// The journal of paid calls is kept here, and not with that of the person who runs the tests.
process.env.PDFTOOL_STATE_DIR = here.at('state');
const { audiobook, extractText, merge, rotate }: Library = await import(join(ROOT, 'dist/library.mjs'));
const lorem = join(FIXTURES, 'lorem-ipsum.pdf');
let served: Served;
beforeAll(async () => {
  served = await serve(here);
});
afterAll(() => {
  killServers();
  here[Symbol.dispose]();
});

const remote = () => ({ engine: 'remote', apiKey: String(served.key), baseUrl: served.url }) as const;

describe('a call of the service', () => {
  it('gives what a call on this machine gives, and says what it cost', async () => {
    const turned = await rotate(lorem, { ...remote(), angle: 90 });
    expect(turned).toMatchObject({ name: 'lorem-ipsum-rotated.pdf', credits: { used: 1, remaining: 19 } });
    writeFileSync(here.at('turned.pdf'), turned.bytes);
    await execa('qpdf', ['--check', here.at('turned.pdf')]);
    const merged = await merge([lorem, lorem], { ...remote(), output: here.at('merged.pdf') });
    expect(merged).toMatchObject({ credits: { used: 1, remaining: 18 } });
    expect((await execa('qpdf', ['--show-npages', here.at('merged.pdf')])).stdout).toBe('8');
    expect((await extractText(lorem, remote())).text).toMatch(/Lorem ipsum/);
  });

  it('is not made where it would cost more than is allowed, and says that nothing was charged', async () => {
    const call = rotate(lorem, { ...remote(), angle: 90, maxCredits: 0 });
    await expect(call).rejects.toMatchObject({ code: 'over_max_credits', exitCode: 5, charged: 'no' });
  });

  it('with a key that nobody knows is refused', async () => {
    const call = rotate(lorem, { ...remote(), apiKey: 'sk_live_unknown', angle: 90 });
    await expect(call).rejects.toMatchObject({ code: 'unauthenticated', exitCode: 4, charged: 'no' });
  });

  it('that is a job is begun, followed and fetched', async () => {
    const book = await audiobook(lorem, { ...remote(), pageRange: '1' });
    expect(book.mediaType).toBe('audio/mpeg');
    writeFileSync(here.at('book.mp3'), book.bytes);
    const { stdout } = await execa('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', here.at('book.mp3')]);
    expect(Number(/duration=([\d.]+)/.exec(stdout)?.[1])).toBeGreaterThan(2);
  });
});
