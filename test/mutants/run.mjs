// Damages real files and measures what becomes of them: node test/mutants/run.mjs [count] [seed] [--json] [--keep DIR]
// A mutant counts where two of qpdf, poppler and mutool agree on its pages. Files come from PDFTOOL_CORPUS, else from
// test/fixtures. The same seed makes the same mutants. A run that is interrupted prints the table of what it has judged.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { KINDS, mutant, seeded } from './damage.mjs';
import { agreed, counts, leaves, lostContent } from './judge.mjs';

const PROGRAM = resolve(import.meta.dirname, '../../bin/pdftool.js');
const LARGEST = 400_000;
/** Files that one run of pdftool is given, and mutants that are judged at the same time. */
const BATCH = 60;
const AT_ONCE = 2;
/** In the order of the table. */
const OUTCOMES = ['right', 'refused', 'lost pages', 'lost content', 'more pages', 'exit 1'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, keep: { type: 'string' }, only: { type: 'string' } },
});
const [total = 300, seed = 1] = positionals.map(Number);
const work = mkdtempSync(join(tmpdir(), 'mutants-'));
const judged = [];
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());
try {
  await Promise.race([judgeAll(), new Promise((ended) => (interrupted.signal.onabort = ended))]);
  report(judged);
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (interrupted.signal.aborted) process.exit(130);

async function judgeAll() {
  const mutants = await makeMutants(await soundFiles());
  for (let at = 0; at < mutants.length; at += BATCH) {
    judged.push(...(await judge(mutants.slice(at, at + BATCH))));
    if (!values.json) process.stderr.write(`\r${judged.length} of ${mutants.length} `);
  }
}

/** Files that three readers agree on and that need no password. */
async function soundFiles() {
  const { PDFTOOL_CORPUS: corpus } = process.env;
  const folder = corpus === undefined ? resolve(import.meta.dirname, '../fixtures') : join(corpus, 'pdf');
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .sort();
  const files = names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const sound = await inTurns(files, async (file) => {
    if (file.bytes.length > LARGEST) return undefined;
    const all = await counts(join(folder, file.name));
    const [first] = all;
    if (first === undefined || all.some((count) => count !== first)) return undefined;
    // Readers believe what a root says of its pages: some files lie before they are damaged.
    return (await leaves(join(folder, file.name))) === first ? file : undefined;
  });
  return sound.filter((file) => file !== undefined);
}

async function makeMutants(files) {
  const kinds = Object.keys(KINDS);
  const mutants = [];
  for (let i = 0; mutants.length < total; i++) {
    const random = seeded(seed * 1_000_003 + i);
    const kind = kinds[i % kinds.length];
    if (values.only !== undefined && values.only !== kind) continue;
    let file;
    let bytes;
    // Not every file has what each kind damages.
    for (let tries = 0; bytes === undefined && tries < files.length; tries++) {
      file = files[Math.floor(random() * files.length)];
      bytes = mutant(file.bytes, kind, seed * 7_919 + i);
    }
    if (bytes === undefined) continue;
    mutants.push({ name: `${String(i).padStart(5, '0')}-${kind}.pdf`, kind, source: file.name, bytes });
  }
  return mutants;
}

async function judge(mutants) {
  const folder = mkdtempSync(join(work, 'batch-'));
  const outputs = join(folder, 'out');
  for (const { name, bytes } of mutants) writeFileSync(join(folder, name), bytes);
  const expected = await inTurns(mutants, ({ name }) => counts(join(folder, name), true));
  const records = await runPdftool(
    mutants.map(({ name }) => name),
    folder,
    outputs,
  );
  const judged = await inTurns(mutants, async ({ name, kind, source }, i) => {
    const pages = agreed(expected[i]);
    const record = records.get(name);
    const about = {
      name,
      kind,
      source,
      pages,
      counts: expected[i],
      said: record?.error?.message,
      warnings: record?.warnings,
    };
    const code = record?.error?.code;
    if (record === undefined || code === 'internal') return { ...about, outcome: 'exit 1' };
    if (pages === undefined) return { ...about, outcome: 'no agreement' };
    if (record.ok !== true) return { ...about, outcome: 'refused' };
    const output = join(outputs, basename(record.output.path));
    const found = agreed(await counts(output, true)) ?? 0;
    if (found !== pages) return { ...about, found, outcome: found < pages ? 'lost pages' : 'more pages' };
    const lost = await lostContent(join(folder, name), output, pages);
    return lost.length > 0 ? { ...about, lost, outcome: 'lost content' } : { ...about, outcome: 'right' };
  });
  if (values.keep !== undefined) keep(judged, folder);
  rmSync(folder, { recursive: true });
  return judged;
}

function keep(judged, folder) {
  for (const { name, outcome } of judged) {
    if (outcome === 'right' || outcome === 'no agreement') continue;
    const to = join(values.keep, outcome.replace(' ', '-'));
    mkdirSync(to, { recursive: true });
    copyFileSync(join(folder, name), join(to, name));
  }
}

/** Records of `rotate`, by input: it writes the document anew and keeps every page. */
async function runPdftool(names, cwd, outputs) {
  const options = ['--local', '--json', '--angle', '180', '-j', '2', '--out-dir', outputs];
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    PDFTOOL_NO_INPUT: '1',
    PDFTOOL_CONFIG_DIR: cwd,
    PDFTOOL_STATE_DIR: cwd,
  };
  const child = spawn(process.execPath, [PROGRAM, 'rotate', ...options, ...names], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    signal: interrupted.signal,
  });
  child.on('error', () => {});
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => (out += piece));
  await new Promise((ended) => child.once('close', ended));
  const lines = out.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => JSON.parse(line)).map((record) => [record.input ?? record.error?.input, record]));
}

async function inTurns(list, work) {
  const results = [];
  let next = 0;
  const turn = async () => {
    for (let i = next++; i < list.length; i = next++) results[i] = await work(list[i], i);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
  return results;
}

function report(judged) {
  const counted = judged.filter(({ outcome }) => outcome !== 'no agreement');
  const silent = counted.filter(({ outcome, warnings }) => outcome.startsWith('lost') && (warnings ?? []).length === 0);
  const rates = Object.fromEntries(
    OUTCOMES.map((each) => [each, counted.filter(({ outcome }) => outcome === each).length]),
  );
  if (values.json) {
    const wrong = counted.filter(({ outcome }) => outcome !== 'right');
    process.stdout.write(`${JSON.stringify({ judged: counted.length, silent: silent.length, rates, wrong })}\n`);
    return;
  }
  process.stderr.write('\n');
  const kinds = [...Object.keys(KINDS), 'all'];
  const row = (cells) =>
    `${cells[0].padEnd(12)}${cells
      .slice(1)
      .map((cell) => String(cell).padStart(14))
      .join('')}\n`;
  process.stdout.write(row(['kind', 'agreed', ...OUTCOMES]));
  for (const kind of kinds) {
    const own = counted.filter((each) => kind === 'all' || each.kind === kind);
    process.stdout.write(
      row([kind, own.length, ...OUTCOMES.map((each) => own.filter(({ outcome }) => outcome === each).length)]),
    );
  }
  const percent = (count) => `${((100 * count) / Math.max(1, counted.length)).toFixed(1)} %`;
  process.stdout.write(
    `right ${percent(rates.right)}, refused ${percent(rates.refused)}, lost without a word: ${silent.length}\n`,
  );
  for (const { name, source, outcome, counts: of, found, lost, said, warnings } of counted) {
    if (outcome === 'right') continue;
    const why =
      said ?? `${found === undefined ? `pages ${lost}` : `${found} pages`}; ${warnings?.join('; ') ?? 'no warning'}`;
    process.stdout.write(`${outcome}: ${name} of ${source} (${of.map((count) => count ?? '-').join(' ')}): ${why}\n`);
  }
}
