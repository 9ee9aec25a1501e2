#!/usr/bin/env node
// Documents whose truth is known, made from seeds, read by pdftool and its peers, scored by DP-Bench's metric.
// run.mjs BENCH [--report] [--only pdftool] [--family tables|texts|NAME] [--documents]
//   BENCH: the folder that holds score.mjs and dpbench/. --report: the seeds that nothing was tuned on.
//   PDFTOOL_PEERS: a folder in which `npm install @llamaindex/liteparse @firecrawl/pdf-inspector` was run.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { FOLDER } from '../inputs.mjs';
import { print } from './print.mjs';
import { tableDocuments } from './tables.mjs';
import { textDocuments } from './texts.mjs';
import { truthOf } from './truth.mjs';

const SEEDS = { tuning: [1, 2, 3, 4], report: [101, 102, 103, 104] };
const PROGRAM = resolve(import.meta.dirname, '../../../bin/pdftool.js');
const MEASURES = ['overall', 'nid', 'teds', 'mhs'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: 'boolean' },
    only: { type: 'string' },
    family: { type: 'string' },
    documents: { type: 'boolean' },
  },
});
const [bench] = positionals;
if (bench === undefined) throw new Error('expected the folder that holds score.mjs');
const { scoreDocument, stripAnchors, mean } = await import(pathToFileURL(resolve(bench, 'score.mjs')).href);

const READERS = { pdftool, ...peers(process.env.PDFTOOL_PEERS) };

/** Reads all PDFs of a folder: name without `.pdf` to Markdown. */
function pdftool(folder, mode) {
  const out = join(FOLDER, 'documents', 'markdown', mode);
  rmSync(out, { recursive: true, force: true });
  const files = pdfsIn(folder).map((file) => join(folder, file));
  execFileSync(
    process.execPath,
    [PROGRAM, '--local', 'markdown', ...files, '--mode', mode, '--allow-empty', '--out-dir', out, '-q'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return new Map(readdirSync(out).map((file) => [file.replace(/\.md$/, ''), readFileSync(join(out, file), 'utf8')]));
}

function peers(folder) {
  if (folder === undefined) return {};
  const require = createRequire(join(resolve(folder), 'package.json'));
  return {
    liteparse: (pdfs) => {
      const { LiteParse } = require('@llamaindex/liteparse');
      const parser = new LiteParse({
        outputFormat: 'markdown',
        ocrEnabled: false,
        imageMode: 'off',
        extractLinks: false,
        quiet: true,
      });
      return readEach(pdfs, async (file) => (await parser.parse(file)).text);
    },
    'pdf-inspector': (pdfs) => {
      const { processPdf } = require('@firecrawl/pdf-inspector');
      return readEach(pdfs, (file) => processPdf(readFileSync(file)).markdown ?? '');
    },
  };
}

async function readEach(folder, read) {
  const texts = new Map();
  for (const file of pdfsIn(folder)) texts.set(file.replace(/\.pdf$/, ''), await read(join(folder, file)));
  return texts;
}

function pdfsIn(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.pdf'))
    .sort();
}

/** The documents of the seeds, printed the first time they are asked for. */
async function documentsOf(set) {
  const folder = join(FOLDER, 'documents', set);
  const cjk = execFileSync('fc-list', [':lang=zh'], { encoding: 'utf8' }) !== '';
  if (!cjk) console.error('No font for Chinese: those pages are left out.');
  const documents = SEEDS[set].flatMap((seed) =>
    [...tableDocuments(seed), ...textDocuments(seed, { cjk })].map((each, i) => {
      const kind = Object.values(each.tags)
        .join('-')
        .replace(/[^\w-]/g, '');
      return { ...each, seed: seed * 1000 + i, id: `${seed}-${String(i).padStart(3, '0')}-${kind}` };
    }),
  );
  const pdfs = join(folder, 'pdfs');
  const missing = documents.filter(({ id }) => !existsSync(join(pdfs, `${id}.pdf`)));
  if (missing.length > 0) await print(missing, pdfs);
  const truths = join(folder, 'truth');
  mkdirSync(truths, { recursive: true });
  for (const document of documents) writeFileSync(join(truths, `${document.id}.md`), truthOf(document));
  return { folder, documents: documents.filter(({ id }) => existsSync(join(pdfs, `${id}.pdf`))) };
}

/** Reader to id to scores. */
async function scoresOf(folder, mode, truths) {
  const scores = {};
  for (const [reader, read] of Object.entries(READERS)) {
    if (values.only !== undefined && values.only !== reader) continue;
    const texts = await read(folder, mode);
    scores[reader] = new Map(
      [...truths].map(([id, truth]) => [id, scoreDocument(truth, withoutEmphasis(stripAnchors(texts.get(id) ?? '')))]),
    );
  }
  return scores;
}

/** The truth has no marks of emphasis: they are taken from what every reader gives. */
const withoutEmphasis = (text) => text.replace(/(?<![\\\w*])(\*{1,3})(?=\S)([^*\n]*[^\s*])\1(?![\w*])/g, '$2');

function printRows(title, groups, scores) {
  const readers = Object.keys(scores);
  console.log(`\n${title.padEnd(34)}    n  ${readers.map((reader) => reader.padEnd(26)).join('')}`);
  console.log(
    `${''.padEnd(41)}${readers
      .map(() =>
        MEASURES.map((key) => key.padStart(6).slice(-6))
          .join('')
          .padEnd(26),
      )
      .join('')}`,
  );
  for (const [name, ids] of groups) {
    const cells = readers.map((reader) => {
      const means = mean(
        ids.map((id) => scores[reader].get(id)),
        MEASURES,
      );
      return MEASURES.map((key) => (means[key] === null ? '-' : means[key].toFixed(3)).padStart(6))
        .join('')
        .padEnd(26);
    });
    console.log(`${name.padEnd(34)} ${String(ids.length).padStart(4)}  ${cells.join('')}`);
  }
}

function grouped(documents, nameOf) {
  const groups = new Map();
  for (const document of documents) {
    const name = nameOf(document);
    if (name === undefined) continue;
    groups.set(name, [...(groups.get(name) ?? []), document.id]);
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b));
}

const set = values.report ? 'report' : 'tuning';
const made = await documentsOf(set);
const documents = made.documents.filter(({ tags }) =>
  [undefined, tags.family, tags.group === undefined ? 'texts' : 'tables'].includes(values.family),
);
const truths = new Map(documents.map((document) => [document.id, truthOf(document)]));
const scores = await scoresOf(join(made.folder, 'pdfs'), 'rag', truths);
console.log(`Generated documents, ${set} seeds ${SEEDS[set].join(', ')}: means of ${MEASURES.join(', ')}`);
printRows('all', [['all', [...truths.keys()]]], scores);
printRows(
  'tables by what is drawn',
  grouped(documents, ({ tags }) => tags.group),
  scores,
);
printRows(
  'tables by rules',
  grouped(documents, ({ tags }) => tags.rules),
  scores,
);
printRows(
  'tables by trait',
  grouped(documents, ({ tags }) => tags.trait),
  scores,
);
printRows(
  'tables by printer',
  grouped(documents, ({ tags }) => tags.group && tags.printer),
  scores,
);
printRows(
  'texts',
  grouped(documents, ({ tags }) => (tags.group === undefined ? tags.family : undefined)),
  scores,
);
if (values.documents) {
  for (const [id] of truths) {
    const { teds, mhs, nid } = Object.values(scores)[0].get(id);
    console.log([id, ...[nid, teds, mhs].map((each) => each?.toFixed(3) ?? '-')].join('\t'));
  }
} else {
  const pdfs = resolve(bench, 'dpbench/pdfs');
  const ids = pdfsIn(pdfs).map((file) => file.replace(/\.pdf$/, ''));
  const known = new Map(ids.map((id) => [id, readFileSync(resolve(bench, `dpbench/gt/${id}.md`), 'utf8')]));
  const shared = await scoresOf(pdfs, 'developer', known);
  printRows('DP-Bench, shared half', [['all', ids]], shared);
}
