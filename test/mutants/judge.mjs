// What other readers make of a damaged file, and whether an output has lost something of it.
import { execFile } from 'node:child_process';

/** Processor time, so that a busy machine makes no reader say less; the other bound is for readers that wait for ever. */
const SECONDS = 15;
const PATIENCE = 600_000;
/** Pages whose text and ink are compared. */
const MOST_LOOKED_AT = 4;
/** Characters from which on a page has text; part of them that an output must have. */
const SOME_TEXT = 20;
const ENOUGH = 0.5;
/** Part of a page that is not white, from which on there is something on it. */
const SOME_INK = 0.002;

/** Programs that count pages, with where each prints the number. */
const COUNTERS = [
  ['qpdf', ['--show-npages'], /^(\d+)\s*$/],
  ['pdfinfo', [], /^Pages:\s+(\d+)/m],
  ['mutool', ['info', '-M'], /^Pages: (\d+)/m],
];

/** Page counts of qpdf, poppler and mutool; undefined where one has none. `enough`: the third is not asked where two agree. */
export async function counts(path, enough = false) {
  const all = [];
  for (const [program, args, pattern] of COUNTERS) {
    if (enough && agreed(all) !== undefined) break;
    const { stdout } = await run(program, [...args, path]);
    all.push(Number(pattern.exec(stdout)?.[1]) || undefined);
  }
  return all;
}

/** Pages that qpdf comes to when it goes through the tree. */
export async function leaves(path) {
  const { stdout } = await run('qpdf', ['--show-pages', path]);
  return stdout.match(/^page \d+:/gm)?.length ?? 0;
}

/** The count that at least two agree on. */
export function agreed(all) {
  return all.find((count, i) => count !== undefined && all.indexOf(count) !== i);
}

/**
 * Pages of the damaged file, from 1, of which two readers see text or ink and neither of them does in the output.
 * Cheapest first: a page whose text poppler finds in the output is kept, whatever the others see.
 */
export async function lostContent(damaged, output, pages) {
  const last = Math.min(pages, MOST_LOOKED_AT);
  const texts = await Promise.all([damaged, output].map((path) => charactersOf('poppler', path, last)));
  let lost = Array.from({ length: last }, (_, i) => i).filter(
    (i) => (texts[0][i] ?? 0) < SOME_TEXT || (texts[1][i] ?? 0) < texts[0][i] * ENOUGH,
  );
  for (const reader of ['poppler', 'mutool']) {
    if (lost.length === 0) break;
    const [before, after] = await Promise.all([looks(reader, damaged, last), looks(reader, output, last)]);
    lost = lost.filter((i) => isGone(before[i], after[i]));
  }
  return lost.map((i) => i + 1);
}

function isGone(was, is) {
  if (was === undefined) return false;
  if (was.characters >= SOME_TEXT) return (is?.characters ?? 0) < was.characters * ENOUGH;
  return was.ink >= SOME_INK && (is?.ink ?? 0) < was.ink * ENOUGH;
}

const READERS = {
  poppler: {
    text: (path, last) => ['pdftotext', ['-q', '-l', String(last), path, '-']],
    ink: (path, last) => ['pdftoppm', ['-q', '-gray', '-r', '12', '-l', String(last), path]],
  },
  mutool: {
    text: (path, last) => ['mutool', ['draw', '-q', '-F', 'txt', path, `1-${last}`]],
    ink: (path, last) => ['mutool', ['draw', '-q', '-F', 'pgm', '-r', '12', '-o', '-', path, `1-${last}`]],
  },
};

async function charactersOf(reader, path, last) {
  const { stdout } = await run(...READERS[reader].text(path, last));
  return stdout.split('\f').map((page) => page.replace(/\s/g, '').length);
}

async function looks(reader, path, last) {
  const [characters, ink] = await Promise.all([
    charactersOf(reader, path, last),
    run(...READERS[reader].ink(path, last), { encoding: 'buffer' }),
  ]);
  return inkOf(ink.stdout).map((ink, i) => ({ ink, characters: characters[i] ?? 0 }));
}

/** The part of each picture in a row of PGM files that is not white. */
function inkOf(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; ) {
    const head = /^P5\s+(?:#[^\n]*\n)?(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', at, at + 80));
    if (head === null) break;
    const size = Number(head[1]) * Number(head[2]);
    const pixels = bytes.subarray(at + head[0].length, at + head[0].length + size);
    parts.push(pixels.reduce((sum, pixel) => sum + (pixel < 240 ? 1 : 0), 0) / Math.max(1, size));
    at += head[0].length + size;
  }
  return parts;
}

function run(program, args, { encoding = 'latin1' } = {}) {
  return new Promise((resolve) => {
    const options = { encoding, timeout: PATIENCE, killSignal: 'SIGKILL', maxBuffer: 64 << 20 };
    execFile('prlimit', [`--cpu=${SECONDS}`, program, ...args], options, (_, stdout) => resolve({ stdout }));
  });
}
