// The page on which regions are reviewed, in a real browser without a window: mouse and keyboard, and the file it saves.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const BOOK = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const here = folder();
afterAll(() => here[Symbol.dispose]());

interface Saved {
  readonly reviewed: boolean;
  readonly sourceSha256: string;
  readonly regions: readonly { page: number; x: number; y: number; w: number; h: number; kind: string; id: string }[];
}

describe.skipIf(BROWSER === undefined)('the review page', () => {
  let browser: Browser;
  let page: Page;
  let found: Saved;
  const outside: string[] = [];
  const errors: string[] = [];
  beforeAll(async () => {
    await pdftool(['redact', 'inspect', BOOK, '--local', '--find', 'lorem', '-o', 'regions.json'], { cwd: here.path });
    found = JSON.parse(readFileSync(here.at('regions.json'), 'utf8')) as Saved;
    const made = await pdftool(['redact', 'review', BOOK, '--regions', 'regions.json', '--html', '-o', 'page.html'], {
      cwd: here.path,
    });
    expect(made.stderr).not.toContain('error');
    browser = await chromium.launch({ executablePath: String(BROWSER), args: ['--no-sandbox'] });
    page = await browser.newPage({ acceptDownloads: true, viewport: { width: 1000, height: 900 } });
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) outside.push(request.url());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(pathToFileURL(here.at('page.html')).href);
  }, 120_000);
  afterAll(() => browser?.close());

  const count = () => page.textContent('#count');
  const boxes = () => page.locator('.box').count();
  const save = async (): Promise<Saved> => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    expect(download.suggestedFilename()).toBe('regions.json');
    const path = here.at('saved.json');
    await download.saveAs(path);
    return JSON.parse(readFileSync(path, 'utf8')) as Saved;
  };

  it('shows every page as a picture, with its boxes where they were found', async () => {
    expect(await page.locator('.page img').count()).toBe(4);
    const drawn = await page
      .locator('.page img')
      .evaluateAll((images) => images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth));
    expect(Math.min(...drawn)).toBeGreaterThan(500);
    expect(await boxes()).toBe(found.regions.length);
    const [first] = found.regions;
    const [paper, box] = [
      await page.locator('.page').first().boundingBox(),
      await page.locator('.box').first().boundingBox(),
    ];
    expect((box!.x - paper!.x) / paper!.width).toBeCloseTo(first!.x, 2);
    expect((box!.y - paper!.y) / paper!.height).toBeCloseTo(first!.y, 2);
  });

  it('has nothing of the text in it', () => {
    expect(readFileSync(here.at('page.html'), 'utf8').toLowerCase()).not.toMatch(/[>"' ]lorem[ <"']/);
  });

  it('ticks, moves, changes and deletes with the keyboard', async () => {
    const first = page.locator('.box').first();
    const before = await first.evaluate((box) => (box as unknown as { style: { left: string } }).style.left);
    await first.focus();
    await page.keyboard.press('Space');
    expect(await first.getAttribute('aria-checked')).toBe('false');
    expect(await count()).toContain(`${found.regions.length - 1} of ${found.regions.length}`);
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Alt+ArrowDown');
    const after = await first.evaluate((box) => (box as unknown as { style: { left: string } }).style.left);
    expect(Number.parseFloat(after) - Number.parseFloat(before)).toBeCloseTo(1, 3);
    await page.keyboard.press('Delete');
    expect(await boxes()).toBe(found.regions.length - 1);
    await page.keyboard.press('Control+z');
    expect(await boxes()).toBe(found.regions.length);
  });

  it('adds with mouse and keyboard, moves with the mouse', async () => {
    const before = await boxes();
    await page.evaluate('scrollTo(0, 0)');
    const paper = (await page.locator('.page').first().boundingBox())!;
    const at = (x: number, y: number) => [paper.x + x * paper.width, paper.y + y * paper.height] as const;
    await page.mouse.move(...at(0.6, 0.3));
    await page.mouse.down();
    await page.mouse.move(...at(0.7, 0.33));
    await page.mouse.move(...at(0.8, 0.35));
    await page.mouse.up();
    expect(await boxes()).toBe(before + 1);
    const drawn = page.locator('.box[data-id=m1]');
    const box = (await drawn.boundingBox())!;
    expect((box.x - paper.x) / paper.width).toBeCloseTo(0.6, 1);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 50, box.y + box.height / 2 + 20, { steps: 4 });
    await page.mouse.up();
    const moved = (await drawn.boundingBox())!;
    expect([Math.round(moved.x - box.x), Math.round(moved.y - box.y)]).toEqual([-50, 20]);
    await page.click('#add');
    expect(await boxes()).toBe(before + 2);
    await page.keyboard.press('Delete');
    expect(await boxes()).toBe(before + 1);
  });

  it('saves what is ticked as reviewed, and apply takes it', { timeout: 60_000 }, async () => {
    const last = page.locator('.box[data-id=r2]');
    await last.focus();
    await page.keyboard.press('Space');
    const saved = await save();
    expect(saved.reviewed).toBe(true);
    expect(saved.sourceSha256).toBe(found.sourceSha256);
    expect(saved.regions.length).toBe(found.regions.length);
    expect(saved.regions.map(({ id }) => id)).toContain('m1');
    const applied = await pdftool(['redact', 'apply', BOOK, '--local', '--regions', 'saved.json', '-o', 'out.pdf'], {
      cwd: here.path,
    });
    expect([applied.exitCode, applied.stdout]).toEqual([0, 'out.pdf\n']);
  });

  it('asks no other machine for anything, and nothing goes wrong in it', () => {
    expect(outside).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('keeps a file name and kinds that look like markup as text', async () => {
    writeFileSync(here.at('<img src=x>.pdf'), readFileSync(BOOK));
    const regions = [{ ...found.regions[0], kind: '</script><script>document.title="bad"</script>' }];
    writeFileSync(here.at('evil.json'), JSON.stringify({ ...found, regions }));
    const args = ['redact', 'review', '<img src=x>.pdf', '--regions', 'evil.json', '--html', '-o', 'evil.html'];
    expect((await pdftool(args, { cwd: here.path })).exitCode).toBe(0);
    const other = await browser.newPage();
    await other.goto(pathToFileURL(here.at('evil.html')).href);
    expect(await other.title()).toBe('Review: <img src=x>.pdf');
    expect(await other.textContent('h1')).toBe('<img src=x>.pdf');
    await other.close();
  });
});
