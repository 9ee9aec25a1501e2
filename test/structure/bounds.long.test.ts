// Numbers of a file that become places, lengths or sizes, and what a file nests: damage, and never a defect.
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import { openSource } from '../../src/pdf/file/open.ts';
import { memorySource } from '../../src/pdf/file/read/memory-source.ts';
import { bytesBetween, wholeUpTo } from '../../src/pdf/syntax/bounds.ts';
import { findWord, latin1 } from '../../src/pdf/syntax/characters.ts';
import { pdfOf } from './run.ts';

const PAGES = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 99 99]>>',
  '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
];

async function outcome(bytes: Uint8Array | string): Promise<string> {
  try {
    const { tree } = await openSource(memorySource(Buffer.from(bytes as string, 'latin1'), 'a.pdf'), {});
    return `${tree.pages.length} pages`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.kind ?? error.code;
  }
}

const ODD = ['-1', '-5', '1.5', '99999999999999999999', '4294967296', '2147483648', '1e9', 'null', '(x)', '4 0 R'];

describe('odd numbers', () => {
  it.each(ODD)('%s as the length of a stream', async (length) => {
    const file = pdfOf([...PAGES, `<</Length ${length}>>stream\n0 0 9 9 re f\nendstream`]);
    expect(await outcome(file)).toBe('1 pages');
  });

  it.each(ODD)('%s as the place of the table, of the one before, and of the hybrid one', async (place) => {
    const file = pdfOf([...PAGES, '<</Length 0>>stream\n\nendstream']);
    expect(await outcome(file.replace(/startxref\s+\d+/, `startxref\n${place}`))).toBe('1 pages');
    for (const key of ['Prev', 'XRefStm', 'Size'])
      expect(await outcome(file.replace('trailer\n<<', `trailer\n<</${key} ${place} `))).toBe('1 pages');
  });

  const KEYS = ['N', 'First', 'Length', 'W', 'Index', 'Size', 'Columns', 'Colors', 'BitsPerComponent', 'Predictor'];
  it.each(KEYS.flatMap((key) => ODD.map((value) => [key, value] as const)))(
    '/%s %s in a file of object streams',
    async (key, value) => {
      const sound = packed();
      const odd = sound.replace(
        new RegExp(`/${key} (\\[[^\\]]*\\]|\\d+)`),
        `/${key} ${/W|Index/.test(key) ? `[${value} 1 ${value}]` : value}`,
      );
      expect(await outcome(sound)).toBe('1 pages');
      expect(await outcome(odd)).toMatch(/^(1 pages|damaged|limit)$/);
    },
  );
});

/** A file whose pages stand in an object stream, and whose table is a stream with a predictor. */
function packed(): string {
  const members = PAGES.slice(0, 3).map((text) => text.replace('/Contents 4 0 R', ''));
  let places = '';
  let body = '';
  for (const [i, member] of members.entries()) {
    places += `${i + 1} ${body.length} `;
    body += `${member} `;
  }
  const data = deflateSync(Buffer.from(places + body)).toString('latin1');
  let file = '%PDF-1.5\n';
  const pack = file.length;
  file += `5 0 obj\n<</Type/ObjStm/N 3/First ${places.length}/Filter/FlateDecode/Length ${data.length}>>stream\n${data}\nendstream\nendobj\n`;
  file = file.replace('/N 3', '/N 3').replace(/\/(N|First|Length)(\d)/g, '/$1 $2');
  const start = file.length;
  const rows = [
    [0, 0, 0],
    [2, 5, 0],
    [2, 5, 1],
    [2, 5, 2],
    [0, 0, 0],
    [1, pack, 0],
    [1, start, 0],
  ].flatMap(([type = 0, place = 0, index = 0]) => [0, type, place >> 8, place & 255, index]);
  const table = deflateSync(Buffer.from(rows)).toString('latin1');
  const parms = '/DecodeParms<</Predictor 12/Columns 4/Colors 1/BitsPerComponent 8>>';
  file += `6 0 obj\n<</Type/XRef/Root 1 0 R/Size 7/W [1 2 1]/Index [0 7]/Filter/FlateDecode${parms}/Length ${table.length}>>stream\n${table}\nendstream\nendobj\n`;
  return `${file}startxref\n${start}\n%%EOF\n`;
}

describe('nesting', () => {
  it.each(['[', '<</A ', '<</A['])('100,000 times %s', async (open) => {
    const deep = pdfOf([...PAGES, '<</Length 0>>stream\n\nendstream', open.repeat(100_000)]);
    expect(await outcome(deep)).toBe('1 pages');
    const inPage = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      PAGES[1] ?? '',
      `<</Type/Page/Parent 2 0 R/A ${open.repeat(50_000)}`,
    ]);
    expect(await outcome(inPage)).toMatch(/^(1 pages|damaged|limit)$/);
  });

  it('a page tree of 60,000 nodes below each other', async () => {
    const levels = 60_000;
    const nodes = Array.from(
      { length: levels },
      (_, i) => `<</Type/Pages/Count 1/Kids[${i + 3} 0 R]/Parent ${i + 1} 0 R>>`,
    );
    const file = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      ...nodes,
      `<</Type/Page/Parent ${levels + 1} 0 R/MediaBox[0 0 9 9]>>`,
    ]);
    expect(await outcome(file)).toMatch(/^(1 pages|damaged|limit)$/);
  });

  it('a file that ends inside its last object, whose end is looked for behind the bytes', async () => {
    const whole = pdfOf(PAGES);
    for (let cut = 1; cut < whole.length; cut += 3)
      expect(await outcome(whole.slice(0, -cut))).toMatch(/^(1 pages|damaged|no-pages|not-pdf|empty)$/);
  });
});

describe('bytes', () => {
  it('are found and read as far as there are any', () => {
    const bytes = Buffer.from('endobj');
    expect(findWord(bytes, 'obj', 0, 99)).toBe(3);
    expect(latin1(bytes, 3, 99)).toMatch(/^obj/);
    expect(bytesBetween(bytes, 9, 20).length).toBe(0);
    expect(bytesBetween(bytes, 3, 1).length).toBe(0);
    expect([wholeUpTo(3, 3), wholeUpTo(4, 3), wholeUpTo(-1, 3), wholeUpTo(1.5, 3), wholeUpTo('1', 3)]).toEqual([
      3,
      ...Array(4).fill(undefined),
    ]);
  });
});
