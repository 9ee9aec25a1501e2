// node test/bench/numbers.mjs [--show] FILE|FOLDER…: compares the numbers of each page, as a multiset, with those that
// pdftotext and mutool read. Counted is a number that both of them have equally often and pdftool has not: a digit has left
// its number there. Numbers that the two judges read differently are left out.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const args = process.argv.slice(2);
const show = args.includes('--show');
const PROGRAM = join(import.meta.dirname, '../../bin/pdftool.js');
const MOST_PAGES = 40;

const files = args
  .filter((arg) => !arg.startsWith('--'))
  .flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))
      : [path],
  )
  .filter((path) => path.endsWith('.pdf'))
  .sort();

const total = { files: 0, skipped: 0, pages: 0, equal: 0, numbers: 0, judged: 0, differ: 0 };
for (const file of files) {
  const ours = pagesOf(file);
  const judges = [
    judge('pdftotext', ['-q', '-l', MOST_PAGES, file, '-']),
    judge('mutool', ['draw', '-q', '-F', 'text', file, `1-${MOST_PAGES}`]),
  ];
  if (ours === undefined || judges.includes(undefined)) {
    total.skipped++;
    continue;
  }
  total.files++;
  for (const [i, text] of ours.slice(0, MOST_PAGES).entries()) {
    const [own, first, second] = [text, ...judges.map((pages) => pages[i] ?? '')].map(numbersOf);
    if (first.size === 0) continue;
    total.pages++;
    const wrong = [];
    for (const number of new Set([...own.keys(), ...first.keys(), ...second.keys()])) {
      const [count, agreed] = [own.get(number) ?? 0, first.get(number) ?? 0];
      total.numbers += agreed;
      if ((second.get(number) ?? 0) !== agreed) continue;
      total.judged += agreed;
      if (count !== agreed) wrong.push(`${number}:${count}/${agreed}`);
    }
    total.differ += wrong.length;
    if (wrong.length === 0) total.equal++;
    else if (show) console.log(`${file} p. ${i + 1}: ${wrong.join(' ')}`);
  }
}
console.log(total);

/** Times that each number stands in a text. */
function numbersOf(text) {
  const counts = new Map();
  for (const [number] of text.normalize('NFKC').matchAll(/\d+(?:[.,]\d+)*/g))
    counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

function pagesOf(file) {
  const result = spawnSync(process.execPath, [PROGRAM, 'to-json', file, '-o', '-', '--local'], {
    maxBuffer: 1 << 28,
    timeout: 120_000,
  });
  return result.status === 0 ? JSON.parse(String(result.stdout)).pages.map(({ text }) => text) : undefined;
}

function judge(program, list) {
  const result = spawnSync(program, list.map(String), { maxBuffer: 1 << 28, timeout: 120_000 });
  return result.status === 0 ? String(result.stdout).split('\f') : undefined;
}
