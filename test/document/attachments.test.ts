// Holds that attached files come out of other programs byte for byte, and go again.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fileNamesOf } from '../../src/pdf/edit/document/attachments.ts';
import { CLEAN, type Folder, folder, pdftool } from '../e2e/pdftool.ts';
import { attachRemove } from '../local.ts';
import { createContext, sourceOf } from '../properties/context.ts';
import { pdfOf } from '../structure/run.ts';
import { FIXTURES, said } from './run.ts';

const LOREM = join(FIXTURES, 'lorem-ipsum.pdf');
const FILES: Readonly<Record<string, Uint8Array>> = {
  'data.csv': Buffer.from('a,b\n1,2\n'.repeat(1000)),
  'Übergrößenträger.txt': Buffer.from('ß'),
  'random.bin': randomBytes(9 << 20),
  'zeros.bin': new Uint8Array(6 << 20),
};

async function run(args: readonly string[], cwd: string) {
  const made = await pdftool(['--local', ...args], { cwd, env: CLEAN });
  return { ...made, lines: made.stdout.trim().split('\n') };
}

async function withFiles(): Promise<Folder> {
  const here = folder();
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(here.at(name), bytes);
  const added = await run(
    ['attach', 'add', LOREM, ...Object.keys(FILES), '-o', 'full.pdf', '--relationship', 'data'],
    here.path,
  );
  expect([added.exitCode, added.stderr]).toEqual([0, '']);
  said('qpdf', '--check', here.at('full.pdf'));
  return here;
}

describe('files that were put in', () => {
  it('come out of poppler, qpdf and pdftool byte for byte', async () => {
    using here = await withFiles();
    mkdirSync(here.at('poppler'));
    said('pdfdetach', '-saveall', '-o', here.at('poppler'), here.at('full.pdf'));
    const own = await run(['attach', 'extract', 'full.pdf', '-o', 'own'], here.path);
    expect(own.exitCode, own.stderr).toBe(0);
    for (const [name, bytes] of Object.entries(FILES)) {
      expect(readFileSync(here.at(`own/${name}`)).equals(bytes), name).toBe(true);
      expect(readFileSync(here.at(`poppler/${name}`)).equals(bytes), name).toBe(true);
    }
    const listed = said('qpdf', '--list-attachments', '--verbose', here.at('full.pdf'));
    for (const bytes of Object.values(FILES)) expect(listed).toContain(createHash('md5').update(bytes).digest('hex'));
    expect(listed).toMatch(/mime type: text\/csv/);
    // Associated files (ISO 32000-2, 14.13): the catalog names each, and each says how it belongs.
    expect(said('mutool', 'show', here.at('full.pdf'), 'trailer/Root/AF').match(/\d+ 0 R/g)).toHaveLength(4);
    expect(said('mutool', 'show', '-g', here.at('full.pdf'), 'grep').match(/\/AFRelationship ?\/Data/g)).toHaveLength(
      4,
    );
  });

  it('are listed, taken out one by one, replaced and removed', async () => {
    using here = await withFiles();
    const { lines } = await run(['attach', 'list', 'full.pdf', '--json'], here.path);
    const { attachments } = JSON.parse(lines[0] ?? '');
    expect(attachments).toHaveLength(4);
    expect(attachments).toContainEqual({ name: 'data.csv', bytes: 8000, type: 'text/csv', relationship: 'data' });
    const one = await run(['attach', 'extract', 'full.pdf', '--name', 'data.csv', '-o', 'one.csv'], here.path);
    expect([one.exitCode, readFileSync(here.at('one.csv')).equals(FILES['data.csv']!)]).toEqual([0, true]);
    const none = await run(['attach', 'extract', 'full.pdf', '--name', 'no.csv'], here.path);
    expect([none.exitCode, none.stderr]).toEqual([
      6,
      expect.stringMatching(/no attachment named no\.csv[\s\S]*data\.csv/),
    ]);
    writeFileSync(here.at('data.csv'), 'new');
    const taken = await run(['attach', 'add', 'full.pdf', 'data.csv'], here.path);
    expect([taken.exitCode, taken.stderr]).toEqual([6, expect.stringMatching(/already[\s\S]*--replace/)]);
    const placed = await run(['attach', 'add', 'full.pdf', 'data.csv', '--replace', '-o', 'new.pdf'], here.path);
    expect(placed.exitCode, placed.stderr).toBe(0);
    expect(said('pdfdetach', '-list', here.at('new.pdf'))).toMatch(/^4 embedded files/);
    await run(['attach', 'extract', 'new.pdf', '--name', 'data.csv', '-o', 'two.csv'], here.path);
    expect(readFileSync(here.at('two.csv'), 'utf8')).toBe('new');
    // The one that went is named nowhere, and its bytes are gone.
    expect(said('mutool', 'show', here.at('new.pdf'), 'trailer/Root/AF').match(/\d+ 0 R/g)).toHaveLength(3);
    const less = await run(['attach', 'remove', 'new.pdf', '--name', 'random.bin', '-o', 'less.pdf'], here.path);
    expect(less.exitCode, less.stderr).toBe(0);
    expect(readFileSync(here.at('less.pdf')).length).toBeLessThan(1 << 20);
    const bare = await run(['attach', 'remove', 'less.pdf', '--all', '-o', 'bare.pdf'], here.path);
    expect(bare.exitCode, bare.stderr).toBe(0);
    expect(said('qpdf', '--list-attachments', here.at('bare.pdf'))).toMatch(/has no embedded files/);
    expect(said('mutool', 'show', here.at('bare.pdf'), 'trailer/Root')).not.toMatch(/AF|EmbeddedFiles/);
    said('qpdf', '--check', here.at('bare.pdf'));
  });
});

describe('files of others', () => {
  it('of qpdf are found, and those that are notes on pages', async () => {
    using here = folder();
    writeFileSync(here.at('a.txt'), 'from qpdf');
    said('qpdf', LOREM, '--add-attachment', here.at('a.txt'), '--key=k', '--', here.at('qpdf.pdf'));
    const taken = await run(['attach', 'extract', 'qpdf.pdf', '-o', 'out'], here.path);
    expect([taken.exitCode, readFileSync(here.at('out/a.txt'), 'utf8')]).toEqual([0, 'from qpdf']);
    const note = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 4 0 R>>]>>',
      '<</Type/Filespec/F(../../etc/pass\\000wd)/EF<</F 5 0 R>>>>',
      '<</Type/EmbeddedFile/Length 4/Params<</CheckSum<00112233445566778899aabbccddeeff>>>>>stream\nnote\nendstream',
    ]);
    writeFileSync(here.at('note.pdf'), note, 'latin1');
    const out = await run(['attach', 'extract', 'note.pdf', '-o', 'notes'], here.path);
    // No name leads out of the folder.
    expect(readdirSync(here.at('notes'))).toEqual(['pass_wd']);
    expect(out.stderr).toMatch(/is not what its checksum was taken of/);
    const stays = await run(['attach', 'remove', 'note.pdf', '--all'], here.path);
    expect([stays.exitCode, stays.stderr]).toEqual([6, expect.stringMatching(/is a note on page 1/)]);
  });

  it('that would fill the memory are refused', async () => {
    using here = folder();
    const zeros = deflateSync(deflateSync(Buffer.alloc(400 << 20)));
    const bomb = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a)4 0 R]>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
      '<</Type/Filespec/F(a)/EF<</F 5 0 R>>>>',
      `<</Filter[/FlateDecode/FlateDecode]/Length ${zeros.length}>>stream\n${zeros.toString('latin1')}\nendstream`,
    ]);
    writeFileSync(here.at('bomb.pdf'), bomb, 'latin1');
    const taken = await run(['attach', 'extract', 'bomb.pdf', '-o', 'out'], here.path);
    expect([taken.exitCode, taken.stderr]).toEqual([6, expect.stringMatching(/holds more than 256 MiB/)]);
    expect(here.list()).toEqual(['bomb.pdf']);
  });
});

it('names are plain, once each, and short', () => {
  const names = ['a.txt', 'A.TXT', 'x/../b', '..', '', 'con\u0000\u202e.exe', 'ß'.repeat(400), 'C:\\d\\e.f'];
  expect(fileNamesOf(names.map((name) => ({ name })))).toEqual([
    'a.txt',
    'A-2.TXT',
    'b',
    'attachment',
    'attachment-2',
    'con__.exe',
    'ß'.repeat(50),
    'e.f',
  ]);
});

it('an invoice that is taken out, and that the metadata still speaks of, is told', async () => {
  const packet =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">' +
    '<fx:DocumentFileName>data.csv</fx:DocumentFileName><fx:ConformanceLevel>BASIC</fx:ConformanceLevel></x:xmpmeta>';
  const bytes = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R/Names<</EmbeddedFiles<</Names[(a) 5 0 R]>>>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    `<</Type/Metadata/Subtype/XML/Length ${packet.length}>>stream\n${packet}\nendstream`,
    '<</Type/Filespec/F(data.csv)/UF(data.csv)/EF<</F 6 0 R>>>>',
    '<</Type/EmbeddedFile/Length 1>>stream\na\nendstream',
  ]);
  const { warnings } = await attachRemove({ file: sourceOf('in.pdf', Buffer.from(bytes, 'latin1')) }, createContext());
  expect(warnings).toEqual(['the metadata still says that the document holds the invoice data.csv, which is gone']);
});
