// What a run loads: no HTTP client and no configuration library unless a remote call or a write to the configuration is made.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { ACCOUNT_PATH, accountWith, startServer } from '../faults/scripted-server.ts';
import { makePdf } from './make-pdf.ts';
import { CLEAN, folder, PROGRAM } from './pdftool.ts';

/** Text that only the bundled library holds. */
const MARKS = {
  undici: 'wasm_on_message_begin',
  conf: 'Config schema violation',
  yauzl: 'fromRandomAccessReader',
  hono: 'x-hono-already-sent',
  'prom-client': 'nodejs_eventloop_lag',
};

/** Runs the program and names the libraries whose code was loaded. */
async function loadedBy(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const hook = `${cwd}/hook.cjs`;
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync('${cwd}/loaded', Object.keys(require.cache).join('\\n')));`,
  );
  const run = await execa(process.execPath, ['-r', hook, PROGRAM, ...args], {
    cwd,
    env,
    extendEnv: false,
    reject: false,
  });
  const code = readFileSync(`${cwd}/loaded`, 'utf8')
    .split('\n')
    .map((path) => readFileSync(path, 'utf8'));
  const libraries = Object.entries(MARKS).flatMap(([name, mark]) =>
    code.some((text) => text.includes(mark)) ? [name] : [],
  );
  return { exitCode: run.exitCode, libraries };
}

it('merge --local loads neither an HTTP client nor a configuration library', async () => {
  using here = folder();
  makePdf(here.at('a.pdf'));
  const env = { ...CLEAN, PDFTOOL_API_KEY: 'sk_test_x', PDFTOOL_BASE_URL: 'https://api.example.com' };
  expect(await loadedBy(['merge', 'a.pdf', 'a.pdf', '--local'], here.path, env)).toEqual({
    exitCode: 0,
    libraries: [],
  });
});

it('keys of a server are listed without the server', async () => {
  using here = folder();
  const run = await loadedBy(['serve', 'keys', 'list', '--data', here.at('data')], here.path, CLEAN);
  expect(run).toEqual({ exitCode: 0, libraries: [] });
});

it('a remote call loads the client, a write to the configuration its library: the marks can be seen', async () => {
  using here = folder();
  const server = await startServer({ [ACCOUNT_PATH]: [accountWith(1)] });
  const env = {
    ...CLEAN,
    XDG_CONFIG_HOME: here.at('config'),
    PDFTOOL_API_KEY: 'sk_test_x',
    PDFTOOL_BASE_URL: server.url,
  };
  expect(await loadedBy(['account'], here.path, env)).toEqual({ exitCode: 0, libraries: ['undici'] });
  expect(await loadedBy(['config', 'set', 'engine', 'auto'], here.path, env)).toEqual({
    exitCode: 0,
    libraries: ['conf'],
  });
  await server.close();
});

it("takes V8's flags where it starts a thread: this file's fonts need pdf.js, which runs in one", async () => {
  const file = resolve(import.meta.dirname, '../fixtures/conformance/pdfua-2.pdf');
  const run = await execa(process.execPath, ['--max-old-space-size=2048', PROGRAM, 'extract-text', file, '-o', '-'], {
    env: CLEAN,
    extendEnv: false,
    reject: false,
  });
  expect([run.exitCode, run.stderr]).toEqual([0, '']);
});
