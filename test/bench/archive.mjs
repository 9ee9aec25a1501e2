// PDF/A made of real files, beside ocrmypdf, and judged by veraPDF.
//   node test/bench/archive.mjs FOLDER [--to pdfa-2b] [--every N] [--only pdftool|ocrmypdf] [--keep OUTPUTS] [--minutes N] [--options '--substitute-fonts']
// Smallest files first; none begins after --minutes. Prints how many are refused, valid, labelled and not valid; how many keep text, pixels, bookmarks, fields and tags; bytes and
// time. Wants pdftotext, pdftoppm, pdfinfo, qpdf, and the judge of test/conformance.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge, judgeClasses } from '../conformance/judge.mjs';

const [folder, ...rest] = process.argv.slice(2);
const option = (name, usual) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : usual);
const target = option('--to', 'pdfa-2b');
const LEAST_SSIM = 0.99;
const PAGES = '3';
const PATIENCE = 180_000;
const classes = judgeClasses();
if (folder === undefined || classes.path === undefined) {
  process.stderr.write(`${classes.why ?? 'usage: archive.mjs FOLDER'}\n`);
  process.exitCode = 2;
} else {
  await run();
}

async function run() {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .sort()
    .filter((_, i) => i % Number(option('--every', 1)) === 0)
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(a).size - statSync(b).size);
  const kept = option('--keep');
  const work = kept ?? mkdtempSync(join(tmpdir(), 'archive-'));
  mkdirSync(work, { recursive: true });
  const makers = {
    pdftool: (input, output) => {
      const options = (option('--options', '') ?? '').split(' ').filter(Boolean);
      const line = ['bin/pdftool.js', 'archive', input, '--to', target, '-o', output, '--local', '-f', ...options];
      return timed(process.execPath, line);
    },
    ocrmypdf: (input, output) => timed('ocrmypdf', theirs(input, output)),
  };
  const names = Object.keys(makers).filter((name) => option('--only', name) === name);
  const rows = Object.fromEntries(names.map((name) => [name, []]));
  for (const [i, input] of files.entries()) {
    if (performance.now() > Number(option('--minutes', Number.POSITIVE_INFINITY)) * 60_000) break;
    for (const name of names) {
      const output = join(work, `${name}-${i}.pdf`);
      rmSync(output, { force: true });
      rows[name].push({ input, output, ...makers[name](input, output) });
    }
  }
  for (const name of names) await report(name, rows[name]);
  if (kept === undefined) rmSync(work, { recursive: true });
}

function theirs(input, output) {
  return ['--skip-text', '--tesseract-timeout', '0', '--output-type', 'pdfa-2', '-q', '-j', '1', input, output];
}

function timed(program, line) {
  const start = performance.now();
  const { status, stderr } = spawnSync(program, line, { encoding: 'utf8', timeout: PATIENCE });
  return { status, said: stderr ?? '', ms: performance.now() - start };
}

async function report(name, rows) {
  const made = rows.filter(({ status, output }) => status === 0 && existsSync(output));
  // A file that no reader opens is refused by both for being one; it says nothing of PDF/A.
  const readable = rows.filter(({ input }) => /Pages:\s+[1-9]/.test(told('pdfinfo', [input])));
  const refused = readable.filter((row) => !made.includes(row));
  const verdicts = await judge(
    made.map(({ output }) => [target.replace('pdfa-', ''), output]),
    classes,
  );
  const invalid = made.filter((_, i) => verdicts[i].verdict !== 'PASS');
  const print = (text) => process.stdout.write(`${text}\n`);
  print(`## ${name}: ${readable.length} readable files of ${rows.length}, to ${target}`);
  print(`refused ${refused.length} (${percent(refused.length, readable.length)})`);
  print(
    `valid ${made.length - invalid.length} of ${made.length} (${percent(made.length - invalid.length, made.length)})`,
  );
  print(`labelled and not valid ${invalid.filter(({ output }) => isLabelled(output)).length}`);
  const same = { text: [], pixels: [], bookmarks: [], fields: [], tags: [] };
  for (const { input, output } of made) {
    same.text.push([input, text(input) === text(output)]);
    same.pixels.push([input, ssim(input, output) >= LEAST_SSIM]);
    const [before, after] = [structure(input), structure(output)];
    for (const key of ['bookmarks', 'fields', 'tags'])
      if (before[key] > 0) same[key].push([input, after[key] === before[key]]);
  }
  for (const [key, list] of Object.entries(same)) {
    print(`${key} kept ${list.filter(([, kept]) => kept).length} of ${list.length}`);
    for (const [input, kept] of list) if (!kept) print(`   - ${key}: ${input}`);
  }
  const bytes = (key) => made.reduce((sum, row) => sum + statSync(row[key]).size, 0);
  print(`bytes ${(bytes('output') / bytes('input')).toFixed(2)} of the inputs'`);
  print(`seconds a file ${(made.reduce((sum, { ms }) => sum + ms, 0) / made.length / 1000).toFixed(2)}`);
  for (const { input, said } of refused)
    print(
      `   refused ${input}: ${
        said
          .trim()
          .split('\n')
          .find((line) => line.startsWith('error')) ?? said.trim().slice(-200)
      }`,
    );
  for (const [i, { input }] of made.entries())
    if (verdicts[i].verdict !== 'PASS') print(`   not valid ${input}: ${verdicts[i].rules}`);
}

function percent(part, all) {
  return all === 0 ? '-' : `${((100 * part) / all).toFixed(1)} %`;
}

function told(program, line) {
  return spawnSync(program, line, { encoding: 'utf8', maxBuffer: 1 << 28, timeout: PATIENCE }).stdout ?? '';
}

function isLabelled(path) {
  return /pdfaid:part/.test(readFileSync(path, 'latin1'));
}

function text(path) {
  return told('pdftotext', ['-l', '20', path, '-']).replace(/\s+/g, ' ');
}

function structure(path) {
  const facts = told('qpdf', ['--json', '--json-key=outlines', '--json-key=acroform', path]);
  const json = facts === '' ? {} : JSON.parse(facts);
  const count = (items) => (items ?? []).reduce((sum, { kids }) => sum + 1 + count(kids), 0);
  const tagged = /Tagged:\s+yes/.test(told('pdfinfo', [path]));
  return { bookmarks: count(json.outlines), fields: json.acroform?.fields?.length ?? 0, tags: tagged ? 1 : 0 };
}

/** The least likeness of the first pages, in grey, by windows of 8 pixels. */
function ssim(a, b) {
  const [first, second] = [drawn(a), drawn(b)];
  if (first.length !== second.length) return 0;
  return Math.min(1, ...first.map((page, i) => likeness(page, second[i])));
}

function drawn(path) {
  const { stdout } = spawnSync('pdftoppm', ['-r', '50', '-gray', '-l', PAGES, path], { maxBuffer: 1 << 28 });
  const pages = [];
  for (let at = 0; at < stdout.length; ) {
    const head = /^P5\s+(\d+)\s+(\d+)\s+\d+\s/.exec(stdout.subarray(at, at + 40).toString('latin1'));
    if (head === null) break;
    const [width, height] = [Number(head[1]), Number(head[2])];
    const from = at + head[0].length;
    pages.push({ width, height, pixels: stdout.subarray(from, from + width * height) });
    at = from + width * height;
  }
  return pages;
}

function likeness(a, b) {
  if (a.width !== b?.width || a.height !== b.height) return 0;
  const side = 8;
  let sum = 0;
  let count = 0;
  for (let y = 0; y + side <= a.height; y += side / 2) {
    for (let x = 0; x + side <= a.width; x += side / 2) {
      let [ma, mb, aa, bb, ab] = [0, 0, 0, 0, 0];
      for (let j = 0; j < side; j++)
        for (let i = 0; i < side; i++) {
          const at = (y + j) * a.width + x + i;
          const [p, q] = [a.pixels[at], b.pixels[at]];
          ma += p;
          mb += q;
          aa += p * p;
          bb += q * q;
          ab += p * q;
        }
      const n = side * side;
      const [va, vb, vab] = [aa / n - (ma / n) ** 2, bb / n - (mb / n) ** 2, ab / n - (ma * mb) / n / n];
      const [c1, c2] = [6.5025, 58.5225];
      sum += (((2 * ma * mb) / n / n + c1) * (2 * vab + c2)) / (((ma / n) ** 2 + (mb / n) ** 2 + c1) * (va + vb + c2));
      count++;
    }
  }
  return count === 0 ? 1 : sum / count;
}
