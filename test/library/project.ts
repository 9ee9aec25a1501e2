import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { codeFor } from '../../scripts/derive/code-example.ts';
import { examplesOf } from '../../src/cli/examples.ts';
import { wordsOf } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
export const FIXTURES = join(ROOT, 'test/fixtures');

/** A folder of somebody's project in which this package is installed. */
export function project(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pdftool-library-')));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/pdftool'), 'junction');
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'), 'junction');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a script in a project, and returns the JSON that it prints as its last line; throws where it prints to stderr. */
export function runScript(folder: string, name: string, text: string, flags: readonly string[] = []): unknown {
  writeFileSync(join(folder, name), text);
  const printed = execFileSync(process.execPath, [...flags, name], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '');
}

export interface DocsExample {
  readonly row: string;
  readonly work: string;
  readonly line: string;
  readonly code: string;
}

/** The examples of docs/commands that have both tabs. */
export const EXAMPLES: readonly DocsExample[] = OPERATIONS.filter(({ surface }) => surface === 'command').flatMap(
  (op) =>
    examplesOf(wordsOf(op).split(' ')).flatMap((line) => {
      const code = codeFor(line);
      return code === undefined ? [] : [{ row: op.name, work: op.work, line, code }];
    }),
);

/** What no machine without an account can run. */
export const ON_A_SERVICE = ['account', 'translate-and-speak', 'pdftool openapi --remote'];

/** Fills a folder with the files that examples name; some are made by the library itself. */
export async function fillFolder(folder: string, library: Library): Promise<void> {
  const copy = (from: string, ...names: readonly string[]) => {
    for (const name of names) copyFileSync(join(FIXTURES, from), join(folder, name));
  };
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const at = (name: string) => join(folder, name);
  const pages = ['1-20', ''];
  const both = [join(FIXTURES, 'guide.pdf'), join(FIXTURES, 'lorem-ipsum.pdf')];
  await library.merge(both, { pages, output: at('report.pdf') });
  copy('lorem-ipsum.pdf', ...LOREM.map((name) => `${name}.pdf`));
  copy('outlines.pdf', 'book.pdf');
  copy('rotated-mixed.pdf', 'slides.pdf');
  copy('signed-twice.pdf', 'contract.pdf');
  copy('signatures/roots.pem', 'company-ca.pem');
  copy('documents/pdfbox--acroform.pdf', 'application.pdf');
  copy('pictures/exif--Portrait_5.jpg', 'front.jpg');
  copy('pictures/image-rs--cat.jpg', 'back.jpg');
  copy('pictures/ljt--testorig.png', 'logo.png');
  write('password.txt', 'secret\n');
  write('owner.txt', 'owner\n');
  write('toc.txt', 'First\t1\n  Second\t2\n');
  write('data.csv', 'a,b\n1,2\n');
  write('notes.txt', 'a note\n');
  write('invoice.xml', '<invoice/>\n');
  write('data.json', '{}\n');
  await library.encrypt(at('a.pdf'), { userPassword: 'secret', output: at('locked.pdf') });
  const attached = ['report.pdf', 'data.csv', 'notes.txt'].map(at);
  await library.attachAdd(attached, { output: at('attached.pdf') });
}

/** The functions of dist/library.mjs, whose types tests of types look at. */
export type Library = typeof import('../golden/library.d.ts');

const LOREM = [
  ...['a', 'b', 'cover', 'fronts', 'backs', 'scan', 'scans', 'large', 'manual', 'article', 'letter', 'old', 'new'],
  ...['case', 'program', 'invoice', 'form', 'answers', 'letterhead'],
];
