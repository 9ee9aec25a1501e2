// Words for scans: they are there, where the picture has them, and nothing else of the document changes.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PDFDocument, PDFHexString, PDFName, StandardFonts } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Progress } from '../../src/contract/base/ports.ts';
import { findRecogniser } from '../../src/ocr/recogniser.ts';
import { similarity } from '../../src/pdf/shrink/layers/ssim.ts';
import { packageFile } from '../../src/runtime/folders/package-files.ts';
import { systemPrograms } from '../../src/runtime/processes/programs.ts';
import { CLEAN, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';
import { ocr } from '../local.ts';
import { Workbench } from '../render/workbench.ts';

const LOREM = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const hasTesseract = spawnSync('tesseract', ['--version']).status === 0;

const work = mkdtempSync(join(tmpdir(), 'ocr-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const at = (name: string) => join(work, name);
const DOCUMENT = at('prose.pdf');

const PROSE =
  'The harbour was quiet when the first boats came in before dawn, their lamps still burning at the bow. Nobody spoke ' +
  'while the baskets were handed up; the weight of each was called out and written into a ledger with a green cover. ' +
  'By seven the market had opened, and everything that could be sold fresh was gone within the hour. What remained went ' +
  'to the smokehouse behind the church, where two sisters had kept the same fire for thirty years. They knew the wood by ' +
  'its smell and the fish by its sound on the board. Visitors asked for their secret and were told the truth: there was ' +
  'none, only patience, salt and an early start. ';

/** Two pages of prose: what the scans show. */
async function writeProse(path: string): Promise<void> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  const words = PROSE.repeat(8).trim().split(' ');
  for (let number = 1; number <= 2; number += 1) {
    const page = document.addPage([612, 792]);
    page.drawText(`Chapter ${number} Boats`, { x: 72, y: 700, size: 20, font });
    for (let y = 660; y > 120; y -= 16) {
      let line = '';
      while (words.length > 0 && font.widthOfTextAtSize(`${line} ${words[0]}`, 12) < 468) {
        line = `${line} ${words.shift()}`.trim();
      }
      page.drawText(line, { x: 72, y, size: 12, font });
    }
  }
  writeFileSync(path, await document.save());
}

/** A page of it as a scanner gives it. */
async function scanned(name: string, page: number, change = (image: Sharp) => image): Promise<string> {
  const args = [
    '-r',
    '300',
    '-gray',
    '-f',
    String(page),
    '-l',
    String(page),
    '-singlefile',
    '-png',
    DOCUMENT,
    at('page'),
  ];
  execFileSync('pdftoppm', args);
  await change(sharp(at('page.png')))
    .jpeg({ quality: 90 })
    .withMetadata({ density: 300 })
    .toFile(at(`${name}.jpg`));
  return at(`${name}.jpg`);
}

/** A scan that says of itself that it keeps to PDF/A-1b, and has what that asks for. */
async function writeArchive(path: string, picture: string): Promise<void> {
  const document = await PDFDocument.create();
  const image = await document.embedJpg(readFileSync(picture));
  document.addPage([612, 792]).drawImage(image, { x: 0, y: 0, width: 612, height: 792 });
  const xmp =
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
    'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>1</pdfaid:part><pdfaid:conformance>B' +
    '</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>';
  const { context, catalog } = document;
  catalog.set(PDFName.of('Metadata'), context.register(context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })));
  const id = PDFHexString.of('0123456789abcdef0123456789abcdef');
  context.trailerInfo.ID = context.obj([id, id]);
  writeFileSync(path, await document.save({ useObjectStreams: false }));
}

interface Word {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Words with the middles of their boxes, by poppler. */
function words(path: string, page = 1): Word[] {
  const html = execFileSync('pdftotext', ['-bbox', '-f', String(page), '-l', String(page), path, '-'], {
    encoding: 'utf8',
  });
  const all = html.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/g);
  return [...all].map(([, x0, y0, x1, y1, text = '']) => ({
    text,
    x: (Number(x0) + Number(x1)) / 2,
    y: (Number(y0) + Number(y1)) / 2,
  }));
}

/** Share of the words of prose of one page that the other has within so many points of the same place. */
function found(page: readonly Word[], read: readonly Word[], within: number): number {
  const truth = page.filter(({ text }) => /^[A-Za-z]{3,}[.,]?$/.test(text));
  const near = (a: Word, b: Word) => a.text === b.text && Math.hypot(a.x - b.x, a.y - b.y) < within;
  return truth.filter((word) => read.some((other) => near(word, other))).length / truth.length;
}

const pixels = (path: string) => execFileSync('pdftoppm', ['-r', '50', path], { maxBuffer: 1 << 28 });

describe.skipIf(!hasTesseract)('ocr', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await writeProse(DOCUMENT);
    const pictures = [await scanned('one', 1), await scanned('two', 2)];
    await pdftool(['images-to-pdf', ...pictures, '-o', at('scan.pdf')]);
  });

  it('adds words where the picture has them, and changes nothing else', async () => {
    using here = folder();
    const run = await pdftool(['ocr', at('scan.pdf'), '-o', 'out.pdf', '--text', 'words.jsonl'], { cwd: here.path });
    expect(run.exitCode).toBe(0);
    expect(execFileSync('qpdf', ['--check', here.at('out.pdf')], { encoding: 'utf8' })).toContain('No syntax');
    expect(found(words(DOCUMENT, 1), words(here.at('out.pdf'), 1), 4)).toBeGreaterThan(0.98);
    expect(found(words(DOCUMENT, 2), words(here.at('out.pdf'), 2), 4)).toBeGreaterThan(0.98);
    expect(pixels(here.at('out.pdf')).equals(pixels(at('scan.pdf')))).toBe(true);
    expect(statSync(here.at('out.pdf')).size).toBeLessThan(1.05 * statSync(at('scan.pdf')).size + 3000);
    // The scan itself is still there, byte for byte.
    const scan = readFileSync(at('scan.pdf'));
    expect(readFileSync(here.at('out.pdf')).subarray(0, scan.length).equals(scan)).toBe(true);
    const lines = readFileSync(here.at('words.jsonl'), 'utf8').trim().split('\n');
    expect(JSON.parse(lines[0]!)).toEqual({
      page: 1,
      text: 'Chapter',
      confidence: expect.any(Number),
      box: [expect.closeTo(72.5, 0), expect.closeTo(78.2, 0), expect.closeTo(135.4, 0), expect.closeTo(96.2, 0)],
    });
    expect(new Set(lines.map((line) => JSON.parse(line).page))).toEqual(new Set([1, 2]));
  });

  it('codes the pictures again when asked: smaller, with the same words in the same places, as a PDF/A too', async () => {
    using here = folder();
    const run = (to: string, ...options: string[]) =>
      pdftool(['ocr', at('scan.pdf'), '-o', to, ...options], { cwd: here.path });
    await run('plain.pdf');
    expect((await run('small.pdf', '--optimize')).exitCode).toBe(0);
    expect((await run('archive.pdf', '--optimize', '--to', 'pdfa-2b')).exitCode).toBe(0);
    const placed = (name: string) => execFileSync('pdftotext', ['-bbox', here.at(name), '-'], { encoding: 'utf8' });
    const boxes = (name: string) => placed(name).match(/<word .*/g);
    expect(boxes('plain.pdf')?.length).toBeGreaterThan(400);
    for (const name of ['small.pdf', 'archive.pdf']) {
      expect(execFileSync('qpdf', ['--check', here.at(name)], { encoding: 'utf8' })).toContain('No syntax');
      expect(statSync(here.at(name)).size).toBeLessThan(statSync(here.at('plain.pdf')).size / 3);
      expect(boxes(name)).toEqual(boxes('plain.pdf'));
      const pages = [at('scan.pdf'), here.at(name)].map((path) => {
        execFileSync('pdftoppm', ['-gray', '-r', '100', '-singlefile', path, here.at('page')]);
        return readFileSync(here.at('page.pgm')).subarray(-850 * 1100);
      });
      expect(similarity(pages[0]!, pages[1]!, 850, 1100, 1)).toBeGreaterThan(0.97);
    }
  });

  it('gives equal bytes for equal input', async () => {
    using here = folder();
    for (const name of ['a.pdf', 'b.pdf']) await pdftool(['ocr', at('scan.pdf'), '-o', name], { cwd: here.path });
    expect(readFileSync(here.at('a.pdf')).equals(readFileSync(here.at('b.pdf')))).toBe(true);
  });

  it('leaves pages with text alone, reads them with --all, and takes its own layer away with --redo', async () => {
    using here = folder();
    const cwd = { cwd: here.path };
    await pdftool(['merge', LOREM, at('scan.pdf'), '-o', 'mixed.pdf'], cwd);
    const before = words(here.at('mixed.pdf'), 1);
    await pdftool(['ocr', 'mixed.pdf', '-o', 'out.pdf'], cwd);
    expect(words(here.at('out.pdf'), 1)).toEqual(before);
    const read = words(here.at('out.pdf'), 5);
    expect(read.length).toBeGreaterThan(50);
    await pdftool(['ocr', 'out.pdf', '--all', '--pages', '5', '-o', 'forced.pdf'], cwd);
    // Readers pass over words that stand twice in one place; the second layer has a font of its own.
    const fonts = execFileSync('mutool', ['show', here.at('forced.pdf'), 'pages/5/Resources/Font'], {
      encoding: 'utf8',
    });
    expect(fonts).toMatch(/PdftoolOcr .*PdftoolOcrX /s);
    const again = await pdftool(['ocr', 'out.pdf', '-o', 'again.pdf'], cwd);
    expect(again.stderr).toContain('every page has text already');
    await pdftool(['ocr', 'out.pdf', '--redo', '-o', 'redone.pdf'], cwd);
    expect(words(here.at('redone.pdf'), 5)).toEqual(read);
    expect(words(here.at('redone.pdf'), 1)).toEqual(before);
    expect(pixels(here.at('redone.pdf')).equals(pixels(here.at('mixed.pdf')))).toBe(true);
  });

  it('reads a scan that somebody put a text box on', async () => {
    using here = folder();
    const document = await PDFDocument.load(readFileSync(at('scan.pdf')));
    const box = document.context.obj({
      ...{ Type: 'Annot', Subtype: 'FreeText', Rect: [72, 20, 300, 40] },
      ...{ Contents: PDFHexString.fromText('Received on Monday'), DA: PDFHexString.fromText('/Helv 10 Tf 0 g') },
    });
    document.getPage(0).node.set(PDFName.of('Annots'), document.context.obj([document.context.register(box)]));
    writeFileSync(here.at('stamped.pdf'), await document.save());
    const run = await pdftool(['ocr', 'stamped.pdf', '-o', 'out.pdf'], { cwd: here.path });
    expect(run.stderr).not.toContain('has text already');
    expect(words(here.at('out.pdf'), 1).length).toBeGreaterThan(50);
  });

  it('turns pages upright that lie on their side or their head, or reads them as they lie', async () => {
    using here = folder();
    for (const angle of [90, 180, 270]) {
      const picture = await scanned(`turned-${angle}`, 1, (image) => image.rotate(angle));
      await pdftool(['images-to-pdf', picture, '-o', `${angle}.pdf`], { cwd: here.path });
      const turned = await pdftool(['ocr', `${angle}.pdf`, '-o', `${angle}-turned.pdf`], { cwd: here.path });
      expect(turned.stderr).toContain('turned upright: page 1');
      expect(found(words(DOCUMENT), words(here.at(`${angle}-turned.pdf`)), 5), `turned by ${angle}`).toBeGreaterThan(
        0.95,
      );
      const text = execFileSync('pdftotext', [here.at(`${angle}-turned.pdf`), '-'], { encoding: 'utf8' });
      expect(text.trim()).toMatch(/^Chapter . Boats\s+The harbour was quiet when the first boats came in before dawn/);
      await pdftool(['ocr', `${angle}.pdf`, '--rotate-pages', 'off', '-o', `${angle}-out.pdf`], { cwd: here.path });
      await pdftool(['rotate', `${angle}-out.pdf`, '--angle', String(360 - angle), '-o', `${angle}-up.pdf`], {
        cwd: here.path,
      });
      // Turned back, the words stand where the document has them.
      const share = found(words(DOCUMENT), words(here.at(`${angle}-up.pdf`)), 5);
      expect(share, `turned by ${angle}`).toBeGreaterThan(0.95);
    }
  });

  it('follows lines that run askew, or straightens them', async () => {
    using here = folder();
    const cwd = { cwd: here.path };
    const picture = await scanned('askew', 1, (image) => image.rotate(2, { background: 'white' }));
    await pdftool(['images-to-pdf', picture, '-o', 'askew.pdf'], cwd);
    const spread = (name: string) => {
      // Of the first long line: how far its words are from one height.
      const line = words(here.at(name)).filter(({ text }) =>
        ['harbour', 'quiet', 'first', 'boats', 'before', 'dawn,'].includes(text),
      );
      const ys = line.slice(0, 5).map(({ y }) => y);
      return Math.max(...ys) - Math.min(...ys);
    };
    await pdftool(['ocr', 'askew.pdf', '-o', 'as-it-is.pdf'], cwd);
    await pdftool(['ocr', 'askew.pdf', '--deskew', 'page', '-o', 'page.pdf'], cwd);
    await pdftool(['ocr', 'askew.pdf', '--deskew', 'text', '-o', 'text.pdf'], cwd);
    expect(pixels(here.at('text.pdf')).equals(pixels(here.at('askew.pdf')))).toBe(true);
    expect(pixels(here.at('page.pdf')).equals(pixels(here.at('askew.pdf')))).toBe(false);
    expect(spread('page.pdf')).toBeLessThan(spread('as-it-is.pdf'));
    // Turned back, the page is read as well as if it had never been askew.
    await pdftool(['to-images', 'page.pdf', '--dpi', '300', '-o', 'straight.png', '--pages', '1'], cwd);
    const hocr = execFileSync('tesseract', [here.at('straight.png'), 'stdout', '-c', 'tessedit_create_hocr=1'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const slopes = [...hocr.matchAll(/baseline (-?[\d.]+) /g)].map(([, slope]) => Math.abs(Number(slope)));
    expect(slopes.sort((a, b) => a - b)[slopes.length >> 1]).toBeLessThan(0.006);
  });

  it('writes encrypted and damaged files anew first', async () => {
    using here = folder();
    execFileSync('qpdf', ['--encrypt', 'geheim', 'owner', '256', '--', at('scan.pdf'), here.at('locked.pdf')]);
    const damaged = readFileSync(at('scan.pdf'))
      .toString('latin1')
      .replace(/startxref\s+\d+/, 'startxref\n7');
    writeFileSync(here.at('damaged.pdf'), damaged, 'latin1');
    for (const name of ['locked', 'damaged']) {
      const args = ['ocr', `${name}.pdf`, '--pages', '1', '-o', `${name}-out.pdf`];
      const run = await pdftool(args, { cwd: here.path, env: { ...CLEAN, PDFTOOL_PDF_PASSWORD: 'geheim' } });
      expect([name, run.exitCode]).toEqual([name, 0]);
      expect(words(here.at(`${name}-out.pdf`)).length).toBeGreaterThan(50);
      expect(spawnSync('qpdf', ['--check', here.at(`${name}-out.pdf`)]).status).toBe(0);
    }
  });

  it('stands before extract-text, to-json and markdown with --ocr, and is marked', async () => {
    using here = folder();
    const cwd = { cwd: here.path };
    const without = await pdftool(['extract-text', at('scan.pdf')], cwd);
    expect(without).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('--ocr') });
    const text = await pdftool(['extract-text', at('scan.pdf'), '--ocr', '--json'], cwd);
    expect(JSON.parse(text.stdout)).toMatchObject({
      ocr_pages: [1, 2],
      text: expect.stringContaining('The harbour was quiet'),
      warnings: [expect.stringMatching(/the words of pages 1-2 were recognised in pictures \(tesseract .*, eng\)/)],
    });
    const json = JSON.parse((await pdftool(['to-json', at('scan.pdf'), '--ocr', '--json'], cwd)).stdout);
    expect(json.pages.map((page: { ocr?: boolean }) => page.ocr)).toEqual([true, true]);
    const markdown = JSON.parse((await pdftool(['markdown', at('scan.pdf'), '--ocr', '--json'], cwd)).stdout);
    expect(markdown.capabilities.ocr).toBe(true);
    expect(markdown.markdown).toMatch(/^# Chapter . Boats$/m);
  });

  it('tells of each page, in order', async () => {
    using bench = new Workbench();
    const seen: unknown[] = [];
    const context = {
      ...bench.context,
      programs: systemPrograms,
      packageFile,
      progress: (event: Progress) => seen.push(event),
    };
    await ocr({ file: bench.file(at('scan.pdf')) }, context);
    expect(seen).toEqual([1, 2].map((done) => ({ phase: 'read', done, total: 2, unit: 'pages' })));
  });

  it('reads a page of 200 inches, at as many dots as it has room for', async () => {
    using here = folder();
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    document.addPage([14_400, 14_400]).drawText('Harbour', { x: 2_000, y: 7_000, size: 1_500, font });
    writeFileSync(here.at('huge.pdf'), await document.save());
    const run = await pdftool(['ocr', 'huge.pdf', '--all', '-o', 'out.pdf', '--text', 'w.jsonl'], { cwd: here.path });
    expect(run.exitCode).toBe(0);
    const { text, box } = JSON.parse(readFileSync(here.at('w.jsonl'), 'utf8'));
    expect(text).toBe('Harbour');
    // The H begins 0.077 of the size further right.
    expect(Math.abs(box[0] - 2_000 - 0.077 * 1_500)).toBeLessThan(30);
  });

  it('leaves a document for archives one: nothing of it changes, and what is added keeps to its rules', async () => {
    using here = folder();
    const archive = at('archive.pdf');
    await writeArchive(archive, await scanned('archive', 1));
    expect((await pdftool(['ocr', archive, '-o', 'out.pdf'], { cwd: here.path })).exitCode).toBe(0);
    const [before, after] = [readFileSync(archive), readFileSync(here.at('out.pdf'))];
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    const added = after.subarray(before.length).toString('latin1');
    // ISO 19005-1: no streams of objects or references, no transparency, nothing encrypted, the identifier stays.
    expect(added).not.toMatch(/\/ObjStm|\/XRef|\/SMask|\/CA |\/ca |\/Encrypt|\/Metadata|\/OutputIntents/);
    const first = (text: string) => /\/ID ?\[ ?<([0-9a-f]+)>/i.exec(text)?.[1]?.toLowerCase();
    expect(first(added)).toBe(first(before.toString('latin1')));
    const metadata = execFileSync('pdfinfo', ['-meta', here.at('out.pdf')], { encoding: 'utf8' });
    expect(metadata).toContain('<pdfaid:part>1</pdfaid:part>');
    // Embedded, with a way to Unicode.
    const fonts = execFileSync('pdffonts', [here.at('out.pdf')], { encoding: 'utf8' });
    expect(fonts).toMatch(/CID TrueType +Identity-H +yes no +yes/);
    expect(spawnSync('qpdf', ['--check', here.at('out.pdf')]).status).toBe(0);
    expect(found(words(DOCUMENT), words(here.at('out.pdf')), 4)).toBeGreaterThan(0.98);
  });

  it('writes nothing where tesseract breaks down', async () => {
    using here = folder();
    const about =
      'case "$1" in --version) echo tesseract 9;; --list-langs) printf "List:\\neng\\n";; *) kill -SEGV $$;; esac';
    mkdirSync(here.at('bin'));
    writeFileSync(here.at('bin/tesseract'), `#!/bin/sh\n${about}\n`, { mode: 0o755 });
    const run = await pdftool(['ocr', at('scan.pdf'), '-o', 'out.pdf', '--text', 'w.jsonl'], {
      cwd: here.path,
      env: { ...CLEAN, PATH: `${here.at('bin')}:${CLEAN.PATH}` },
    });
    expect([run.exitCode, run.stderr]).toEqual([
      6,
      expect.stringMatching(/scan\.pdf: page 1: tesseract 9 .*was ended/),
    ]);
    expect(here.list()).toEqual(['bin']);
  });

  it('says what to install for a language that is not there', async () => {
    using here = folder();
    const run = await pdftool(['ocr', at('scan.pdf'), '--language', 'xyz', '-o', 'out.pdf'], { cwd: here.path });
    expect(run.exitCode).toBe(24);
    expect(run.stderr).toContain('apt install tesseract-ocr-xyz');
    expect(run.stderr).toContain('pdftool ocr languages add xyz');
    const wrong = await pdftool(['ocr', at('scan.pdf'), '--language', '../eng', '-o', 'out.pdf'], { cwd: here.path });
    expect(wrong.exitCode).toBe(2);
    expect(here.list()).toEqual([]);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)('leaves nothing under the name of the output after %s', async (signal) => {
    using here = folder();
    const run = spawn(process.execPath, [PROGRAM, 'ocr', at('scan.pdf'), '-o', 'out.pdf', '--text', 'w.jsonl'], {
      cwd: here.path,
      env: CLEAN,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(run, 'exit');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    run.kill(signal);
    await ended;
    expect(here.list().filter((name) => !name.startsWith('.pdftool-'))).toEqual([]);
    if (signal === 'SIGINT') expect(here.list()).toEqual([]);
  });
});

describe('a tesseract that', () => {
  const picture = { width: 8, height: 8, pixels: new Uint8Array(64), dpi: 300 };
  const signal = new AbortController().signal;
  /** Stands in for tesseract: it answers questions about itself, and then does something else. */
  function fake(name: string, script: string) {
    const path = at(name);
    const about = `case "$1" in --version) echo tesseract 9;; --list-langs) printf 'List:\\neng\\n';; *) ${script};; esac`;
    writeFileSync(path, `#!/bin/sh\n${about}\n`);
    chmodSync(path, 0o755);
    const programs: typeof systemPrograms = {
      ...systemPrograms,
      find: () => path,
      run: (program, args, options) =>
        systemPrograms.run(program, args, { ...options, patience: Math.min(options.patience, 2_000) }),
    };
    return findRecogniser('eng', { programs, packageFile, signal });
  }

  it('hangs is ended, and that is said', async () => {
    const recogniser = await fake('hangs', 'exec sleep 100');
    await expect(recogniser.recognise(picture)).rejects.toThrow(/tesseract 9 did not end within/);
  });

  it('breaks down is named with its last words', async () => {
    const recogniser = await fake('breaks', 'echo "out of luck" >&2; kill -SEGV $$');
    await expect(recogniser.recognise(picture)).rejects.toThrow(/out of luck/);
  });

  it('talks nonsense gives no words', async () => {
    const recogniser = await fake('nonsense', "printf '<span class=ocr_line>&#xZZ;</b>'");
    expect(await recogniser.recognise(picture)).toEqual([]);
  });
});
