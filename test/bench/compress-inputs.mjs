import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FOLDER } from './inputs.mjs';
import { drawPhotos } from './photos.mjs';

const DOCUMENTS = join(FOLDER, 'documents');
/** Of each package, the documents by the end of their paths. */
const PACKAGES = {
  'auto-multiple-choice-doc-pdf': [
    'auto-multiple-choice.en.pdf',
    'auto-multiple-choice.ja.pdf',
    'automultiplechoice.pdf',
    'sample-amc.pdf',
    'sample-plain.pdf',
    'sample-separate.pdf',
  ],
  'expeyes-doc-en': ['en-eyes.pdf', 'en-eyesj.pdf', 'en-eyesj-progman.pdf'],
  'freedombox-doc-en': ['freedombox-manual.pdf'],
  'freefem-doc': ['freefem.pdf'],
  'gri-pdf-doc': ['gri.pdf'],
  impressive: ['demo.pdf'],
  'lilypond-doc-pdf': ['changes.pdf', 'essay.pdf', 'learning.pdf', 'web.pdf'],
  'live-manual-pdf': ['live-manual.portrait.en.a4.pdf'],
  'python-reportlab-doc': ['reportlab-userguide.pdf'],
  'r-doc-pdf': [
    'R-FAQ.pdf',
    'R-admin.pdf',
    'R-data.pdf',
    'R-exts.pdf',
    'R-intro.pdf',
    'R-ints.pdf',
    'R-lang.pdf',
    'refman.pdf',
  ],
  sioyek: ['tutorial.pdf'],
  'ubuntu-packaging-guide-pdf': ['ubuntu-packaging-guide.pdf'],
};
const PHOTO_BYTES = 9_000_000;

/** Paths of all documents, fetched where they are not there. */
export function documents() {
  mkdirSync(DOCUMENTS, { recursive: true });
  const photos = join(DOCUMENTS, 'photos.pdf');
  if (!existsSync(photos)) drawPhotos(photos, PHOTO_BYTES);
  for (const [name, wanted] of Object.entries(PACKAGES)) {
    const missing = wanted.filter((file) => !existsSync(join(DOCUMENTS, file)));
    if (missing.length > 0) fetchFrom(name, missing);
  }
  return readdirSync(DOCUMENTS)
    .filter((name) => name.endsWith('.pdf'))
    .sort()
    .map((name) => join(DOCUMENTS, name));
}

/** A document of photos and nothing else, of so many bytes. */
export function photosOf(bytes) {
  const path = join(FOLDER, `photos-${bytes / 1_000_000}mb.pdf`);
  if (!existsSync(path)) drawPhotos(path, bytes);
  return path;
}

/** Whether TeX made it with Type 1 fonts in it, as papers are. */
export function isTex(path) {
  const told = (program) => spawnSync(program, [path]).stdout.toString();
  return /^Producer: .*TeX/m.test(told('pdfinfo')) && / Type 1 +\S.* yes /.test(told('pdffonts'));
}

function fetchFrom(name, wanted) {
  const folder = join(DOCUMENTS, 'unpacked');
  mkdirSync(folder, { recursive: true });
  process.stderr.write(`bench: apt-get download ${name}\n`);
  const quietly = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('apt-get', ['download', name], quietly);
  const archive = readdirSync(folder).find((each) => each.endsWith('.deb'));
  execFileSync('dpkg-deb', ['-x', join(folder, archive), folder], quietly);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const file of wanted) {
    const found = files.find((entry) => [file, `${file}.gz`].includes(basename(entry.name)));
    if (found === undefined) throw new Error(`the package ${name} has no ${file}`);
    const path = join(found.parentPath, found.name);
    const to = join(DOCUMENTS, file);
    if (found.name.endsWith('.gz')) writeFileSync(to, gunzipSync(readFileSync(path)));
    else renameSync(path, to);
  }
  rmSync(folder, { recursive: true });
}
