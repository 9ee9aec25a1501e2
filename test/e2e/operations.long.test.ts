// Holds that the built program runs every operation of the local engine: with its libraries, bundled or not, found.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { pdfOf } from '../structure/run.ts';
import { folder, pdftool } from './pdftool.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const GUIDE = join(FIXTURES, 'guide.pdf');
const FORM = join(FIXTURES, 'documents/pdfbox--acroform.pdf');
const SIGNED = join(FIXTURES, 'signatures/pades-lta-dss-indirect-arrs-test-2.pdf');
const ROOTS = join(FIXTURES, 'signatures/roots.pem');
const LOREM = join(FIXTURES, 'lorem-ipsum.pdf');

const made = folder();
const NOTES = made.at('notes.txt');
const LOCKED = made.at('locked.pdf');
const LABELLED = made.at('labelled.pdf');
const KEY = made.at('key.pem');
const INVOICE = made.at('factur-x.xml');
const E_INVOICE = made.at('e-invoice.pdf');
const XML = `<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="r" xmlns:ram="m"><rsm:ExchangedDocumentContext>
<ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID>
</ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext></rsm:CrossIndustryInvoice>`;
const CARRIER = made.at('carrier.pdf');
const LABELLED_OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R/PageLabels<</Nums[0<</S/r>>]>>>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
];
const OUTLINES = join(FIXTURES, 'outlines.pdf');
beforeAll(async () => {
  writeFileSync(NOTES, 'geheim\n');
  await execa('qpdf', ['--encrypt', 'geheim', 'owner', '256', '--', LOREM, LOCKED]);
  writeFileSync(LABELLED, pdfOf(LABELLED_OBJECTS), 'latin1');
  await execa('qpdf', [LOREM, '--add-attachment', NOTES, '--', CARRIER]);
  const subject = ['-subj', '/CN=Jane Doe', '-days', '9', '-nodes'];
  await execa('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    ...subject,
    '-keyout',
    KEY,
    '-out',
    made.at('cert.pem'),
  ]);
  writeFileSync(INVOICE, XML);
  await pdftool(['invoice', 'attach', '--local', LOREM, INVOICE, '-o', E_INVOICE], { cwd: made.path });
});
afterAll(() => made[Symbol.dispose]());

/** The command of a row. */
function wordsFor(name: string): string[] {
  const op = OPERATIONS.find((each) => each.name === name);
  return op === undefined ? [name] : wordsOf(op).split(' ');
}

/** Each operation, and what another program finds in its output. */
const runs: Record<string, { args: readonly string[]; output?: string; pages?: number; says?: RegExp }> = {
  info: { args: [GUIDE], says: /Page count\s+86/ },
  merge: { args: [GUIDE, LOREM], output: 'merged.pdf', pages: 90 },
  split: { args: [LOREM, '--ranges', '2-3', '-o', 'parts'], output: 'parts/pages-002-003.pdf', pages: 2 },
  'pages-take': { args: [LOREM, '2-3'], output: 'lorem-ipsum-pages.pdf', pages: 2 },
  'pages-drop': { args: [LOREM, '1'], output: 'lorem-ipsum-dropped.pdf', pages: 3 },
  'pages-reverse': { args: [LOREM], output: 'lorem-ipsum-reversed.pdf', pages: 4 },
  'pages-order': { args: [LOREM, '4,1'], output: 'lorem-ipsum-ordered.pdf', pages: 4 },
  rotate: { args: [LOREM, '--angle', '90'], output: 'lorem-ipsum-rotated.pdf', pages: 4 },
  archive: { args: [LOREM], output: 'lorem-ipsum-archive.pdf', pages: 4 },
  // The first line of any file may be a password.
  encrypt: { args: [LOREM, '--owner-password-file', NOTES], output: 'lorem-ipsum-encrypted.pdf', pages: 4 },
  decrypt: { args: [LOCKED, '--password-file', NOTES], output: 'locked-decrypted.pdf', pages: 4 },
  compress: { args: [GUIDE, '--target', '200KB'], output: 'guide-compressed.pdf', pages: 86 },
  'merge-compress': { args: [GUIDE, LOREM], output: 'merged.pdf', pages: 90 },
  'extract-text': { args: [LOREM], says: /Lorem ipsum/i },
  'to-json': { args: [LOREM], says: /"extraction_mode": ?"pdfjs_text_layer"/ },
  markdown: { args: [LOREM], says: /^#+ /m },
  'to-images': { args: [LOREM, '--pages', '1', '--dpi', '40', '-o', 'page.png'], says: /page\.png/ },
  images: { args: [LOREM, '--list'], says: /page-003-1\.png/ },
  stamp: { args: [LOREM, '--text', 'Draft {page}'], output: 'lorem-ipsum-stamped.pdf', pages: 4 },
  number: { args: [LOREM, '--start', '5'], output: 'lorem-ipsum-numbered.pdf', pages: 4 },
  overlay: { args: [GUIDE, '--pdf', LOREM], output: 'guide-overlaid.pdf', pages: 86 },
  'form-show': { args: [FORM], says: /text/ },
  'form-fill': { args: [FORM, '--values', '{}'], output: 'pdfbox--acroform-filled.pdf', pages: 1 },
  'form-flatten': { args: [FORM], output: 'pdfbox--acroform-flat.pdf', pages: 1 },
  nup: { args: [LOREM, '--per-sheet', '4'], output: 'lorem-ipsum-nup.pdf', pages: 1 },
  crop: { args: [LOREM, '--auto', '--pages', '1'], output: 'lorem-ipsum-cropped.pdf', pages: 4 },
  resize: { args: [LOREM, '--paper', 'A5'], output: 'lorem-ipsum-resized.pdf', pages: 4 },
  blank: { args: [LOREM, '--after', '2'], output: 'lorem-ipsum-with-blanks.pdf', pages: 5 },
  optimize: { args: [GUIDE, '--linearize'], output: 'guide-optimized.pdf', pages: 86 },
  compare: { args: [LOREM, LOREM], says: /the same/ },
  check: { args: [join(FIXTURES, 'conformance/pdfa-2b.pdf')], says: /nothing found/ },
  'invoice-attach': { args: [LOREM, INVOICE], output: 'lorem-ipsum-invoice.pdf', pages: 4 },
  'invoice-show': { args: [E_INVOICE], says: /factur-x\.xml/ },
  tables: { args: [GUIDE, '--pages', '1-80'], says: /One value goes here,Another one here,OK\?/ },
  sign: { args: [LOREM, '--key', KEY, '--cert', made.at('cert.pem')], output: 'lorem-ipsum-signed.pdf', pages: 4 },
  verify: { args: [SIGNED, '--trust', ROOTS], says: /signature Sig1 by Alice: valid/ },
  audiobook: { args: [LOREM, '--page-range', '1', '-o', 'book.mp3'], says: /book\.mp3/ },
  narrate: { args: [LOREM, '--page-range', '1', '-o', 'slides.mp4'], says: /slides\.mp4/ },
  'voice-preview': { args: ['Good morning.', '-o', 'hello.mp3'], says: /hello\.mp3/ },
  'meta-show': { args: [GUIDE], says: /Creator +PDFKit/ },
  'meta-set': { args: [LOREM, '--title', 'New'], output: 'lorem-ipsum-meta.pdf', pages: 4 },
  'meta-clear': { args: [LOREM], output: 'lorem-ipsum-meta.pdf', pages: 4 },
  'bookmarks-show': { args: [OUTLINES], says: /^\S.*\t\d+$/m },
  'bookmarks-set': { args: [LOREM, '--bookmarks', 'One\t1'], output: 'lorem-ipsum-bookmarks.pdf', pages: 4 },
  'bookmarks-clear': { args: [LOREM], output: 'lorem-ipsum-bookmarks.pdf', pages: 4 },
  'labels-show': { args: [LABELLED], says: /^1:r$/m },
  'labels-set': { args: [LOREM, '--labels', '1:r'], output: 'lorem-ipsum-labels.pdf', pages: 4 },
  'labels-clear': { args: [LABELLED], output: 'labelled-labels.pdf', pages: 1 },
  'attach-list': { args: [CARRIER], says: /^notes\.txt +7$/m },
  'attach-add': { args: [LOREM, NOTES], output: 'lorem-ipsum-attached.pdf', pages: 4 },
  'attach-extract': { args: [CARRIER, '-o', 'out'], says: /^out\/notes\.txt$/m },
  'attach-remove': { args: [CARRIER, '--all'], output: 'carrier-detached.pdf', pages: 4 },
  openapi: { args: [], says: /"openapi": ?"3\.1\.0"/ },
};

describe('the built program', () => {
  it.each(Object.entries(runs))('runs %s', async (name, { args, output, pages, says }) => {
    using here = folder();
    const run = await pdftool([...wordsFor(name), '--local', ...args], { cwd: here.path });
    expect(run.stderr).not.toMatch(/error|Warning/);
    expect(run.exitCode).toBe(0);
    if (says !== undefined) expect(run.stdout).toMatch(says);
    if (output === undefined) return;
    await execa('qpdf', ['--check', here.at(output)]);
    expect((await execa('qpdf', ['--show-npages', here.at(output)])).stdout).toBe(String(pages));
  });

  it('ends with 3 and says why where a target that must be reached is not; the output is there all the same', async () => {
    using here = folder();
    const where = { cwd: here.path };
    const args = ['compress', '--local', LOREM, '--target', '1KB'];
    const soft = await pdftool([...args, '-o', 'soft.pdf'], where);
    expect(soft.exitCode, soft.stderr).toBe(0);
    expect(soft.stderr).toMatch(/bytes is the smallest size that stays readable, above the target of 1024/);
    const hard = await pdftool([...args, '-o', 'hard.pdf', '--require-target'], where);
    expect(hard.exitCode, hard.stderr).toBe(3);
    expect(hard.stderr).toMatch(/warning: the target was not reached: hard\.pdf is as small as it gets/);
    expect(here.list()).toEqual(['hard.pdf', 'soft.pdf']);
  });

  it.each(['images-to-pdf', 'images-to-pdf-compress'])('runs %s', async (name) => {
    using here = folder();
    await execa('pdftoppm', ['-r', '20', '-l', '2', '-png', LOREM, here.at('page')]);
    const images = here.list();
    const run = await pdftool([name, '--local', ...images, '-o', 'out.pdf'], { cwd: here.path });
    expect(run.exitCode).toBe(0);
    await execa('qpdf', ['--check', here.at('out.pdf')]);
    expect(readFileSync(here.at('out.pdf'), 'latin1')).toMatch(/^%PDF-/);
  });

  it('leaves out none that the table claims', () => {
    // `redact` has commands of its own (test/redact), `ocr` wants a program (test/ocr), and `timestamp` an authority (test/sign).
    const claimed = OPERATIONS.filter(({ local, surface }) => local === true && surface === 'command')
      .map(({ name }) => name)
      .filter((name) => name !== 'ocr' && name !== 'timestamp');
    expect([...Object.keys(runs), 'images-to-pdf', 'images-to-pdf-compress'].sort()).toEqual(claimed.sort());
  });
});
