#!/usr/bin/env node
// Words of scans beside ocrmypdf on the same pages, in one run: pages drawn from documents whose words are known, clean at
// 300 dpi, at 200 dpi, askew by 2 degrees, as a noisy JPEG, in two columns, and in colour.
//   node test/bench/ocr.mjs PAGES TWO-COLUMNS.pdf ONE-COLUMN.pdf...    PAGES of each kind (12: seventy-two in all)
// OCR_KIND=noisy: that kind alone. OCR_OPTIMIZE=1: pictures are coded again in the same run (ocr --optimize, ocrmypdf -O2).
//
// recall, precision: words as a bag, page by page. boxes: of the words that both have once, the share whose middle is in
// the box of the printed word; not of pages askew. order: of the words found, the share in the order of the printed page. size: to the scan.
// alike: the worst page's likeness to the scan.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { likeness, render } from './pages-alike.mjs';

const OPTIMIZE = process.env.OCR_OPTIMIZE === '1';
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
  askew: {
    dpi: 300,
    turned: true,
    change: async (image) => image.rotate(2, { background: 'white' }).jpeg({ quality: 90 }),
  },
  noisy: { dpi: 300, change: async (image) => noisy(await image.raw().toBuffer({ resolveWithObject: true })) },
  colour: { dpi: 300, colour: true, change: async (image) => image.jpeg({ quality: 90 }) },
  'two columns': { dpi: 300, from: [columns], change: async (image) => image.jpeg({ quality: 90 }) },
};

try {
  const all = { pdftool: [], ocrmypdf: [] };
  for (const [kind, { dpi, change, colour = false, turned = false, from = plain }] of Object.entries(KINDS)) {
    if (process.env.OCR_KIND !== undefined && process.env.OCR_KIND !== kind) continue;
    const pages = from.flatMap((file) => pagesOf(file)).slice(0, Number(count));
    const pictures = [];
    for (const [i, { file, page }] of pages.entries()) {
      const picture = at(`${i}.jpg`);
      const range = [
        ...(colour ? [] : ['-gray']),
        '-r',
        dpi,
        '-f',
        page,
        '-l',
        page,
        '-singlefile',
        '-png',
        file,
        at('page'),
      ];
      spawnSync('pdftoppm', range.map(String));
      const drawn = sharp(at('page.png')).toColourspace(colour ? 'srgb' : 'b-w');
      await (await change(drawn)).withMetadata({ density: dpi }).toFile(picture);
      pictures.push(picture);
    }
    spawnSync(process.execPath, [PROGRAM, 'images-to-pdf', ...pictures, '-f', '-q', '-o', at('scan.pdf')]);
    const truth = pages.map(({ file, page }) => wordsOf(file, page));
    const placed = turned ? [] : pages.map(({ file, page }) => boxesOf(file, page));
    const scan = render(at('scan.pdf'), pages.length);
    const runs = {
      pdftool: [
        process.execPath,
        PROGRAM,
        'ocr',
        at('scan.pdf'),
        '-f',
        '-q',
        '-o',
        at('pdftool.pdf'),
        ...(OPTIMIZE ? ['--optimize'] : []),
      ],
      ocrmypdf: [
        'ocrmypdf',
        '-q',
        '-j',
        '2',
        OPTIMIZE ? '-O2' : '-O1',
        '--output-type',
        'pdf',
        at('scan.pdf'),
        at('ocrmypdf.pdf'),
      ],
    };
    for (const [name, command] of Object.entries(runs)) {
      const { cpu, seconds, status } = timed(command);
      const out = at(`${name}.pdf`);
      const read = truth.map((_, i) => wordsOf(out, i + 1));
      const where = placed.map((boxes, i) => inPlace(boxes, boxesOf(out, i + 1)));
      const result = {
        ...score(truth, read),
        ordered: truth.reduce((sum, words, i) => sum + inOrder(words, read[i]), 0),
        both: where.reduce((sum, { both }) => sum + both, 0),
        in: where.reduce((sum, page) => sum + page.in, 0),
        size: statSync(out).size,
        scan: statSync(at('scan.pdf')).size,
        alike: Math.min(...likeness(scan, render(out, pages.length))),
        cpu,
        seconds,
        pages: pages.length,
      };
      all[name].push(result);
      tell(`${kind.padEnd(16)} ${name.padEnd(9)}`, result, status);
    }
  }
  for (const [name, results] of Object.entries(all)) {
    const sum = (key) => results.reduce((total, each) => total + each[key], 0);
    const keys = ['hits', 'wanted', 'found', 'ordered', 'both', 'in', 'size', 'scan', 'cpu', 'seconds', 'pages'];
    const total = Object.fromEntries(keys.map((key) => [key, sum(key)]));
    tell(
      `${'all'.padEnd(16)} ${name.padEnd(9)}`,
      { ...total, alike: Math.min(...results.map(({ alike }) => alike)) },
      0,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function tell(what, { hits, wanted, found, ordered, both, size, scan, alike, cpu, seconds, pages, ...rest }, status) {
  const percent = (part, whole) => `${((100 * part) / whole).toFixed(2)} %`;
  const figures = [
    `recall ${percent(hits, wanted)}`,
    `precision ${percent(hits, found)}`,
    `boxes ${both === 0 ? 'not measured' : percent(rest.in, both)}`,
    `order ${percent(ordered, hits)}`,
    `${(cpu / pages).toFixed(2)} s of processor time a page`,
    `${seconds.toFixed(0)} s`,
    `size ${(size / scan).toFixed(3)}`,
    `alike ${alike.toFixed(4)}`,
  ];
  say(`${what} ${figures.join(', ')}${status === 0 ? '' : `, exit ${status}`}`);
}

/** Pages with enough prose to say something. */
function pagesOf(file) {
  const pages = Number(/Pages:\s+(\d+)/.exec(spawnSync('pdfinfo', [file], { encoding: 'utf8' }).stdout)[1]);
  return Array.from({ length: pages }, (_, i) => ({ file, page: i + 1 })).filter(
    ({ page }) => wordsOf(file, page).length > 120,
  );
}

function wordsOf(file, page) {
  return lettersIn(textOf(file, page));
}

function textOf(file, page, ...options) {
  const args = [...options, '-f', String(page), '-l', String(page), file, '-'];
  return spawnSync('pdftotext', args, { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout ?? '';
}

function lettersIn(text) {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The boxes of words that a page has once, in points. */
function boxesOf(file, page) {
  const once = new Map();
  const word = /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/g;
  for (const [, left, top, right, bottom, text] of textOf(file, page, '-bbox').matchAll(word)) {
    const key = lettersIn(text).join(' ');
    once.set(key, once.has(key) ? undefined : [left, top, right, bottom].map(Number));
  }
  return once;
}

function inPlace(wanted, found) {
  let [both, inside] = [0, 0];
  for (const [text, box] of wanted) {
    const other = found.get(text);
    if (text === '' || box === undefined || other === undefined) continue;
    both += 1;
    const [x, y] = [(other[0] + other[2]) / 2, (other[1] + other[3]) / 2];
    if (x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]) inside += 1;
  }
  return { both, in: inside };
}

/** The length of the longest common subsequence. */
function inOrder(wanted, found) {
  let before = new Uint32Array(found.length + 1);
  for (const word of wanted) {
    const row = new Uint32Array(found.length + 1);
    for (const [i, other] of found.entries())
      row[i + 1] = word === other ? before[i] + 1 : Math.max(before[i + 1], row[i]);
    before = row;
  }
  return before.at(-1);
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
