// Adding an operation: a row, its handler and its example, and nothing else by hand. Two rows are added to a copy of the
// program, which is built and run: one for this machine alone, one that is an extension of `pdftool serve`.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN, type Folder, folder } from '../../e2e/pdftool.ts';
import { type Rig, startRig } from '../../serve/rig.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const LOREM = join(ROOT, 'test/fixtures/lorem-ipsum.pdf');
/** Spaces are part of it, and no part of it may be found anywhere but in memory. */
const WORD = '  correct horse battery staple ';
const CODES = [...WORD].map((letter) => letter.codePointAt(0));

let copy: Folder;
let own: { process: ChildProcess; url: string; key: string };
let plain: Rig;

beforeAll(async () => {
  copy = folder();
  cpSync(join(ROOT, 'src'), copy.at('src'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), copy.at('node_modules'));
  writeFileSync(copy.at('package.json'), '{"type":"module"}');
  writeFileSync(
    copy.at('pdftool.js'),
    "import { main } from './dist/main.js';\nprocess.exitCode = await main(process.argv.slice(2), () => '0.0.0');\n",
  );
  addRows();
  await build({
    entryPoints: [copy.at('src/cli/main.ts')],
    outdir: copy.at('dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'silent',
  });
  writeFileSync(copy.at('word.txt'), `${WORD}\nsecond line\n`);
  mkdirSync(copy.at('state'));
  plain = await startRig();
  own = await startServer();
}, 120_000);

afterAll(async () => {
  await plain?.close();
  own?.process.kill();
  copy?.[Symbol.dispose]();
});

/** The three places, and the two lists that name them. */
function addRows(): void {
  const from = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
  const edit = (path: string, before: string, after: string) => {
    const text = readFileSync(copy.at(path), 'utf8');
    if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
    writeFileSync(copy.at(path), text.replace(before, after));
  };
  writeFileSync(copy.at('src/contract/operations/new.ts'), from('rows.ts').replaceAll('../../../src/contract/', '../'));
  edit('src/contract/operations/all.ts', 'import {', "import { seal, sealThere } from './new.ts';\nimport {");
  edit('src/contract/operations/all.ts', '\n  openapi,\n]', '\n  openapi,\n  seal,\n  sealThere,\n]');
  writeFileSync(
    copy.at('src/local/new.ts'),
    from('handler.ts')
      .replaceAll('../../../src/contract/', '../contract/')
      .replaceAll('./rows.ts', '../contract/operations/new.ts'),
  );
  edit(
    'src/local/engine.ts',
    "  openapi: () => import('./openapi.ts'),",
    "  openapi: () => import('./openapi.ts'),\n  seal: () => import('./new.ts'),\n  'seal-there': () => import('./new.ts'),",
  );
  edit(
    'src/cli/examples.ts',
    '  merge: [',
    "  seal: ['pdftool seal report.pdf --seal-word-file word.txt'],\n  merge: [",
  );
}

async function startServer(): Promise<typeof own> {
  const args = [copy.at('pdftool.js'), 'serve', '--port', '0', '--data', copy.at('data'), '--json'];
  const child = spawn(process.execPath, args, { env: CLEAN, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  child.stderr.on('data', (chunk) => lines.push(String(chunk)));
  child.once('close', () => writeFileSync(join(copy.path, 'server.log'), lines.join('')));
  for await (const line of createInterface(child.stdout)) {
    const { url, api_key_file: file } = JSON.parse(line);
    return { process: child, url, key: readFileSync(file, 'utf8').trim() };
  }
  throw new Error(`the server did not start: ${lines.join('')}`);
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
}

async function run(args: readonly string[], { env = {}, cwd }: Options) {
  const made = await execa(process.execPath, [copy.at('pdftool.js'), ...args], {
    cwd,
    env: { ...CLEAN, PDFTOOL_STATE_DIR: copy.at('state'), ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  // Wherever a run may say something: never the secret, nor most of it.
  for (const said of [made.stdout, made.stderr]) expect(said).not.toMatch(/horse/);
  return made;
}

const remote = ({ url, key }: { url: string; key: string }) => ({ PDFTOOL_BASE_URL: url, PDFTOOL_API_KEY: key });
const GIVEN = ['--seal-word-file'];

function sealIn(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(path, 'seal.json'), 'utf8'));
}

/** Every file below a folder that holds the secret. */
function holding(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile() && readFileSync(name).includes('horse'));
}

describe('a row for this machine alone', () => {
  it('is a command with help, completion and an example, in a group of its own', async () => {
    using here = folder();
    const help = await run(['seal', '--help'], { cwd: here.path });
    expect(help.stdout).toMatch(/--seal-word-file <file>/);
    expect(help.stdout.replace(/\s+/g, ' ')).toContain('the first line of this file, or PDFTOOL_SEAL_WORD');
    expect(help.stdout).toContain('Only on this machine.');
    expect(help.stdout).toContain('pdftool seal report.pdf --seal-word-file word.txt');
    const all = (await run(['--help'], { cwd: here.path })).stdout;
    expect(all).toMatch(/Edit:\n(?: {2,}\S.*\n)* +seal +Seal a PDF with a word/);
    expect((await run(['completion', 'bash'], { cwd: here.path })).stdout).toContain('seal-there');
    expect((await run(['help', 'engines'], { cwd: here.path })).stdout).toMatch(/Only on this machine:\n[^:]*\bseal\b/);
    expect((await run(['help', 'environment'], { cwd: here.path })).stdout).toContain('PDFTOOL_SEAL_WORD');
  });

  it('runs with a secret of a file, writes parts with names of their own, and says nothing of the secret', async () => {
    using here = folder();
    const args = ['seal', LOREM, ...GIVEN, copy.at('word.txt'), '--local', '--json', '--debug', '-v', '-o', 'out'];
    const made = await run(args, { cwd: here.path });
    expect([made.exitCode, made.stderr]).toEqual([0, expect.any(String)]);
    expect(readdirSync(here.at('out')).sort()).toEqual(['seal of page 1.png', 'seal.json']);
    expect(sealIn(here.at('out'))).toEqual({ codes: CODES, loud: false, size: statSync(LOREM).size });
  });

  it('takes the secret from the environment, and for several files at once', async () => {
    using here = folder();
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) cpSync(LOREM, here.at(name));
    const args = ['seal', 'a.pdf', 'b.pdf', 'c.pdf', '--local', '--out-dir', 'out', '-j', '2'];
    writeFileSync(here.at('second.txt'), 'horses');
    const more = ['--second-word-file', 'second.txt'];
    const made = await run([...args, ...more], { cwd: here.path, env: { PDFTOOL_SEAL_WORD: WORD } });
    expect([made.exitCode, made.stderr]).toEqual([0, expect.any(String)]);
    for (const name of ['a', 'b', 'c']) {
      expect(sealIn(here.at(`out/${name}-sealed`))).toMatchObject({ codes: CODES, second: 6 });
    }
  });

  it('takes no secret on the line, and says where it is looked for', async () => {
    using here = folder();
    const onLine = await run(['seal', LOREM, '--local', '--seal-word', 'x'], { cwd: here.path });
    expect([onLine.exitCode, onLine.stderr]).toEqual([2, expect.stringContaining("unknown option '--seal-word'")]);
    const none = await run(['seal', LOREM, '--local'], { cwd: here.path });
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toMatch(/seal needs --seal-word-file[\s\S]*PDFTOOL_SEAL_WORD/);
    const gone = await run(['seal', LOREM, '--local', ...GIVEN, 'gone.txt'], { cwd: here.path });
    expect([gone.exitCode, gone.stderr]).toEqual([6, expect.stringContaining('gone.txt')]);
    writeFileSync(here.at('empty.txt'), '\n');
    const empty = await run(['seal', LOREM, '--local', ...GIVEN, 'empty.txt'], { cwd: here.path });
    expect([empty.exitCode, empty.stderr]).toEqual([2, expect.stringMatching(/--seal-word-file: expected some text/)]);
    expect(here.list()).toEqual(['empty.txt']);
  });

  it('says in its plan that no service has it', async () => {
    using here = folder();
    const args = ['seal', LOREM, '--local', ...GIVEN, copy.at('word.txt'), '--plan'];
    expect((await run(args, { cwd: here.path })).stdout).toMatch(/no service has it: it runs on this machine alone/);
    const { plan } = JSON.parse((await run([...args, '--json'], { cwd: here.path })).stdout);
    expect(plan).toMatchObject({ engine: 'local', price: { credits: 0, why: expect.stringMatching(/this machine/) } });
  });

  it('is refused by name on the remote engine, and nothing is sent', async () => {
    using here = folder();
    const before = await plain.credits();
    const args = ['seal', LOREM, '--remote', ...GIVEN, copy.at('word.txt')];
    const made = await run(args, { cwd: here.path, env: remote(plain) });
    expect(made.exitCode).toBe(24);
    expect(made.stderr).toMatch(/seal cannot run on the remote engine: no service has it/);
    expect(made.stderr).toContain('pdftool seal --local');
    expect(await plain.credits()).toBe(before);
  });
});

describe('an extension of pdftool serve', () => {
  it('is described, marked and priced; what runs on one machine alone is left out', async () => {
    const ask = async (path: string) =>
      (await fetch(`${own.url}${path}`, { headers: { 'X-API-Key': own.key } })).json() as Promise<
        Record<string, unknown>
      >;
    const paths = (await ask('/openapi.json')).paths as Record<string, { post: object }>;
    expect(paths['/api/v1/seal-there']?.post).toMatchObject({ 'x-pdftool-extension': true, 'x-cost': { credits: 2 } });
    expect(JSON.stringify(paths['/api/v1/seal-there'])).toContain('"format":"password"');
    expect(Object.keys(paths).filter((path) => path.includes('seal'))).toEqual(['/api/v1/seal-there']);
    const { operations } = (await ask('/api/v1/capabilities')) as { operations: { name: string }[] };
    const listed = operations.filter(({ name }) => name.includes('seal'));
    expect(listed).toMatchObject([{ name: 'seal-there', available: true, 'x-pdftool-extension': true }]);
  });

  it('runs there for its price; the secret arrives, and stays in no journal, log or folder', async () => {
    using here = folder();
    const args = ['seal-there', LOREM, '--remote', ...GIVEN, copy.at('word.txt'), '--loud', '-o', 'out'];
    const plan = await run([...args, '--plan', '--json'], { cwd: here.path, env: remote(own) });
    expect(JSON.parse(plan.stdout).plan).toMatchObject({ request: { fields: { loud: true } }, price: { credits: 2 } });
    const made = await run([...args, '--json', '--debug'], { cwd: here.path, env: remote(own) });
    expect([made.exitCode, made.stderr]).toEqual([0, expect.stringContaining('POST')]);
    expect(JSON.parse(made.stdout).credits).toEqual({ used: 2, remaining: 18 });
    expect(readdirSync(here.at('out')).sort()).toEqual(['seal of page 1.png', 'seal.json']);
    expect(sealIn(here.at('out'))).toMatchObject({ codes: CODES, loud: true });
    const entries = execFileSync('grep', ['-rl', 'seal-there', copy.at('state')], { encoding: 'utf8' });
    expect(entries).not.toBe('');
    const closed = new Promise((end) => own.process.once('close', end));
    own.process.kill();
    await closed;
    expect(readFileSync(copy.at('server.log'), 'utf8')).toContain('/api/v1/seal-there');
    for (const place of ['state', 'data']) expect(holding(copy.at(place))).toEqual([]);
    expect(readFileSync(copy.at('server.log'), 'utf8')).not.toContain('horse');
  });

  it('that a service does not offer is said in one sentence, and costs nothing', async () => {
    using here = folder();
    const before = await plain.credits();
    const args = ['seal-there', LOREM, '--remote', ...GIVEN, copy.at('word.txt'), '-o', 'out', '--json'];
    const made = await run(args, { cwd: here.path, env: remote(plain) });
    expect(made.exitCode).toBe(24);
    const { error } = JSON.parse(made.stdout);
    expect(error).toMatchObject({ code: 'unavailable', charged: 'no', status: 404 });
    expect(error.message).toBe('this service does not offer seal-there, which is an extension of pdftool serve');
    expect(error.hint).toBe('Run it on this machine: pdftool seal-there --local');
    expect(await plain.credits()).toBe(before);
    expect(here.list()).toEqual([]);
  });
});
