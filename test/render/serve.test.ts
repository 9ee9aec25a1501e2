// Pictures and words by a service: drawn in its workers, whose memory is bounded, one credit each.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { killServers, remote, type Served, serve } from '../serve/program.ts';
import { pdfOf } from '../structure/run.ts';

const GUIDE = resolve(import.meta.dirname, '../fixtures/guide.pdf');
const hasTesseract = spawnSync('tesseract', ['--version']).status === 0;
const here = folder();
afterAll(() => {
  killServers();
  here[Symbol.dispose]();
});
let served: Served;
beforeAll(async () => {
  served = await serve(here);
});
const run = (...args: string[]) => pdftool(args, { cwd: here.path, env: remote(served, served.key) });
const credits = async () =>
  (JSON.parse((await run('account', '--json')).stdout) as { credits_remaining: number }).credits_remaining;

describe('a service', { timeout: 120_000 }, () => {
  it('draws the same pictures as this machine, for one credit', async () => {
    const before = await credits();
    const there = await run('to-images', GUIDE, '--pages', '5-6', '--dpi', '80', '-o', 'there');
    expect([there.exitCode, there.stdout.split('\n')]).toEqual([0, ['there/page-005.png', 'there/page-006.png', '']]);
    expect(await credits()).toBe(before - 1);
    await pdftool(['to-images', GUIDE, '--pages', '5-6', '--dpi', '80', '-o', 'here', '--local'], { cwd: here.path });
    for (const name of ['page-005.png', 'page-006.png'])
      expect(readFileSync(here.at(`there/${name}`)).equals(readFileSync(here.at(`here/${name}`)))).toBe(true);
  });

  it('refuses a page of too many pixels, for nothing', async () => {
    const before = await credits();
    const pages = '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 14400 14400]>>';
    writeFileSync(here.at('huge.pdf'), pdfOf(['<</Type/Catalog/Pages 2 0 R>>', pages, '<</Type/Page/Parent 2 0 R>>']));
    const large = await run('to-images', 'huge.pdf', '--dpi', '1200');
    expect([large.exitCode, large.stderr]).toEqual([6, expect.stringContaining('240000 x 240000 pixels')]);
    expect(await credits()).toBe(before);
  });

  it.skipIf(!hasTesseract)('recognises words, for one credit', async () => {
    const picture = await sharp({ create: { width: 1200, height: 300, channels: 3, background: 'white' } })
      .composite([
        {
          input: Buffer.from(
            '<svg width="1200" height="300"><text x="60" y="160" font-family="serif" font-size="60">The harbour was quiet</text></svg>',
          ),
        },
      ])
      .withMetadata({ density: 300 })
      .png()
      .toBuffer();
    writeFileSync(here.at('scan.png'), picture);
    await pdftool(['images-to-pdf', 'scan.png', '-o', 'scan.pdf'], { cwd: here.path });
    const before = await credits();
    const ocr = await run('ocr', 'scan.pdf', '-o', 'words.pdf');
    expect([ocr.exitCode, ocr.stdout]).toEqual([0, 'words.pdf\n']);
    expect(await credits()).toBe(before - 1);
    expect(execFileSync('pdftotext', [here.at('words.pdf'), '-'], { encoding: 'utf8' })).toContain(
      'The harbour was quiet',
    );
  });
});
