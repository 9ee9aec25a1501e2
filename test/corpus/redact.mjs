// Redaction on the corpus: in every file with text three words are taken out, and other programs look whether they are gone.
//   PDFTOOL_CORPUS=... node test/corpus/redact.mjs [FIRST [LAST]]
// Prints a line a file and, at the end, the figures against their bounds. Needs pdftotext, pdftoppm, mutool and qpdf.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const PROGRAM = resolve(import.meta.dirname, '../../bin/pdftool.js');
const CORPUS = process.env.PDFTOOL_CORPUS ?? '';
const DPI = 50;
/** Levels that a pixel may be off before it is another one: edges are smoothed. */
const SAME = 48;
const MOST_PAGES = 100;

if (!existsSync(CORPUS)) {
  console.error('skipped: PDFTOOL_CORPUS names no folder');
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), 'redact-corpus-'));
const options = { cwd: work, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] };
const run = (command, args) => spawnSync(command, args, options);
const pdftool = (...args) => run(process.execPath, [PROGRAM, ...args]);
const folded = (text) => text.normalize('NFKC').toLowerCase();
const words = (text) => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The same numbers each time. */
function* numbers(seed) {
  for (let value = seed; ; ) {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield value / 2_147_483_648;
  }
}

async function pdfjsText(path) {
  const task = getDocument({ data: new Uint8Array(readFileSync(path)), verbosity: 0, useSystemFonts: false });
  const document = await task.promise;
  let text = '';
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    text += items.map((item) => `${item.str ?? ''}${item.hasEOL ? '\n' : ''}`).join('');
  }
  await task.destroy();
  return text;
}

function drawn(path, page) {
  const { stdout } = run('pdftoppm', [
    '-r',
    String(DPI),
    '-gray',
    '-cropbox',
    '-f',
    String(page),
    '-l',
    String(page),
    path,
  ]);
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.subarray(0, 40).toString('latin1'));
  if (head === null) return undefined;
  const [width, height] = [Number(head[1]), Number(head[2])];
  return { width, height, pixels: stdout.subarray(stdout.length - width * height) };
}

/** The part of the pixels outside the regions that are others than before; undefined where there is nothing to compare. */
function changed(before, after, regions) {
  if (before === undefined || after === undefined) return undefined;
  const { width, height } = before;
  if (Math.abs(width - after.width) > 1 || Math.abs(height - after.height) > 1) return undefined;
  const margin = 3;
  let [total, other] = [0, 0];
  for (let y = 0; y < Math.min(height, after.height); y++)
    for (let x = 0; x < Math.min(width, after.width); x++) {
      const inside = regions.some(
        (box) =>
          x >= box.x * width - margin &&
          x <= (box.x + box.w) * width + margin &&
          y >= box.y * height - margin &&
          y <= (box.y + box.h) * height + margin,
      );
      if (inside) continue;
      total++;
      if (Math.abs(before.pixels[y * width + x] - after.pixels[y * after.width + x]) > SAME) other++;
    }
  return total === 0 ? undefined : other / total;
}

const sum = {
  files: 0,
  pages: 0,
  pictures: 0,
  regions: 0,
  refused: 0,
  hits: 0,
  unsound: 0,
  wanted: 0,
  kept: 0,
  pixels: [],
};
const folders = ['pdf', 'found'].map((name) => join(CORPUS, name)).filter(existsSync);
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => join(folder, name)),
);
const [first = 0, last = files.length] = process.argv.slice(2).map(Number);
for (const path of files.slice(first, last)) {
  const name = basename(path);
  const text = run('pdftotext', ['-cropbox', path, '-']).stdout?.toString() ?? '';
  const choice = [...new Set(text.match(/\p{L}{5,}/gu) ?? [])];
  if (choice.length < 3) continue;
  const random = numbers(choice.length);
  const terms = [0, 1, 2].map(() => choice[Math.floor(random.next().value * choice.length)]);
  const finds = terms.flatMap((term) => ['--find', term]);
  const inspected = pdftool('redact', 'inspect', path, '--local', ...finds, '-o', 'regions.json', '-f', '-q');
  if (inspected.status !== 0) {
    console.log(`refused   ${name}: ${inspected.stderr.toString().split('\n')[0]}`);
    sum.refused++;
    continue;
  }
  const { regions, page_count: pages } = JSON.parse(readFileSync(join(work, 'regions.json'), 'utf8'));
  if (regions.length === 0 || regions.length > 2_000 || pages > MOST_PAGES) continue;
  const args = [
    'redact',
    'apply',
    path,
    '--local',
    '--regions',
    'regions.json',
    '--reviewed',
    '-o',
    'out.pdf',
    '-f',
    '--json',
  ];
  const applied = pdftool(...args);
  if (applied.status !== 0) {
    console.log(`refused   ${name}: ${applied.stdout.toString().slice(0, 300)}`);
    sum.refused++;
    continue;
  }
  const out = join(work, 'out.pdf');
  const { warnings = [] } = JSON.parse(applied.stdout.toString());
  const pictures = warnings.filter((warning) => /became a picture/.test(warning));
  const after = execFileSync('pdftotext', [out, '-'], options).toString();
  const said = [
    ['pdftotext', after],
    ['pdftotext -layout', execFileSync('pdftotext', ['-layout', out, '-'], options).toString()],
    ['mutool', run('mutool', ['draw', '-q', '-F', 'txt', out]).stdout.toString()],
    ['pdf.js', await pdfjsText(out)],
  ].map(([who, text]) => [who, folded(text)]);
  const undone = run('qpdf', ['--qdf', '--object-streams=disable', '--decode-level=all', out, '-']).stdout;
  // Strings alone: words of PDF itself are in every file.
  const strings =
    undone
      .toString('latin1')
      .match(/\((?:[^()\\]|\\.)*\)|<[0-9a-f]+>/gi)
      ?.join('\n') ?? '';
  const hits = terms.flatMap((term) => [
    ...said.filter(([, text]) => text.includes(folded(term))).map(([who]) => `${who}: ${term}`),
    ...(strings.includes(term) || strings.includes(Buffer.from(term, 'utf16le').swap16().toString('hex'))
      ? [`qpdf: ${term}`]
      : []),
  ]);
  const sound = run('qpdf', ['--check', out]).status === 0;
  const counts = new Map();
  for (const word of words(after)) counts.set(word, (counts.get(word) ?? 0) + 1);
  let [wanted, kept] = [0, 0];
  for (const word of words(text)) {
    if (terms.some((term) => word.includes(folded(term)))) continue;
    wanted++;
    const left = counts.get(word) ?? 0;
    if (left > 0) kept++;
    counts.set(word, left - 1);
  }
  // As redaction has it: what annotations show is part of the page. Where qpdf cannot, the source as it is.
  const flat = join(work, 'flat.pdf');
  rmSync(flat, { force: true });
  run('qpdf', ['--flatten-annotations=all', path, flat]);
  const source = existsSync(flat) ? flat : path;
  const touched = [...new Set(regions.map(({ page }) => page))].slice(0, 6);
  const parts = touched.flatMap((page) => {
    const part = changed(
      drawn(source, page),
      drawn(out, page),
      regions.filter((region) => region.page === page),
    );
    return part === undefined ? [] : [part];
  });
  const worst = Math.max(0, ...parts);
  sum.files++;
  sum.pages += pages;
  sum.pictures += pictures.length;
  sum.regions += regions.length;
  sum.hits += hits.length;
  sum.unsound += sound ? 0 : 1;
  sum.wanted += wanted;
  sum.kept += kept;
  if (parts.length > 0) sum.pixels.push(parts.reduce((all, part) => all + part, 0) / parts.length);
  const share = wanted === 0 ? 1 : kept / wanted;
  const state = hits.length > 0 ? 'LEAK' : !sound ? 'UNSOUND' : 'ok';
  console.log(
    `${state.padEnd(9)} ${name}: ${pages} pages, ${regions.length} regions, kept ${(share * 100).toFixed(2)} %, changed ${(worst * 100).toFixed(2)} %${pictures.map((each) => `; ${each}`).join('')}${hits.map((hit) => `; ${hit}`).join('')}`,
  );
}
rmSync(work, { recursive: true, force: true });
const percent = (part) => `${(100 * part).toFixed(2)} %`;
const sorted = sum.pixels.toSorted((a, b) => a - b);
const within = sorted.filter((part) => part <= 0.005).length;
console.log(`
files        ${sum.files} (${sum.pages} pages, ${sum.regions} regions); refused ${sum.refused}
hits         ${sum.hits} (bound: 0)
pictures     ${sum.pictures} of ${sum.pages} pages, ${percent(sum.pictures / sum.pages)} (bound: 5 %)
words kept   ${sum.kept} of ${sum.wanted}, ${percent(sum.kept / sum.wanted)} (bound: 99.5 %)
pixels       changed outside: mean ${percent(sorted.reduce((all, part) => all + part, 0) / sorted.length)}, median ${percent(sorted[sorted.length >> 1] ?? 0)}; ${within} of ${sorted.length} files within 0.5 %
qpdf --check ${sum.files - sum.unsound} of ${sum.files} clean`);
