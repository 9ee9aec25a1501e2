// The web page of serve in a real browser without a window: documents, operations, steps, jobs, keyboard, and what it lets through.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOffered, wordsOf } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { PAGE_ROWS } from '../../src/page/rows.ts';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { PDFS } from '../hostile/pdfs.ts';
import { command, killServers, remote, type Served, serve } from '../serve/program.ts';

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const ROOT = resolve(import.meta.dirname, '../..');
const BOOK = resolve(ROOT, 'test/fixtures/lorem-ipsum.pdf');
const GUIDE = resolve(ROOT, 'test/fixtures/guide.pdf');
const SCAN = resolve(ROOT, 'test/fixtures/documents/pypdf--Seige_of_Vicksburg_Sample_OCR.pdf');
const TINY = resolve(ROOT, 'test/fixtures/inherited.pdf');
const INVOICE = `<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="r" xmlns:ram="m"><rsm:ExchangedDocumentContext>
<ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID>
</ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext></rsm:CrossIndustryInvoice>`;
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Milliseconds that starting what draws, and a request beside it, may take of a processor. */
const STARTS = 3_000;
/** The whole catalogue of hostile documents takes minutes. */
const ALL = process.env.PDFTOOL_HOSTILE === 'all';
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
    mkdirSync(here.at('data'));
    // Small bounds, so that a limit is reached with small files.
    writeFileSync(here.at('data/serve.json'), JSON.stringify({ limits: { crop: { inputBytes: 2_000 } } }));
    served = await serve(here, ['--admin-key-file', here.at('admin-key')]);
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
  const violations = async (page: Page | Frame | undefined) => {
    if (page === undefined) throw new TypeError('there is no such frame');
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
    // And redaction, which is a workflow of the service.
    expect(await page.locator('.operations button').count()).toBe(rows.length + 1);
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
      // A password stands in no file: the steps before it are saved.
      if (words === 'encrypt') await saved(page, 'steps.json');
      await operation(page, words);
      for (const [field, text] of Object.entries(typed)) await page.fill(`#field-${field}`, text);
      await page.click('form.operation button.main');
      await page.waitForSelector(`article[aria-label="${name}"]`);
    }
    // The steps run again here; those after the merge also on the server as one job, which takes one file.
    const cwd = here.path;
    const again = await pdftool(['run', 'steps.json', BOOK, GUIDE, '--local', '-o', 'again.pdf'], { cwd });
    expect([again.exitCode, pagesOf(here.at('again.pdf'))]).toEqual([0, 89]);
    await pdftool(['merge', BOOK, GUIDE, '--local', '-o', 'both.pdf'], { cwd });
    const { steps } = JSON.parse(readFileSync(here.at('steps.json'), 'utf8')) as { steps: object[] };
    writeFileSync(here.at('rest.json'), JSON.stringify({ steps: steps.slice(1) }));
    const env = remote(served, served.key);
    const job = await pdftool(['run', 'rest.json', 'both.pdf', '--as-job', '-o', 'job.pdf'], { cwd, env });
    expect([job.exitCode, pagesOf(here.at('job.pdf'))], job.stderr).toEqual([0, 89]);
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

  it('runs every operation from its row on real files; qpdf finds nothing wrong with what comes out', async () => {
    const [cat, form] = ['pictures/image-rs--cat.jpg', 'documents/pdfbox--acroform.pdf'].map((name) =>
      resolve(ROOT, 'test/fixtures', name),
    ) as [string, string];
    const made = (name: string, content: string) => {
      writeFileSync(here.at(name), content);
      return here.at(name);
    };
    const data = made('data.csv', 'a,b\n1,2\n');
    const invoice = made('factur-x.xml', INVOICE);
    const [holds, bills, locked] = [here.at('holds.pdf'), here.at('bills.pdf'), here.at('locked.pdf')];
    execFileSync('qpdf', [BOOK, '--add-attachment', data, '--', '--', holds]);
    execFileSync('qpdf', ['--encrypt', 'sesame', 'owner', '256', '--', BOOK, locked]);
    await pdftool(['invoice', 'attach', TINY, invoice, '-o', bills], { cwd: here.path });
    /** The documents, where it is not one of text; what is typed; and files beside the documents. */
    const runs: Readonly<
      Record<string, { files?: string[]; typed?: Record<string, string>; beside?: Record<string, string> }>
    > = {
      merge: { files: [BOOK, GUIDE] },
      rotate: { typed: { angle: '90' } },
      'pages-take': { typed: { pages: '2-3' } },
      'pages-drop': { typed: { pages: '1' } },
      'pages-order': { typed: { pages: '4,1-3' } },
      encrypt: { typed: { user_password: 'sesame' } },
      decrypt: { files: [locked], typed: { password: 'sesame' } },
      'meta-set': { typed: { title: 'A title' } },
      'bookmarks-set': { typed: { bookmarks: 'One\t1' } },
      'labels-set': { typed: { labels: '1:r' } },
      'attach-list': { files: [holds] },
      'attach-add': { files: [BOOK, data] },
      'attach-extract': { files: [holds] },
      'attach-remove': { files: [holds], typed: { name: 'data.csv' } },
      'merge-compress': { files: [BOOK, BOOK] },
      'images-to-pdf': { files: [cat] },
      'images-to-pdf-compress': { files: [cat] },
      'to-images': { typed: { pages: '1', dpi: '40' } },
      ocr: { files: [SCAN], typed: { pages: '1' } },
      stamp: { typed: { text: 'Draft' } },
      overlay: { beside: { pdf: GUIDE } },
      nup: { typed: { per_sheet: '4' } },
      crop: { files: [TINY], typed: { margin: '5' } },
      resize: { typed: { paper: 'A4' } },
      blank: { typed: { after: '1' } },
      compare: { files: [BOOK, GUIDE] },
      verify: { files: [resolve(ROOT, 'test/fixtures/signed-twice.pdf')] },
      optimize: { typed: { linearize: '' } },
      'invoice-attach': { files: [TINY, invoice] },
      'invoice-show': { files: [bills] },
      'form-show': { files: [form] },
      'form-fill': { files: [form], typed: { values: '{"TextField": "filled in"}' } },
      'form-flatten': { files: [form] },
      audiobook: { typed: { page_range: '1' } },
      narrate: { typed: { page_range: '1' } },
      redact: { typed: { find: 'ipsum' } },
      check: { files: [resolve(ROOT, 'test/fixtures/conformance/pdfa-2b.pdf')] },
      tables: { files: [resolve(ROOT, 'test/fixtures/object-streams.pdf')] },
    };
    const alone = await opened(served);
    const shown = alone.locator('[aria-label^="Remove "]');
    const wrong: string[] = [];
    for (const op of PAGE_ROWS) {
      const { files = [BOOK], typed = {}, beside = {} } = runs[op.name] ?? {};
      while ((await shown.count()) > 0) await shown.first().click();
      await alone.setInputFiles('#files', files);
      await alone.waitForSelector(`.documents article >> nth=${files.length - 1}`);
      await operation(alone, wordsOf(op));
      for (const [name, text] of Object.entries(typed)) {
        const field = alone.locator(`#field-${name}`);
        if (op.input[name]?.kind === 'flag') await field.check();
        else if (op.input[name]?.kind === 'choice') await field.selectOption(text);
        else await field.fill(text);
      }
      for (const [name, file] of Object.entries(beside)) await alone.setInputFiles(`#field-${name}`, file);
      const jobs = await alone.locator('section[aria-label=Jobs] li').count();
      const why = await alone.locator('.why').allTextContents();
      if (why.length > 0) {
        wrong.push(`${op.name}: ${why}`);
        continue;
      }
      await alone.click('form.operation button.main');
      const ended = alone.locator('main [role=alert], body:not(:has(form.operation))').first();
      await ended.waitFor({ timeout: 120_000 });
      const alert = await alone.locator('main [role=alert]').allTextContents();
      if (alert.length > 0) {
        wrong.push(`${op.name}: ${alert}`);
        continue;
      }
      const isNew = (await alone.locator('section[aria-label=Jobs] li').count()) > jobs;
      if (isNew) {
        const job = alone.locator('section[aria-label=Jobs] li').last();
        const over = /: (succeeded|failed|expired|cancelled)/;
        await expect.poll(() => job.textContent(), { timeout: 120_000 }).toMatch(over);
        if (!/: succeeded/.test(String(await job.textContent()))) wrong.push(`${op.name}: ${await job.textContent()}`);
      }
      const results = await alone.locator('section[aria-label=Results] article').count();
      const names = files.map((file) => basename(file));
      const came = (
        await alone.locator('.documents article').evaluateAll((all) => all.map((each) => each.ariaLabel))
      ).flatMap((name) => (name === null || names.includes(name) ? [] : [name]));
      if (!isNew && results + came.length === 0) wrong.push(`${op.name}: nothing came out`);
      for (const name of came) {
        const password = op.name === 'encrypt' ? ['--password=sesame'] : [];
        const checked = spawnSync('qpdf', ['--check', ...password, await saved(alone, name)], { encoding: 'utf8' });
        if (checked.status !== 0) wrong.push(`${op.name}: ${name}: ${checked.stdout}${checked.stderr}`);
      }
    }
    expect(wrong).toEqual([]);
    await alone.close();
  }, 600_000);

  /** Presses Tab until what is named has the focus. */
  const tabIn =
    (page: Page) =>
    async (selector: string, back = false) => {
      const isThere = `document.activeElement?.matches(${JSON.stringify(selector)})`;
      for (let presses = 0; (await page.evaluate(isThere)) !== true; presses += 1) {
        if (presses === 150) throw new Error(`Tab never reaches ${selector}`);
        await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
      }
    };

  it('does what a newcomer looks for in own words, by keyboard alone', async () => {
    const alone = await opened(served);
    const { keyboard } = alone;
    const tabTo = tabIn(alone);
    await add(alone, BOOK, GUIDE);
    /** Looks for an operation and opens it. */
    const look = async (words: string) => {
      await tabTo('#search');
      await keyboard.press('Control+A');
      await keyboard.type(words);
      await keyboard.press('Enter');
      await expect.poll(() => alone.evaluate('document.activeElement.tagName')).toBe('H2');
    };
    const run = async (name: string) => {
      await tabTo('form.operation button.main');
      await keyboard.press('Enter');
      await alone.waitForSelector(`article[aria-label="${name}"]`);
      await alone.waitForSelector('form.operation', { state: 'detached' });
    };
    await look('combine');
    await run('merged.pdf');
    await tabTo('article[aria-label="merged.pdf"] [aria-label="Page 2"]');
    await keyboard.press('Space');
    await tabTo('.marks [title="pages drop"]', true);
    await keyboard.press('Enter');
    await run('merged-dropped.pdf');
    await look('shrink');
    await tabTo('#field-target_bytes');
    await keyboard.type('2');
    await alone.waitForSelector('text=This means 2 bytes.');
    await keyboard.type(' MB');
    await alone.waitForSelector('text=This means 2.0 MB.');
    await run('merged-dropped-compressed.pdf');
    await look('page numbers');
    await run('merged-dropped-compressed-numbered.pdf');
    await look('protect');
    await tabTo('#field-user_password');
    await keyboard.type('open sesame');
    const name = 'merged-dropped-compressed-numbered-encrypted.pdf';
    await run(name);
    await tabTo(`[aria-label="Save ${name}"]`, true);
    const [download] = await Promise.all([alone.waitForEvent('download'), keyboard.press('Enter')]);
    const path = here.at('newcomer.pdf');
    await download.saveAs(path);
    const asked = ['--password=open sesame', '--show-npages', path];
    expect(execFileSync('qpdf', asked, { encoding: 'utf8' }).trim()).toBe('89');
    expect(readFileSync(path).length).toBeLessThan(2 * 1024 * 1024);
    await alone.close();
  }, 240_000);

  it('works by keyboard alone, from the key to the saved file: a page is moved, the order kept, and a page turned', async () => {
    const alone = await browser.newPage({ acceptDownloads: true });
    await alone.goto(served.url);
    const { keyboard } = alone;
    const tabTo = tabIn(alone);
    await tabTo('.key input[type=password]');
    await keyboard.type(String(served.key));
    await keyboard.press('Enter');
    await alone.waitForSelector('text=credits left');
    // Waited for early: the browser must know of it before the key is pressed.
    const choosing = alone.waitForEvent('filechooser');
    await tabTo('#files');
    await keyboard.press('Enter');
    await (await choosing).setFiles(BOOK);
    await alone.waitForSelector('.page img');
    await tabTo('[aria-label="Page 1"]');
    await keyboard.press('Alt+ArrowRight');
    expect(await alone.inputValue('#field-pages')).toBe('2,1,3-4');
    // The heading of the form has the focus, and its fields follow.
    expect(await alone.evaluate('document.activeElement.textContent')).toMatch(/order/i);
    await tabTo('form.operation button.main');
    await keyboard.press('Enter');
    await alone.waitForSelector('article[aria-label="lorem-ipsum-ordered.pdf"] .page img');
    await tabTo('#search');
    await keyboard.type('rotate');
    await tabTo('nav .operations button');
    await keyboard.press('Enter');
    await tabTo('#field-angle');
    await keyboard.type('90');
    await tabTo('#field-pages');
    await keyboard.type('even');
    await alone.waitForSelector('text=/2 of 4 pages/');
    await keyboard.press('Enter');
    await alone.waitForSelector('article[aria-label="lorem-ipsum-ordered-rotated.pdf"]');
    await tabTo('[aria-label="Save lorem-ipsum-ordered-rotated.pdf"]', true);
    const [download] = await Promise.all([alone.waitForEvent('download'), keyboard.press('Enter')]);
    const path = here.at('by-keyboard.pdf');
    await download.saveAs(path);
    expect(pagesOf(path)).toBe(4);
    const boxes = execFileSync('pdfinfo', ['-l', '4', path], { encoding: 'utf8' });
    expect(boxes.match(/^Page +\d rot: +\d+/gm)?.map((line) => line.split(' ').at(-1))).toEqual(['0', '90', '0', '90']);
    await alone.close();
  }, 90_000);

  it('takes files that are dropped or pasted anywhere on the page, and pages that are dragged', async () => {
    const alone = await opened(served);
    const bytes = readFileSync(BOOK).toString('base64');
    /** What a mouse or a clipboard holds, in the words of the page. */
    const held = (name: string) => `(() => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob('${bytes}'), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], '${name}', { type: 'application/pdf' }));
      return transfer;
    })()`;
    for (const type of ['dragover', 'drop']) {
      const dataTransfer = await alone.evaluateHandle(held('dropped.pdf'));
      await alone.dispatchEvent('nav', type, { dataTransfer });
    }
    await alone.waitForSelector('article[aria-label="dropped.pdf"] .page img');
    const pasted = `new ClipboardEvent('paste', { clipboardData: ${held('pasted.pdf')}, bubbles: true })`;
    await alone.evaluate(`document.body.dispatchEvent(${pasted})`);
    await alone.waitForSelector('article[aria-label="pasted.pdf"] >> text=4 pages');
    const page = (number: number) => alone.locator(`article[aria-label="dropped.pdf"] [aria-label="Page ${number}"]`);
    await page(4).dragTo(page(1));
    expect(await alone.inputValue('#field-pages')).toBe('4,1-3');
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
    expect(await alone.textContent('section[aria-label=Jobs]')).toMatch(/kept until .*\d/);
    expect(await violations(alone)).toEqual([]);
    // Without a connection it is asked for again, until there is one.
    await alone.route('**/api/v1/**', (route) => route.abort());
    await alone.evaluate(`location.hash = location.hash.concat(',job_other')`);
    await alone.waitForSelector('text=job_other: the server cannot be reached; trying again');
    await alone.unroute('**/api/v1/**');
    await alone.waitForSelector('text=job_other: not followed');
    // Another tab, which has another job in its address.
    const id = /job_\w+/.exec(alone.url())?.[0];
    await alone.evaluate("location.hash = 'jobs=job_unknown'");
    await alone.waitForSelector('text=job_unknown');
    expect(await alone.textContent('section[aria-label=Jobs]')).not.toContain(String(id));
    await alone.close();
  }, 180_000);

  it('cancels a job, which costs nothing', async () => {
    const alone = await opened(served);
    const credits = await alone.textContent('.credits');
    await add(alone, GUIDE);
    await operation(alone, 'audiobook');
    await alone.fill('#field-page_range', '3-12');
    await alone.click('form.operation button.main');
    await alone.click('section[aria-label=Jobs] >> text=Cancel job_');
    await alone.waitForSelector('text=Nothing was charged: the job was cancelled');
    await alone.reload();
    await alone.fill('.key input[type=password]', String(served.key));
    await alone.click('text=Use this key');
    await alone.waitForSelector('.credits');
    expect(await alone.textContent('.credits')).toBe(credits);
    await alone.close();
  }, 120_000);

  it('finds words, shows the regions to be moved, drawn and switched off, and removes what is ticked', async () => {
    const alone = await opened(served);
    await add(alone, BOOK);
    await operation(alone, 'redact');
    expect(await alone.textContent('.line code')).toBe('pdftool redact lorem-ipsum.pdf');
    await alone.fill('#field-find', 'ipsum');
    // The lines for curl do the same.
    const curl = String(await alone.textContent('.line >> nth=1 >> code'));
    const env = { PATH: process.env.PATH, PDFTOOL_API_KEY: String(served.key) };
    const cwd = resolve(ROOT, 'test/fixtures');
    const begun = execFileSync('sh', ['-c', curl.replaceAll('job.json', here.at('job.json'))], { cwd, env });
    expect(JSON.parse(String(begun))).toMatchObject({ ok: true, workflow: 'redaction' });
    await alone.click('form.operation button.main');
    await alone.click('text=Look at what was found', { timeout: 120_000 });
    const review = alone.frameLocator('dialog iframe');
    const box = review.locator('.box');
    await box.first().waitFor({ timeout: 60_000 });
    const found = await box.count();
    expect(found).toBeGreaterThan(1);
    // By keyboard: the last is switched off, and one more drawn by mouse.
    await box.last().focus();
    await alone.keyboard.press('Space');
    await alone.keyboard.press('ArrowRight');
    expect(await box.last().getAttribute('aria-checked')).toBe('false');
    const first = review.locator('.page').first();
    await first.evaluate((page) => page.scrollIntoView({ block: 'center' }));
    const page = await first.boundingBox();
    if (page === null) throw new Error('the review has no page');
    const middle = page.y + page.height / 2;
    await alone.mouse.move(page.x + 30, middle);
    await alone.mouse.down();
    await alone.mouse.move(page.x + 130, middle + 30);
    await alone.mouse.up();
    expect(await review.locator('#count').textContent()).toBe(`${found} of ${found + 1} regions ticked`);
    expect(await violations(alone.frames()[1])).toEqual([]);
    expect(await violations(alone)).toEqual([]);
    await review.locator('#save').click();
    await alone.click('text=Go on with it', { timeout: 120_000 });
    const text = execFileSync('pdftotext', [await saved(alone, 'redaction.pdf'), '-'], { encoding: 'utf8' });
    expect(text.match(/ipsum/gi)).toHaveLength(1);
    await alone.close();
  }, 240_000);

  it('opens a comparison as a page of its own, which can reach nothing', async () => {
    const alone = await opened(served);
    await add(alone, BOOK, resolve(ROOT, 'test/fixtures/rotated-270.pdf'));
    await operation(alone, 'compare');
    await alone.click('form.operation button.main');
    await alone.click('text=Open it', { timeout: 120_000 });
    await alone.frameLocator('dialog iframe').locator('h2').first().waitFor();
    const [, frame] = alone.frames();
    expect(await violations(frame)).toEqual([]);
    expect(await frame?.evaluate('fetch("/page/about").then(() => "reached", () => "refused")')).toBe('refused');
    expect(await frame?.evaluate('(() => { try { return parent.localStorage } catch { return "apart" } })()')).toBe(
      'apart',
    );
    await alone.keyboard.press('Escape');
    expect(await alone.locator('dialog').count()).toBe(0);
    await alone.close();
  }, 180_000);

  it('lets the operator make, name, pay and revoke keys, and see use and jobs of all accounts', async () => {
    const other = await command(here, 'keys', 'create', '--label', 'for Bob', '--json');
    const { api_key: bob } = JSON.parse(other.stdout) as { api_key: string };
    const begun = await fetch(`${served.url}/api/v1/workflow-jobs`, {
      method: 'POST',
      headers: { 'X-API-Key': bob, 'Content-Type': 'application/json' },
      body: JSON.stringify({ workflow: 'compress', inputBytes: 1, maxCredits: 1 }),
    });
    expect(begun.status).toBe(200);
    const alone = await opened(served);
    const area = alone.locator('section[aria-label="Account area"]');
    await area.locator('input[type=password]').fill(String(served.key));
    await area.locator('text=Open').click();
    await area.locator('[role=alert]').waitFor();
    expect(await area.locator('svg').count()).toBe(0);
    await area.locator('input[type=password]').fill(readFileSync(here.at('admin-key'), 'utf8').trim());
    await area.locator('text=Open').click();
    await area.locator('svg[role=img]').waitFor();
    // A job of another account, which the operator sees and cancels.
    await area.locator('text="Queue of all accounts"').waitFor();
    await area.locator('text=/awaiting upload/ >> nth=0').waitFor();
    await area.locator('li:has-text("of for Bob: compress, 1 bytes, awaiting upload") >> button').click();
    await area.locator('text=is cancelled').waitFor();
    expect(await area.locator('svg').getAttribute('aria-label')).toMatch(/^\d+ credits used in 30 days/);
    await area.locator('label:has-text("Name of a new key") input').fill('<b>أحمد</b>');
    await area.locator('text=Make a key').click();
    await area.locator('text=shown once').waitFor();
    const [made] = /sk_live_\w+/.exec(String(await area.locator('[role=status]').textContent())) ?? [];
    const account = () => fetch(`${served.url}/api/v1/account`, { headers: { 'X-API-Key': String(made) } });
    expect(await (await account()).json()).toMatchObject({ credits_remaining: 20 });
    await area.locator('[aria-label="Grant 100 credits to <b>أحمد</b>"]').click();
    await area.locator('text=has 120 credits').waitFor();
    expect(await violations(alone)).toEqual([]);
    alone.once('dialog', (dialog) => dialog.accept());
    await area.locator('[aria-label="Revoke <b>أحمد</b>"]').click();
    await area.locator('text=is revoked').waitFor();
    expect((await account()).status).toBe(403);
    await alone.close();
  }, 120_000);

  it('says in a sentence what a limit is, and what to do', async () => {
    const alone = await opened(served);
    await add(alone, BOOK);
    await operation(alone, 'crop');
    await alone.fill('#field-margin', '5');
    await alone.click('form.operation button.main');
    await alone.waitForSelector('[role=alert] >> text=/2000 bytes.*Take fewer pages.*nothing was charged/');
    await alone.close();
  }, 60_000);

  it('draws 50 pages with one request, within a bound of processor time', async () => {
    const cpuOf = (run: () => Promise<unknown>) => cpuOfChildren(served.child.pid ?? 0, run);
    execFileSync('qpdf', [GUIDE, '--pages', '.', '1-50', '--', here.at('fifty.pdf')]);
    const alone = await opened(served);
    const asked: string[] = [];
    alone.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await alone.setInputFiles('#files', here.at('fifty.pdf'));
    const used = await cpuOf(async () => {
      await expect.poll(() => alone.locator('.page img').count(), { timeout: 60_000 }).toBe(50);
    });
    expect(asked.filter((path) => path === '/page/thumbnails')).toHaveLength(1);
    const began = processTimes();
    execFileSync('pdftoppm', ['-scale-to', '200', here.at('fifty.pdf'), here.at('peer')]);
    const peer = processTimes() - began;
    console.info(`50 thumbnails: ${used} ms of processor time; pdftoppm: ${Math.round(peer)} ms`);
    expect(used).toBeLessThan(2 * peer + STARTS);
    // The next documents are drawn by the same process, or by another where that has ended.
    const show = async () => {
      await alone.click('[aria-label="Remove fifty.pdf"]');
      await add(alone, here.at('fifty.pdf'));
    };
    const drawing = () => drawersOf(served.child.pid ?? 0);
    const kept = drawing();
    await show();
    expect(kept).toEqual(expect.arrayContaining(drawing()));
    for (const id of drawing()) process.kill(id, 'SIGKILL');
    await show();
    expect(drawing().filter((id) => kept.includes(id))).toEqual([]);
    await alone.close();
  }, 120_000);

  it('scrolls through 500 pages: each is drawn once, and the page answers meanwhile', async () => {
    execFileSync('qpdf', ['--empty', '--pages', ...Array.from({ length: 6 }, () => GUIDE), '--', here.at('many.pdf')]);
    const alone = await opened(served);
    let requests = 0;
    alone.on('request', (request) => {
      if (request.url().endsWith('/page/thumbnails')) requests += 1;
    });
    await alone.setInputFiles('#files', here.at('many.pdf'));
    await alone.waitForSelector('[aria-label="Page 516"]', { state: 'attached' });
    // Work of this page that keeps it from answering for more than 50 ms.
    await alone.evaluate(`globalThis.stalls = [];
      new PerformanceObserver((list) => stalls.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: 'longtask' })`);
    for (const page of [60, 180, 300, 420, 516]) {
      await alone.locator(`[aria-label="Page ${page}"]`).scrollIntoViewIfNeeded();
      await alone.locator(`[aria-label="Page ${page}"] img`).waitFor({ timeout: 60_000 });
    }
    expect(requests).toBeLessThanOrEqual(9);
    const stalls = await alone.evaluate('stalls');
    console.info(`tasks longer than 50 ms while 500 pages were scrolled: ${JSON.stringify(stalls)}`);
    await alone.close();
  }, 240_000);

  it('shows names, titles, bookmarks, fields and words as text: nothing of a document runs', async () => {
    const evil = '"><img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>';
    const name = `${evil.replaceAll('/', '')}.pdf`;
    const made = await PDFDocument.create();
    const [paper] = [made.addPage([900, 300])];
    paper.drawText(evil, { x: 10, y: 100, size: 10 });
    for (const set of ['setTitle', 'setAuthor', 'setSubject', 'setCreator'] as const) made[set](evil);
    const field = made.getForm().createTextField('<img src=x onerror=ran=1>');
    field.setText(evil);
    field.addToPage(paper, { x: 10, y: 10, width: 500, height: 40 });
    await made.attach(Buffer.from('x'), evil, { mimeType: 'text/html', description: evil });
    writeFileSync(here.at('titled.pdf'), await made.save());
    writeFileSync(here.at('bookmarks.txt'), `${evil}\t1\n`);
    const marks = ['bookmarks', 'set', here.at('titled.pdf'), '--bookmarks', `@${here.at('bookmarks.txt')}`];
    expect((await pdftool([...marks, '-o', here.at('evil.pdf')], { cwd: here.path })).exitCode).toBe(0);
    const alone = await opened(served);
    const ran = () => Promise.all(alone.frames().map((frame) => frame.evaluate('globalThis.ran ?? null')));
    const buffer = readFileSync(here.at('evil.pdf'));
    await alone.setInputFiles('#files', [{ name, mimeType: 'application/pdf', buffer }]);
    await alone.waitForSelector('.page img');
    const shows = ['info', 'meta show', 'bookmarks show', 'form show', 'attach list', 'markdown'];
    for (const [before, words] of shows.entries()) {
      await operation(alone, words);
      await alone.click('form.operation button.main');
      await alone.waitForSelector(`section[aria-label=Results] article >> nth=${before}`);
      expect(await alone.inputValue('section[aria-label=Results] textarea >> nth=0'), words).toMatch(/onerror/);
    }
    // Pages that operations make may run their own scripts.
    await alone.setInputFiles('#files', BOOK);
    await alone.waitForSelector('article[aria-label="lorem-ipsum.pdf"] >> text=4 pages');
    await operation(alone, 'compare');
    await alone.click('form.operation button.main');
    await alone.click('text=Open it', { timeout: 60_000 });
    await alone.frameLocator('dialog iframe').locator('h2').first().waitFor();
    expect(await ran()).toEqual([null, null]);
    await alone.keyboard.press('Escape');
    await alone.click('[aria-label="Remove lorem-ipsum.pdf"]');
    await operation(alone, 'redact');
    await alone.fill('#field-find', 'onerror');
    await alone.click('form.operation button.main');
    await alone.click('text=Look at what was found', { timeout: 60_000 });
    await alone.frameLocator('dialog iframe').locator('.box').first().waitFor();
    expect(await ran()).toEqual([null, null]);
    await alone.close();
  }, 240_000);

  it('shows hostile documents, or says in words why not, beside a sound one', async () => {
    const chosen = Object.entries(PDFS).filter((_, at) => ALL || at % 11 === 5);
    for (let from = 0; from < chosen.length; from += 8) {
      const files = chosen.slice(from, from + 8).map(([name, make]) => {
        writeFileSync(here.at(`${name}.pdf`), make());
        return here.at(`${name}.pdf`);
      });
      const alone = await opened(served);
      alone.setDefaultTimeout(200_000);
      await alone.setInputFiles('#files', [...files, BOOK]);
      await alone.waitForSelector('article[aria-label="lorem-ipsum.pdf"] >> text=4 pages');
      for (const file of files) {
        await alone.waitForSelector(`article[aria-label="${basename(file)}"] :is(.trouble, .page, [type=password])`);
      }
      expect(await alone.title()).toBe('pdftool');
      await alone.close();
    }
  }, 900_000);

  it('goes on beside a document whose pages cannot be drawn', async () => {
    const alone = await opened(served);
    writeFileSync(here.at('bad.pdf'), '%PDF-1.7\nnothing else');
    await add(alone, here.at('bad.pdf'), BOOK);
    expect(await alone.textContent('article[aria-label="bad.pdf"] .trouble')).toMatch(/bad\.pdf|damaged/);
    await alone.close();
  }, 60_000);

  it('says in a sentence that the credits are used up, and that nothing was charged', async () => {
    const { api_key: key } = JSON.parse((await command(here, 'keys', 'create', '--json')).stdout) as {
      api_key: string;
    };
    // Each job sets credits aside.
    const reserve = () =>
      fetch(`${served.url}/api/v1/workflow-jobs`, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ workflow: 'compress', inputBytes: 1, maxCredits: 1 }),
      });
    while ((await reserve()).ok);
    expect((await reserve()).status).toBe(402);
    const alone = await opened({ ...served, key });
    await add(alone, BOOK);
    await operation(alone, 'extract-text');
    await alone.click('form.operation button.main');
    await alone.waitForSelector(
      '[role=alert] >> text=/Ask the operator of this server for credits; nothing was charged/',
    );
    expect(await alone.locator('section[aria-label=Results]').count()).toBe(0);
    await alone.close();
  }, 60_000);

  it('keeps documents that are added while a key is checked, while an operation runs, and since a step that is undone', async () => {
    const alone = await browser.newPage();
    let go = () => {};
    const held = (path: string) => {
      const wait = new Promise<void>((resolve) => {
        go = resolve;
      });
      return alone.route(`**${path}`, async (route) => {
        await wait;
        await route.continue();
      });
    };
    const names = () =>
      alone.locator('section.documents article').evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
    const copy = (name: string) => {
      copyFileSync(BOOK, here.at(name));
      return here.at(name);
    };
    await alone.goto(served.url);
    await held('/api/v1/account');
    await alone.fill('.key input[type=password]', String(served.key));
    await alone.click('text=Use this key');
    await alone.setInputFiles('#files', copy('first.pdf'));
    await alone.waitForSelector('article[aria-label="first.pdf"]');
    go();
    await alone.waitForSelector('text=credits left');
    await alone.waitForSelector('article[aria-label="first.pdf"] .page img');
    await operation(alone, 'rotate');
    await alone.selectOption('#field-angle', '90');
    await held('/api/v1/rotate');
    await alone.click('form.operation button.main');
    await alone.setInputFiles('#files', copy('second.pdf'));
    await alone.waitForSelector('article[aria-label="second.pdf"]');
    go();
    await alone.waitForSelector('article[aria-label="first-rotated.pdf"] .page img');
    expect(await names()).toEqual(['first-rotated.pdf', 'second.pdf']);
    await alone.setInputFiles('#files', copy('third.pdf'));
    await alone.waitForSelector('article[aria-label="third.pdf"] >> text=4 pages');
    await alone.click('text=Undo the last step');
    await alone.waitForSelector('article[aria-label="first.pdf"]');
    expect(await names()).toEqual(['first.pdf', 'second.pdf', 'third.pdf']);
    await alone.close();
  }, 60_000);

  it('says in a sentence that the queue is full, that the server is gone, and that a key is not known', async () => {
    using other = folder();
    mkdirSync(other.at('data'));
    writeFileSync(other.at('data/serve.json'), JSON.stringify({ key_jobs: 1 }));
    const short = await serve(other);
    await fetch(`${short.url}/api/v1/workflow-jobs`, {
      method: 'POST',
      headers: { 'X-API-Key': String(short.key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ workflow: 'compress', inputBytes: 1, maxCredits: 1 }),
    });
    const alone = await opened(short);
    await alone.click('text=Change key');
    await alone.fill('.key input[type=password]', 'sk_live_unknown');
    await alone.click('text=Use this key');
    await alone.waitForSelector('[role=alert] >> text=Enter an API key');
    await alone.fill('.key input[type=password]', String(short.key));
    await alone.click('text=Use this key');
    await add(alone, BOOK);
    await operation(alone, 'redact');
    await alone.fill('#field-find', 'ipsum');
    await alone.click('form.operation button.main');
    await alone.waitForSelector('[role=alert] >> text=/Try again in \\d+ seconds; nothing was charged/');
    await alone.click('text=Change key');
    short.child.kill('SIGKILL');
    await short.exit;
    await alone.click('text=Use this key');
    await alone.waitForSelector('[role=alert] >> text=cannot be reached');
    await alone.close();
  }, 60_000);

  it.each([
    ['light', 'wide', { width: 1100, height: 900 }],
    ['dark', 'narrow', { width: 320, height: 700 }],
    // A window of 1280 by 800.
    ['light', 'zoomed to 200 %', { width: 640, height: 400 }],
  ] as const)(
    'has no fault that axe finds, %s, %s: before documents and with some, a form open, results, and nothing found',
    async (colorScheme, _, size) => {
      const alone = await opened(served, size);
      await alone.emulateMedia({ colorScheme });
      expect(await violations(alone)).toEqual([]);
      const buffer = readFileSync(BOOK);
      const names = ['تقرير السنة – مسودة.pdf', `${'long-without-a-blank-'.repeat(5)}.pdf`];
      await alone.setInputFiles(
        '#files',
        names.map((name) => ({ name, mimeType: 'application/pdf', buffer })),
      );
      await alone.locator('.page').first().scrollIntoViewIfNeeded();
      await alone.waitForSelector('.page img');
      expect(await violations(alone)).toEqual([]);
      await operation(alone, 'extract-text');
      await alone.click('form.operation button.main');
      await alone.waitForSelector('section[aria-label=Results]');
      await operation(alone, 'stamp');
      expect(await violations(alone)).toEqual([]);
      expect(await alone.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      const sides = await alone
        .locator('button, input, select, textarea')
        .evaluateAll((all) =>
          all.map((each) => each.getBoundingClientRect()).map(({ width, height }) => [width, height]),
        );
      expect(Math.min(...sides.flat())).toBeGreaterThanOrEqual(24);
      await alone.fill('#search', 'no such words');
      await alone.waitForSelector('text=Nothing is found by these words.');
      expect(await violations(alone)).toEqual([]);
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

/** Milliseconds of processor time of the programs that this process has waited for. */
function processTimes(): number {
  return timesOf('self').children;
}

/** Clock ticks of /proc, in milliseconds; a process and the children that it has waited for. */
function timesOf(id: number | 'self'): { parent: number; all: number; children: number } {
  const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
  const [, parent = 0, ...rest] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = rest.slice(9, 13);
  const children = (waitedUser + waitedSystem) * 10;
  return { parent, all: (user + system) * 10 + children, children };
}

/** A process and all below it. */
function familyOf(root: number) {
  const times = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [{ id: Number(name), ...timesOf(Number(name)) }];
    } catch {
      return []; // It has ended since it was listed.
    }
  });
  const family = [root];
  for (const id of family) family.push(...times.filter(({ parent }) => parent === id).map((one) => one.id));
  return times.filter(({ id }) => family.includes(id));
}

/** The processes below another one that draw. */
function drawersOf(root: number): number[] {
  const ids = familyOf(root).map(({ id }) => id);
  return ids.filter((id) => readFileSync(`/proc/${id}/cmdline`, 'latin1').includes('__draw'));
}

/** What a process and all below it use of a processor meanwhile. */
async function cpuOfChildren(root: number, run: () => Promise<unknown>): Promise<number> {
  const used = () => familyOf(root).reduce((sum, { all }) => sum + all, 0);
  const before = used();
  await run();
  return used() - before;
}
