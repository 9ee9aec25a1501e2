// Runs examples of docs/commands, as lines and as code. All code runs in one process, which saves a start for each.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { inOrder } from '../../src/local/pictures/in-order.ts';
import { authority } from '../sign/authority.ts';
import { type DocsExample, fillFolder, type Library, project, ROOT } from './project.ts';

/** The verdict is the exit code: 1 or 3 where a document is not the same, not trusted or not what it claims to be. */
const VERDICTS = ['compare', 'verify', 'check'];
/** Outputs with random keys, identifiers or times. */
const NEVER_THE_SAME = ['encrypt', 'sign', 'timestamp'];
const TIMEOUT = 600_000;

export interface Outcome {
  /** The error of the command line; empty where it succeeded. */
  readonly line: string;
  readonly code: string;
  /** Printed text and new files by name: of the command line, then of the code. */
  readonly byLine: Readonly<Record<string, unknown>>;
  readonly byCode: Readonly<Record<string, unknown>>;
}

type Told = { readonly record?: unknown; readonly error?: string };

/** The outcome of each, in order. */
export async function runExamples(examples: readonly DocsExample[]): Promise<Outcome[]> {
  const home = project();
  const given = join(home, 'given');
  mkdirSync(given);
  await fillFolder(given, (await import(join(ROOT, 'dist/library.mjs'))) as Library);
  const stamps = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    response.end(await authority('tsa')('', { type: 'application/timestamp-query', body }));
  }).listen(0, '127.0.0.1');
  await once(stamps, 'listening');
  const tsa = `http://127.0.0.1:${(stamps.address() as AddressInfo).port}`;
  const here = (text: string) => text.replace('http://tsa.example.org', tsa);
  try {
    const codeFolders = examples.map((example) => folderFor(example, home, given));
    const [told, lines] = await Promise.all([
      runCodes(
        home,
        codeFolders,
        examples.map(({ code }) => here(code)),
      ),
      runLines(home, given, examples, here),
    ]);
    return examples.map(({ row }, at) => {
      const { record, error = '' } = told[at] ?? { error: 'it did not end' };
      const line = lines[at];
      if (line === undefined) throw new TypeError('a line was not run');
      const made = newFiles(codeFolders[at] ?? '', given, row);
      return { line: line.error, code: error, byLine: line.made, byCode: { ...made, ...(record ? { record } : {}) } };
    });
  } finally {
    stamps.close();
  }
}

/** A folder with all files that examples name, but for those that this one makes. */
function folderFor({ row, line }: DocsExample, home: string, given: string): string {
  const folder = mkdtempSync(join(home, 'run-'));
  cpSync(given, folder, { recursive: true });
  if (/^attach-(?!add)/.test(row)) cpSync(join(given, 'attached.pdf'), join(folder, 'report.pdf'));
  if (row === 'ocr') cpSync(join(given, 'picture.pdf'), join(folder, 'scan.pdf'));
  if (row === 'check') cpSync(join(given, 'conforming.pdf'), join(folder, 'report.pdf'));
  const [, output] = /(?: -o|--html| >) (\S+)/.exec(line) ?? [];
  if (output !== undefined) rmSync(join(folder, output), { force: true });
  return folder;
}

/** Parts go to a folder by line, and to the current folder by code. */
function newFiles(folder: string, given: string, row: string): Record<string, unknown> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile() && path !== 'example.mjs')
    .map((path) => ({ path, content: readFileSync(join(folder, path)).toString('base64') }));
  const old = new Set(readdirSync(given));
  const isOld = (name: string, content: string) => old.has(name) && content === base64(join(given, name));
  const made = files.filter(({ path, content }) => !isOld(basename(path), content));
  return Object.fromEntries(
    made.map(({ path, content }) => {
      const isRecord = path.endsWith('.json') && JSON.parse(Buffer.from(content, 'base64').toString());
      return [basename(path), NEVER_THE_SAME.includes(row) ? 'a file' : isRecord || content];
    }),
  );
}

const base64 = (path: string) => readFileSync(path).toString('base64');

/** Whether an example shows a record, and writes it to no file. */
const isPrinted = (code: string) => code.includes('const record') && !code.includes('writeFile(');

async function runCodes(home: string, folders: readonly string[], codes: readonly string[]): Promise<Told[]> {
  for (const [at, code] of codes.entries()) {
    const printed = isPrinted(code) ? '\nglobalThis.record = record;' : '';
    writeFileSync(join(folders[at] ?? '', 'example.mjs'), `${code}${printed}\n`);
  }
  const program = `
    for (const folder of ${JSON.stringify(folders)}) {
      process.chdir(folder);
      globalThis.record = undefined;
      const error = await import(folder + '/example.mjs').then(() => undefined, (reason) => String(reason.stack));
      console.log(JSON.stringify({ record: globalThis.record, error }));
    }`;
  writeFileSync(join(home, 'all.mjs'), program);
  const { out, said } = await run(home, process.execPath, [join(home, 'all.mjs')]);
  if (said !== '') throw new Error(`the library wrote to standard error: ${said}`);
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function runLines(home: string, given: string, examples: readonly DocsExample[], here: (text: string) => string) {
  const program = `"${process.execPath}" "${join(ROOT, 'bin/pdftool.js')}"`;
  const runLine = async (example: DocsExample) => {
    const { row, line, code } = example;
    const folder = folderFor(example, home, given);
    const isRecord = isPrinted(code);
    // A pager shows what the code returns.
    const words = here(line.replace(/ \| .*/, '').replace(/^pdftool/, program));
    const json = isRecord && !line.includes('--json') ? ' --json' : '';
    const { code: status, out, said } = await run(home, '/bin/sh', ['-c', `${words}${json}`], folder);
    const isWell = status === 0 || (VERDICTS.includes(row) && (status === 1 || status === 3));
    const made = newFiles(folder, given, row);
    return {
      error: isWell ? '' : said || `exit code ${status}`,
      made: { ...made, ...(isRecord && isWell ? { record: JSON.parse(out) } : {}) },
    };
  };
  const done: { error: string; made: Record<string, unknown> }[] = [];
  for await (const [, made] of inOrder(examples, 2, runLine)) done.push(made);
  return done;
}

function run(home: string, command: string, args: readonly string[], cwd = home) {
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, PDFTOOL_ENGINE: 'local', LANG: 'C.UTF-8' };
  return new Promise<{ code: number; out: string; said: string }>((resolve) => {
    execFile(command, args, { cwd, env, timeout: TIMEOUT, maxBuffer: 1 << 28 }, (error, out, said) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, said }),
    );
  });
}
