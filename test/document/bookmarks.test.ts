// Holds that bookmarks and labels come back as they were given, as qpdf, mutool and poppler read them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  clearBookmarks,
  clearLabels,
  setBookmarks,
  setLabels,
  showBookmarks,
  showLabels,
} from '../../src/local/document/outline.ts';
import { createContext } from '../properties/context.ts';
import { look } from '../structure/judges.ts';
import { edit, FIXTURES, open, pixels, said } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'bookmarks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const out = join(folder, 'out.pdf');
const back = join(folder, 'back.pdf');
const LOREM = join(FIXTURES, 'lorem-ipsum.pdf');
const show = async (path: string) => (await showBookmarks({ file: open(path) }, createContext())).record;
const labels = async (path: string) => (await showLabels({ file: open(path) }, createContext())).record;

const LIST = `Über alles\t1
  Kapitel 2\t2
    3 ist die Zahl  3
  Ohne Seite
Ende\t4
`;

describe('bookmarks', () => {
  it('of a list are what other readers see', async () => {
    await edit(setBookmarks, LOREM, { bookmarks: LIST }, out);
    expect(look(out).outlines).toEqual([
      [0, 'Über alles', 1],
      [1, 'Kapitel 2', 2],
      [2, '3 ist die Zahl', 3],
      [1, 'Ohne Seite', null],
      [0, 'Ende', 4],
    ]);
    const outline = said('mutool', 'show', out, 'outline');
    expect(outline.match(/#page=\d/g)).toEqual(['#page=1', '#page=2', '#page=3', '#page=4']);
    expect(pixels(out)).toBe(pixels(LOREM));
  });

  it('come back as lines and as JSON, with all that they say', async () => {
    const bookmarks = [
      { level: 1, title: 'One\nline', page: 2, top: 321.5, bold: true, colour: '#cc0033' },
      { level: 2, title: '  spaces ', page: 1, italic: true, closed: true },
      { level: 3, title: 'to the web', uri: 'https://example.org/?q=a%20b' },
      { level: 1, title: 'last', page: 4 },
    ];
    await edit(setBookmarks, LOREM, { bookmarks: JSON.stringify(bookmarks) }, out);
    expect((await show(out)).bookmarks).toEqual(bookmarks);
    await edit(setBookmarks, LOREM, { bookmarks: JSON.stringify(await show(out)) }, back);
    expect((await show(back)).bookmarks).toEqual(bookmarks);
    // What is closed hides what is below it.
    expect(said('qpdf', '--qdf', '--object-streams=disable', out, '-')).toMatch(/\/Count -1/);
  });

  it.each(['outlines.pdf', 'documents/sample-files--mistitled_outlines_example.pdf'])(
    'of %s survive being set again',
    async (name) => {
      const path = join(FIXTURES, name);
      const found = await show(path);
      await edit(setBookmarks, path, { bookmarks: JSON.stringify(found) }, out);
      const seen = look(out).outlines;
      // qpdf does not follow the names of some destinations; ours are none.
      const pages = look(path).outlines.map(([depth, title, page], i) => [depth, title, page ?? seen[i]?.[2]]);
      expect(seen).toEqual(pages);
      await edit(setBookmarks, path, { bookmarks: String(found.text) }, back);
      expect((await show(back)).text).toBe(found.text);
      await edit(clearBookmarks, out, {}, back);
      expect([look(back).outlines, (await show(back)).bookmarks]).toEqual([[], []]);
    },
  );

  it('of any shape come back', async () => {
    const item = fc.record({
      depth: fc.nat(4),
      title: fc.string({ unit: 'grapheme', maxLength: 20 }),
      page: fc.integer({ min: 1, max: 4 }),
      closed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 12 }), async (items) => {
        let level = 0;
        const bookmarks = items.map(({ depth, title, page, closed }) => {
          level = Math.min(depth, level) + 1;
          return { level, title, page, closed };
        });
        const result = await setBookmarks(
          { file: open(LOREM), incremental: false, bookmarks: JSON.stringify(bookmarks) },
          createContext(),
        );
        const { bytesOf, sourceOf } = await import('../properties/context.ts');
        const file = sourceOf('out.pdf', await bytesOf(result.body));
        const { record } = await showBookmarks({ file }, createContext());
        const hasKids = bookmarks.map(({ level }, i) => (bookmarks[i + 1]?.level ?? 0) > level);
        expect(record.bookmarks).toEqual(
          bookmarks.map(({ closed, ...rest }, i) => (closed && hasKids[i] ? { ...rest, closed: true } : rest)),
        );
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['One\t1\n    Three\t1', /'Three', is of level 3 below one of 1/],
    ['  Two\t1', /is of level 2 below one of 0/],
    ['One\t1\n Two\t1', /line 2 of the bookmarks begins with 1 spaces/],
    ['One\t9', /leads to page 9, and lorem-ipsum\.pdf has 4/],
    ['\n \n', /there are no bookmarks in it/],
    ['toc.txt', /one bookmark without a page, 'toc\.txt'/],
    ['[{"level":1}]', /bookmark 1 has no title/],
    ['[{"title":"a","page":0}]', /no page from 1 on/],
    ['{"text":""}', /the JSON holds no list/],
    ['[7]', /is no object/],
  ])('are refused: %j', async (bookmarks, says) => {
    const run = async () => setBookmarks({ file: open(LOREM), incremental: false, bookmarks }, createContext());
    await expect(run).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(says) });
  });
});

describe('labels', () => {
  it('are what other readers see, and come back', async () => {
    await edit(setLabels, LOREM, { labels: '2:r/3,3:D/7/A-,4://End' }, out);
    expect(look(out).labels).toEqual(['|/D|1', '|/r|3', 'u:A-|/D|7', 'u:End||']);
    expect(await labels(out)).toMatchObject({ text: '1:D\n2:r/3\n3:D/7/A-\n4:/1/End\n' });
    await edit(setLabels, LOREM, { labels: String((await labels(out)).text) }, back);
    expect(look(back).labels).toEqual(look(out).labels);
    await edit(setLabels, LOREM, { labels: JSON.stringify(await labels(out)) }, back);
    expect(look(back).labels).toEqual(look(out).labels);
    await edit(clearLabels, out, {}, back);
    expect((await labels(back)).labels).toEqual([]);
  });

  it('may hold a comma or a sign of another script in a prefix', async () => {
    await edit(setLabels, LOREM, { labels: '1:D/1/a, ß \n' }, out);
    expect(look(out).labels[0]).toBe('u:a, ß |/D|1');
  });

  it.each([
    ['1:x', /'1:x' is no page label/],
    ['0:D', /is no page label/],
    ['9:D', /there is no page 9 to label: lorem-ipsum\.pdf has 4/],
    ['1:D,1:r', /page 1 has two labels/],
    ['[{"page":1,"style":"greek"}]', /label 1 is none/],
    ['[', /no valid JSON/],
  ])('are refused: %j', async (given, says) => {
    const run = async () => setLabels({ file: open(LOREM), incremental: false, labels: given }, createContext());
    await expect(run).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(says) });
  });
});

it('an encrypted or a damaged file is edited too, and it is said', async () => {
  const locked = join(folder, 'locked.pdf');
  said('qpdf', '--encrypt', '', 'owner', '256', '--', LOREM, locked);
  const warnings = await edit(setBookmarks, locked, { bookmarks: LIST }, out);
  expect(warnings.join()).toMatch(/was encrypted; the output is not/);
  const cut = join(folder, 'cut.pdf');
  writeFileSync(cut, open(LOREM).held ?? '');
  const { readFileSync } = await import('node:fs');
  const bytes = readFileSync(LOREM);
  writeFileSync(cut, bytes.subarray(0, bytes.length - 600));
  expect((await edit(setBookmarks, cut, { bookmarks: LIST }, out)).join()).toMatch(/is damaged and was repaired/);
  expect(look(out).outlines).toHaveLength(5);
  const signed = await edit(setLabels, join(FIXTURES, 'signed-twice.pdf'), { labels: '1:r' }, out);
  expect(signed.join()).toMatch(/is signed; the signature does not hold/);
});
