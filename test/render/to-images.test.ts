// to-images as people run it: names, order, formats, where the pictures go, and what is refused.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { execa } from 'execa';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { CLEAN, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';
import { pdfOf } from '../structure/run.ts';

const GUIDE = resolve(import.meta.dirname, '../fixtures/guide.pdf');
const LOREM = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');

const page = (side: number) =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 ${side} ${side}]>>`,
    '<</Type/Page/Parent 2 0 R>>',
  ]);

describe('to-images', () => {
  it('names each picture after its page, in the order of pages, each once', async () => {
    using here = folder();
    const run = await pdftool(['to-images', GUIDE, '--pages', '6,5,5', '--dpi', '40'], { cwd: here.path });
    expect(run.stdout.split('\n')).toEqual(['guide-images/page-005.png', 'guide-images/page-006.png', '']);
    const [five, six] = ['page-005', 'page-006'].map((name) => readFileSync(here.at(`guide-images/${name}.png`)));
    expect(five!.equals(six!)).toBe(false);
    expect(await sharp(five).metadata()).toMatchObject({ format: 'png', width: 340, height: 440, density: 40 });
  });

  it('makes a ZIP, one file, or a stream of one picture', async () => {
    using here = folder();
    const run = (...args: string[]) => pdftool(['to-images', LOREM, '--dpi', '40', ...args], { cwd: here.path });
    expect((await run('-o', 'all.zip')).exitCode).toBe(0);
    const names = execFileSync('unzip', ['-Z1', here.at('all.zip')], { encoding: 'utf8' });
    expect(names).toBe('page-001.png\npage-002.png\npage-003.png\npage-004.png\n');
    expect((await run('--pages', '2', '-o', 'two.jpg', '--format', 'jpeg')).exitCode).toBe(0);
    expect(await sharp(here.at('two.jpg')).metadata()).toMatchObject({ format: 'jpeg', density: 40 });
    const streamed = await execa(
      process.execPath,
      [PROGRAM, 'to-images', LOREM, '--pages', '1', '--width', '200', '--format', 'webp', '--transparent', '-o', '-'],
      { env: CLEAN, extendEnv: false, encoding: 'buffer' },
    );
    expect(await sharp(streamed.stdout).metadata()).toMatchObject({ format: 'webp', width: 200, hasAlpha: true });
    const several = await run('-o', 'one.png');
    expect(several).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('4 pictures cannot be one file') });
    const other = await run('--pages', '1', '-o', 'one.jpg');
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('one.jpg would hold PNG') });
    expect(here.list()).toEqual(['all.zip', 'two.jpg']);
  });

  it('fits pictures into a width and a height, and has shades of grey where that is asked for', async () => {
    using here = folder();
    const args = ['to-images', GUIDE, '--pages', '1', '-o', 'a.png'];
    await pdftool([...args, '--width', '300', '--height', '300', '--grayscale'], { cwd: here.path });
    expect(await sharp(here.at('a.png')).metadata()).toMatchObject({ width: 232, height: 300, channels: 1 });
  });

  it('refuses a page of 200 inches at 1200 dpi, with the limit, and leaves nothing', async () => {
    using here = folder();
    writeFileSync(here.at('huge.pdf'), page(14_400));
    const run = await pdftool(['to-images', 'huge.pdf', '--dpi', '1200'], { cwd: here.path });
    expect(run.exitCode).toBe(6);
    expect(run.stderr).toContain('huge.pdf: page 1 would be 240000 x 240000 pixels');
    expect(run.stderr).toMatch(/at most 65500\n +Give a lower --dpi/);
    expect(here.list()).toEqual(['huge.pdf']);
  });

  it('refuses pages that there are not, and transparent JPEGs', async () => {
    using here = folder();
    const beyond = await pdftool(['to-images', LOREM, '--pages', '9'], { cwd: here.path });
    expect(beyond.exitCode).toBe(2);
    const clear = await pdftool(['to-images', LOREM, '--format', 'jpeg', '--transparent'], { cwd: here.path });
    expect(clear).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('a JPEG cannot be transparent') });
    expect(here.list()).toEqual([]);
  });

  it('draws what a password opens', async () => {
    using here = folder();
    execFileSync('qpdf', ['--encrypt', 'geheim', 'owner', '256', '--', LOREM, here.at('locked.pdf')]);
    const locked = await pdftool(['to-images', 'locked.pdf', '--pages', '1'], { cwd: here.path });
    expect(locked.exitCode).toBe(7);
    const args = ['to-images', 'locked.pdf', '--pages', '1', '--dpi', '30', '-o', 'a.png'];
    const opened = await pdftool(args, { cwd: here.path, env: { ...CLEAN, PDFTOOL_PDF_PASSWORD: 'geheim' } });
    expect(opened.exitCode).toBe(0);
    expect(here.list()).toEqual(['a.png', 'locked.pdf']);
  });

  it('leaves nothing after Ctrl-C, neither files nor processes', { timeout: 60_000 }, async () => {
    using here = folder();
    const run = spawn(process.execPath, [PROGRAM, 'to-images', GUIDE, '--dpi', '300', '-o', 'out'], {
      cwd: here.path,
      env: CLEAN,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(run, 'exit');
    await once(run.stderr, 'data');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    run.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(here.list()).toEqual([]);
    const drawing = () =>
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(`${PROGRAM} __draw`));
    // Drawers of other test files end within seconds.
    await expect.poll(drawing, { timeout: 20_000, interval: 250 }).toEqual([]);
  });
});
