// The built program against a scripted service: money, exit codes, keys, configuration, doctor, raw calls. Real sockets.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { afterEach, describe, expect, it } from 'vitest';
import { startConnectProxy } from '../faults/connect-proxy.ts';
import {
  ACCOUNT_PATH,
  type Act,
  accountWith,
  answer,
  cut,
  ERROR_RECORD,
  half,
  html,
  record,
  type ScriptedServer,
  startServer,
} from '../faults/scripted-server.ts';
import { startTlsServer } from '../faults/tls-server.ts';
import { CLEAN, folder, PROGRAM, pdftool } from './pdftool.ts';

const KEY = 'sk_live_0123456789abcdefWXYZ';
const PDF = { 'content-type': 'application/pdf' };
const MERGE = 'POST /api/v1/merge';
const merged = answer(200, '%PDF-1.7 merged %%EOF', { ...PDF, 'x-credits-used': '1', 'x-credits-remaining': '19' });

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function setUp(script: Record<string, readonly Act[]> = {}) {
  server = await startServer({ [ACCOUNT_PATH]: [accountWith(20)], ...script });
  const here = folder();
  mkdirSync(here.at('work'));
  const work = here.at('work');
  for (const name of ['a.pdf', 'b.pdf']) writeFileSync(`${work}/${name}`, '%PDF-1.4 x');
  const env: Record<string, string> = { ...CLEAN, XDG_CONFIG_HOME: here.at('config') };
  const remote = { ...env, PDFTOOL_API_KEY: KEY, PDFTOOL_BASE_URL: server.url };
  const run = (args: readonly string[], more: Record<string, string> = remote) =>
    pdftool(args, { cwd: work, env: more });
  return { here, work, env, remote, run, server };
}

const SHORT = half('%PDF-1.7 merged', PDF);

describe('a run on the service', () => {
  it('writes the file, tells the credits, and shows no key in --debug', async () => {
    const { here, run } = await setUp({ [MERGE]: [merged] });
    using _ = here;
    const done = await run(['merge', 'a.pdf', 'b.pdf', '--json', '--debug']);
    expect(done.exitCode).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({
      ok: true,
      engine: 'remote',
      output: { path: 'merged.pdf', bytes: 21 },
      credits: { used: 1, remaining: 19 },
    });
    expect(done.stderr).toContain('POST http://127.0.0.1');
    expect(done.stderr).toContain('Bearer sk_live_…WXYZ');
    expect(done.stdout + done.stderr).not.toContain('0123456789');
  });

  it.each<[string, Act, number, RegExp]>([
    [
      'a body shorter than its length',
      SHORT,
      21,
      /broke off.*may have been charged \(charged: unknown, credits before: 20, after: 20\)/,
    ],
    ['a connection that is cut', cut, 21, /may have been charged/],
    ['500', answer(500, ERROR_RECORD('oops')), 21, /oops \(HTTP 500\); it may have been charged/],
    ["a proxy's page", html(502), 21, /a page titled 'Gateway trouble'/],
    ['400', answer(400, ERROR_RECORD('bad')), 6, /merge: bad \(HTTP 400\)/],
    ['402', answer(402, ERROR_RECORD('no credits')), 5, /no credits/],
    ['403', answer(403, ERROR_RECORD('not you')), 4, /not you/],
    ['422', answer(422, ERROR_RECORD('odd')), 6, /odd/],
  ])('%s: exit code, one request, no file', async (_what, act, exit, message) => {
    const { here, run, work, server: seen } = await setUp({ [MERGE]: [act] });
    using _ = here;
    const done = await run(['merge', 'a.pdf', 'b.pdf']);
    expect([done.exitCode, done.stdout]).toEqual([exit, '']);
    expect(done.stderr).toMatch(message);
    expect(done.stderr).not.toContain('\u001b');
    const kept = act === SHORT ? ['merged.pdf.incomplete'] : [];
    expect(readdirSync(work).sort()).toEqual(['a.pdf', 'b.pdf', ...kept]);
    if (act === SHORT) expect(done.stderr).toContain('What came of it is kept in merged.pdf.incomplete.');
    expect(seen.count(MERGE)).toBe(1);
  });

  it('a failure with --json keeps what the service says under _meta', async () => {
    const { here, run } = await setUp({ [MERGE]: [answer(413, ERROR_RECORD('too big', { support: 'x', new: [1] }))] });
    using _ = here;
    const done = await run(['merge', 'a.pdf', 'b.pdf', '--json']);
    expect(JSON.parse(done.stdout)).toMatchObject({
      ok: false,
      error: { code: 'too_large', charged: 'no', status: 413 },
      _meta: { support: 'x', new: [1] },
    });
  });

  it('split gives a folder of pages, or the archive as it came', async () => {
    const program =
      "import io,sys,zipfile\nz=io.BytesIO()\nwith zipfile.ZipFile(z,'w') as f:\n  for n in (1,2): f.writestr('page-%03d.pdf'%n,'%%PDF-1.4 %d'%n)\nsys.stdout.buffer.write(z.getvalue())";
    const zip = execFileSync('python3', ['-c', program]);
    const { here, run, work } = await setUp({
      'POST /api/v1/split': [answer(200, zip, { 'content-type': 'application/zip' })],
    });
    using _ = here;
    expect((await run(['split', 'a.pdf'])).exitCode).toBe(0);
    expect(readdirSync(`${work}/a-pages`)).toEqual(['page-001.pdf', 'page-002.pdf']);
    expect(readFileSync(`${work}/a-pages/page-002.pdf`, 'utf8')).toBe('%PDF-1.4 2');
    expect((await run(['split', 'a.pdf', '-o', 'x.zip'])).exitCode).toBe(0);
    expect(readFileSync(`${work}/x.zip`)).toEqual(zip);
  });

  it('text goes to standard output, with the service asked for Markdown', async () => {
    const {
      here,
      run,
      server: seen,
    } = await setUp({
      'POST /api/v1/pdf-structured-markdown': [answer(200, '# Hello\n', { 'content-type': 'text/markdown' })],
      'POST /api/v1/extract-text': [record({ ok: true, text: 'Hello', page_count: 1 })],
    });
    using _ = here;
    expect((await run(['markdown', 'a.pdf'])).stdout).toBe('# Hello\n');
    expect(seen.seen.at(-1)?.body).toContain('name="output_format"\r\n\r\nmarkdown\r\n');
    expect((await run(['extract-text', 'a.pdf'])).stdout).toBe('Hello\n');
  });

  it('--plan and --max-credits send nothing', async () => {
    const { here, run, server: seen } = await setUp({ [MERGE]: [merged] });
    using _ = here;
    const plan = await run(['merge', 'a.pdf', 'b.pdf', '--plan', '--json']);
    expect(plan.exitCode).toBe(0);
    expect(JSON.parse(plan.stdout).plan).toMatchObject({ price: { credits: 1 }, request: { path: '/api/v1/merge' } });
    expect((await run(['merge', 'a.pdf', 'b.pdf', '--max-credits', '0'])).exitCode).toBe(5);
    expect(seen.seen).toEqual([]);
  });

  it('an existing output is refused before anything is sent', async () => {
    const { here, run, work, server: seen } = await setUp({ [MERGE]: [merged] });
    using _ = here;
    writeFileSync(`${work}/merged.pdf`, 'mine');
    expect((await run(['merge', 'a.pdf', 'b.pdf'])).exitCode).toBe(10);
    expect(seen.seen).toEqual([]);
    expect(readFileSync(`${work}/merged.pdf`, 'utf8')).toBe('mine');
  });

  it('Ctrl-C while uploading: 130, one line that says what it may have cost, nothing left behind', async () => {
    const { here, remote, work } = await setUp({ [MERGE]: [() => {}] });
    using _ = here;
    const child = spawn(process.execPath, [PROGRAM, 'merge', 'a.pdf', 'b.pdf'], {
      cwd: work,
      env: remote,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (text) => (said += String(text)));
    while (server?.count(MERGE) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(130);
    expect(said).toMatch(
      /error: merge: interrupted after \d+ bytes were sent; it may have been charged \(charged: unknown\)\n/,
    );
    expect(readdirSync(work).sort()).toEqual(['a.pdf', 'b.pdf']);
  });
});

describe('bad input: nothing is sent', () => {
  it.each<[string, readonly string[], number, RegExp, Record<string, string>?]>([
    ['a missing file', ['compress', 'no.pdf', '--remote'], 6, /no\.pdf/],
    [
      'a folder without a PDF',
      ['compress', 'none', '--remote'],
      6,
      /none is a folder, expected a file, or a folder with a PDF/,
    ],
    ['an empty file', ['compress', 'empty.pdf', '--remote'], 6, /empty/],
    ['text named .pdf', ['compress', 'text.pdf', '--remote'], 6, /expected a PDF file, found text/],
    ['a malformed key', ['account'], 4, /malformed/, { PDFTOOL_API_KEY: 'key-123' }],
    ['a base URL without scheme', ['account'], 2, /needs a scheme/, { PDFTOOL_BASE_URL: 'api.example.com' }],
    ['plain http off this machine', ['account'], 2, /plain http/, { PDFTOOL_BASE_URL: 'http://api.example.com' }],
    ['a CA file that is not there', ['account', '--ca-cert', 'no.pem'], 6, /no\.pem/],
    ['a project file with a key', ['account'], 2, /api_key, which a project file may not/],
  ])('%s', async (what, args, exit, message, more = {}) => {
    const { here, remote, run, work, server: seen } = await setUp();
    using _ = here;
    writeFileSync(`${work}/empty.pdf`, '');
    writeFileSync(`${work}/text.pdf`, 'Dear diary');
    mkdirSync(`${work}/none`);
    if (what.includes('project')) writeFileSync(`${work}/.pdftool.json`, '{"api_key": "sk_live_x"}');
    const done = await run(args, { ...remote, ...more });
    expect([done.exitCode, done.stderr]).toEqual([exit, expect.stringMatching(message)]);
    expect(done.stderr).not.toContain('key-123');
    expect(seen.seen).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('an unreadable file', async () => {
    const { here, run, work } = await setUp();
    using _ = here;
    chmodSync(`${work}/a.pdf`, 0);
    expect((await run(['compress', 'a.pdf', '--remote'])).exitCode).toBe(6);
  });
});

describe('the way there', () => {
  it('an authority of NODE_EXTRA_CA_CERTS is trusted, alone and beside --ca-cert', async () => {
    const { here, run, remote } = await setUp();
    using _ = here;
    const tls = await startTlsServer();
    const other = await startTlsServer();
    const env = { ...remote, PDFTOOL_BASE_URL: `https://localhost:${tls.port}` };
    const extra = { ...env, NODE_EXTRA_CA_CERTS: tls.caFile };
    expect((await run(['account'], extra)).exitCode).toBe(0);
    expect((await run(['account', '--ca-cert', other.caFile], extra)).exitCode).toBe(0);
    expect((await run(['account', '--ca-cert', tls.caFile], env)).exitCode).toBe(0);
    tls.close();
    other.close();
  });

  it('HTTPS_PROXY is used, NO_PROXY obeyed, and the proxy sees no key', async () => {
    const { here, run, remote } = await setUp();
    using _ = here;
    const tls = await startTlsServer();
    const proxy = await startConnectProxy(tls.port);
    const env = {
      ...remote,
      PDFTOOL_BASE_URL: 'https://service.test',
      HTTPS_PROXY: `http://user:pw@127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: tls.caFile,
    };
    expect(await run(['account', '--json'], env)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(tls.seen.authorization).toBe(`Bearer ${KEY}`);
    expect(proxy.heads.join()).toMatch(/^CONNECT service\.test:443 /);
    expect(proxy.heads.join()).not.toContain('0123456789');
    const past = await run(['account', '--timeout', '300ms'], { ...env, NO_PROXY: 'service.test' });
    expect([past.exitCode, proxy.heads.length]).toEqual([20, 1]);
    tls.close();
    proxy.close();
  });

  it('the project file may set a budget, which a flag overrules', async () => {
    const { here, run, work, server: seen } = await setUp({ [MERGE]: [merged] });
    using _ = here;
    writeFileSync(`${work}/.pdftool.json`, '{"max_credits": 0}');
    expect((await run(['merge', 'a.pdf', 'b.pdf'])).exitCode).toBe(5);
    expect(seen.seen).toEqual([]);
    expect((await run(['merge', 'a.pdf', 'b.pdf', '--max-credits', '1'])).exitCode).toBe(0);
    for (const text of ['{"ca_cert": "x.pem"}', '{"max_credits": "many"}', '{"engine": 5}']) {
      writeFileSync(`${work}/.pdftool.json`, text);
      expect((await run(['account'])).exitCode).toBe(2);
    }
  });
});

describe('auth and config', () => {
  it('login checks the key, stores it privately, and the next run is on the service; logout forgets it', async () => {
    const { here, env, work, run, server: seen } = await setUp({ [MERGE]: [merged] });
    using _ = here;
    const login = await execa(process.execPath, [PROGRAM, 'auth', 'login', '--with-token', '--base-url', seen.url], {
      cwd: work,
      env,
      extendEnv: false,
      input: `${KEY}\n`,
    });
    expect(login.stdout + login.stderr).not.toContain('0123456789');
    const keys = here.at('config/pdftool/keys.json');
    expect([statSync(keys).mode & 0o777, JSON.parse(readFileSync(keys, 'utf8')).default]).toEqual([0o600, KEY]);
    expect(seen.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);

    const status = await run(['auth', 'status', '--json'], env);
    expect(JSON.parse(status.stdout)).toMatchObject({
      ok: true,
      key: 'sk_live_…WXYZ',
      kind: 'live',
      profile: 'default',
      base_url: seen.url,
      credits_remaining: 20,
    });
    expect((await run(['merge', 'a.pdf', 'b.pdf'], env)).exitCode).toBe(0);
    expect(seen.count(MERGE)).toBe(1);
    expect((await run(['auth', 'logout'], env)).exitCode).toBe(0);
    expect(readFileSync(keys, 'utf8')).not.toContain(KEY);
    expect((await run(['auth', 'status'], env)).exitCode).toBe(4);
  });

  it('a key that the service refuses is not stored', async () => {
    const {
      here,
      env,
      work,
      server: seen,
    } = await setUp({ [ACCOUNT_PATH]: [answer(401, ERROR_RECORD('unknown key'))] });
    using _ = here;
    const options = { cwd: work, env, extendEnv: false, input: KEY, reject: false } as const;
    const login = await execa(
      process.execPath,
      [PROGRAM, 'auth', 'login', '--with-token', '--base-url', seen.url],
      options,
    );
    expect([login.exitCode, login.stderr]).toEqual([4, expect.stringContaining('unknown key')]);
    expect(here.list()).toEqual(['work']);
  });

  it('login without a terminal says how to pipe the key; no flag takes one', async () => {
    const { here, run, remote } = await setUp();
    using _ = here;
    const done = await run(['auth', 'login', '--no-verify'], remote);
    expect([done.exitCode, done.stderr]).toEqual([2, expect.stringContaining('--with-token')]);
    expect((await run(['auth', 'login', KEY])).exitCode).toBe(2);
  });

  it('config round trip, profiles, and the order of settings', async () => {
    const { here, env, run } = await setUp();
    using _ = here;
    expect((await run(['config', 'path'], env)).stdout).toBe(`${here.at('config/pdftool/config.json')}\n`);
    expect((await run(['config', 'set', 'base_url', 'https://a.example'], env)).exitCode).toBe(0);
    expect((await run(['config', 'set', 'base_url', 'https://b.example', '--profile', 'work'], env)).exitCode).toBe(0);
    expect((await run(['config', 'get', 'base_url', '--profile', 'work'], env)).stdout).toBe('https://b.example\n');
    expect((await run(['config', 'list'], env)).stdout).toBe(
      'profiles.default.base_url=https://a.example\nprofiles.work.base_url=https://b.example\n',
    );
    expect((await run(['config', 'unset', 'base_url'], env)).exitCode).toBe(0);
    expect((await run(['config', 'get', 'base_url'], env)).exitCode).toBe(6);
    for (const [key, value] of [
      ['base_url', 'api.example'],
      ['base_url', 'http://api.example'],
      ['engine', 'cloud'],
      ['api_key', KEY],
    ] as const) {
      const refused = await run(['config', 'set', key, value], env);
      expect(refused.exitCode).toBe(2);
      expect(refused.stderr).not.toContain('0123456789');
    }
  });

  it('a damaged configuration: a clear message, untouched; help and doctor work with it', async () => {
    const { here, env, run } = await setUp();
    using _ = here;
    mkdirSync(here.at('config/pdftool'), { recursive: true });
    writeFileSync(here.at('config/pdftool/config.json'), '{ oops');
    const done = await run(['account'], env);
    expect([done.exitCode, done.stderr]).toEqual([2, expect.stringMatching(/config\.json is damaged/)]);
    expect((await run(['config', 'set', 'engine', 'local'], env)).exitCode).toBe(2);
    expect(readFileSync(here.at('config/pdftool/config.json'), 'utf8')).toBe('{ oops');
    expect((await run(['--help'], env)).exitCode).toBe(0);
    const doctor = await run(['doctor', '--json'], env);
    expect(doctor.exitCode).toBe(0);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: false });
    expect(doctor.stdout).toContain('config.json is damaged');
  });
});

describe('doctor', () => {
  it('asks the service only with --online, and shows no key', async () => {
    const { here, run, server: seen } = await setUp();
    using _ = here;
    const offline = await run(['doctor', '--json']);
    expect(seen.seen).toEqual([]);
    expect(JSON.parse(offline.stdout)).toMatchObject({ ok: true });
    expect(offline.stdout).toContain('sk_live_…WXYZ (live), from PDFTOOL_API_KEY');
    const online = await run(['doctor', '--online']);
    expect(online.stdout).toContain('answers; 20 credits left');
    expect(online.stdout).not.toContain('0123456789');
  });
});

describe('api', () => {
  it('sends forms and bodies, prints the answer, and never repeats what may be charged', async () => {
    const {
      here,
      run,
      work,
      server: seen,
    } = await setUp({
      [MERGE]: [merged],
      'POST /api/v1/new': [cut],
      'POST /api/v1/workflow-jobs': [record({ jobId: 'w1' })],
    });
    using _ = here;
    const account = await run(['api', 'GET', '/api/v1/account']);
    expect(JSON.parse(account.stdout)).toMatchObject({ credits_remaining: 20 });
    const form = await run([
      'api',
      'post',
      '/api/v1/merge',
      '-F',
      'file=@a.pdf',
      '-F',
      'file=@b.pdf',
      '-f',
      'note=@x',
      '-o',
      'out.pdf',
    ]);
    expect([form.exitCode, form.stdout]).toEqual([0, 'out.pdf\n']);
    const { body = '' } = seen.seen.find(({ path }) => path.endsWith('merge')) ?? {};
    expect(body).toMatch(
      /name="file"; filename="a\.pdf"\r\nContent-Type: application\/pdf[\s\S]*filename="b\.pdf"[\s\S]*name="note"\r\n\r\n@x\r\n/,
    );
    writeFileSync(`${work}/body.json`, '{"workflow":"x"}');
    const json = await run(['api', 'POST', '/api/v1/workflow-jobs', '--input', 'body.json']);
    expect(JSON.parse(json.stdout)).toEqual({ jobId: 'w1' });
    expect(seen.seen.at(-1)).toMatchObject({
      body: '{"workflow":"x"}',
      headers: { 'content-type': 'application/json' },
    });
    const unknown = await run(['api', 'POST', '/api/v1/new', '-f', 'a=b']);
    expect([unknown.exitCode, seen.count('POST /api/v1/new')]).toEqual([21, 1]);
  });

  it.each<[readonly string[], number]>([
    [['api', 'GET', 'https://evil.example/x'], 2],
    [['api', 'GET', '//evil.example/x'], 2],
    [['api', 'GET', '/api/../x'], 2],
    [['api', 'GET', '@evil.example'], 2],
    [['api', 'GET', '/api/v1/account', '-f', 'a=b'], 2],
    [['api', 'POST', '/api/v1/merge', '-F', 'file=@no.pdf'], 6],
    [['api', 'POST', '/api/v1/merge', '--max-credits', '0'], 5],
    [['api', 'POST', '/api/v1/unknown', '--max-credits', '9'], 5],
  ])('%j is refused, and nothing is sent', async (args, exit) => {
    const { here, run, server: seen } = await setUp();
    using _ = here;
    const done = await run(args);
    expect([done.exitCode, seen.seen]).toEqual([exit, []]);
  });
});

describe('auth login at a terminal', () => {
  // python's pty module types at a terminal of its own.
  const TYPE = `
import os, pty, select, sys, time
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
drawn = b''
typed = False
while True:
    ready, _, _ = select.select([fd], [], [], 20)
    if not ready: break
    try: data = os.read(fd, 4096)
    except OSError: break
    if not data: break
    drawn += data
    if not typed and b'not shown' in drawn:
        typed = True
        time.sleep(0.2)
        os.write(fd, sys.argv[1].encode().decode('unicode_escape').encode())
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(drawn)
sys.exit(os.waitstatus_to_exitcode(status))`;

  it.each([
    ['a key, corrected with backspace', `${KEY}zz\\x7f\\x7f\\r`, 0],
    ['Ctrl-C', 'sk_live_\\x03', 130],
  ])('%s: it is never drawn', async (_what, typed, exit) => {
    const { here, env, work } = await setUp();
    using _ = here;
    const run = await execa('python3', ['-c', TYPE, typed, process.execPath, PROGRAM, 'auth', 'login', '--no-verify'], {
      cwd: work,
      env,
      extendEnv: false,
      reject: false,
    });
    expect([run.exitCode, run.stdout]).toEqual([exit, expect.stringContaining('not shown')]);
    expect(run.stdout).not.toContain('0123456789');
    const stored = here.list().includes('config') ? readFileSync(here.at('config/pdftool/keys.json'), 'utf8') : '{}';
    expect(JSON.parse(stored)).toEqual(exit === 0 ? { default: KEY } : {});
  });
});
