#!/usr/bin/env node
// Words of scans beside ocrmypdf on the same pages, in one run: pages drawn from documents whose words are known, clean at
// 300 dpi, at 200 dpi, askew by 2 degrees, as a noisy JPEG, and in two columns.
//   node test/bench/ocr.mjs PAGES TWO-COLUMNS.pdf ONE-COLUMN.pdf...    PAGES of each kind (12: sixty in all)
// OCR_KIND=noisy: that kind alone.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';

const PROGRAM = join(import.meta.dirname, '../../bin/pdftool.js');
const [count, ...files] = process.argv.slice(2);
const [columns, ...plain] = files.map((file) => resolve(file));
const folder = mkdtempSync(join(tmpdir(), 'bench-ocr-'));
const at = (name) => join(folder, name);
const say = (line) => process.stdout.write(`${line}\n`);

/** Noise of a fixed seed, so that two runs see the same pages. */
function noisy({ data, info }) {
  let seed = 12_345;
  for (let i = 0; i < data.length; i += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    data[i] = Math.max(0, Math.min(255, data[i] + (seed / 2_147_483_648 - 0.5) * 70));
  }
  return sharp(data, { raw: info }).blur(0.7).jpeg({ quality: 35 });
}

const KINDS = {
  'clean, 300 dpi': { dpi: 300, change: async (image) => image.jpeg({ quality: 90 }) },
  '200 dpi': { dpi: 200, change: async (image) => image.jpeg({ quality: 90 }) },
  askew: { dpi: 300, change: async (image) => image.rotate(2, { background: 'white' }).jpeg({ quality: 90 }) },
  noisy: { dpi: 300, change: async (image) => noisy(await image.raw().toBuffer({ resolveWithObject: true })) },
  'two columns': { dpi: 300, from: [columns], change: async (image) => image.jpeg({ quality: 90 }) },
};

try {
  const all = { pdftool: [], ocrmypdf: [] };
  for (const [kind, { dpi, change, from = plain }] of Object.entries(KINDS)) {
    if (process.env.OCR_KIND !== undefined && process.env.OCR_KIND !== kind) continue;
    const pages = from.flatMap((file) => pagesOf(file)).slice(0, Number(count));
    const pictures = [];
    for (const [i, { file, page }] of pages.entries()) {
      const picture = at(`${i}.jpg`);
      const range = ['-gray', '-r', dpi, '-f', page, '-l', page, '-singlefile', '-png', file, at('page')];
      spawnSync('pdftoppm', range.map(String));
      await (await change(sharp(at('page.png')).toColourspace('b-w'))).withMetadata({ density: dpi }).toFile(picture);
      pictures.push(picture);
    }
    spawnSync(process.execPath, [PROGRAM, 'images-to-pdf', ...pictures, '-f', '-q', '-o', at('scan.pdf')]);
    const truth = pages.map(({ file, page }) => wordsOf(file, page));
    const runs = {
      pdftool: [process.execPath, PROGRAM, 'ocr', at('scan.pdf'), '-f', '-q', '-o', at('pdftool.pdf')],
      ocrmypdf: ['ocrmypdf', '-q', '-j', '2', '--output-type', 'pdf', at('scan.pdf'), at('ocrmypdf.pdf')],
    };
    for (const [name, command] of Object.entries(runs)) {
      const { cpu, seconds, status } = timed(command);
      const read = truth.map((_, i) => wordsOf(at(`${name}.pdf`), i + 1));
      const result = { ...score(truth, read), cpu, seconds, pages: pages.length };
      all[name].push(result);
      tell(`${kind.padEnd(16)} ${name.padEnd(9)}`, result, status);
    }
  }
  for (const [name, results] of Object.entries(all)) {
    const sum = (key) => results.reduce((total, each) => total + each[key], 0);
    const [hits, wanted, found] = ['hits', 'wanted', 'found'].map(sum);
    tell(
      `${'all'.padEnd(16)} ${name.padEnd(9)}`,
      { hits, wanted, found, cpu: sum('cpu'), seconds: sum('seconds'), pages: sum('pages') },
      0,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function tell(what, { hits, wanted, found, cpu, seconds, pages }, status) {
  const percent = (part, whole) => `${((100 * part) / whole).toFixed(2)} %`;
  const words = `recall ${percent(hits, wanted)}, precision ${percent(hits, found)}`;
  say(
    `${what} ${words}, ${(cpu / pages).toFixed(2)} s of processor time a page, ${seconds.toFixed(0)} s${status === 0 ? '' : `, exit ${status}`}`,
  );
}

/** Pages with enough prose to say something. */
function pagesOf(file) {
  const pages = Number(/Pages:\s+(\d+)/.exec(spawnSync('pdfinfo', [file], { encoding: 'utf8' }).stdout)[1]);
  return Array.from({ length: pages }, (_, i) => ({ file, page: i + 1 })).filter(
    ({ page }) => wordsOf(file, page).length > 120,
  );
}

function wordsOf(file, page) {
  const args = ['-f', String(page), '-l', String(page), file, '-'];
  const text = spawnSync('pdftotext', args, { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout ?? '';
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Words as a bag, page by page. */
function score(truth, read) {
  let [hits, wanted, found] = [0, 0, 0];
  for (const [i, words] of truth.entries()) {
    const bag = new Map();
    for (const word of words) bag.set(word, (bag.get(word) ?? 0) + 1);
    for (const word of read[i]) {
      const left = bag.get(word) ?? 0;
      if (left > 0) hits += 1;
      bag.set(word, left - 1);
    }
    wanted += words.length;
    found += read[i].length;
  }
  return { hits, wanted, found };
}

function timed(command) {
  const account = at('account');
  const began = performance.now();
  const { status } = spawnSync('/usr/bin/time', ['-f', '%U %S', '-o', account, ...command], { stdio: 'ignore' });
  const [user, system] = readFileSync(account, 'utf8').trim().split('\n').at(-1).split(' ').map(Number);
  return { cpu: user + system, seconds: (performance.now() - began) / 1000, status };
}
