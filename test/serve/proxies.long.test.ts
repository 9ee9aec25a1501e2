// The examples of docs/serving, with other addresses: Caddy and nginx with TLS, each in front of two servers that are restarted
// one after the other under load. By hand for longer:
//   PDFTOOL_PROXY_SECONDS=60 npx vitest run --config .vitest.config.ts --mode long test/serve/proxies.long.test.ts
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, FormData, fetch, type RequestInit, type Response } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Folder } from '../e2e/pdftool.ts';
import { noisyPdf } from './documents.ts';
import { headers, type JobTold, killFleet, place, run, start } from './fleet.ts';
import { freePort, type PostgresServer, startPostgres } from './postgres.ts';
import { until } from './rig.ts';

const EXAMPLES = join(import.meta.dirname, '../../docs/serving');
/** More than what nginx takes, and keeps in memory, where it is told nothing. */
const PDF = noisyPdf(3_000_000);
const SECONDS = Number(process.env.PDFTOOL_PROXY_SECONDS ?? 6);
const CLIENTS = 4;

interface Proxy {
  readonly child: ChildProcess;
  /** Sends no more requests to one of the servers; to all of them where none is named. */
  leaveOut(server?: string): void;
}

const PROXIES: Readonly<Record<string, (here: Folder, port: number, servers: readonly string[]) => Proxy>> = {
  caddy(here, port, servers) {
    // Its authority is for this test alone.
    const options = '{\n  skip_install_trust\n  auto_https disable_redirects\n  admin off\n}\n';
    writeFileSync(here.at('Caddyfile'), `${options}import ${EXAMPLES}/Caddyfile\n`);
    const own = { PDFTOOL_SITE: `https://localhost:${port}`, PDFTOOL_SERVERS: servers.join(' ') };
    const env = { ...process.env, ...own, XDG_DATA_HOME: here.at('caddy'), XDG_CONFIG_HOME: here.at('caddy') };
    const child = spawn('caddy', ['run', '--config', here.at('Caddyfile')], { env, stdio: 'ignore' });
    // It asks /readyz itself.
    return { child, leaveOut() {} };
  },
  nginx(here, port, servers) {
    const certificate = ['-keyout', here.at('key'), '-out', here.at('crt'), '-subj', '/CN=localhost', '-days', '1'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...certificate], { stdio: 'ignore' });
    const example = readFileSync(join(EXAMPLES, 'nginx.conf'), 'utf8')
      .replace(/10\.0\.0\.1(\d):8787/g, (_, digit) => String(servers[Number(digit) - 1]))
      .replace('listen 443', `listen ${port}`)
      .replace('/etc/ssl/pdftool.crt', here.at('crt'))
      .replace('/etc/ssl/pdftool.key', here.at('key'));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const write = (left?: string) => {
      const marked = left === undefined ? example : example.replace(`server ${left}`, `server ${left} down`);
      const paths = temporary.map((name) => `${name}_temp_path ${here.at(name)};`).join(' ');
      const options = `daemon off; user root; pid ${here.at('pid')}; error_log ${here.at('log')};`;
      writeFileSync(here.at('nginx'), `${options} events {} http { access_log off; ${paths}\n${marked}}`);
    };
    write();
    // Debian keeps it out of the PATH of users.
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
    const child = spawn('nginx', ['-c', here.at('nginx'), '-e', here.at('log')], { env, stdio: 'ignore' });
    return {
      child,
      leaveOut(server) {
        write(server);
        child.kill('SIGHUP');
      },
    };
  },
};

let postgres: PostgresServer;
let proxy: Proxy | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());
afterEach(() => {
  proxy?.child.kill('SIGTERM');
  killFleet();
});

describe.each(Object.keys(PROXIES))('%s with its example', (name) => {
  it('fails no request while its servers are restarted one after the other', { timeout: 180_000 }, async () => {
    const [port, ...ports] = await Promise.all([freePort(), freePort(), freePort()]);
    const site = `https://localhost:${port}`;
    const addressing = { PDFTOOL_SERVE_PUBLIC_URL: site, PDFTOOL_SERVE_PROXIES: '127.0.0.1, ::1' };
    // More than what Caddy lets pass between two looks at /readyz.
    const env = { ...addressing, PDFTOOL_SERVE_DRAIN_SECONDS: '3' };
    const all = await place(postgres, env);
    const serve = (port: number) => start(all, ['serve', '--port', String(port), '--no-workers']);
    const first = await serve(ports[0]);
    const servers = [first, await serve(ports[1])];
    await start(all, ['work']);
    const { key } = first;
    await run(all, 'serve', 'credits', 'grant', String(key), '100000');
    const addresses = ports.map((each) => `127.0.0.1:${each}`);
    proxy = PROXIES[name]?.(all.here, Number(port), addresses);
    // A connection for each request: one that is idle may end while the proxy reads its settings again.
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, pipelining: 0 });
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${site}${path}`, { ...init, headers: { ...headers(key), ...init.headers }, dispatcher });
    await until(async () => ((await ask('/readyz').catch(() => undefined))?.ok ? true : undefined), 20_000);
    expect((await ask('/metrics')).status).toBe(404);

    const failures: string[] = [];
    let [isOver, requests, jobs] = [false, 0, 0];
    const good = async (answer: Response) => {
      requests += 1;
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (!answer.ok && answer.status !== 308) throw new Error(`${answer.status} ${bytes}`);
      return bytes;
    };
    const rotate = async () => {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(PDF)]), 'a.pdf');
      body.append('angle', '90');
      const turned = await good(await ask('/api/v1/rotate', { method: 'POST', body }));
      if (turned.length < PDF.length / 2) throw new Error(`${turned.length} bytes of ${PDF.length}`);
    };
    /** An upload in two parts, which may come to two servers. */
    const work = async () => {
      const order = { workflow: 'compress', inputBytes: PDF.length, options: {}, maxCredits: 1 };
      const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(order) };
      const job = JSON.parse(String(await good(await ask('/api/v1/workflow-jobs', json)))) as JobTold;
      const upload = String(job.upload?.session_uri);
      expect(upload.startsWith(site)).toBe(true);
      const half = PDF.length >> 1;
      for (const [from, to] of [[0, half] as const, [half, PDF.length] as const]) {
        const range = { 'Content-Range': `bytes ${from}-${to - 1}/${PDF.length}` };
        const body = new Uint8Array(PDF.subarray(from, to));
        await good(await fetch(upload, { method: 'PUT', headers: range, body, dispatcher }));
      }
      await good(await ask(`/api/v1/workflow-jobs/${job.uploadId}`, { method: 'POST' }));
      const done = await until(async () => {
        const told = JSON.parse(String(await good(await ask(`/api/v1/workflow-jobs/${job.jobId}`)))) as JobTold;
        return ['succeeded', 'failed'].includes(told.status) ? told : undefined;
      }, 60_000);
      const result = await good(await fetch(String(done.result_url), { dispatcher }));
      if (String(result.subarray(0, 5)) !== '%PDF-') throw new Error('no PDF');
      jobs += 1;
    };
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (let turn = 0; !isOver; turn += 1) {
        await (turn % 4 === 0 ? work() : rotate()).catch((error: Error) =>
          failures.push(`${error} ${String(error.cause)}`),
        );
        await sleep(50);
      }
    });
    try {
      for (const [index, address] of addresses.entries()) {
        await sleep(SECONDS * 250);
        proxy?.leaveOut(address);
        // Those that nginx has sent before are there now.
        await sleep(500);
        const old = servers[index];
        old?.child.kill('SIGTERM');
        await until(() => (old?.child.exitCode === null ? undefined : true), 60_000);
        expect(old?.child.exitCode).toBe(0);
        servers.push(await serve(Number(ports[index])));
        proxy?.leaveOut();
        await sleep(SECONDS * 250);
      }
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    process.stdout.write(`${name} ${JSON.stringify({ requests, jobs, failures: failures.length })}\n`);
    expect(failures.slice(0, 5)).toEqual([]);
    expect(requests).toBeGreaterThan(5 * SECONDS);
    expect(jobs).toBeGreaterThan(0);
    // Both had their part, before and after.
    for (const { log } of servers) expect(log().includes('"event":"request"')).toBe(true);
    await dispatcher.close();
  });
});
