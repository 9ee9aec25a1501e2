#!/usr/bin/env node
// Reading measured on documents that others made and judged, source by source, beside peers.
// sources.mjs BENCH SOURCES [--only NAME] [--source NAME] [--documents] [--save FILE] [--against FILE]
//   BENCH: the folder that holds score.mjs, dpbench/ and icdar2013/.
//   SOURCES: a folder with clones named after their repositories (camelot, tabula-java, olmocr, READoc, veraPDF-corpus,
//     pdfplumber, ZUGFeRD-corpus), folders `tagged`, `more` and `makers` of any tagged documents, and `pairs` and `sheets`, in
//     which folders named after repositories hold PDFs beside their sources (pandoc reads these) or tables; what is not there
//     is left out.
//   --against FILE: gains and losses since `--save FILE`, by source, and their mean with each source left out.
//   PDFTOOL_PEERS: a folder in which `npm install @llamaindex/liteparse @firecrawl/pdf-inspector` was run.
// Each source is in two halves by a hash of the names: rules are made with `seen` in view, and judged by the other.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { FOLDER } from '../inputs.mjs';
import { pairsIn } from './pairs.mjs';
import { READERS, readersOf } from './readers.mjs';
import { agreement, allRelations, cleaned, groupBy, placed, relationsOf, tablesIn } from './relations.mjs';
import { csvRows, sheets } from './sheets.mjs';
import { structureTree, withoutTags } from './tags.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    source: { type: 'string' },
    documents: { type: 'boolean' },
    save: { type: 'string' },
    against: { type: 'string' },
  },
});
const [bench, sources] = positionals.map((folder) => resolve(folder));
if (sources === undefined) throw new Error('expected the folder that holds score.mjs, and a folder of sources');
const { scoreDocument, structure, stripAnchors, indelRatio } = await import(
  pathToFileURL(join(bench, 'score.mjs')).href
);

/** The judge of the whole project: no rule is made with it in view, wherever a copy of it lies. */
const JUDGE = /(^|\/)us-\d/;

const half = (id) => (createHash('sha256').update(id).digest()[0] < 128 ? 'seen' : 'unseen');

function filesBelow(folder, extension) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.toLowerCase().endsWith(extension) && !JUDGE.test(file))
    .sort()
    .map((file) => join(folder, file));
}

const named = (file) => basename(file).replace(/\.\w+$/, '');

/** The best table for each one of the truth: a CSV may hold one of many tables of its document. */
function bestMatches(truths) {
  const wanted = truths.map((rows) => relationsOf(placed(rows)));
  return (markdown) => {
    const tables = tablesIn(markdown).map(relationsOf);
    const best = wanted.map((truth) => Math.max(0, ...tables.map((table) => agreement(truth, table))));
    return { tables: best.reduce((sum, f) => sum + f, 0) / best.length };
  };
}

function icdarTables(xml) {
  return xml
    .replace(/='([^']*)'/g, '="$1"')
    .split(/<table\b/)
    .slice(1)
    .map((table) =>
      table
        .split(/<region\b/)
        .slice(1)
        .flatMap((region) => {
          const number = (text, key) => {
            const found = new RegExp(`${key}="(-?\\d+)"`).exec(text)?.[1];
            return found === undefined ? undefined : Number(found);
          };
          const head = region.slice(0, region.indexOf('>'));
          const [down, aside] = [number(head, 'row-increment') ?? 0, number(head, 'col-increment') ?? 0];
          return [...region.matchAll(/<cell\b([^>]*)>([\s\S]*?)<\/cell>/g)].map(([, at, content]) => ({
            r0: number(at, 'start-row') + down,
            r1: (number(at, 'end-row') ?? number(at, 'start-row')) + down,
            c0: number(at, 'start-col') + aside,
            c1: (number(at, 'end-col') ?? number(at, 'start-col')) + aside,
            text: cleaned(/<content>([\s\S]*?)<\/content>/.exec(content)?.[1] ?? ''),
          }));
        }),
    );
}

function dpbench() {
  return filesBelow(join(bench, 'dpbench/pdfs'), '.pdf').map((pdf) => {
    const truth = readFileSync(join(bench, 'dpbench/gt', `${named(pdf)}.md`), 'utf8');
    return { pdf, mode: 'developer', score: (markdown) => pick(scoreDocument(truth, stripAnchors(markdown))) };
  });
}

const pick = ({ overall, nid, teds, mhs }) => ({ overall, nid, teds, mhs });

function icdar() {
  const folder = join(bench, 'icdar2013/competition-dataset-eu');
  return filesBelow(folder, '.pdf').map((pdf) => {
    const truth = allRelations(icdarTables(readFileSync(pdf.replace('.pdf', '-str.xml'), 'utf8')));
    return { pdf, score: (markdown) => ({ tables: agreement(truth, allRelations(tablesIn(markdown))) }) };
  });
}

/** `flavour`: tables with lines (lattice), or without (stream), as camelot's people sorted them. */
const camelot = (flavour) => () =>
  filesBelow(join(sources, 'camelot/docs/benchmark', flavour), '.pdf').flatMap((pdf) => {
    const folder = join(pdf, '..');
    const csvs = readdirSync(folder).filter((file) => /-data-camelot-page-\d+-table-\d+\.csv$/.test(file));
    const truths = csvs
      .map((file) => csvRows(readFileSync(join(folder, file), 'utf8')))
      .filter((rows) => rows.length > 1);
    return truths.length === 0 ? [] : [{ pdf, score: bestMatches(truths) }];
  });

function tabula() {
  const folder = join(sources, 'tabula-java/src/test/resources/technology/tabula');
  return filesBelow(join(folder, 'csv'), '.csv').flatMap((csv) => {
    const pdf = join(folder, `${named(csv)}.pdf`);
    const rows = csvRows(readFileSync(csv, 'utf8'));
    return existsSync(pdf) && rows.length > 1 ? [{ pdf, score: bestMatches([rows]) }] : [];
  });
}

const readoc = (kind) => () =>
  filesBelow(join(sources, `READoc/data/${kind}/pdf`), '.pdf').map((pdf) => {
    const truth = readFileSync(join(sources, `READoc/data/${kind}/markdown`, `${named(pdf)}.md`), 'utf8');
    // Tree edit distance takes minutes on papers of this length: texts and headings are compared instead.
    return {
      pdf,
      mode: 'rag',
      score: (markdown) => {
        const [expected, read] = [truth, stripAnchors(markdown)].map((text) => text.replace(/\s+/g, ' '));
        const { hf1, hlevel } = structure(truth, stripAnchors(markdown));
        return { nid: indelRatio(expected, read), headings: hf1, levels: hlevel };
      },
    };
  });

function rendered() {
  return filesBelow(join(bench, 'rendered/pdfs'), '.pdf').map((pdf) => {
    const truth = readFileSync(join(bench, 'rendered/gt', `${named(pdf)}.md`), 'utf8');
    return {
      pdf,
      mode: 'rag',
      score: (markdown) => {
        const read = stripAnchors(markdown);
        const { hf1, hlevel, list } = structure(truth, read);
        return { ...pick(scoreDocument(truth, read)), headings: hf1, levels: hlevel, lists: list };
      },
    };
  });
}

function olmocr() {
  const folder = join(sources, 'olmocr/olmocr/bench/sample_data');
  if (!existsSync(folder)) return [];
  const tests = readFileSync(join(folder, 'dataset.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const byFile = groupBy(
    tests.map((line) => JSON.parse(line)).filter(({ type }) => type !== 'math'),
    ({ pdf }) => pdf,
  );
  return [...byFile].flatMap(([file, cases]) => {
    const pdf = join(folder, 'pdfs', file);
    if (!existsSync(pdf) || !/[a-z]{3}/i.test(execFileSync('pdftotext', [pdf, '-'], { encoding: 'utf8' }))) return [];
    return [
      {
        pdf,
        mode: 'rag',
        score: (markdown) => ({ passed: cases.filter((each) => passes(each, markdown)).length / cases.length }),
      },
    ];
  });
}

const plain = (text) =>
  text
    .replace(/\*\*|__|<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .normalize('NFC')
    .replace(/[‘’‚]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[–—‑‒−]/g, '-');

/** Where `text` stands in `within` with at most so many characters changed; -1 where it does not. */
function placeOf(text, within, changes) {
  if (changes === 0) return within.indexOf(text);
  let row = Array.from({ length: within.length + 1 }, () => 0);
  for (let i = 1; i <= text.length; i++) {
    const next = [i];
    for (let j = 1; j <= within.length; j++)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (text[i - 1] === within[j - 1] ? 0 : 1));
    row = next;
  }
  const least = row.reduce((best, n, at) => (n < row[best] ? at : best), 0);
  return row[least] <= changes ? least : -1;
}

function passes(test, markdown) {
  const text = plain(markdown);
  const changes = test.max_diffs ?? 0;
  const at = (wanted) => placeOf(plain(wanted), text, changes);
  switch (test.type) {
    case 'present':
      return at(test.text) >= 0;
    case 'absent':
      return at(test.text) < 0;
    case 'order':
      return at(test.before) >= 0 && at(test.before) < at(test.after);
    case 'table':
      return tablesIn(markdown).some((cells) => hasNeighbours(test, cells));
  }
  throw new Error(`no such test: ${test.type}`);
}

function hasNeighbours(test, cells) {
  const is = (cell, wanted) =>
    wanted === undefined || wanted === null || wanted === '' || cell?.text === cleaned(wanted);
  return cells.some((cell) => {
    if (cell.text !== cleaned(test.cell)) return false;
    const at = (r, c) => cells.find((each) => r >= each.r0 && r <= each.r1 && c >= each.c0 && c <= each.c1);
    return (
      is(at(cell.r0 - 1, cell.c0), test.up) &&
      is(at(cell.r1 + 1, cell.c0), test.down) &&
      is(at(cell.r0, cell.c0 - 1), test.left) &&
      is(at(cell.r0, cell.c1 + 1), test.right) &&
      is(
        cells.find((each) => each.r0 === 0 && each.c0 <= cell.c0 && each.c1 >= cell.c1),
        test.top_heading,
      ) &&
      is(
        cells.find((each) => each.c0 === 0 && each.r0 <= cell.r0 && each.r1 >= cell.r1),
        test.left_heading,
      )
    );
  });
}

const itemsIn = (markdown) => [...markdown.matchAll(/^ *(?:[-*+]|\d+[.)]) (.*)$/gm)].map(([, text]) => text);

const withoutSyntax = (markdown) =>
  markdown.replace(/<[^>]*>|^\|( --- \|)+$|^ *(#{1,6}|[-*+]|```) ?/gm, '').replaceAll('|', '');

const TAGGED = [
  'more',
  'camelot/tests',
  'tabula-java/src',
  'pdfplumber',
  'olmocr',
  'veraPDF-corpus/PDF_UA-1',
  'veraPDF-corpus/PDF_UA-2',
  'tagged',
];

/** Tagged documents: what their tags say is the truth, where they say something. `stripped`: the reader does not see them. */
const tagged = (stripped, folders) => () => {
  const files = folders.flatMap((folder) => filesBelow(join(sources, folder), '.pdf'));
  const seen = new Set();
  return files.flatMap((pdf) => {
    if (seen.has(basename(pdf)) || statSync(pdf).size > 3e6 || !/StructTreeRoot/.test(readFileSync(pdf, 'latin1')))
      return [];
    if (/fail/.test(pdf)) return [];
    seen.add(basename(pdf));
    const truth = structureTree(pdf, FOLDER);
    const headings = truth.headings.map(({ text }) => cleaned(text));
    const relations = allRelations(truth.tables.map(placed));
    // The first characters tell an item; two readers may not agree on what is left of its mark.
    const starts = (list) =>
      list.map((text) =>
        cleaned(text)
          .replace(/^[^\p{L}]+/u, '')
          .slice(0, 40),
      );
    const items = starts(truth.items.map(({ text }) => text));
    const whole = truth.text.length > 1000 && truth.text.length < 60_000 ? cleaned(truth.text) : '';
    if (headings.length === 0 && relations.size < 6 && items.length === 0 && whole === '') return [];
    const score = (markdown) => {
      const titles = markdown.split('\n').flatMap((line) => {
        const [, , text] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
        return text === undefined ? [] : [cleaned(text)];
      });
      const count = (list) => {
        const counts = new Map();
        for (const text of list) counts.set(text, (counts.get(text) ?? 0) + 1);
        return counts;
      };
      return {
        headings: headings.length === 0 ? null : agreement(count(headings), count(titles)),
        tables: relations.size < 6 ? null : agreement(relations, allRelations(tablesIn(markdown))),
        items: items.length === 0 ? null : agreement(count(items), count(starts(itemsIn(markdown)))),
        order: whole === '' ? null : indelRatio(whole, cleaned(withoutSyntax(markdown))),
      };
    };
    return [{ pdf: stripped ? withoutTags(pdf, FOLDER) : pdf, mode: 'rag', score }];
  });
};

/** Invoices that hold their items as XML: each item's price, quantity and total stand in cells of one row. */
function invoices() {
  const files = filesBelow(join(sources, 'ZUGFeRD-corpus'), '.pdf').filter((file) => !/\/fail\//.test(file));
  return files.flatMap((pdf) => {
    const items = itemsOf(attachedXml(pdf));
    return items.length === 0 ? [] : [{ pdf, score: (markdown) => ({ items: mean(foundIn(items, markdown)) }) }];
  });
}

function attachedXml(pdf) {
  const to = join(FOLDER, 'attached.xml');
  const { status } = spawnSync('pdfdetach', ['-save', '1', '-o', to, pdf], { stdio: 'ignore' });
  return status === 0 ? readFileSync(to, 'utf8') : '';
}

function itemsOf(xml) {
  return xml
    .split(/<ram:IncludedSupplyChainTradeLineItem>/)
    .slice(1)
    .map((item) => {
      const inside = (tag, text = item) =>
        new RegExp(`<ram:${tag}\\b[^>]*>([\\s\\S]*?)</ram:${tag}>`).exec(text)?.[1] ?? '';
      const price = inside('ChargeAmount', inside('NetPriceProductTradePrice'));
      return [inside('LineTotalAmount'), price, inside('BilledQuantity')].map(Number);
    })
    .filter((values) => values.every((value) => value > 0));
}

/** The share of each item's values that the row of its total has in cells of their own. */
function foundIn(items, markdown) {
  const rows = tablesIn(markdown).flatMap((cells) =>
    [...groupBy(cells, ({ r0 }) => r0).values()].map((row) => row.map(({ text }) => numbersOf(text))),
  );
  return items.map(([total, ...others]) => {
    const has = (row, value) => row.some((numbers) => numbers.some((n) => Math.abs(n - value) < 0.0051));
    const shares = rows
      .filter((row) => has(row, total))
      .map((row) => (1 + others.filter((value) => has(row, value)).length) / (1 + others.length));
    return Math.max(0, ...shares);
  });
}

/** What a cell with one number may mean: 1.234 is either. */
function numbersOf(text) {
  const number = /^[^\d]*(\d[\d.,']*)[^\d]*$/.exec(text)?.[1];
  if (number === undefined) return [];
  return [number.replace(/[,']/g, ''), number.replace(/[.']/g, '').replace(',', '.')].map(Number);
}

const pairs = () => pairsIn(join(sources, 'pairs'), filesBelow(join(sources, 'pairs'), '.pdf'), FOLDER);

const SOURCES = {
  dpbench,
  icdar,
  'camelot-lattice': camelot('lattice'),
  'camelot-stream': camelot('stream'),
  tabula,
  'readoc-arxiv': readoc('arxiv'),
  'readoc-github': readoc('github'),
  rendered,
  olmocr,
  invoices,
  tagged: tagged(false, TAGGED),
  'tags-stripped': tagged(true, TAGGED),
  pairs,
  sheets: () => sheets(join(sources, 'sheets')),
  // `repository__x.pdf`: documents of one maker are in one half.
  makers: () =>
    tagged(true, ['makers'])().map((document) => ({ ...document, repository: basename(document.pdf).split('__')[0] })),
};

/** Copies under names that are theirs alone in a source. */
function staged(name, documents) {
  const folder = join(FOLDER, 'sources', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return documents.map((document, i) => {
    const id = `${named(document.pdf)}-${i}`.replaceAll(' ', '_');
    copyFileSync(document.pdf, join(folder, `${id}.pdf`));
    return { ...document, id, file: join(folder, `${id}.pdf`), half: half(document.repository ?? named(document.pdf)) };
  });
}

const mean = (list) => (list.length === 0 ? null : list.reduce((sum, n) => sum + n, 0) / list.length);
const shown = (n) => (n === null || n === undefined ? '-' : n.toFixed(3)).padStart(7);

const readers = readersOf(values.only, process.env.PDFTOOL_PEERS);
const results = {};
for (const [name, list] of Object.entries(SOURCES)) {
  if (values.source !== undefined && !values.source.split(',').includes(name)) continue;
  const documents = staged(name, list());
  if (documents.length === 0) continue;
  const scores = {};
  for (const reader of readers) {
    const texts = await READERS[reader](documents);
    scores[reader] = documents.map((document) => document.score(texts.get(document.id) ?? ''));
  }
  const measures = [...new Set(Object.values(scores).flatMap((list) => list.flatMap(Object.keys)))];
  for (const measure of measures) {
    for (const part of ['seen', 'unseen']) {
      const those = documents.flatMap((document, i) => (document.half === part ? [i] : []));
      const means = readers.map((reader) => mean(those.flatMap((i) => scores[reader][i][measure] ?? [])));
      const count = those.filter((i) => (scores[readers[0]][i][measure] ?? null) !== null).length;
      if (count === 0) continue;
      console.log(
        `${name.padEnd(16)}${measure.padEnd(10)}${part.padEnd(8)}${String(count).padStart(4)}${means.map(shown).join('')}`,
      );
      results[`${name} ${measure} ${part}`] = means[readers.indexOf('pdftool')];
    }
  }
  if (values.documents)
    documents.forEach(({ id, half: part }, i) => {
      console.log(
        `  ${id} ${part} ${readers.map((reader) => `${reader} ${measures.map((each) => `${each}${shown(scores[reader][i][each])}`).join(' ')}`).join(' | ')}`,
      );
    });
}
console.log(`columns: ${readers.join(', ')}`);
if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(results));
if (values.against !== undefined) printChange(JSON.parse(readFileSync(values.against, 'utf8')));

function printChange(before) {
  const changes = Object.keys(results)
    .filter((key) => key in before)
    .map((key) => ({ key, source: key.split(' ')[0], by: results[key] - before[key] }));
  for (const { key, by } of changes)
    if (Math.abs(by) > 0.0005) console.log(`${key.padEnd(40)}${by > 0 ? '+' : ''}${by.toFixed(4)}`);
  const bySource = groupBy(changes, ({ source }) => source);
  const means = [...bySource].map(([source, list]) => ({ source, by: mean(list.map(({ by }) => by)) }));
  console.log(
    `gains on ${means.filter(({ by }) => by > 0.0005).length}, loses on ${means.filter(({ by }) => by < -0.0005).length} of ${means.length} sources`,
  );
  for (const { source } of means.length > 1 ? means : [])
    console.log(
      `without ${source.padEnd(18)}${mean(means.filter((each) => each.source !== source).map(({ by }) => by)).toFixed(4)}`,
    );
}
