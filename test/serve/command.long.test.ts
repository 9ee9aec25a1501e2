// `pdftool serve` as a person runs it: the first key, keys and credits beside a running server, stops, refusals, the README's commands.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readServeSettings, settingShapes } from '../../src/serve/base/settings.ts';
import { CLEAN, folder, pdftool } from '../e2e/pdftool.ts';
import { command, killServers, remote, serve } from './program.ts';
import { FOR_METRICS, form, until } from './rig.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
afterEach(killServers);

describe('the first start', () => {
  it('makes a key in a file for its owner alone, and says how to use it: the output is no terminal', async () => {
    using here = folder();
    const first = await serve(here);
    const file = here.at('data/first-key');
    expect(first.said()).toContain(`export PDFTOOL_BASE_URL=${first.url} PDFTOOL_API_KEY_FILE=${file}`);
    expect([first.said().includes('sk_live'), statSync(file).mode & 0o777]).toEqual([false, 0o600]);
    const account = await pdftool(['account', '--json'], { env: remote(first, first.key) });
    expect(JSON.parse(account.stdout)).toMatchObject({ credits_remaining: 20, credits_lifetime_used: 0 });
    expect(statSync(here.at('data')).mode & 0o777).toBe(0o700);
    first.child.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    expect(first.log()).not.toContain(first.key);
    const second = await serve(here, ['--json']);
    const told = JSON.parse(second.said()) as Record<string, unknown>;
    expect(told).toEqual({ ok: true, url: second.url, data: here.at('data') });
    expect((await pdftool(['account'], { env: remote(second, first.key) })).exitCode).toBe(0);
  });
});

describe('memory', () => {
  it('of young objects stays small under load, with the thread of the database beside it', async () => {
    using here = folder();
    const { url } = await serve(here);
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let i = 0; i < 30; i += 1) await (await fetch(`${url}/metrics`, FOR_METRICS)).text();
      }),
    );
    const text = await (await fetch(`${url}/metrics`, FOR_METRICS)).text();
    const bytes = Number(/space_size_total_bytes\{space="new"\} (\d+)/.exec(text)?.[1]);
    expect(bytes).toBeGreaterThan(0);
    // 16 MB and more where V8 is left alone.
    expect(bytes).toBeLessThan(8e6);
  });
});

describe('--key-file', () => {
  it('lets a server begin that others reach, as the first command of a container', async () => {
    const here = folder();
    const { url, key, said } = await serve(here, ['--host', '0.0.0.0', '--key-file', here.at('key')]);
    expect([key, said().includes('sk_live')]).toEqual([undefined, false]);
    const made = readFileSync(here.at('key'), 'utf8').trim();
    const answer = await fetch(`${url}/api/v1/account`, { headers: { 'X-API-Key': made } });
    expect(answer.status).toBe(200);
  });

  it('gets the first key instead of the terminal, for its owner alone, and is never written over', async () => {
    using here = folder();
    const first = await serve(here, ['--key-file', here.at('key')]);
    const key = readFileSync(here.at('key'), 'utf8').trim();
    expect(key).toMatch(/^sk_live_[0-9a-f]{80}$/);
    expect(statSync(here.at('key')).mode & 0o777).toBe(0o600);
    expect(first.said()).not.toContain('sk_live_');
    expect(first.said()).toContain(`PDFTOOL_API_KEY_FILE=${here.at('key')}`);
    const env = { ...CLEAN, PDFTOOL_BASE_URL: first.url, PDFTOOL_API_KEY_FILE: here.at('key') };
    expect((await pdftool(['account'], { env })).exitCode).toBe(0);
    using there = folder();
    const taken = await command(there, '--port', '0', '--key-file', here.at('key'));
    expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringMatching(/--key-file: .* EEXIST/)]);
    expect(readFileSync(here.at('key'), 'utf8').trim()).toBe(key);
    expect((await command(there, 'keys', 'list', '--json')).stdout).toContain('"keys":[]');
  });
});

describe('settings', () => {
  it('are all told by --help settings and the man page, with defaults and variables', async () => {
    const { stdout, exitCode } = await pdftool(['serve', '--help', 'settings'], { env: { ...CLEAN, COLUMNS: '200' } });
    expect(exitCode).toBe(0);
    const man = readFileSync(join(import.meta.dirname, '../../man/pdftool-serve.1'), 'utf8').replaceAll('\\', '');
    const words = stdout.replaceAll(/\s+/g, ' ');
    for (const { name, variable, value, about } of settingShapes()) {
      expect(about).toMatch(/^[A-Z].*\.$/);
      for (const part of [name, about, variable, value ?? 'Not set'])
        expect([name, words]).toEqual([name, expect.stringContaining(part)]);
      expect(man).toContain(variable);
    }
    expect((await pdftool(['help', 'serve', 'settings'])).stdout).toContain('PDFTOOL_SERVE_QUEUE');
  });

  it('of the environment come before those of the file, and are named where they are wrong', () => {
    const variables: Record<string, string> = {
      PDFTOOL_SERVE_QUEUE: '7',
      PDFTOOL_SERVE_HOSTS: 'a.example, b.example',
      PDFTOOL_SERVE_LIMITS: '{"merge":{"inputBytes":5}}',
    };
    const read = () => readServeSettings('{"queue":5,"uploads":6}', 'serve.json', (name) => variables[name]);
    expect(read()).toMatchObject({
      queue: 7,
      uploads: 6,
      hosts: ['a.example', 'b.example'],
      limits: { merge: { inputBytes: 5 } },
    });
    variables.PDFTOOL_SERVE_WORKERS = 'many';
    variables.PDFTOOL_SERVE_LIMITS = '{"merge":5}';
    expect(read).toThrow(/PDFTOOL_SERVE_WORKERS: .*PDFTOOL_SERVE_LIMITS: /);
  });
});

describe('keys and credits', () => {
  it('are made, granted, listed and revoked beside a running server, never by HTTP', async () => {
    using here = folder();
    const server = await serve(here);
    const made = JSON.parse(
      (await command(here, 'keys', 'create', '--label', 'ci', '--test', '--json')).stdout,
    ) as Record<string, string>;
    expect(made.api_key).toMatch(/^sk_test_/);
    const env = remote(server, made.api_key);
    expect((await command(here, 'credits', 'grant', String(made.id), '500')).exitCode).toBe(0);
    const account = JSON.parse((await pdftool(['account', '--json'], { env })).stdout) as Record<string, unknown>;
    expect(account).toMatchObject({ credits_remaining: 520, api_key: { id: made.id, label: 'ci' } });
    const listed = JSON.parse((await command(here, 'keys', 'list', '--json')).stdout) as {
      keys: { id: string; label: string }[];
    };
    expect(listed.keys.map(({ label }) => label)).toEqual(['first key', 'ci']);
    expect(JSON.stringify(listed)).not.toContain(made.api_key);
    expect((await command(here, 'keys', 'revoke', String(made.id))).exitCode).toBe(0);
    expect((await pdftool(['account'], { env })).exitCode).toBe(4);
    for (const path of ['/api/v1/keys', '/api/v1/credits', '/keys']) {
      expect((await fetch(`${server.url}${path}`, { method: 'POST' })).status).toBe(404);
    }
  });

  it.each([
    [['keys', 'revoke', 'none'], 6, /no such key/],
    [['credits', 'grant', 'none', '5'], 6, /no such key/],
    [['credits', 'grant', 'none', '-5'], 2, /unknown option|whole number/],
    [['credits', 'grant', 'none', 'many'], 2, /whole number of credits, found many/],
    [['keys', 'create', '--account', 'acct_none'], 6, /no account acct_none/],
  ])('%j says what is wrong', async (args, code, says) => {
    using here = folder();
    const run = await command(here, ...args);
    expect(run.exitCode).toBe(code);
    expect(run.stderr).toMatch(says);
  });
});

describe('it refuses', () => {
  it('to listen beyond this machine without a key', async () => {
    using here = folder();
    const run = await command(here, '--host', '0.0.0.0', '--port', '0');
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/no API key yet[\s\S]*serve keys create/);
    expect((await command(here, 'keys', 'list', '--json')).stdout).toContain('"keys":[]');
  });

  it('a data folder that another server has', async () => {
    using here = folder();
    await serve(here);
    const run = await command(here, '--port', '0');
    expect(run.exitCode).toBe(6);
    expect(run.stderr).toMatch(/used by another pdftool serve/);
  });

  it('a port that is taken, and one that is none', async () => {
    using here = folder();
    using there = folder();
    const { url } = await serve(here);
    const taken = await command(there, '--port', String(new URL(url).port));
    expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringMatching(/EADDRINUSE/)]);
    expect((await command(there, '--port', '99999')).exitCode).toBe(2);
  });

  it('settings it does not know, naming all of them', async () => {
    using here = folder();
    await command(here, 'keys', 'list');
    writeFileSync(
      join(here.at('data'), 'serve.json'),
      '{"queue":0,"colour":"red","limits":{"merge":{"inputBytes":"x"}}}',
    );
    const run = await command(here, '--port', '0');
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/queue:.*colour|colour.*queue:/s);
    expect(run.stderr).toMatch(/limits\.merge\.inputBytes/);
  });

  it('to be a worker by hand', async () => {
    expect((await pdftool(['serve', 'worker'])).exitCode).toBe(2);
  });
});

describe('SIGTERM', () => {
  it('lets a request finish, answers 503 meanwhile, and ends with 0', async () => {
    using here = folder();
    const server = await serve(here);
    const { port } = new URL(server.url);
    const body = `--XX\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\r\n--XX--\r\n`;
    const head = `POST /api/v1/pdf-info HTTP/1.1\r\nHost: x\r\nX-API-Key: ${server.key}\r\nContent-Type: multipart/form-data; boundary=XX`;
    let answer = '';
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`),
    );
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    await until(async () =>
      (await (await fetch(`${server.url}/metrics`, FOR_METRICS)).text()).includes('pdftool_requests_inside 1')
        ? true
        : undefined,
    );
    server.child.kill('SIGTERM');
    await until(async () => ((await fetch(`${server.url}/readyz`)).status === 503 ? true : undefined));
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    const other = await fetch(`${server.url}/api/v1/pdf-info`, {
      ...form({ 'a.pdf': 'x' }),
      headers: { 'X-API-Key': String(server.key) },
    });
    expect([other.status, other.headers.get('retry-after')]).toEqual([503, '2']);
    socket.write(body.slice(20));
    expect(await server.exit).toBe(0);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"ok":false/s);
  });

  it('leaves no worker behind; neither does kill -9', async () => {
    using here = folder();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const server = await serve(here);
      const workers = await until(() => {
        const found = workersOf(server.child.pid);
        return found.length === 5 ? found : undefined;
      });
      server.child.kill(signal);
      await server.exit;
      await until(() => (workers.some(isAlive) ? undefined : true));
    }
  });
});

it('runs the commands of the README', { timeout: 120_000 }, async () => {
  using here = folder();
  const server = await serve(here);
  const env = { ...remote(server, server.key), XDG_CONFIG_HOME: here.at('config') };
  for (const name of ['guide.pdf', 'lorem-ipsum.pdf']) copyFileSync(join(FIXTURES, name), here.at(name));
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await pdftool(args, { cwd: here.path, env });
    expect([args.join(' '), exitCode, stderr]).toEqual([args.join(' '), 0, stderr]);
    return stdout;
  };
  expect(await run('merge', 'guide.pdf', 'lorem-ipsum.pdf', '-o', 'merged.pdf')).toBe('merged.pdf\n');
  expect(await run('split', 'lorem-ipsum.pdf', '--ranges', '1-3,4-4', '-o', 'parts')).toMatch(
    /parts\/pages-001-003\.pdf/,
  );
  expect(await run('compress', 'guide.pdf', '--target', '200KB')).toMatch(/guide-compressed\.pdf/);
  expect(await run('markdown', 'lorem-ipsum.pdf', '--mode', 'rag', '--output-format', 'jsonl')).toMatch(/"chunk_id"/);
  expect(JSON.parse(await run('merge', 'guide.pdf', 'lorem-ipsum.pdf', '-o', 'all.pdf', '--json'))).toMatchObject({
    engine: 'remote',
    credits: { used: 1, remaining: 15 },
  });
  expect(await run('merge', 'guide.pdf', 'lorem-ipsum.pdf', '-o', 'new.pdf', '--plan')).toMatch(/Charges +1 credit/);
  expect(await run('info', 'guide.pdf')).toMatch(/Page count +86/);
  expect(await run('account')).toMatch(/Credits remaining +15/);
  expect(JSON.parse(await run('openapi'))).toMatchObject({ openapi: '3.1.0', servers: [{ url: server.url }] });
  expect(await run('doctor', '--online')).toMatch(/15/);
  expect(JSON.parse(await run('api', 'GET', '/api/v1/capabilities'))).toMatchObject({ service: 'pdftool serve' });
  // A job to its end: 15 credits for a minute of it.
  expect(await run('audiobook', 'lorem-ipsum.pdf', '--page-range', '1', '--yes', '-o', 'book.mp3')).toBe('book.mp3\n');
  expect(await run('account')).toMatch(/Credits remaining +0/);
});

function workersOf(pid: number | undefined): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid), '-f', 'serve worker'], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
