import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { qpdfCheck } from './judges.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
/** The folder of real and hostile files, which is not part of the repository; empty where nobody named one. */
export const CORPUS = process.env.PDFTOOL_CORPUS ?? '';
const ADVERSARIAL = join(ROOT, '.bench/adversarial');

export const OPERATIONS = ['info', 'merge', 'split', 'rotate', 'extract-text', 'to-json', 'markdown'];

/** A file whose tags name one of these is damaged, though it may be read all the same. */
const DAMAGE = [
  'bad-stream-data',
  'broken-xref',
  'junk-leading',
  'junk-trailing',
  'loop',
  'missing-endobj',
  'no-eof',
  'no-header',
  'no-pages',
  'page-tree',
  'qpdf-refuses',
  'stream-length',
];

/**
 * One file to try.
 * @typedef {object} Entry
 * @property {string} file name within its set
 * @property {string} path absolute
 * @property {string} class what kind of file it is, by the manifest
 * @property {number | null} pages null where the engines that were asked do not agree
 * @property {boolean} carriedDamage it has a stream that cannot be decoded: qpdf may complain of the output as well
 * @property {boolean} exact every output must please qpdf, even where the input does not
 * @property {boolean} bomb it inflates to gigabytes: other programs are not asked to look at what comes out
 * @property {Record<string, string>} expect by operation: ok, refuse:KIND or either:KIND
 */

/** Why nothing can be tried, or undefined. */
export function missing() {
  if (CORPUS === '') return 'PDFTOOL_CORPUS does not name a corpus';
  if (!existsSync(join(CORPUS, 'manifest.json'))) return `there is no corpus at ${CORPUS} (PDFTOOL_CORPUS)`;
  return undefined;
}

/**
 * The files of a set, sorted by name.
 * plain: neither encrypted nor damaged. all: every PDF of the corpus. adversarial: what make-adversarial.py writes.
 * @param {string} set
 * @param {string | undefined} only a glob over file names; `*` and `?`
 * @returns {Promise<Entry[]>}
 */
export async function entriesOf(set, only) {
  const rows = set === 'adversarial' ? generated() : readRows(CORPUS);
  const matches = only === undefined ? () => true : globbed(only);
  const chosen = rows.filter(({ entry }) => OPERATIONS.some((op) => op in entry.expect) && matches(entry.file));
  if (set !== 'plain') return chosen.map(({ entry }) => entry);
  const candidates = chosen.filter(isPlain).map(({ entry }) => entry);
  const checks = await Promise.all(candidates.map(({ path }) => qpdfCheck(path)));
  return candidates.filter((_, i) => checks[i].verdict === 'clean');
}

function isPlain({ row, entry }) {
  return (
    row.encrypted === 'no' &&
    OPERATIONS.every((op) => entry.expect[op] === 'ok') &&
    !row.tags.some((tag) => DAMAGE.includes(tag))
  );
}

function readRows(folder) {
  const rows = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  return rows.map((row) => ({
    row,
    entry: {
      file: row.file.replace(/^pdf\//, ''),
      path: join(folder, row.file),
      class: row.class,
      pages: row.pages,
      carriedDamage: row.carried_damage === true,
      exact: folder === ADVERSARIAL,
      bomb: row.bomb === true,
      // The manifests were written before Markdown was: what can be read as text can be read as Markdown.
      expect: 'extract-text' in row.expect ? { markdown: row.expect['extract-text'], ...row.expect } : row.expect,
    },
  }));
}

function generated() {
  mkdirSync(ADVERSARIAL, { recursive: true });
  execFileSync('python3', [join(CORPUS, 'make-adversarial.py'), ADVERSARIAL], { stdio: 'ignore' });
  return readRows(ADVERSARIAL);
}

function globbed(glob) {
  const pattern = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const whole = new RegExp(`^${pattern}$`);
  return (name) => whole.test(name);
}
