import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll } from 'vitest';
import { codeFor } from '../../scripts/derive/code-example.ts';
import { examplesOf } from '../../src/cli/examples.ts';
import { wordsOf } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { makeRoot, makeSigner, openssl, at as signerFile } from '../sign/authority.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
export const FIXTURES = join(ROOT, 'test/fixtures');

/** A folder of somebody's project in which this package is installed. */
export function project(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pdftool-library-')));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/pdftool'), 'junction');
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'), 'junction');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a script in a project, and returns the JSON that it prints as its last line; throws where it prints to stderr. */
export function runScript(folder: string, name: string, text: string, flags: readonly string[] = []): unknown {
  writeFileSync(join(folder, name), text);
  const printed = execFileSync(process.execPath, [...flags, name], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '');
}

export interface DocsExample {
  readonly row: string;
  readonly work: string;
  readonly line: string;
  readonly code: string;
}

/** The examples of docs/commands that have both tabs. */
export const EXAMPLES: readonly DocsExample[] = OPERATIONS.filter(({ surface }) => surface === 'command').flatMap(
  (op) =>
    examplesOf(wordsOf(op).split(' ')).flatMap((line) => {
      const code = codeFor(line);
      return code === undefined ? [] : [{ row: op.name, work: op.work, line, code }];
    }),
);

/** What no machine without an account can run. */
const ON_A_SERVICE = ['account', 'translate-and-speak', 'openapi'];

/** Whether this machine can run an example: there may be no data of German for tesseract. */
export function isTriedHere({ row, line }: DocsExample): boolean {
  if (ON_A_SERVICE.includes(row)) return false;
  return !line.includes('+deu') || execFileSync('tesseract', ['--list-langs'], { encoding: 'utf8' }).includes('deu');
}

/** Fills a folder with the files that examples name; some are made by the library itself. */
export async function fillFolder(folder: string, library: Library): Promise<void> {
  const copy = (from: string, ...names: readonly string[]) => {
    for (const name of names) copyFileSync(join(FIXTURES, from), join(folder, name));
  };
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const at = (name: string) => join(folder, name);
  const guide = join(FIXTURES, 'guide.pdf');
  // Its fourth page has a table.
  const pages = ['1-3,75,5-20', ''];
  await library.merge([guide, join(FIXTURES, 'lorem-ipsum.pdf')], { pages, output: at('report.pdf') });
  await library.pagesTake(guide, { pages: '1-10', output: at('scan.pdf') });
  copy('lorem-ipsum.pdf', ...LOREM.map((name) => `${name}.pdf`));
  copy('conformance/pdfa-2b.pdf', 'conforming.pdf');
  copy('signed-twice.pdf', 'contract.pdf');
  copy('signatures/roots.pem', 'company-ca.pem');
  copy('documents/pdfbox--acroform.pdf', 'application.pdf');
  copy('pictures/exif--Portrait_5.jpg', 'front.jpg');
  copy('pictures/image-rs--cat.jpg', 'back.jpg');
  copy('pictures/ljt--testorig.png', 'logo.png');
  write('password.txt', 'secret\n');
  write('owner.txt', 'owner\n');
  write('toc.txt', 'First\t1\n  Second\t2\n');
  write('data.csv', 'a,b\n1,2\n');
  write('notes.txt', 'a note\n');
  write('invoice.xml', '<invoice/>\n');
  write('factur-x.xml', FACTUR_X);
  write('data.json', '{}\n');
  const written = [
    ['slides.pdf', 4],
    ['spoken.pdf', 20],
  ] as const;
  for (const [name, count] of written) {
    const document = await PDFDocument.create();
    for (let page = 1; page <= count; page += 1) document.addPage([400, 300]).drawText('A word.', { x: 50, y: 150 });
    writeFileSync(at(name), await document.save());
  }
  const marks = 'Chapter one\t1\nChapter two\t11\n';
  await library.bookmarksSet(at('spoken.pdf'), { bookmarks: marks, output: at('book.pdf') });
  await library.encrypt(at('a.pdf'), { userPassword: 'secret', output: at('locked.pdf') });
  const attached = ['report.pdf', 'data.csv', 'notes.txt'].map(at);
  await library.attachAdd(attached, { output: at('attached.pdf') });
  await library.invoiceAttach([at('invoice.pdf'), at('factur-x.xml')], { output: at('e-invoice.pdf') });
  const drawn = toImagesOf(at('letter.pdf'), library);
  await library.imagesToPdf([{ name: 'page.png', data: await drawn }], { output: at('picture.pdf') });
  makeRoot();
  makeSigner('me', ['-algorithm', 'RSA']);
  makeSigner('tsa', ['-algorithm', 'RSA'], 'stamps');
  copyFileSync(signerFile('me.key'), at('key.pem'));
  copyFileSync(signerFile('me.pem'), at('chain.pem'));
  openssl('pkcs12', '-export', '-inkey', 'me.key', '-in', 'me.pem', '-out', at('me.p12'), '-passout', 'pass:');
}

async function toImagesOf(path: string, library: Library): Promise<Uint8Array> {
  for await (const { bytes } of library.toImages(path, { pages: 1, dpi: 150 })) return bytes;
  throw new Error(`${path} has no pages`);
}

const FACTUR_X = `<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="r" xmlns:ram="m"><rsm:ExchangedDocumentContext>
<ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID>
</ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext></rsm:CrossIndustryInvoice>`;

/** The functions of dist/library.mjs, whose types tests of types look at. */
export type Library = typeof import('../golden/library.d.ts');

const LOREM = [
  ...['a', 'b', 'cover', 'fronts', 'backs', 'scans', 'large', 'manual', 'article', 'letter', 'old', 'new'],
  ...['case', 'program', 'invoice', 'form', 'deed', 'answers', 'letterhead'],
];
