import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CORPUS, missing } from '../corpus/selection.mjs';
import { check, firstPage, look, namesIn, type Seen, tags } from './judges.ts';
import { OutputFolder, pdfOf } from './run.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

const inCorpus = (name: string): string => join(CORPUS, 'pdf', name);

/** Real documents with structure; each is merged with itself and with the one some places further on. */
const REAL = [
  'opf--fileAttachment.pdf',
  'opf--webCapture.pdf',
  'pdfbox--JPXTestGrey.pdf',
  'pdfbox--PDFBOX-4958.pdf',
  'pdfbox--PDFBOX-5792-240045.pdf',
  'pdfbox--acroform.pdf',
  'pdfium--two_signatures.pdf',
  'pdfjs--bug1947248_forms.pdf',
  'pdfjs--issue17056.pdf',
  'pypdf--Seige_of_Vicksburg_Sample_OCR.pdf',
  'qpdf--collate-even.pdf',
  'qpdf--good17.pdf',
  'qpdf--kept-some-fields.pdf',
  'qpdf--outlines-with-old-root-dests-dict.pdf',
  'qpdf--outlines-with-old-root-dests.pdf',
  'safedocs--utf16LE-test.pdf',
  'sample-files--google-doc-document.pdf',
  'sample-files--mistitled_outlines_example.pdf',
  'sample-files--with-attachment.pdf',
];

/** What the output of a merge must show, given what its inputs show. */
function compare(inputs: readonly Seen[], output: Seen): void {
  let before = 0;
  const shifted = inputs.map((input) => {
    const offset = before;
    before += input.pages;
    return { input, offset };
  });
  expect(output.pages).toBe(before);
  expect(output.outlines).toEqual(
    shifted.flatMap(({ input, offset }) =>
      input.outlines.map(([depth, title, page]) => [depth, title, page === null ? null : page + offset]),
    ),
  );
  const views = (seen: Seen, offset: number): string[] =>
    seen.destinations.map(([page, view]) => `${page + offset} ${view}`);
  expect(views(output, 0).sort()).toEqual(shifted.flatMap(({ input, offset }) => views(input, offset)).sort());
  expect(new Set(output.destinations.map(([, , name]) => name)).size).toBe(output.destinations.length);
  const links = (seen: Seen, offset: number): string[] =>
    seen.links.map(([page, target]) => {
      const moved = target?.replace(/^\d+/, (to) => String(Number(to) + offset));
      return `${page + offset} -> ${moved}`;
    });
  expect(links(output, 0)).toEqual(shifted.flatMap(({ input, offset }) => links(input, offset)));
  const values = (seen: Seen): string[] => seen.fields.map(({ type, value }) => `${type} ${value}`);
  expect(values(output).sort()).toEqual(inputs.flatMap(values).sort());
  const own = inputs.map(({ fields }) => new Set(fields.map(({ name }) => name)).size);
  expect(new Set(output.fields.map(({ name }) => name)).size).toBe(own.reduce((sum, count) => sum + count, 0));
  if (inputs.some(({ labels }) => labels.length > 0)) {
    expect(output.labels).toEqual(
      shifted.flatMap(({ input, offset }) =>
        input.labels.length > 0
          ? input.labels
          : Array.from({ length: input.pages }, (_, page) => `|/D|${offset + page + 1}`),
      ),
    );
  } else expect(output.labels).toEqual([]);
  const names = (seen: Seen): string[] => seen.attachments.map(({ name }) => name);
  expect(names(output).sort()).toEqual(inputs.flatMap(names).sort());
  expect(output.layers).toEqual(inputs.flatMap(({ layers }) => layers));
}

async function mergeAndCompare(paths: readonly string[]): Promise<void> {
  const { path } = await folder.merge(paths);
  const sound = paths.every((each) => check(each).status === 0);
  const { status, text } = check(path);
  if (sound) expect(status, text).toBe(0);
  compare(paths.map(look), look(path));
  expect(firstPage(path) === firstPage(paths[0]!)).toBe(true);
}

describe.skipIf(missing() !== undefined)('a merge of real documents keeps all that other programs see', () => {
  it.each(REAL)('%s twice', (name) => mergeAndCompare([inCorpus(name), inCorpus(name)]));
  it.each(REAL.map((name, i) => [name, REAL[(i + 7) % REAL.length]!, REAL[(i + 12) % REAL.length]!]))(
    '%s, %s and %s',
    (...names) => mergeAndCompare(names.map(inCorpus)),
  );
});

describe('a merge of the fixtures', () => {
  it('keeps bookmarks, labels and names', () => {
    return mergeAndCompare(['outlines.pdf', 'guide.pdf', 'outlines.pdf'].map((name) => join(FIXTURES, name)));
  });

  it('puts the bookmarks of each file under one named after it', async () => {
    const paths = ['outlines.pdf', 'rotated-270.pdf', 'hybrid-xref.pdf'].map((name) => join(FIXTURES, name));
    const { path } = await folder.merge(paths, { bookmarks: true });
    const own = paths.map((each) => look(each));
    const { outlines } = look(path);
    expect(outlines.filter(([depth]) => depth === 0)).toEqual([
      [0, 'outlines', 1],
      [0, 'rotated-270', 31],
      [0, 'hybrid-xref', 32],
    ]);
    expect(outlines.filter(([depth]) => depth > 0).map(([depth, title]) => [depth - 1, title])).toEqual(
      own.flatMap((seen) => seen.outlines.map(([depth, title]) => [depth, title])),
    );
    expect(check(path).status).toBe(0);
  });

  it('gives the same bytes for the same files', async () => {
    const paths = ['outlines.pdf', 'signed-twice.pdf', 'outlines.pdf'].map((name) => join(FIXTURES, name));
    const digest = async (): Promise<string> => {
      const { path } = await folder.merge(paths);
      const { readFileSync } = await import('node:fs');
      return readFileSync(path).toString('latin1');
    };
    const first = await digest();
    // Not toEqual: on a difference it would print two PDFs.
    expect(first === (await digest())).toBe(true);
  });
});

describe('tags', () => {
  const tagged = ['pypdf--git.pdf', 'pdfminer--simple4.pdf', 'pdfminer--issue-449-horizontal.pdf'].map((name) =>
    join(FIXTURES, 'documents', name),
  );

  it('of all inputs are found by their pages', async () => {
    const { path, warnings } = await folder.merge(tagged);
    expect(warnings).toEqual([]);
    expect(tags(path).trim().split(/\s+/)).toEqual(tagged.flatMap((each) => tags(each).trim().split(/\s+/)));
    expect(check(path).status).toBe(0);
  });

  it('go, and the person is told, where one input has none', async () => {
    const { path, warnings } = await folder.merge([tagged[0]!, join(FIXTURES, 'rotated-270.pdf')]);
    expect(warnings).toEqual(['tags are not kept: rotated-270.pdf has none']);
    expect(tags(path).trim()).toBe('');
  });
});

describe('what collides', () => {
  const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[4 0 R 5 0 R]>>';
  const form = (value: string, font: string, name = '(name)'): string =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]/DR<</Font<</Helv 6 0 R>>>>/DA(/Helv 9 Tf)/CO[5 0 R]>>/Names<</Dests<</Names[(here)[3 0 R/Fit]]>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      PAGE,
      '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D(here)/Next[<</S/GoTo/D(here)>>]>>>>',
      `<</Type/Annot/Subtype/Widget/Rect[10 10 90 30]/FT/Tx/T${name}/V(${value})/DA(/Helv 12 Tf 0 g)>>`,
      `<</Type/Font/Subtype/Type1/BaseFont/${font}>>`,
    ]);

  it('loses no name but those that lead to no page', async () => {
    const names = '(gone)[9 0 R/Fit](here)[3 0 R/Fit](null)[null/Fit](number)[0/Fit]';
    const cut = pdfOf([
      `<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[${names}]>>>>>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    ]);
    const { path } = await folder.merge([folder.keep('cut-1.pdf', cut), folder.keep('cut-2.pdf', cut)]);
    expect(namesIn(path).sort()).toEqual(['here', 'here-2', 'number', 'number-2']);
  });

  it('is renamed in actions, and nowhere else', async () => {
    const actions = [
      '/A << /S /GoTo /D (here) >>',
      '/A<</S/GoTo/D(here)>>/Contents(/S/GoTo/D(here))',
      '/A<</S/GoToR/F(here)/D(here)>>',
      '/A<</D(here)/S/GoTo>>/NM(here)',
      '/A<</S/GoTo/D<68657265>>>',
    ];
    const links = actions.map((action) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]${action}>>`);
    const one = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[(here)[3 0 R/Fit]]>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[4 0 R 5 0 R 6 0 R 7 0 R 8 0 R]>>',
      ...links,
    ]);
    const { path } = await folder.merge([folder.keep('link-1.pdf', one), folder.keep('link-2.pdf', one)]);
    const text = await plain(path);
    // Of the second file: all but the one that leads to another file.
    expect(text.match(/\/D \(here-2\)/g)).toHaveLength(4);
    expect(text.match(/\/D \(here\)/g)).toHaveLength(6);
    expect(text.split('/Contents (/S/GoTo/D\\(here\\))')).toHaveLength(3);
    expect(text.match(/\/NM \(here\)/g)).toHaveLength(2);
    expect(text.match(/\/F \(here\)/g)).toHaveLength(2);
    expect(check(path).status).toBe(0);
  });

  it('is renamed where strings have escapes, and in bookmarks, which stay in their chain', async () => {
    const bookmark = (title: string, name: string, rest: string): string =>
      `<</Title<${title}>/Parent 4 0 R${rest}/A<</S/GoTo/D(${name})>>>>`;
    const one = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R/Names<</Dests<</Names[(there)[3 0 R/Fit](to here\\0501\\051)[3 0 R/Fit]]>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
      '<</Type/Outlines/First 5 0 R/Last 6 0 R/Count 2>>',
      bookmark('41', 'to\\040here\\(1\\)', '/Next 6 0 R'),
      bookmark('42', 'there', '/Prev 5 0 R'),
    ]);
    const paths = [1, 2, 3].map((i) => folder.keep(`book-${i}.pdf`, one));
    const { path } = await folder.merge(paths);
    const names = ['there', 'to here(1)'].flatMap((name) => [name, `${name}-2`, `${name}-3`]);
    expect(namesIn(path).sort()).toEqual(names);
    expect(look(path).outlines).toEqual([1, 2, 3].flatMap((page) => ['A', 'B'].map((title) => [0, title, page])));
    expect(check(path).status).toBe(0);
  });

  it('stays apart: fields, destinations, fonts', async () => {
    const paths = ['Helvetica', 'Courier', 'Courier'].map((font, i) =>
      folder.keep(`form-${i}.pdf`, form(`value ${i}`, font)),
    );
    const { path } = await folder.merge(paths);
    const seen = look(path);
    expect(seen.fields.map(({ name }) => name)).toEqual(['name', 'name_2', 'name_3']);
    expect(seen.fields.map(({ value }) => value)).toEqual(['"u:value 0"', '"u:value 1"', '"u:value 2"']);
    expect(seen.destinations.map(([page, , name]) => [page, name])).toEqual([
      [1, 'here'],
      [2, 'here-2'],
      [3, 'here-3'],
    ]);
    expect(seen.links.map(([page, target]) => [page, target?.split(' ')[0]])).toEqual([
      [1, '1'],
      [2, '2'],
      [3, '3'],
    ]);
    const text = await plain(path);
    // The default appearance of each field names its own font; one that two inputs share is there once.
    expect([...text.matchAll(/\/DA \(\/(\w+) 12 Tf 0 g\)/g)].map(([, font]) => font)).toEqual([
      'Helv',
      'Helv_2',
      'Helv_2',
    ]);
    expect(text.match(/\/BaseFont/g)).toHaveLength(2);
    expect(text).toMatch(/\/CO \[\s*\d+ 0 R\s+\d+ 0 R\s+\d+ 0 R\s*\]/);
    expect(check(path).status).toBe(0);
  });

  it('is renamed where fields have one name in two encodings', async () => {
    const paths = ['Helvetica', 'Courier', 'Courier'].map((font, i) => {
      const name = i === 1 ? '<FEFF006E0061006D0065>' : '(name)';
      return folder.keep(`encoded-${i}.pdf`, form(`value ${i}`, font, name));
    });
    const { path } = await folder.merge(paths);
    expect(look(path).fields.map(({ name }) => name)).toEqual(['name', 'name_2', 'name_3']);
  });

  it('is renamed in actions that reset, send or hide fields by their names', async () => {
    const wide = '<feff0077002e0078>';
    const actions = [
      '/A<</S/ResetForm/Fields[(top.leaf)(whole)5 0 R(other.top)]>>',
      `/A<</S/SubmitForm/F(here)/Fields[(whole)${wide}]>>`,
      '/A<</S/Hide/T(top.leaf)/Next<</S/Hide/T[(whole) 6 0 R]>>>>',
      '/A 10 0 R/AA<</E<</S/Hide/T(top)>>>>/T(top)',
    ];
    const widget = '/Type/Annot/Subtype/Widget/FT/Tx/Rect[0 0 9 9]';
    const one = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 6 0 R 11 0 R]>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[5 0 R 6 0 R 7 0 R 8 0 R 9 0 R 12 0 R]>>',
      '<</T(top)/Kids[5 0 R]>>',
      `<<${widget}/T(leaf)/Parent 4 0 R>>`,
      `<<${widget}/T(whole)>>`,
      ...actions.slice(0, 3).map((action) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]${action}>>`),
      '<</S/ResetForm/Fields[(whole)]>>',
      '<</T<feff0077>/FT/Tx/Kids[]>>',
      `<</Type/Annot/Subtype/Text/Rect[0 0 9 9]${actions[3]}>>`,
    ]);
    const { path } = await folder.merge([1, 2].map((i) => folder.keep(`acts-${i}.pdf`, one)));
    const text = (await plain(path)).replace(/\s+/g, ' ');
    for (const number of ['', '_2']) {
      expect(text).toMatch(
        new RegExp(`Fields \\[ \\(top${number}\\.leaf\\) \\(whole${number}\\) \\d+ 0 R \\(other\\.top\\) \\]`),
      );
      expect(text).toContain(`/T (top${number}.leaf)`);
      expect(text).toContain(`/Fields [ (whole${number}) ] /S /ResetForm`);
      expect(text).toMatch(new RegExp(`/S /Hide /T \\[ \\(whole${number}\\) \\d+ 0 R \\]`));
      expect(text).toContain(`/S /Hide /T (top${number}) `);
    }
    expect(text).toContain('/Fields [ (whole_2) <feff0077005f0032002e0078> ]');
    // A note is no field, whatever its author is called.
    expect(text.match(/\/Subtype \/Text \/T \(top\)/g)).toHaveLength(2);
    expect(check(path).status).toBe(0);
  });

  async function plain(path: string): Promise<string> {
    const { execFileSync } = await import('node:child_process');
    return execFileSync('qpdf', ['--qdf', '--object-streams=disable', path, '-'], { encoding: 'latin1' });
  }

  it('keeps hidden what was hidden, also where all but some are', async () => {
    const layers = (config: string): string =>
      pdfOf([
        `<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[4 0 R 5 0 R]/D<<${config}>>>>>>`,
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Resources<</Properties<</A 4 0 R/B 5 0 R>>>>>>',
        '<</Type/OCG/Name(first)>>',
        '<</Type/OCG/Name(second)>>',
      ]);
    const paths = [
      folder.keep('layers-on.pdf', layers('/OFF[4 0 R]/Order[4 0 R 5 0 R]')),
      folder.keep('layers-off.pdf', layers('/BaseState/OFF/ON[4 0 R]/Order[[(group)5 0 R]]')),
    ];
    const { path } = await folder.merge(paths);
    expect(look(path).layers).toEqual([
      { name: 'first', hidden: true },
      { name: 'second', hidden: false },
      { name: 'first', hidden: false },
      { name: 'second', hidden: true },
    ]);
  });

  it.each([
    ['JavaScript', 'Launch'],
    ['J#61vaScript', '#4c#61#75nch'],
  ])('names scripts and actions that start programs, written /%s and /%s', async (script, launch) => {
    const link = '/Type/Annot/Subtype/Link/Rect[0 0 1 1]';
    const scripts = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[<<${link}/A<</S/${launch}/F(x)>>>>4 0 R]>>`,
      `<<${link}/A<</S/${script}/JS(app.alert\\(1\\))>>>>`,
    ]);
    const other = join(FIXTURES, 'rotated-270.pdf');
    const { warnings } = await folder.merge([folder.keep('scripts.pdf', scripts), other]);
    expect(warnings).toEqual([
      'scripts.pdf has JavaScript, which is kept as it is',
      'scripts.pdf has actions that start programs, which are kept as they are',
    ]);
  });

  it('takes title and author as asked, in both places where they stand', async () => {
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>';
    const old = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
      `<</Type/Metadata/Subtype/XML/Length ${xmp.length}>>stream\n${xmp}\nendstream`,
    ]);
    const paths = [folder.keep('old.pdf', old), join(FIXTURES, 'rotated-270.pdf')];
    const { path } = await folder.merge(paths, { title: 'Grüße <1>', author: 'A & B\u0001😀' });
    const { execFileSync } = await import('node:child_process');
    const said = execFileSync('pdfinfo', [path], { encoding: 'utf8' });
    expect(said).toMatch(/^Title: +Grüße <1>$/m);
    expect(said).toMatch(/^Author: +A & B/m);
    const packet = execFileSync('pdfinfo', ['-meta', path], { encoding: 'utf8' });
    expect(packet).toContain('Grüße &lt;1&gt;');
    expect(packet).toContain('>A &amp; B😀<');
    expect(packet).not.toContain('Old');
  });
});
