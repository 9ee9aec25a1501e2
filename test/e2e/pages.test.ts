// Page ranges on the built program: the same grammar behind every flag, counted before anything is sent, explained.
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import { afterEach, describe, expect, it } from 'vitest';
import { ACCOUNT_PATH, accountWith, answer, type ScriptedServer, startServer } from '../faults/scripted-server.ts';
import { makePdf } from './make-pdf.ts';
import { CLEAN, type Folder, folder, pdftool } from './pdftool.ts';

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

function withPdf(): Folder {
  const here = folder();
  makePdf(here.at('a.pdf'), { pages: 9 });
  return here;
}

/** The same with a line of text on each page: nothing can be spoken of a page without. */
async function withText(): Promise<Folder> {
  const here = folder();
  const document = await PDFDocument.create();
  for (let page = 1; page <= 9; page += 1) document.addPage([200, 200]).drawText(`Page ${page} says this.`, { y: 100 });
  writeFileSync(here.at('a.pdf'), await document.save());
  return here;
}

describe('on this machine', () => {
  it.each([
    [
      ['--ranges', 'r2-z,1-3'],
      ['pages-001-003.pdf', 'pages-008-009.pdf'],
    ],
    [
      ['--ranges', '1-4,!2,7-'],
      ['pages-001.pdf', 'pages-003-004.pdf', 'pages-007-009.pdf'],
    ],
    [
      ['--ranges', '-3,4-6'],
      ['pages-001-003.pdf', 'pages-004-006.pdf'],
    ],
    [
      ['--ranges', '1,z,1,r9,1-2'],
      ['pages-001-002.pdf', 'pages-001-2.pdf', 'pages-001-3.pdf', 'pages-001.pdf', 'pages-009.pdf'],
    ],
    [
      ['--at-pages', 'r2,3,3'],
      ['pages-001-003.pdf', 'pages-004-008.pdf', 'pages-009.pdf'],
    ],
    [
      ['--at-pages', '1-3'],
      ['pages-001.pdf', 'pages-002.pdf', 'pages-003.pdf', 'pages-004-009.pdf'],
    ],
  ])('split %j', async (args, files) => {
    using here = withPdf();
    const run = await pdftool(['split', 'a.pdf', ...args, '-o', 'out'], { cwd: here.path });
    expect([run.exitCode, run.stderr.includes('error')]).toEqual([0, false]);
    expect(readdirSync(here.at('out')).sort()).toEqual(files);
  });

  it('rotate turns the pages of --pages and no other', async () => {
    using here = withPdf();
    const run = await pdftool(['rotate', 'a.pdf', '--pages', 'odd,!z', '--angle', '90'], { cwd: here.path });
    expect(run.exitCode).toBe(0);
    const told = execFileSync('pdfinfo', ['-f', '1', '-l', '9', here.at('a-rotated.pdf')], { encoding: 'utf8' });
    expect([...told.matchAll(/^Page +(\d) rot: +90$/gm)].map(([, page]) => page)).toEqual(['1', '3', '5', '7']);
  });

  it.each([
    [['split', 'a.pdf', '--ranges', '1-3,12'], 'a.pdf has 9 pages; there is no page 12'],
    [['split', 'a.pdf', '--at-pages', 'r12'], 'a.pdf has 9 pages; there is no page r12'],
    [['rotate', 'a.pdf', '--angle', '90', '--pages', '10'], 'a.pdf has 9 pages; there is no page 10'],
    [['split', 'a.pdf', '--ranges', '3-1'], '--ranges: the pages of a file keep their order, and 2 comes after 3'],
    [['split', 'a.pdf', '--ranges', '1,'], '--ranges: expected pages such as 7, 1-3'],
    [['split', 'a.pdf', '--ranges', 'z', '--at-pages', '1'], '--at-pages and --ranges exclude each other'],
  ])('%j is refused', async (args, message) => {
    using here = withPdf();
    const run = await pdftool(args, { cwd: here.path });
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain(message);
    expect(here.list()).toEqual(['a.pdf']);
  });
});

describe('on the service', () => {
  async function remote(here: Folder) {
    const gone = answer(400, '{"ok":false,"error":"enough"}');
    server = await startServer({
      [ACCOUNT_PATH]: [accountWith(20)],
      'POST /api/v1/split': [gone],
      'POST /api/v1/pdf-to-audiobook': [gone],
      'POST /api/v1/rotate': [gone],
    });
    const env = { ...CLEAN, PDFTOOL_API_KEY: 'sk_test_x', PDFTOOL_BASE_URL: server.url };
    return {
      run: (...args: string[]) => pdftool(args, { cwd: here.path, env }),
      sent: () => server?.seen.filter(({ method }) => method === 'POST').map(({ body }) => body) ?? [],
    };
  }

  it.each([
    [['split', '--at-pages', 'z,r3,2'], 'at_pages', '2,7,9'],
    [['split', '--at-pages', '3,7'], 'at_pages', '3,7'],
    [['split', '--ranges', 'r2-,1-3'], 'ranges', '[[8,9],[1,3]]'],
    [['split', '--ranges', '1-3,7-9'], 'ranges', '[[1,3],[7,9]]'],
    [['audiobook', '--page-range', '-3,7,z'], 'page_range', '1-3,7,9'],
    [['audiobook', '--page-range', 'odd'], 'page_range', '1,3,5,7,9'],
  ])('%j sends the words of SERVICE.md', async ([name = '', ...args], field, value) => {
    using here = await withText();
    const { run, sent } = await remote(here);
    await run(name, 'a.pdf', ...args);
    expect(sent()).toHaveLength(1);
    expect(sent()[0]).toContain(`name="${field}"\r\n\r\n${value}\r\n`);
  });

  it.each([
    [['split', '--at-pages', '10'], 'a.pdf has 9 pages; there is no page 10'],
    [['split', '--ranges', '7-12'], 'a.pdf has 9 pages; there is no page 12'],
    [['audiobook', '--page-range', '20-'], 'a.pdf has 9 pages; there is no page 20'],
    [['rotate', '--angle', '90', '--pages', '1'], '--pages: the service does not have it; nothing was sent'],
  ])('%j is refused before a byte is sent', async ([name = '', ...args], message) => {
    using here = withPdf();
    const { run, sent } = await remote(here);
    const done = await run(name, 'a.pdf', ...args);
    expect([done.exitCode, sent()]).toEqual([2, []]);
    expect(done.stderr).toContain(message);
  });

  it('leaves plain numbers to the service where the pages cannot be counted here', async () => {
    using here = withPdf();
    execFileSync('qpdf', ['--encrypt', 'user', 'owner', '256', '--', 'a.pdf', 'locked.pdf'], { cwd: here.path });
    const { run, sent } = await remote(here);
    await run('split', 'locked.pdf', '--at-pages', '3,7');
    expect(sent()[0]).toContain('name="at_pages"\r\n\r\n3,7\r\n');
    const symbolic = await run('split', 'locked.pdf', '--at-pages', 'r2');
    expect([symbolic.exitCode, sent().length]).toEqual([7, 1]);
  });

  it('--plan shows what would be sent', async () => {
    using here = withPdf();
    const { run, sent } = await remote(here);
    const plan = JSON.parse((await run('split', 'a.pdf', '--ranges', 'z', '--plan', '--json')).stdout);
    expect(plan.plan.request.fields).toEqual({ ranges: [[9, 9]] });
    expect(sent()).toEqual([]);
  });
});

describe('pages explain', () => {
  it('says what a range means, in words and in a file', async () => {
    using here = withPdf();
    const words = await pdftool(['pages', 'explain', '-3,z,!2:odd'], { cwd: here.path });
    expect(words.stdout).toMatch(/^Range {2}-3,z,!2:odd\nMeans {2}page 1 to page 3, the last page, without page 2, of/);
    const counted = await pdftool(['pages', 'explain', '8-,1', 'a.pdf'], { cwd: here.path });
    expect(counted.stdout).toMatch(/\nPages {7}8-9,1\nCount {7}3\nPage count {2}9\n$/);
    const json = await pdftool(['pages', 'explain', 'z-7', 'a.pdf', '--json'], { cwd: here.path });
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, pages: [9, 8, 7], count: 3, page_count: 9 });
  });

  it('shows the place of what is wrong', async () => {
    using here = withPdf();
    const wrong = await pdftool(['pages', 'explain', '1-3,7q', 'a.pdf'], { cwd: here.path });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toMatch(/^error: expected pages .* found '7q'\n {9}1-3,7q\n {13}\^\n/);
    const beyond = await pdftool(['pages', 'explain', '1-3,77', 'a.pdf'], { cwd: here.path });
    expect(beyond.stderr).toContain('a.pdf has 9 pages; there is no page 77');
  });
});
