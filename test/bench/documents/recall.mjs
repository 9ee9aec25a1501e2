#!/usr/bin/env node
// The words that pdftotext and MuPDF both read and pdftool leaves out, those that it alone reads, or reads more often, and the
// time a page takes beside liteparse's.
// recall.mjs FOLDER… [--below SHARE]: PDFs anywhere in the folders; those are listed of which less than SHARE (0.98) of the words
// is read, or that have more than 1 - SHARE of other ones.
//   PDFTOOL_PEERS: a folder in which `npm install @llamaindex/liteparse` was run; without it, no times of it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/pdftool.js');
/** Fewer words than this say nothing. */
const LEAST_WORDS = 20;
const LARGEST = 20e6;
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[\p{sc=Arab}\p{sc=Hebr}&&\p{L}]+|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Arab}\p{sc=Hebr}]]+/gv;
/** Says the direction of text, which readers write or not. */
const BIDI = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Marks and lengthening of right-to-left scripts. */
const MARKS = /[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;
const RTL = /^[\p{sc=Arab}\p{sc=Hebr}]/u;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { below: { type: 'string' } } });
const below = Number(values.below ?? 0.98);

const files = positionals
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
  .filter((file) => /\.pdf$/i.test(file) && statSync(file).size < LARGEST);
const read = files.flatMap((file) => {
  const poppler = wordsOf(output('pdftotext', ['-q', file, '-']));
  if (sum(poppler) < LEAST_WORDS) return [];
  const { text, leftOut } = pdftool(file);
  if (text === undefined) return [];
  const mupdf = wordsOf(output('mutool', ['draw', '-q', '-F', 'txt', file]));
  const ours = wordsOf(text);
  const both = new Map([...poppler].map(([word, n]) => [word, Math.min(n, mupdf.get(word) ?? 0)]));
  const known = (word) => Math.max(poppler.get(word) ?? 0, mupdf.get(word) ?? 0);
  const extra = [...ours].map(([word, n]) => [word, n - known(word)]).filter(([, n]) => n > 0);
  const lost = [...both].map(([word, n]) => [word, n - (ours.get(word) ?? 0)]).filter(([, n]) => n > 0);
  return [
    {
      file,
      recall: 1 - share(lost, both),
      extra: share(extra, ours),
      words: `${mostOf(lost)}${leftOut}`,
      others: mostOf(extra),
    },
  ];
});
const percent = (part) =>
  `${part.length} of ${read.length} files (${((100 * part.length) / read.length).toFixed(1)} %)`;
const [few, many] = [read.filter(({ recall }) => recall < below), read.filter(({ extra }) => extra > 1 - below)];
console.log(`${percent(read.filter(({ recall }) => recall >= below))} have ${below} of the words and more`);
for (const { file, recall, words } of few.sort((a, b) => a.recall - b.recall))
  console.log(recall.toFixed(3), file, words);
console.log(`${percent(many)} have more than ${(1 - below).toFixed(2)} of other words`);
for (const { file, extra, others } of many.sort((a, b) => b.extra - a.extra))
  console.log(extra.toFixed(3), file, others);
if (process.env.PDFTOOL_PEERS !== undefined) await printTimes(read.map(({ file }) => file));

/** What `extract-text` gives, and says that it left out since nobody sees it; no text for a file that it refuses. */
function pdftool(file) {
  const out = mkdtempSync(join(tmpdir(), 'recall-'));
  try {
    const { status, stderr } = spawnSync(
      process.execPath,
      [PROGRAM, '--local', 'extract-text', file, '--allow-empty', '-o', join(out, 'text.txt')],
      { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', timeout: 120_000 },
    );
    const leftOut = (stderr.match(/Left out .*/g) ?? []).map((said) => ` [${said}]`).join('');
    return { text: status === 0 ? readFileSync(join(out, 'text.txt'), 'utf8') : undefined, leftOut };
  } finally {
    rmSync(out, { recursive: true });
  }
}

function output(program, args) {
  return spawnSync(program, args, { encoding: 'utf8', timeout: 60_000, maxBuffer: 1 << 28 }).stdout ?? '';
}

/**
 * Words of letters, marks and digits, by how often they occur; each character of a script without spaces is one. Hyphens at line
 * ends and ligatures do not count, nor does the order of letters from right to left, which MuPDF writes as they are drawn.
 */
function wordsOf(text) {
  const counts = new Map();
  const plain = text.normalize('NFKC').replace(BIDI, '').replace(MARKS, '');
  const whole = plain.replace(/[\u00ad]|[-\u2010]\s*\n\s*/g, '');
  for (const [found] of whole.toLowerCase().matchAll(WORD)) {
    const word = RTL.test(found) ? [...found].sort().join('') : found;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function sum(counts) {
  return [...counts.values()].reduce((total, n) => total + n, 0);
}

function share(words, all) {
  return words.reduce((total, [, n]) => total + n, 0) / Math.max(1, sum(all));
}

function mostOf(words) {
  return words
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([word, n]) => `${word} ${n}`)
    .join(', ');
}

/** Seconds a page of documents with many pages, so that starting the program does not count; the least of three runs. */
async function printTimes(all) {
  const { LiteParse } = createRequire(join(resolve(process.env.PDFTOOL_PEERS), 'package.json'))(
    '@llamaindex/liteparse',
  );
  const ratios = [];
  for (const file of all) {
    const pages = Number(/^Pages: +(\d+)/m.exec(output('pdfinfo', [file]))?.[1] ?? 0);
    if (pages < 20 || pages > 600) continue;
    const options = { outputFormat: 'markdown', ocrEnabled: false, imageMode: 'off', extractLinks: false, quiet: true };
    const theirs = await leastTime(() => new LiteParse(options).parse(file));
    const ours = await leastTime(() =>
      execFileSync(process.execPath, [PROGRAM, '--local', 'markdown', file, '--mode', 'rag', '-q', '-o', '/dev/null'], {
        stdio: 'ignore',
      }),
    );
    if (theirs === undefined || ours === undefined) continue;
    ratios.push(ours / theirs);
    console.log(
      `${((1000 * ours) / pages).toFixed(1)} ms a page, liteparse ${((1000 * theirs) / pages).toFixed(1)}: ${file}`,
    );
  }
  ratios.sort((a, b) => a - b);
  console.log(
    `pdftool / liteparse, the median of ${ratios.length}: ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)}`,
  );
}

async function leastTime(run) {
  const times = [];
  for (let i = 0; i < 3; i++) {
    const begin = performance.now();
    try {
      await run();
    } catch {
      return undefined;
    }
    times.push((performance.now() - begin) / 1000);
  }
  return Math.min(...times);
}
