// Owns which test files are left out on a machine that lacks what judges them, so that the others can be run anywhere.
// CI has every program: there a missing one fails.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

/** Programs that judge outputs; .ci/run installs them. Shells and mandoc are asked for by the tests that need them. */
const JUDGES = [
  'qpdf',
  'mutool',
  'pdftotext',
  'pdftoppm',
  'pdfinfo',
  'pdfimages',
  'pdfsig',
  'unzip',
  'openssl',
  'python3',
];
/** Real and hostile files beside the project; tests that can do without say so themselves. */
const CORPUS = 'shared/corpus';

interface LeftOut {
  /** Patterns for vitest. */
  readonly files: readonly string[];
  /** One sentence for a person; undefined where nothing is left out. */
  readonly why: string | undefined;
}

/** By what test files, and what they import, name. */
export function leftOut(environment: Readonly<Record<string, string | undefined>>): LeftOut {
  const folders = (environment.PATH ?? '').split(delimiter);
  const missing = JUDGES.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  const programs = environment.CI === undefined ? missing : [];
  const corpus = !existsSync(resolve(import.meta.dirname, '../..', CORPUS));
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const files = tests.filter((name) => {
    const text = textWithImports(join(import.meta.dirname, name));
    return programs.some((program) => text.includes(`'${program}'`)) || (corpus && text.includes(`/${CORPUS}/`));
  });
  const lacks = [...programs, ...(corpus ? ['the corpus'] : [])].join(', ');
  const why = files.length === 0 ? undefined : `left out: ${files.length} test files, for lack of ${lacks}`;
  return { files: files.map((name) => `test/${name}`), why };
}

function textWithImports(path: string, seen = new Set<string>()): string {
  if (seen.has(path) || !existsSync(path)) return '';
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  const imports = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, name]) => resolve(dirname(path), name ?? ''));
  const ours = imports.filter((each) => each.startsWith(import.meta.dirname));
  return [text, ...ours.map((each) => textWithImports(each, seen))].join('\n');
}
