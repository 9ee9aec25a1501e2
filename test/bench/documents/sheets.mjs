// Documents beside what holds their tables: a folder for each repository, in it `x.pdf` and one file for each table, `x.0.csv`
// (made from the document by people, or the document from it) or `x.0.html` (the tables of its source, as pandoc writes them).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agreement, placed, relationsOf, tablesIn } from './relations.mjs';

/** A table of the document is part of one of the truth when this share of its relations is. */
const PART = 1 / 3;

export function sheets(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((repository) => {
      const files = readdirSync(join(folder, repository)).sort();
      return files
        .filter((file) => file.endsWith('.pdf'))
        .map((file) => {
          const held = files.filter((other) => other.startsWith(file.slice(0, -3)) && other !== file);
          const truths = held.flatMap((name) => tablesOf(join(folder, repository, name)));
          return { pdf: join(folder, repository, file), repository, score: foundTables(truths) };
        });
    });
}

function tablesOf(file) {
  const text = readFileSync(file, 'utf8');
  return (file.endsWith('.csv') ? [placed(csvRows(text))] : tablesIn(text)).map(relationsOf);
}

/** A table of many pages is read as one a page, so those that are parts of it count together. */
function foundTables(truths) {
  const size = (relations) => [...relations.values()].reduce((sum, n) => sum + n, 0);
  return (markdown) => {
    const read = tablesIn(markdown).map(relationsOf);
    const found = truths.map((truth) => {
      const parts = read.filter((table) => {
        const shared = [...table].reduce((sum, [key, n]) => sum + Math.min(n, truth.get(key) ?? 0), 0);
        return shared > PART * size(table);
      });
      const joined = new Map();
      for (const [key, n] of parts.flatMap((table) => [...table])) joined.set(key, (joined.get(key) ?? 0) + n);
      return Math.max(agreement(truth, joined), ...read.map((table) => agreement(truth, table)));
    });
    return { tables: found.reduce((sum, f) => sum + f, 0) / found.length };
  };
}

export function csvRows(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text
    .replace(/\r\n?/g, '\n')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|$)/g)) {
    rows.at(-1).push({ text: quoted === undefined ? plain : quoted.replaceAll('""', '"') });
    if (end === '\n') rows.push([]);
    if (end === '') break;
  }
  return rows.filter((row) => row.some(({ text }) => text.trim() !== ''));
}
