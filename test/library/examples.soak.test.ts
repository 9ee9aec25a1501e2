// Every example of docs/commands, as a line and as code: both must do the same.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES, fillFolder, type Library, ON_A_SERVICE, project, ROOT } from './project.ts';

const home = project();
const library: Library = await import(join(ROOT, 'dist/library.mjs'));
const given = join(home, 'given');

beforeAll(async () => {
  mkdirSync(given);
  await fillFolder(given, library);
});

const isOfService = (row: string, line: string) => ON_A_SERVICE.some((name) => name === row || line.startsWith(name));

function files(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path)).toString('base64')]));
}

function folderFor(row: string): string {
  const folder = mkdtempSync(join(home, 'run-'));
  cpSync(given, folder, { recursive: true });
  if (/^attach-(?!add)/.test(row)) cpSync(join(given, 'attached.pdf'), join(folder, 'report.pdf'));
  return folder;
}

function start(folder: string, command: string, args: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, PDFTOOL_ENGINE: 'local', LANG: 'C.UTF-8' };
  const done = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8', timeout: 120_000 });
  return { code: done.status, out: done.stdout, said: done.stderr };
}

// 160 examples, each run twice: by hand, with PDFTOOL_EXAMPLES=1.
describe.skipIf(process.env.PDFTOOL_EXAMPLES === undefined)('an example does the same as a line and as code', () => {
  it.each(EXAMPLES.filter(({ row, line }) => !isOfService(row, line)))('$line', { timeout: 300_000 }, (example) => {
    const { row, line, code } = example;
    const byLine = folderFor(row);
    const byCode = folderFor(row);
    const program = `"${process.execPath}" "${join(ROOT, 'bin/pdftool.js')}"`;
    const printed = code.includes('const record');
    const words = `${line.replace(/^pdftool/, program)}${printed && !line.includes('--json') ? ' --json' : ''}`;
    const ofLine = start(byLine, '/bin/sh', ['-c', words]);
    const verdict = ['compare', 'verify'].includes(row) ? [0, 1, 3] : [0];
    expect(verdict, ofLine.said).toContain(ofLine.code);
    writeFileSync(join(home, 'example.mjs'), `${code}\n${printed ? 'console.log(JSON.stringify(record));\n' : ''}`);
    const ofCode = start(byCode, process.execPath, [join(home, 'example.mjs')]);
    expect([ofCode.code, ofCode.said]).toEqual([0, '']);
    if (printed) expect(JSON.parse(ofLine.out)).toMatchObject(JSON.parse(ofCode.out));
    // Both write random identifiers and keys where a document is encrypted.
    const made = files(byCode);
    if (row === 'encrypt') expect(Object.keys(made)).toEqual(Object.keys(files(byLine)));
    else expect(made).toEqual(files(byLine));
  });

  it('and those that only a service runs are few', () => {
    expect(EXAMPLES.filter(({ row, line }) => isOfService(row, line))).toHaveLength(4);
    expect(EXAMPLES.length).toBeGreaterThan(70);
  });
});
