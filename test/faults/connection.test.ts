// Stopping, waiting and the way there: Ctrl-C, time-outs, proxies, certificates. Real sockets on loopback.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import { info, merge } from '../../src/contract/operations/pages/pages.ts';
import { account } from '../../src/contract/operations/service/account.ts';
import { compress } from '../../src/contract/operations/size/compress.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import { startConnectProxy } from './connect-proxy.ts';
import { bytesSource, createContext, failureOf, KEY, settingsFor } from './context.ts';
import { ACCOUNT_PATH, type Act, accountWith, type ScriptedServer, startServer } from './scripted-server.ts';
import { startTlsServer } from './tls-server.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
async function serve(script: Record<string, readonly Act[]>): Promise<ScriptedServer> {
  const server = await startServer(script);
  cleanups.push(() => server.close());
  return server;
}

async function startTls() {
  const server = await startTlsServer();
  cleanups.push(() => server.close());
  return server;
}

/** A TCP server that takes connections and does what `onSocket` says. */
async function tcp(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port; // listening on TCP
}

const silence: Act = () => {};
const big = bytesSource('big.pdf', Buffer.alloc(64 * 1024 ** 2));
const small = bytesSource('a.pdf', '%PDF-1.4 x');
const CTRL_C = new Failure('interrupted', 'interrupted', { hint: 'No output was written.' });

describe('Ctrl-C', () => {
  it('while uploading a charged request: exit 130, may have been charged, the connection is closed', async () => {
    let closed: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const controller = new AbortController();
    let bytes = 0;
    const port = await tcp((socket) => {
      socket.on('data', (chunk) => {
        bytes += chunk.length;
        if (String(chunk.subarray(0, 3)) === 'GET') socket.end('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n');
        else if (bytes > 1024 ** 2 && !controller.signal.aborted) {
          socket.pause();
          socket.on('close', () => closed?.());
          controller.abort(CTRL_C);
          socket.resume();
        }
      });
    });
    const engine = createRemoteEngine(settingsFor(`http://127.0.0.1:${port}`));
    const context = createContext(controller.signal);
    const failure = await failureOf(engine.call(compress, { file: big }, context));
    expect([failure.code, failure.exit, failure.charged]).toEqual(['interrupted', 130, 'unknown']);
    expect(failure.message).toMatch(
      /^compress: interrupted after \d+ bytes were sent; it may have been charged \(charged: unknown\)$/,
    );
    expect(failure.message).not.toContain('\n');
    await gone;
    expect(bytes).toBeLessThan(64 * 1024 ** 2);
    expect(context.finished).toEqual([]);
  });

  it('before the first byte: nothing was charged', async () => {
    const controller = new AbortController();
    controller.abort(CTRL_C);
    const server = await serve({ [ACCOUNT_PATH]: [accountWith(1)] });
    const engine = createRemoteEngine(settingsFor(server.url));
    const failure = await failureOf(engine.call(merge, { file: [small, small] }, createContext(controller.signal)));
    expect([failure.code, failure.charged]).toEqual(['interrupted', 'no']);
    expect(failure.message).toBe('merge: interrupted; nothing was charged');
    expect(server.seen).toEqual([]);
  });

  it('while a free request waits: it costs nothing; while one waits to be sent again: likewise', async () => {
    for (const act of [
      silence,
      (response: { writeHead(status: number): { end(): void } }) => response.writeHead(503).end(),
    ]) {
      const controller = new AbortController();
      const server = await serve({ 'POST /api/v1/pdf-info': [act as Act] });
      const engine = createRemoteEngine(settingsFor(server.url));
      const pending = failureOf(
        engine.call(
          info,
          { file: small },
          createContext(controller.signal, () => controller.abort(CTRL_C)),
        ),
      );
      if (act === silence) {
        while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        controller.abort(CTRL_C);
      }
      const failure = await pending;
      expect([failure.exit, failure.charged]).toEqual([130, 'no']);
      expect(failure.message).toMatch(/it costs nothing$/);
      expect(server.seen).toHaveLength(1);
    }
  });
});

describe('time-outs', () => {
  it('no answer to a charged request: exit 21, sent once', async () => {
    const server = await serve({ [ACCOUNT_PATH]: [accountWith(3)], 'POST /api/v1/merge': [silence] });
    const engine = createRemoteEngine(settingsFor(server.url, { timeouts: { headers: 300 } }));
    const failure = await failureOf(engine.call(merge, { file: [small, small] }, createContext()));
    expect([failure.exit, failure.message]).toEqual([
      21,
      expect.stringMatching(/no answer in time.*before: 3, after: 3/),
    ]);
    expect(server.count('POST /api/v1/merge')).toBe(1);
  });

  it('a body that stops in the middle: exit 21, sent once', async () => {
    const stall: Act = (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '100' });
      response.write('%PDF-1.4');
    };
    const server = await serve({ [ACCOUNT_PATH]: [accountWith(3)], 'POST /api/v1/merge': [stall] });
    const engine = createRemoteEngine(settingsFor(server.url, { timeouts: { idle: 300 } }));
    const failure = await failureOf(engine.call(merge, { file: [small, small] }, createContext()));
    expect([failure.exit, failure.message]).toEqual([21, expect.stringMatching(/broke off after 8 of 100 bytes/)]);
    expect(server.count('POST /api/v1/merge')).toBe(1);
  });

  it('an upload that nobody takes: exit 21', async () => {
    const port = await tcp((socket) => {
      socket.once('data', (chunk) => {
        if (String(chunk.subarray(0, 3)) === 'GET') socket.end('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n');
        else socket.pause();
      });
    });
    const engine = createRemoteEngine(settingsFor(`http://127.0.0.1:${port}`, { timeouts: { headers: 400 } }));
    const failure = await failureOf(engine.call(compress, { file: big }, createContext()));
    expect([failure.exit, failure.message]).toEqual([21, expect.stringMatching(/no answer in time/)]);
  });

  it('--timeout ends the call: 21 where it may have been charged, 20 where not', async () => {
    const server = await serve({
      [ACCOUNT_PATH]: [accountWith(3)],
      'POST /api/v1/merge': [silence],
      'POST /api/v1/pdf-info': [silence],
    });
    // The test's clock sleeps a thousandth: 200 s are 0.2 s.
    const engine = createRemoteEngine(settingsFor(server.url, { timeouts: { total: 200_000 } }));
    const paid = await failureOf(engine.call(merge, { file: [small, small] }, createContext()));
    expect([paid.exit, paid.charged, paid.message]).toEqual([
      21,
      'unknown',
      expect.stringMatching(/not done within 200 s/),
    ]);
    const free = await failureOf(engine.call(info, { file: small }, createContext()));
    expect([free.exit, free.charged]).toEqual([20, 'no']);
  });
});

describe('a file that changes while it is sent', () => {
  it('is no silent success', async () => {
    const server = await serve({ [ACCOUNT_PATH]: [accountWith(3)] });
    const shrunk = { ...small, size: 1000 };
    const failure = await failureOf(
      createRemoteEngine(settingsFor(server.url)).call(compress, { file: shrunk }, createContext()),
    );
    expect([failure.exit, failure.message]).toEqual([
      21,
      expect.stringMatching(/a file changed while it was being sent/),
    ]);
    expect(server.count('POST /api/v1/compress')).toBe(0);
  });
});

describe('proxies', () => {
  it('of the environment are used, see no key, and NO_PROXY is obeyed', async () => {
    const { seen, ca, port } = await startTls();
    const proxy = await startConnectProxy(port);
    cleanups.push(() => proxy.close());
    const { heads } = proxy;
    const through = { https: `http://user:pw@127.0.0.1:${proxy.port}` };
    const settings = settingsFor('https://service.test:8443', { ca: [ca], proxy: through });
    const result = await createRemoteEngine(settings).call(account, {}, createContext());
    expect(result.credits).toEqual({ remaining: 9 });
    expect(heads[0]).toMatch(/^CONNECT service\.test:8443 HTTP\/1\.1/);
    expect(heads.join('')).not.toContain(KEY);
    expect(seen.authorization).toBe(`Bearer ${KEY}`);

    const past = settingsFor('https://service.test:8443', { ca: [ca], proxy: { ...through, no: 'service.test' } });
    const failure = await failureOf(createRemoteEngine(past).call(account, {}, createContext()));
    expect([failure.code, heads.length]).toEqual(['network', 1]);
  });

  it('are not asked for what runs on this machine', async () => {
    const server = await serve({ [ACCOUNT_PATH]: [accountWith(2)] });
    const settings = settingsFor(server.url, { proxy: { http: 'http://127.0.0.1:1' } });
    expect((await createRemoteEngine(settings).call(account, {}, createContext())).credits).toEqual({ remaining: 2 });
  });
});

describe('certificates', () => {
  it('nobody vouches for are refused, and an own authority is trusted by --ca-cert', async () => {
    const { ca, port } = await startTls();
    const url = `https://localhost:${port}`;
    const failure = await failureOf(createRemoteEngine(settingsFor(url)).call(account, {}, createContext()));
    expect([failure.code, failure.message]).toEqual([
      'network',
      expect.stringMatching(/self.signed|unable to verify/i),
    ]);
    const result = await createRemoteEngine(settingsFor(url, { ca: [ca] })).call(account, {}, createContext());
    expect(result.credits).toEqual({ remaining: 9 });
  });
});
