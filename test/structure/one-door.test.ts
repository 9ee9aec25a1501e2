// Every row opens its input at one door (src/pdf/file/open.ts): a file that one of them reads is read by all.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Result } from '../../src/contract/base/ports.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { createLocalEngine } from '../../src/local/engine.ts';
import { bytesOf, createContext, logged } from '../properties/context.ts';
import { check } from './judges.ts';
import { OutputFolder, open, pdfOf } from './run.ts';

const folder = new OutputFolder();
afterAll(() => folder.close());
const PDF = 'application/pdf';

/** What each row needs besides the file, at the least. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  archive: {},
  rotate: { angle: 90 },
  split: { ranges: [[1, 1]] },
  'pages-take': { pages: '1' },
  'pages-drop': { pages: '2' },
  'pages-reverse': {},
  'pages-order': { pages: '2,1' },
  encrypt: { user_password: 'open' },
  'meta-set': { title: 'T' },
  'meta-clear': {},
  'bookmarks-set': { bookmarks: '1 One' },
  'bookmarks-clear': {},
  'labels-set': { labels: '1:r' },
  'labels-clear': {},
  compress: { lossless: true },
  stamp: { text: 'DRAFT' },
  number: {},
  nup: { per_sheet: 2 },
  crop: { margins: '10' },
  resize: { paper: 'A4' },
  blank: { first: true },
  optimize: { linearize: true },
};
/** Rows that need a form, a key, a password, an attachment, other files or other processes; those tried below among them. */
const ELSEWHERE = [
  'attach-add',
  'decrypt',
  'merge',
  'merge-compress',
  'overlay',
  'attach-remove',
  'invoice-attach',
  'sign',
  'timestamp',
  'form-fill',
  'form-flatten',
  'ocr',
  'redact-apply',
  'redact-review',
];

function workshopFile(name: string, content: string) {
  return open(folder.keep(name, content));
}

const catalog = '<</Type/Catalog/Pages 1 0 R>>';
const page = '<</Type/Page/Parent 1 0 R/MediaBox[0 0 300 400]/Resources<<>>/Contents 4 0 R>>';
const sound = pdfOf([
  '<</Type/Pages/Count 2/Kids[2 0 R 3 0 R]>>',
  page,
  page,
  '<</Length 15>>stream\n0 0 m 9 9 l S  \nendstream',
]).replace('/Root 1 0 R', `/Root ${catalog}`);
const files = {
  'a catalog that stands in the trailer': sound,
  'the same without a table': sound.replace(/startxref\n\d+/, 'startxref\n0'),
};

describe.each(Object.entries(files))('%s', (_, text) => {
  it('is opened by every row that writes a PDF', () => {
    const writing = OPERATIONS.filter(
      ({ name, local, input, outputs }) =>
        local &&
        'file' in input &&
        !name.startsWith('images-to-pdf') &&
        Object.values(outputs).some((output) =>
          [output.mediaType, ...('partTypes' in output ? (output.partTypes ?? []) : [])].includes(PDF),
        ),
    );
    expect(writing.map(({ name }) => name).sort()).toEqual([...Object.keys(NEEDED), ...ELSEWHERE].sort());
  });

  it.each(Object.entries(NEEDED))('is opened by %s', async (name, needed) => {
    const result = await call(name, { file: workshopFile('direct.pdf', text), ...needed });
    const path = folder.keep(`${name}.pdf`, await bytesOf(bodyOf(result)));
    if (name !== 'encrypt') expect(check(path)).toMatchObject({ status: 0 });
  });

  it('is opened by attach-add', async () => {
    const file = [workshopFile('direct.pdf', text), workshopFile('note.txt', 'note')];
    expect((await call('attach-add', { file })).kind).toBe('bytes');
  });

  it('is opened by merge', async () => {
    const { path } = await folder.merge([folder.keep('a.pdf', text), folder.keep('b.pdf', text)]);
    // PDF/A-2 and -3 ask for an end of line behind `obj` and before `endobj` (ISO 19005-2, 6.1.9).
    const written = readFileSync(path, 'latin1');
    expect(written).not.toMatch(/ obj[^\n]|[^\n]endobj/);
    expect(check(path)).toMatchObject({ status: 0 });
  });
});

describe('a damaged file whose catalog stands in its trailer', () => {
  const damaged = readFileSync(join(import.meta.dirname, '../fixtures/damaged/bad-direct-root.pdf'), 'latin1');

  // Its one page has room for no more than these need.
  it.each(['rotate', 'compress', 'optimize', 'stamp', 'encrypt', 'meta-set'])('is opened by %s', async (name) => {
    const result = await call(name, { file: workshopFile('direct.pdf', damaged), ...NEEDED[name] });
    expect(result).toMatchObject({ kind: 'bytes', pages: 1 });
  });
});

describe('a damaged file whose first page has lost its contents', () => {
  const text = sound.replace(/startxref\n\d+/, 'startxref\n0').replace('/Contents 4 0 R', '/Contents 9 0 R');
  const records = { info: {}, 'extract-text': { allow_empty: true }, 'to-json': {}, 'form-show': {} };

  it.each(Object.entries({ ...NEEDED, ...records }))('%s says once that the page is blank', async (name, needed) => {
    const { warnings = [] } = await call(name, { file: workshopFile('lost.pdf', text), ...needed });
    expect(warnings.filter((warning) => String(warning).includes('blank'))).toEqual([
      'lost.pdf: page 1 is blank: its contents are missing',
    ]);
  });
});

async function call(name: string, input: object): Promise<Result> {
  const op = OPERATIONS.find((each) => each.name === name);
  if (op === undefined) throw new Error(`no row ${name}`);
  const random = (length: number) => new Uint8Array(length).fill(7);
  const { context, untold } = logged({ ...createContext(), random });
  const result = await createLocalEngine().call(op as never, input as never, context);
  expect(untold()).toEqual([]);
  return result;
}

function bodyOf(result: Result) {
  if (result.kind === 'bytes') return result.body;
  const [first] = result.kind === 'parts' ? result.parts : [];
  if (first === undefined) throw new Error(`a result of kind ${result.kind}`);
  return first.body;
}
