// Which test files are left out on a machine that lacks the programs that judge outputs, so that the others can be run
// anywhere. In CI nothing is left out: there a missing program fails.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

/** Programs that judge outputs, and the Debian package that has each. Shells and mandoc are asked for by the tests that need them. */
const JUDGES: Readonly<Record<string, string>> = {
  qpdf: 'qpdf',
  mutool: 'mupdf-tools',
  pdftotext: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  pdfimages: 'poppler-utils',
  pdfsig: 'poppler-utils',
  gs: 'ghostscript',
  unzip: 'unzip',
  openssl: 'openssl',
  python3: 'python3',
  jq: 'jq',
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffmpeg',
  pocketsphinx_continuous: 'pocketsphinx pocketsphinx-en-us',
  initdb: 'postgresql',
  caddy: 'caddy',
  nginx: 'nginx',
};

interface LeftOut {
  /** Patterns for vitest. */
  readonly files: readonly string[];
  /** For a person: what is missing, how to install it, and which files are left out; undefined where none is. */
  readonly why: string | undefined;
}

/** By what test files, and what they import, name. */
export function leftOut(environment: Readonly<Record<string, string | undefined>>): LeftOut {
  if (environment.CI !== undefined) return { files: [], why: undefined };
  const folders = [...(environment.PATH ?? '').split(delimiter), ...postgresFolders(), '/usr/sbin'];
  const missing = Object.keys(JUDGES).filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  const files = testsWhoseText((text) => missing.some((program) => text.includes(`'${program}'`)));
  if (files.length === 0) return { files, why: undefined };
  const packages = [...new Set(missing.map((name) => JUDGES[name]))].join(' ');
  const why = [
    `SKIPPED: ${files.length} test files, for lack of ${missing.join(', ')}. On Debian: apt install ${packages}`,
    ...files.map((file) => `  ${file}`),
  ].join('\n');
  return { files, why };
}

/** Debian keeps the programs of PostgreSQL out of PATH, the newest version last. */
export function postgresFolders(): string[] {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .sort((a, b) => Number(a) - Number(b))
    .map((version) => join(versions, version, 'bin'));
}

/** Test files that try the large corpus. */
export function namingTheCorpus(): string[] {
  return testsWhoseText((text) => text.includes('process.env.PDFTOOL_CORPUS'));
}

function testsWhoseText(matches: (text: string) => boolean): string[] {
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && matches(textWithImports(join(import.meta.dirname, name))))
    .map((name) => `test/${name}`);
}

function textWithImports(path: string, seen = new Set<string>()): string {
  if (seen.has(path) || !existsSync(path)) return '';
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  const imports = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, name]) => resolve(dirname(path), name ?? ''));
  const ours = imports.filter((each) => each.startsWith(import.meta.dirname));
  return [text, ...ours.map((each) => textWithImports(each, seen))].join('\n');
}
