// The web page of serve in a real browser without a window: documents, operations, steps, jobs, keyboard, and what it lets through.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOffered } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { command, killServers, type Served, serve } from '../serve/program.ts';

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const ROOT = resolve(import.meta.dirname, '../..');
const BOOK = resolve(ROOT, 'test/fixtures/lorem-ipsum.pdf');
const GUIDE = resolve(ROOT, 'test/fixtures/guide.pdf');
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const here = folder();
afterAll(() => {
  killServers();
  here[Symbol.dispose]();
});

describe.skipIf(BROWSER === undefined)('the page of serve', () => {
  let served: Served;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];
  const outside: string[] = [];
  beforeAll(async () => {
    served = await serve(here);
    const { keys } = JSON.parse((await command(here, 'keys', 'list', '--json')).stdout) as { keys: { id: string }[] };
    await command(here, 'credits', 'grant', String(keys[0]?.id), '500');
    browser = await chromium.launch({ executablePath: String(BROWSER), args: ['--no-sandbox'] });
    page = await opened(served);
  }, 120_000);
  afterAll(() => browser?.close());

  /** A page of its own, with the key typed in. */
  async function opened({ url, key }: Served, size = { width: 1100, height: 900 }): Promise<Page> {
    const page = await browser.newPage({ acceptDownloads: true, viewport: size });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !/^(blob|data):/.test(request.url())) outside.push(request.url());
    });
    await page.goto(url);
    await page.fill('.key input[type=password]', String(key));
    await page.click('text=Use this key');
    await page.waitForSelector('text=credits left');
    return page;
  }

  const add = async (page: Page, ...files: string[]) => {
    await page.setInputFiles('#files', files);
    await page.waitForSelector('.page img');
  };
  const saved = async (page: Page, name: string): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`[aria-label="Save ${name}"]`)]);
    const path = here.at(download.suggestedFilename());
    await download.saveAs(path);
    return path;
  };
  const operation = (page: Page, words: string) =>
    page.locator('nav button', { has: page.locator('strong', { hasText: new RegExp(`^${words}$`) }) }).click();
  const violations = async (page: Page) => {
    await page.evaluate(readFileSync(AXE, 'utf8'));
    return page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<Found> } };
      type Found = { violations: { id: string; nodes: { html: string }[] }[] };
      const { violations } = await axe.run({
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      });
      return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
    });
  };
  const pagesOf = (path: string) => Number(execFileSync('qpdf', ['--show-npages', path], { encoding: 'utf8' }));

  it('is small, and loads nothing from elsewhere', async () => {
    const names = ['page.js', 'page.css', 'index.html'].map((name) => resolve(ROOT, 'dist/page', name));
    const bytes = names.map((name) => gzipSync(readFileSync(name)).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100 * 1024);
    const { headers } = await fetch(served.url);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self'; (?!.*unsafe)/);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('offers every operation that works on files', async () => {
    const rows = OPERATIONS.filter(isOffered).filter(
      ({ surface, input, local, disabled }) =>
        surface === 'command' &&
        local === true &&
        disabled === undefined &&
        Object.values(input).some(({ kind }) => kind === 'file' || kind === 'files'),
    );
    expect(await page.locator('.operations button').count()).toBe(rows.length);
    await page.fill('#search', 'narrate');
    expect(await page.locator('.operations button').count()).toBe(1);
    await page.fill('#search', '');
  });

  it('joins two files, leaves a page out, shrinks, numbers and protects: each step on the output of the one before', async () => {
    await add(page, BOOK, GUIDE);
    await operation(page, 'merge');
    expect(await page.textContent('.line code')).toBe('pdftool merge lorem-ipsum.pdf guide.pdf');
    await page.click('form.operation button.main');
    await page.waitForSelector('article[aria-label="merged.pdf"] >> text=90 pages');
    await page.click('article[aria-label="merged.pdf"] >> [aria-label="Page 2"]');
    await page.click('text=Leave out');
    expect(await page.inputValue('#field-pages')).toBe('2');
    await page.waitForSelector('text=page 2: 1 of 90 pages');
    await page.click('form.operation button.main');
    await page.waitForSelector('article[aria-label="merged-dropped.pdf"] >> text=89 pages');
    for (const [words, name, typed] of [
      ['compress', 'merged-dropped-compressed.pdf', {}],
      ['number', 'merged-dropped-compressed-numbered.pdf', {}],
      ['encrypt', 'merged-dropped-compressed-numbered-encrypted.pdf', { user_password: 'open sesame' }],
    ] as const) {
      await operation(page, words);
      for (const [field, text] of Object.entries(typed)) await page.fill(`#field-${field}`, text);
      await page.click('form.operation button.main');
      await page.waitForSelector(`article[aria-label="${name}"]`);
    }
    const path = await saved(page, 'merged-dropped-compressed-numbered-encrypted.pdf');
    const [open, npages] = ['--password=open sesame', '--show-npages'];
    expect(execFileSync('qpdf', [open, npages, path], { encoding: 'utf8' }).trim()).toBe('89');
    expect(await page.locator('section[aria-label=Steps] li').count()).toBe(5);
    expect(await page.textContent('section[aria-label=Steps] code')).not.toContain('sesame');
  }, 240_000);

  it('asks for a password in place, says that it is wrong, and opens with the right one', async () => {
    const locked = 'article[aria-label="merged-dropped-compressed-numbered-encrypted.pdf"]';
    await page.fill(`${locked} input[type=password]`, 'wrong');
    await page.click('text=Unlock');
    await page.waitForSelector('[role=alert]');
    await page.fill(`${locked} input[type=password]`, 'open sesame');
    await page.click('text=Unlock');
    await page.waitForSelector('article[aria-label$="-decrypted.pdf"] >> text=89 pages');
  }, 60_000);

  it('undoes the last step', async () => {
    await page.click('text=Undo the last step');
    await page.click('text=Undo the last step');
    await page.waitForSelector('article[aria-label="merged-dropped-compressed-numbered.pdf"] >> text=89 pages');
  });

  it('works by keyboard alone: a page is marked, moved, and the new order kept', async () => {
    const alone = await opened(served);
    await add(alone, BOOK);
    await alone.focus('[aria-label="Page 1"]');
    await alone.keyboard.press('Alt+ArrowRight');
    expect(await alone.inputValue('#field-pages')).toBe('2,1,3-4');
    // The heading of the form has the focus, and its fields follow.
    expect(await alone.evaluate('document.activeElement.textContent')).toMatch(/order/i);
    await alone.keyboard.press('Tab');
    await alone.keyboard.press('Enter');
    await alone.waitForSelector('article[aria-label="lorem-ipsum-ordered.pdf"]');
    expect(pagesOf(await saved(alone, 'lorem-ipsum-ordered.pdf'))).toBe(4);
    await alone.close();
  }, 60_000);

  it('says what is wrong beside the field, and runs nothing', async () => {
    const alone = await opened(served);
    await add(alone, BOOK);
    await operation(alone, 'rotate');
    await alone.fill('#field-pages', '9');
    await alone.click('form.operation button.main');
    expect(await alone.textContent('#about-angle')).toContain('this is needed');
    expect(await alone.textContent('#about-pages')).toMatch(/4 pages/);
    expect(await alone.locator('section[aria-label=Steps]').count()).toBe(0);
    await alone.close();
  }, 60_000);

  it('finds a job again after a reload, and plays its sound', async () => {
    const alone = await opened(served);
    await add(alone, BOOK);
    await operation(alone, 'audiobook');
    await alone.fill('#field-page_range', '1');
    await alone.click('form.operation button.main');
    await alone.waitForSelector('section[aria-label=Jobs] li');
    expect(alone.url()).toContain('#jobs=job_');
    await alone.reload();
    await alone.fill('.key input[type=password]', String(served.key));
    await alone.click('text=Use this key');
    await expect
      .poll(() => alone.textContent('section[aria-label=Jobs]'), { timeout: 120_000, interval: 1_000 })
      .toContain('succeeded');
    await alone.waitForSelector('audio[src^="blob:"]');
    await alone.close();
  }, 180_000);

  it('shows names, titles, bookmarks and fields as text: none of them runs', async () => {
    const evil = '<img src=x onerror="document.title=1">';
    const name = '"><script>document.title=1</script>.pdf'.replaceAll('/', '');
    await pdftool(['meta', 'set', BOOK, '--title', evil, '-o', here.at('evil.pdf')], { cwd: here.path });
    const alone = await opened(served);
    await alone.setInputFiles('#files', [
      { name, mimeType: 'application/pdf', buffer: readFileSync(here.at('evil.pdf')) },
    ]);
    await alone.waitForSelector('.page img');
    await operation(alone, 'meta show');
    await alone.click('form.operation button.main');
    await alone.waitForSelector('section[aria-label=Results] textarea');
    expect(await alone.inputValue('section[aria-label=Results] textarea')).toContain('onerror');
    expect(await alone.title()).toBe('pdftool');
    await alone.close();
  }, 60_000);

  it('goes on beside a document whose pages cannot be drawn', async () => {
    const alone = await opened(served);
    writeFileSync(here.at('bad.pdf'), '%PDF-1.7\nnothing else');
    await add(alone, here.at('bad.pdf'), BOOK);
    expect(await alone.textContent('article[aria-label="bad.pdf"] .trouble')).toMatch(/bad\.pdf|damaged/);
    await alone.close();
  }, 60_000);

  it('says in a sentence that the server is gone, and that a key is not known', async () => {
    using other = folder();
    const short = await serve(other);
    const alone = await opened(short);
    await alone.click('text=Change key');
    await alone.fill('.key input[type=password]', 'sk_live_unknown');
    await alone.click('text=Use this key');
    await alone.waitForSelector('[role=alert] >> text=Enter an API key');
    short.child.kill('SIGKILL');
    await short.exit;
    await alone.click('text=Use this key');
    await alone.waitForSelector('[role=alert] >> text=cannot be reached');
    await alone.close();
  }, 60_000);

  it.each([
    ['light', { width: 1100, height: 900 }],
    ['dark', { width: 320, height: 700 }],
  ] as const)(
    'has no fault that axe finds, %s, with a form open and results',
    async (colorScheme, size) => {
      const alone = await opened(served, size);
      await alone.emulateMedia({ colorScheme });
      await add(alone, BOOK);
      expect(await violations(alone)).toEqual([]);
      await operation(alone, 'extract-text');
      await alone.click('form.operation button.main');
      await alone.waitForSelector('section[aria-label=Results]');
      await operation(alone, 'stamp');
      expect(await violations(alone)).toEqual([]);
      expect(await alone.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await alone.close();
    },
    120_000,
  );

  it('uses the key of --page-key-file on this machine alone', async () => {
    using other = folder();
    const key = here.at('data/first-key');
    const refused = await pdftool(['serve', '--host', '0.0.0.0', '--data', other.at('x'), '--page-key-file', key], {
      cwd: other.path,
    });
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--allow-public-page')]);
    const about = (url: string, headers = {}) => fetch(`${url}/page/about`, { headers });
    const keyed = await serve(other, ['--page-key-file', key]);
    expect(await (await about(keyed.url)).json()).toMatchObject({ key: served.key });
    expect((await about(keyed.url, { Origin: 'https://example.org' })).status).toBe(403);
    const none = await serve(folder(), ['--no-page']);
    expect((await fetch(none.url)).status).toBe(404);
  }, 60_000);

  it('ran no script that failed, and asked nobody else', () => {
    expect(errors).toEqual([]);
    expect(outside).toEqual([]);
  });
});
