import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { countPages, hasPage, paint, qpdfCheck, readText, rotationOf } from './judges.mjs';
import { difference, turn, turnedDifference } from './pictures.mjs';
import { textProblems } from './texts.mjs';

/** Parts of a split that are judged, besides the first and the last: a file with 10,000 pages has as many. */
const PARTS_JUDGED = 8;

/**
 * @typedef {import('./selection.mjs').Entry} Entry
 * @typedef {import('./invoke.mjs').Run} Run
 * @type {Record<string, { args(path: string): string[], examine(entry: Entry, run: Run): Promise<string[]> }>}
 * args: for the command line. examine: what is wrong with the result of a run that ended with 0, in a few words each.
 */
export const CASES = {
  info: {
    args: (path) => ['info', path],
    async examine({ pages }, { answer, left }) {
      const found = answer?.page_count;
      return listed([
        !Number.isInteger(found) || found < 1 ? `page_count is ${found}` : undefined,
        pages !== null && found !== pages ? `page_count is ${found}, not ${pages}` : undefined,
        left.length > 0 ? `left ${left.join(', ')}` : undefined,
      ]);
    },
  },
  merge: {
    args: (path) => ['merge', path, path, '-o', 'out.pdf'],
    async examine(entry, run) {
      const out = join(run.folder, 'out.pdf');
      const single = await pagesOf(entry);
      return [
        ...onlyLeft(run, 'out.pdf'),
        ...(await wrongCount(run.answer?.output?.pages, out, single === undefined ? undefined : 2 * single)),
        ...(await worseThanInput(entry, out)),
        ...(await isOther(entry, 1, out, 1)),
        ...(single === undefined ? [] : await isOther(entry, 1, out, single + 1)),
      ];
    },
  },
  rotate: {
    args: (path) => ['rotate', path, '--angle', '90', '-o', 'out.pdf'],
    async examine(entry, run) {
      const out = join(run.folder, 'out.pdf');
      return [
        ...onlyLeft(run, 'out.pdf'),
        ...(await wrongCount(run.answer?.output?.pages, out, await pagesOf(entry))),
        ...(await worseThanInput(entry, out)),
        ...(await wrongTurn(entry.path, out)),
        ...(await looksDifferent(entry, 1, out, 1, turn)),
      ];
    },
  },
  split: {
    args: (path) => ['split', path, '-o', 'out'],
    async examine(entry, run) {
      if (run.left.join() !== 'out') return [`left ${run.left.join(', ') || 'nothing'}`];
      const parts = readdirSync(join(run.folder, 'out')).sort();
      const pages = await pagesOf(entry);
      const problems = listed([
        pages !== undefined && parts.length !== pages ? `${parts.length} parts, not ${pages}` : undefined,
        parts.every((name, i) => name === partName(i + 1, parts.length)) ? undefined : `names such as ${parts[0]}`,
      ]);
      const step = Math.max(1, Math.floor(parts.length / PARTS_JUDGED));
      for (const [i, name] of parts.entries()) {
        const edge = i === 0 || i === parts.length - 1;
        if (!edge && i % step !== 0) continue;
        const part = join(run.folder, 'out', name);
        const count = await countPages(part);
        if (count !== 1) problems.push(`${name} has ${count} pages`);
        problems.push(...(await worseThanInput(entry, part)));
        if (edge) problems.push(...(await isOther(entry, i + 1, part, 1)));
      }
      return problems;
    },
  },
  'extract-text': {
    args: (path) => ['extract-text', path, '--allow-empty'],
    examine: (entry, run) => textProblems(entry, run, run.answer?.text),
  },
  'to-json': {
    args: (path) => ['to-json', path],
    async examine(entry, run) {
      const { pages = [], page_count: count, text } = run.answer ?? {};
      const numbered = pages.length === count && pages.every(({ page_number: number }, i) => number === i + 1);
      return [...(numbered ? [] : [`${pages.length} pages, not ${count}`]), ...(await textProblems(entry, run, text))];
    },
  },
  markdown: {
    args: (path) => ['markdown', path, '--allow-empty', '--mode', 'rag', '--output-format', 'json'],
    async examine(entry, run) {
      const { pages = [], chunks = [], page_count: count, markdown } = run.answer ?? {};
      return listed([
        typeof markdown === 'string' ? undefined : 'no Markdown',
        pages.length === count ? undefined : `${pages.length} pages, not ${count}`,
        entry.pages !== null && count !== entry.pages ? `page_count is ${count}, not ${entry.pages}` : undefined,
        chunks.every(({ char_count: length }) => length <= 2000) ? undefined : 'a chunk over its bound',
        run.left.length > 0 ? `left ${run.left.join(', ')}` : undefined,
      ]);
    },
  },
};

/** Pages of the input; undefined where nobody knows. MuPDF counts 0 in files that it cannot read. */
async function pagesOf({ pages, path }) {
  return pages ?? ((await countPages(path)) || undefined);
}

function partName(page, count) {
  return `page-${String(page).padStart(Math.max(3, String(count).length), '0')}.pdf`;
}

function onlyLeft({ left }, name) {
  return left.join() === name ? [] : [`left ${left.join(', ') || 'nothing'}`];
}

async function wrongCount(told, out, expected) {
  const found = await countPages(out);
  return listed([
    found === undefined ? 'no other program can count the pages' : undefined,
    found !== undefined && expected !== undefined && found !== expected ? `${found} pages, not ${expected}` : undefined,
    told !== found && found !== undefined ? `says ${told} pages, has ${found}` : undefined,
  ]);
}

/** What qpdf may say, best first; silent: it crashed or took too long. */
const VERDICTS = ['clean', 'warns', 'refuses', 'silent'];

/** qpdf must not think worse of an output than of the input. */
async function worseThanInput({ path, carriedDamage, exact, bomb }, out) {
  if (bomb) return [];
  const after = await qpdfCheck(out);
  if (after.verdict === 'clean' || (carriedDamage && after.verdict !== 'silent')) return [];
  const before = await qpdfCheck(path);
  const worse = VERDICTS.indexOf(after.verdict) > VERDICTS.indexOf(before.verdict);
  if (!worse && !(exact && after.verdict === 'refuses')) return [];
  return [`qpdf --check ${after.verdict} (input: ${before.verdict}): ${after.words}`];
}

async function wrongTurn(path, out) {
  const problems = [];
  for (const judge of ['pdfinfo', 'mutool']) {
    const [before, after] = [await rotationOf(judge, path, 1), await rotationOf(judge, out, 1)];
    if (before === undefined || after === undefined) continue;
    // Only multiples of 90 are rotations (ISO 32000-1, table 30); how readers show others, the picture tells.
    const known = before % 90 === 0 ? before : 0;
    if (after === (((known + 90) % 360) + 360) % 360) return [];
    problems.push(`/Rotate is ${after}, was ${before} (${judge})`);
  }
  return problems.length === 0 ? [] : [problems.join('; ')];
}

/** Whether a page of the output is not that page of the input: by its text, then by how it looks. */
async function isOther(entry, page, out, outPage) {
  const looks = await looksDifferent(entry, page, out, outPage);
  return looks.length > 0 ? looks : readsDifferent(entry, page, out, outPage);
}

/** One of two readers must find the same text; pages that look alike at a low resolution differ by a number in it. */
async function readsDifferent({ path, bomb }, page, out, outPage) {
  if (bomb) return [];
  let asked = 0;
  for (const reader of ['pdftotext', 'mutool']) {
    const before = await readText(reader, path, page);
    if (before === undefined) continue;
    if (before === (await readText(reader, out, outPage))) return [];
    if (await hasPage(reader, path, page)) asked += 1;
  }
  return asked === 0 ? [] : [`page ${outPage} has another text`];
}

/** One of two painters must show the same; where neither has the page of the input there is nothing to compare. */
async function looksDifferent({ path, bomb }, page, out, outPage, change) {
  if (bomb) return [];
  const differences = [];
  for (const painter of ['mutool', 'pdftoppm']) {
    const before = await paint(painter, path, page);
    if (before === undefined) continue;
    const after = await paint(painter, out, outPage);
    const expected = change === undefined ? before : change(before);
    const compare = change === undefined ? difference : turnedDifference;
    const found = after === undefined ? 'cannot paint it' : compare(expected, after);
    if (found === undefined) return [];
    if (!(await hasPage(painter, path, page))) continue;
    differences.push(`${painter}: ${found}`);
  }
  return differences.length === 0 ? [] : [`page ${outPage} looks different (${differences.join('; ')})`];
}

function listed(problems) {
  return problems.filter((problem) => problem !== undefined);
}
