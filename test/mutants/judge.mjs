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

/** Page counts of qpdf, poppler and mutool; undefined where one has none. */
export async function counts(path) {
  const [qpdf, poppler, mutool] = await Promise.all([
    run('qpdf', ['--show-npages', path]).then(({ stdout }) => /^(\d+)\s*$/.exec(stdout)?.[1]),
    run('pdfinfo', [path]).then(({ stdout }) => /^Pages:\s+(\d+)/m.exec(stdout)?.[1]),
    run('mutool', ['info', '-M', path]).then(({ stdout }) => /^Pages: (\d+)/m.exec(stdout)?.[1]),
  ]);
  return [qpdf, poppler, mutool].map((count) => (count === undefined || count === '0' ? undefined : Number(count)));
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

/** Pages of the damaged file, from 1, of which two readers see text or ink and neither of them does in the output. */
export async function lostContent(damaged, output, pages) {
  const last = Math.min(pages, MOST_LOOKED_AT);
  const [before, after] = await Promise.all([looks(damaged, last), looks(output, last)]);
  const lost = [];
  for (let i = 0; i < last; i++) {
    const gone = ['poppler', 'mutool'].filter((reader) => {
      const [was, is] = [before[reader][i], after[reader][i]];
      if (was === undefined) return false;
      if (was.characters >= SOME_TEXT) return (is?.characters ?? 0) < was.characters * ENOUGH;
      return was.ink >= SOME_INK && (is?.ink ?? 0) < was.ink * ENOUGH;
    });
    if (gone.length === 2) lost.push(i + 1);
  }
  return lost;
}

async function looks(path, last) {
  const range = `1-${last}`;
  const [text, ink, otherText, otherInk] = await Promise.all([
    run('pdftotext', ['-q', '-l', String(last), path, '-']),
    run('pdftoppm', ['-q', '-gray', '-r', '12', '-l', String(last), path], { encoding: 'buffer' }),
    run('mutool', ['draw', '-q', '-F', 'txt', path, range]),
    run('mutool', ['draw', '-q', '-F', 'pgm', '-r', '12', '-o', '-', path, range], { encoding: 'buffer' }),
  ]);
  return { poppler: joined(text.stdout, ink.stdout), mutool: joined(otherText.stdout, otherInk.stdout) };
}

function joined(text, images) {
  const characters = text.split('\f').map((page) => page.replace(/\s/g, '').length);
  return inkOf(images).map((ink, i) => ({ ink, characters: characters[i] ?? 0 }));
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
