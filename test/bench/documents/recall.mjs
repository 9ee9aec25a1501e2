#!/usr/bin/env node
// The words that pdftotext reads and pdftool leaves out, and the time a page takes beside liteparse's.
// recall.mjs FOLDER… [--below SHARE]: PDFs anywhere in the folders; those below SHARE (0.98) are listed.
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

const { values, positionals } = parseArgs({ allowPositionals: true, options: { below: { type: 'string' } } });
const below = Number(values.below ?? 0.98);

const files = positionals
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
  .filter((file) => /\.pdf$/i.test(file) && statSync(file).size < LARGEST);
const read = files.flatMap((file) => {
  const expected = wordsOf(output('pdftotext', ['-q', file, '-']));
  if (sum(expected) < LEAST_WORDS) return [];
  const text = pdftool(file);
  return text === undefined ? [] : [{ file, recall: recallOf(expected, wordsOf(text)) }];
});
const good = read.filter(({ recall }) => recall >= below);
console.log(
  `${good.length} of ${read.length} files (${((100 * good.length) / read.length).toFixed(1)} %) at ${below} and more`,
);
for (const { file, recall } of read.filter(({ recall }) => recall < below).sort((a, b) => a.recall - b.recall))
  console.log(recall.toFixed(3), file);
if (process.env.PDFTOOL_PEERS !== undefined) await printTimes(read.map(({ file }) => file));

/** What `extract-text` gives; undefined for a file that it refuses. */
function pdftool(file) {
  const out = mkdtempSync(join(tmpdir(), 'recall-'));
  try {
    const { status } = spawnSync(
      process.execPath,
      [PROGRAM, '--local', 'extract-text', file, '--allow-empty', '-q', '-o', join(out, 'text.txt')],
      { stdio: 'ignore', timeout: 120_000 },
    );
    return status === 0 ? readFileSync(join(out, 'text.txt'), 'utf8') : undefined;
  } finally {
    rmSync(out, { recursive: true });
  }
}

function output(program, args) {
  return spawnSync(program, args, { encoding: 'utf8', timeout: 60_000, maxBuffer: 1 << 28 }).stdout ?? '';
}

/** Words that consist of letters and digits, by how often they occur; hyphens at line ends and ligatures do not count. */
function wordsOf(text) {
  const counts = new Map();
  const whole = text.normalize('NFKC').replace(/[\u00ad]|[-\u2010]\s*\n\s*/g, '');
  for (const [word] of whole.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function sum(counts) {
  return [...counts.values()].reduce((total, n) => total + n, 0);
}

function recallOf(expected, found) {
  const hits = [...expected].reduce((total, [word, n]) => total + Math.min(n, found.get(word) ?? 0), 0);
  return hits / sum(expected);
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
