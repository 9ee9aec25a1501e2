// inspect and check ask the same finder: what one of them finds, the other does.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { PDFDocument, PDFName, PDFString, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';

const hasTesseract = spawnSync('tesseract', ['--version']).status === 0;
const here = folder();
afterAll(() => here[Symbol.dispose]());

interface Leak {
  readonly page?: number;
  readonly what: string;
  readonly by?: readonly string[];
  readonly where?: string;
}

async function check(name: string, ...more: string[]) {
  const run = await pdftool(['redact', 'check', name, '--json', ...more], { cwd: here.path });
  return { exit: run.exitCode, leaks: (JSON.parse(run.stdout) as { leaks: Leak[] }).leaks };
}

/** A page with a line of text, and whatever is done to it. */
async function made(name: string, change: (document: PDFDocument) => void | Promise<void>, text = 'Some line of text') {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 300]);
  page.drawText(text, { x: 40, y: 200, size: 14, font: await document.embedFont(StandardFonts.Helvetica) });
  await change(document);
  writeFileSync(here.at(name), await document.save());
}

const annotation = (document: PDFDocument, entries: Record<string, unknown>) => {
  const { context } = document;
  const made = context.obj({ Type: 'Annot', Rect: [30, 190, 200, 220], ...entries } as never); // plain objects only
  document.getPage(0).node.set(PDFName.of('Annots'), context.obj([context.register(made)]));
};

describe('check', () => {
  it('finds words on a page by every reader', async () => {
    await made('words.pdf', () => undefined, 'Hello Gonzalez and more');
    const { exit, leaks } = await check('words.pdf', '--find', 'gonzalez');
    expect(exit).toBe(3);
    expect(leaks).toMatchObject([{ page: 1, what: 'a word that was looked for' }]);
    expect(leaks[0]?.by).toEqual(expect.arrayContaining(['PDFium', 'pdftool', 'pdf.js']));
    expect((await check('words.pdf', '--find', 'Gonzales')).exit).toBe(0);
  });

  it('and inspect find words beside the pages, and say where no region can be drawn', async () => {
    await made('beside.pdf', async (document) => {
      document.setTitle('About Quorlax');
      await document.attach(Buffer.from('Quorlax was here'), 'notes.txt', { mimeType: 'text/plain' });
      const list = document.getForm().createOptionList('people');
      list.addOptions(['Sidney', 'Quentin']);
      const { context } = document;
      const item = context.register(context.obj({ Title: PDFString.of('Chapter Zephyrine') }));
      document.catalog.set(
        PDFName.of('Outlines'),
        context.register(context.obj({ First: item, Last: item, Count: 1 })),
      );
    });
    const wheres = async (term: string) => (await check('beside.pdf', '--find', term)).leaks.map(({ where }) => where);
    expect(await wheres('Quorlax')).toEqual(['metadata', 'attachments']);
    expect(await wheres('Zephyrine')).toEqual(['bookmarks']);
    expect(await wheres('Sidney')).toEqual(['form fields']);
    const find = ['Quorlax', 'Zephyrine', 'Sidney', 'Nobody', 'line'].flatMap((term) => ['--find', term]);
    const run = await pdftool(['redact', 'inspect', 'beside.pdf', ...find, '-o', 'beside.json'], { cwd: here.path });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain('"Nobody" was found nowhere');
    expect(run.stderr).toContain(
      '"Quorlax" was found only where no region can be drawn: metadata (1), attachments (1)',
    );
    const { regions, terms } = JSON.parse(readFileSync(here.at('beside.json'), 'utf8')) as Record<string, unknown[]>;
    expect(regions).toHaveLength(1);
    expect(terms?.map((term) => (term as { regions: number }).regions)).toEqual([0, 0, 0, 0, 1]);
  });

  it('and inspect say of text beside a page that it is there', async () => {
    await made('margin.pdf', (document) => document.getPage(0).drawText('Quorlax', { x: 5000, y: 30 }), 'On the page');
    const run = await pdftool(['redact', 'inspect', 'margin.pdf', '--find', 'Quorlax', '-o', 'margin.json'], {
      cwd: here.path,
    });
    expect([run.exitCode, run.stderr]).toEqual([
      3,
      expect.stringContaining('"Quorlax" was found only where no region can be drawn: text beside the page (1)'),
    ]);
    const checked = await pdftool(['redact', 'check', 'margin.pdf', '--json'], { cwd: here.path });
    expect(JSON.parse(checked.stdout).leaks).toMatchObject([{ page: 1, what: 'text beside the page' }]);
  });

  it('looks into attached documents, and calls none clean that was not looked into', async () => {
    let inner: Uint8Array = Buffer.from('Quorlax');
    for (const word of ['Deepest', 'Deeper', 'Upper', 'Outer']) {
      await made('nested.pdf', (document) => document.attach(inner, 'inner.pdf'), `Some ${word} line`);
      inner = readFileSync(here.at('nested.pdf'));
    }
    const found = async (term: string) => (await check('nested.pdf', '--find', term)).leaks;
    expect(await found('Deeper')).toContainEqual({
      what: 'a word that was looked for',
      count: 1,
      where: 'attachments',
    });
    expect(await found('Deepest')).toEqual([{ what: 'attached files in which nothing can be looked for', count: 1 }]);
  });

  describe('sees black annotations over text, which take nothing away', () => {
    const black = { C: [0, 0, 0] };
    it.each([
      ['Square', { IC: [0, 0, 0] }],
      ['Highlight', { QuadPoints: [30, 220, 200, 220, 30, 190, 200, 190] }],
      ['Ink', { InkList: [[30, 205, 200, 205]], BS: { W: 20 } }],
      ['Stamp', {}],
      ['Redact', {}],
    ])('%s', async (Subtype, more) => {
      const name = `${Subtype}.pdf`;
      await made(name, (document) => annotation(document, { Subtype, ...black, ...more }));
      const { exit, leaks } = await check(name);
      expect([exit, leaks.map(({ what }) => what)]).toEqual([3, ['text under a box or a picture']]);
    });

    it('and no highlight that is bright', async () => {
      const QuadPoints = [30, 220, 200, 220, 30, 190, 200, 190];
      await made('bright.pdf', (document) => annotation(document, { Subtype: 'Highlight', C: [1, 1, 0], QuadPoints }));
      expect((await check('bright.pdf')).exit).toBe(0);
    });
  });
});

describe('what is drawn but not text', () => {
  beforeAll(async () => {
    await made('picture.pdf', async (document) => {
      const png = await document.embedPng(readFileSync('test/fixtures/pictures/ljt--testorig.png'));
      document.getPage(0).drawImage(png, { x: 40, y: 40, width: 150, height: 80 });
    });
  });

  it('is named page by page where nothing can read it', async () => {
    const env = { PATH: '/nonexistent' };
    const args = ['redact', 'inspect', 'picture.pdf', '--find', 'line', '-o', 'picture.json'];
    const run = await pdftool(args, { cwd: here.path, env });
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringContaining('page 1 has pictures that may hold words')]);
    const checked = await pdftool(['redact', 'check', 'picture.pdf', '--find', 'other'], { cwd: here.path, env });
    expect(checked.stderr).toContain('page 1 has pictures that may hold words');
  });

  it('keeps a file from passing where nothing can read it, and only where words are looked for', async () => {
    const checked = async (path: string, ...more: string[]) => {
      const args = ['redact', 'check', 'picture.pdf', '--json', ...more];
      const run = await pdftool(args, { cwd: here.path, env: { PATH: path } });
      const { readable, passed, unread } = JSON.parse(run.stdout) as Record<string, unknown>;
      return { exit: run.exitCode, said: run.stderr, readable, passed, unread };
    };
    expect(await checked('/nonexistent', '--find', 'other')).toEqual({
      exit: 3,
      said: expect.stringContaining('not everything could be read'),
      readable: false,
      passed: false,
      unread: [{ page: 1, what: 'pictures', count: 1 }],
    });
    expect(await checked('/nonexistent')).toMatchObject({ exit: 0, passed: true });
    const line = ['redact', 'picture.pdf', '--find', 'line', '--yes', '--json', '-f'];
    const all = await pdftool(line, { cwd: here.path, env: { PATH: '/nonexistent' } });
    expect([all.exitCode, JSON.parse(all.stdout)]).toMatchObject([
      3,
      { readable: false, passed: false, unread: [{ page: 1, what: 'pictures' }] },
    ]);
    if (hasTesseract)
      expect(await checked(process.env.PATH ?? '', '--find', 'other')).toMatchObject({
        exit: 0,
        passed: true,
        unread: [],
      });
  });
});

describe('redact FILE', () => {
  const run = (...args: string[]) => pdftool(['redact', 'letter.pdf', ...args], { cwd: here.path });

  it('finds, writes regions and a copy to look at, and names the next line', async () => {
    await made('letter.pdf', () => undefined, 'Dear Gonzalez, this stays');
    const first = await run('--find', 'Gonzalez', '--find', 'Nobody');
    expect(first.exitCode).toBe(3);
    expect(first.stdout).toMatch(/1 region on 1 page/);
    expect(first.stderr).toContain('"Nobody" was found nowhere');
    expect(first.stderr).toContain('redact apply letter.pdf --regions letter-regions.json --reviewed');
    expect(first.stdout + readFileSync(here.at('letter-regions.json'), 'utf8')).not.toMatch(/gonzalez/i);
    expect(here.list()).toContain('letter-review.pdf');
    expect(here.list()).not.toContain('letter-redacted.pdf');
  });

  it('applies and checks with --yes', async () => {
    const all = await run('--find', 'Gonzalez', '--yes', '--json', '-f');
    expect([all.exitCode, JSON.parse(all.stdout)]).toMatchObject([
      0,
      { output: 'letter-redacted.pdf', readable: false, places: [{ page: 1, count: 1 }] },
    ]);
    expect((await check('letter-redacted.pdf', '--find', 'Gonzalez')).exit).toBe(0);
    expect((await run('--yes')).exitCode).toBe(2);
  });
});
