import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { drawPhotos } from './photos.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
export const FOLDER = join(ROOT, '.bench');
const FIXTURES = join(ROOT, 'test/fixtures');
const MB = 1_000_000;

/** Package, the manual in it, and the name it gets here. */
const MANUALS = {
  octave: ['octave-doc', 'octave.pdf'],
  refman: ['r-doc-pdf', 'refman.pdf'],
  notation: ['lilypond-doc-pdf', 'notation.pdf'],
  snippets: ['lilypond-doc-pdf', 'snippets.pdf'],
};

/** Files by name; each is built the first time it is asked for, from those it names. */
const BUILT = {
  /** Text and vectors, more than 50 MB. */
  'text-50mb': (out) => joinPages(out, ['notation', 'snippets', 'refman', 'octave'].map(manual)),
  /** Photos (noise as JPEG), more than 50 MB. */
  'photos-50mb': (out) => drawPhotos(out, 55 * MB),
  'one-page': (out) => qpdf(manual('octave'), '--pages', '.', '300', '--', out),
  'first-300': (out) => qpdf(manual('octave'), '--pages', '.', '1-300', '--', out),
  'first-566': (out) => qpdf(manual('octave'), '--pages', '.', '1-566', '--', out),
  'first-500': (out) => qpdf(manual('octave'), '--pages', '.', '1-500', '--', out),
  /** MuPDF opens a file anew each time it is named, so nothing is shared between the copies. */
  '1gb': (out) => {
    const [text, photos] = [input('text-50mb'), input('photos-50mb')];
    const pair = statSync(text).size + statSync(photos).size;
    const copies = Math.ceil((1024 * MB) / pair);
    run('mutool', ['merge', '-o', out, ...Array.from({ length: copies }, () => [text, photos]).flat()]);
  },
};

/** The path of an input, built first where it is not there. */
export function input(name) {
  const path = join(FOLDER, `${name}.pdf`);
  if (!existsSync(path)) {
    mkdirSync(FOLDER, { recursive: true });
    process.stderr.write(`bench: building ${name}.pdf\n`);
    const unfinished = join(FOLDER, `unfinished-${name}.pdf`);
    BUILT[name](unfinished);
    renameSync(unfinished, path);
  }
  return path;
}

export function manual(name) {
  const path = join(FOLDER, `${name}.pdf`);
  if (existsSync(path)) return path;
  const [debian, file] = MANUALS[name];
  const unpacked = join(FOLDER, 'packages', debian);
  if (!existsSync(unpacked)) fetchPackage(debian, unpacked);
  const found = readdirSync(unpacked, { recursive: true }).find((each) => each.endsWith(`/${file}`));
  if (found === undefined) throw new Error(`the package ${debian} has no ${file}`);
  // A manual may be compressed or a link in some release: qpdf reads and writes it, which also proves it is a PDF.
  renameSync(join(unpacked, found), path);
  return path;
}

/** Twenty files of about 1 MB each, cut from the notation manual. */
export function pieces() {
  const source = manual('notation');
  const folder = join(FOLDER, 'pieces');
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    for (let i = 0; i < 20; i += 1) {
      const [first, last] = [i * 46 + 1, i * 46 + 30];
      qpdf(source, '--pages', '.', `${first}-${last}`, '--', join(folder, `${String(i).padStart(2, '0')}.pdf`));
    }
  }
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

export function fixture(name) {
  return join(FIXTURES, name);
}

function fetchPackage(name, unpacked) {
  const folder = join(FOLDER, 'packages');
  mkdirSync(folder, { recursive: true });
  process.stderr.write(`bench: apt-get download ${name}\n`);
  run('apt-get', ['download', name], folder);
  const archive = readdirSync(folder).find((each) => each.startsWith(`${name}_`) && each.endsWith('.deb'));
  run('dpkg-deb', ['-x', join(folder, archive), unpacked]);
  rmSync(join(folder, archive));
}

function joinPages(out, files) {
  qpdf('--empty', '--object-streams=preserve', '--pages', ...files, '--', out);
}

function qpdf(...args) {
  run('qpdf', ['--warning-exit-0', ...args]);
}

function run(program, args, cwd) {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
