#!/usr/bin/env node
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { countPages, paint } from './judges.mjs';
import { difference } from './pictures.mjs';
import { entriesOf, missing } from './selection.mjs';

const PATIENCE = 30_000;
/** Classes of the manifest that are damaged files. */
const DAMAGED = /bad-stream-data|broken-xref|loop|missing-endobj|no-header|no-pages|page-tree|stream-length|junk/;
const ROOT = resolve(import.meta.dirname, '../..');

const PAINTERS = /** @type {const} */ (['mutool', 'pdftoppm']);

/** pdf-lib as its readers use it: load, copy all pages, save. */
const PDF_LIB = `
  import { readFileSync, writeFileSync } from 'node:fs';
  import { PDFDocument } from 'pdf-lib';
  const [file, out] = process.argv.slice(-2);
  const merged = await PDFDocument.create();
  for (const each of [file, file]) {
    const source = await PDFDocument.load(readFileSync(each), { password: '' });
    for (const page of await merged.copyPages(source, source.getPageIndices())) merged.addPage(page);
  }
  writeFileSync(out, await merged.save());
`;

/** @type {Record<string, (file: string, out: string) => [string, string[]]>} */
const RIVALS = {
  pdftool: (file, out) => [
    process.execPath,
    [join(ROOT, 'bin/pdftool.js'), 'merge', file, file, '-o', out, '--local', '-q'],
  ],
  qpdf: (file, out) => ['qpdf', ['--warning-exit-0', '--empty', '--pages', file, file, '--', out]],
  'mutool merge': (file, out) => ['mutool', ['merge', '-o', out, file, file]],
  'pdf-lib': (file, out) => [process.execPath, ['--input-type=module', '-e', PDF_LIB, file, out]],
};

const { values } = parseArgs({ options: { only: { type: 'string' }, list: { type: 'boolean', default: false } } });
const reason = missing();
if (reason !== undefined) process.stdout.write(`skipped: ${reason}\n`);
else await compare();

async function compare() {
  const entries = (await entriesOf('all', values.only)).filter(
    ({ expect, pages }) => /^(ok|either)/.test(expect.merge ?? '') && pages !== null,
  );
  const damaged = entries.filter(({ carriedDamage, class: kind }) => carriedDamage || DAMAGED.test(kind));
  const right = Object.fromEntries(Object.keys(RIVALS).map((name) => [name, new Set()]));
  for (const entry of entries) {
    const pictures = await paintedBy(entry.path, 1);
    for (const name of Object.keys(RIVALS)) {
      const wrong = await tried(name, entry, pictures);
      if (wrong === undefined) right[name].add(entry);
      else if (values.list) process.stdout.write(`${name}: ${entry.file}: ${wrong}\n`);
    }
  }
  for (const [name, set] of Object.entries(right)) {
    const share = ((100 * set.size) / entries.length).toFixed(1);
    const mended = damaged.filter((entry) => set.has(entry)).length;
    process.stdout.write(
      `${name.padEnd(12)} ${set.size} of ${entries.length} right (${share} %), of ${damaged.length} damaged ${mended}\n`,
    );
  }
}

/** Why the output is not right; undefined where it is. */
async function tried(name, { path, pages }, pictures) {
  const folder = mkdtempSync(join(tmpdir(), 'rivals-'));
  const out = join(folder, 'out.pdf');
  try {
    const [program, args] = RIVALS[name](path, out);
    await new Promise((done) => execFile(program, args, { cwd: ROOT, timeout: PATIENCE, killSignal: 'SIGKILL' }, done));
    if (!existsSync(out)) return 'no output';
    const count = await countPages(out);
    if (count !== 2 * pages) return `${count} pages, not ${2 * pages}`;
    for (const page of [1, pages + 1]) {
      const found = await paintedBy(out, page);
      const differs = pictures.map((picture, i) => {
        if (picture === undefined) return undefined;
        return found[i] === undefined ? 'cannot be painted' : difference(picture, found[i]);
      });
      if (differs.every((each) => each !== undefined)) return `page ${page}: ${differs[0]}`;
    }
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function paintedBy(path, page) {
  return Promise.all(PAINTERS.map((painter) => paint(painter, path, page)));
}
