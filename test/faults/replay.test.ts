// One case for each cell of the replay table (DESIGN.md, "who may be sent twice"), typed by hand; asserts the requests seen.
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Result } from '../../src/contract/base/ports.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import type { RemoteSettings } from '../../src/remote/settings.ts';
import { bytesSource, createContext, failureOf, settingsFor, textOf } from './context.ts';
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
} from './scripted-server.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
async function serve(script: Record<string, readonly Act[]>, port?: number): Promise<ScriptedServer> {
  const server = await startServer(script, port);
  servers.push(server);
  return server;
}

const pdf = (name: string) => bytesSource(name, '%PDF-1.7 one page');
const PDF_ANSWER = '%PDF-1.7 the answer %%EOF';
const sendPdf = answer(200, PDF_ANSWER, { 'content-type': 'application/pdf' });
const slowDown = answer(429, ERROR_RECORD('slow down'));

interface Subject {
  readonly row: string;
  readonly operation: string;
  readonly input: Record<string, unknown>;
  readonly route: string;
  readonly good: Act;
}

const read: Subject = {
  row: 'GET',
  operation: 'account',
  input: {},
  route: 'GET /api/v1/account',
  good: accountWith(7),
};
const job: Subject = {
  row: 'GET job',
  operation: 'job-status',
  input: { id: 'j1' },
  route: 'GET /api/v1/jobs/j1',
  good: record({ status: 'queued' }),
};
const download: Subject = {
  row: 'GET download',
  operation: 'job-download',
  input: { id: 'j1' },
  route: 'GET /api/v1/speech-jobs/j1/download',
  good: answer(200, 'ID3 audio', { 'content-type': 'audio/mpeg' }),
};
const free: Subject = {
  row: 'free POST',
  operation: 'info',
  input: { file: pdf('a.pdf') },
  route: 'POST /api/v1/pdf-info',
  good: record({ ok: true, page_count: 1, credits_remaining: 5 }),
};
const preview: Subject = {
  row: 'free POST (voice-preview)',
  operation: 'voice-preview',
  input: { text: 'Hello' },
  route: 'POST /api/v1/voice-preview',
  good: answer(200, 'ID3 sample', { 'content-type': 'audio/mpeg' }),
};
const charged: Subject = {
  row: 'charged POST',
  operation: 'merge',
  input: { file: [pdf('a.pdf'), pdf('b.pdf')] },
  route: 'POST /api/v1/merge',
  good: sendPdf,
};
const audio: Subject = {
  row: 'audio job create',
  operation: 'audiobook',
  input: { file: pdf('a.pdf') },
  route: 'POST /api/v1/pdf-to-audiobook',
  good: answer(202, JSON.stringify({ job_id: 'j1', status_url: '/api/v1/jobs/j1' })),
};
const create: Subject = {
  row: 'workflow create',
  operation: 'workflow-create',
  input: { workflow: 'source_pack', inputBytes: 10, maxCredits: 1, 'Idempotency-Key': 'key-1' },
  route: 'POST /api/v1/workflow-jobs',
  good: record({ jobId: 'w1', uploadId: 'u1' }),
};
const finalize: Subject = {
  row: 'workflow finalize',
  operation: 'workflow-finalize',
  input: { uploadId: 'u1' },
  route: 'POST /api/v1/workflow-jobs/u1',
  good: record({ jobId: 'w1' }),
};
const everyone = [read, job, download, free, preview, charged, audio, create, finalize];

// [subject, trouble, what the server does every time, requests it must see, failure code, charged]
type Cell = readonly [Subject, string, Act, number, string, 'no' | 'unknown'];
const always: readonly Cell[] = [
  ...[read, job].flatMap((one): Cell[] => [
    [one, 'cut', cut, 5, 'network', 'no'],
    [one, '429', slowDown, 5, 'rate_limited', 'no'],
    [one, '502', html(502), 5, 'server', 'no'],
    [one, '503', html(503), 5, 'server', 'no'],
    [one, '504', html(504), 5, 'server', 'no'],
    [one, '500', html(500), 2, 'server', 'no'],
  ]),
  [download, 'cut', cut, 5, 'network', 'no'],
  [download, '429', slowDown, 5, 'rate_limited', 'no'],
  [download, '502', html(502), 5, 'server', 'no'],
  [download, '503', html(503), 5, 'server', 'no'],
  [download, '504', html(504), 5, 'server', 'no'],
  [download, '500', html(500), 5, 'server', 'no'],
  ...[free, preview].flatMap((one): Cell[] => [
    [one, 'cut', cut, 2, 'network', 'no'],
    [one, '429', slowDown, 5, 'rate_limited', 'no'],
    [one, '429 of a proxy', html(429), 5, 'rate_limited', 'no'],
    [one, '502', html(502), 2, 'server', 'no'],
    [one, '503', html(503), 2, 'server', 'no'],
    [one, '504', html(504), 2, 'server', 'no'],
    [one, '500', html(500), 1, 'server', 'no'],
  ]),
  ...[charged, audio].flatMap((one): Cell[] => [
    [one, 'cut', cut, 1, 'ambiguous', 'unknown'],
    [one, '429', slowDown, 5, 'rate_limited', 'no'],
    [one, '429 of a proxy', html(429), 1, 'rate_limited', 'no'],
    [one, '502', html(502), 1, 'ambiguous', 'unknown'],
    [one, '503', answer(503, ERROR_RECORD('busy')), 1, 'ambiguous', 'unknown'],
    [one, '504', html(504), 1, 'ambiguous', 'unknown'],
    [one, '500', answer(500, ERROR_RECORD('oops')), 1, 'ambiguous', 'unknown'],
  ]),
  [create, 'cut', cut, 5, 'ambiguous', 'unknown'],
  [create, '429', slowDown, 5, 'rate_limited', 'no'],
  [create, '502', html(502), 5, 'ambiguous', 'unknown'],
  [create, '503', html(503), 5, 'ambiguous', 'unknown'],
  [create, '504', html(504), 5, 'ambiguous', 'unknown'],
  [create, '500', html(500), 5, 'ambiguous', 'unknown'],
  // The status is asked first: the flow does that, the engine sends once.
  [finalize, 'cut', cut, 1, 'ambiguous', 'unknown'],
  [finalize, '429', slowDown, 1, 'rate_limited', 'no'],
  [finalize, '503', html(503), 1, 'ambiguous', 'unknown'],
  [finalize, '500', html(500), 1, 'ambiguous', 'unknown'],
];

describe('a server that never works', () => {
  it.each(always.map((cell) => [cell[0].row, cell[1], cell] as const))('%s, %s', async (_row, _trouble, cell) => {
    const [subject, , act, requests, code, chargedAs] = cell;
    const server = await serve({ [ACCOUNT_PATH]: [accountWith(20)], [subject.route]: [act] });
    const failure = await failureOf(run(subject, server.url));
    expect(failure.code).toBe(code);
    expect(failure.charged).toBe(chargedAs);
    expect(server.count(subject.route)).toBe(requests);
  });
});

describe('a server that works the second time', () => {
  const repeats = always.filter(([, , , requests]) => requests > 1);
  it.each(repeats.map((cell) => [cell[0].row, cell[1], cell] as const))('%s, %s', async (_row, _trouble, cell) => {
    const [subject, , act] = cell;
    const server = await serve({ [ACCOUNT_PATH]: [accountWith(20)], [subject.route]: [act, subject.good] });
    const result = await run(subject, server.url);
    expect(result.kind).toMatch(/record|bytes|job/);
    expect(server.count(subject.route)).toBe(2);
  });
});

describe('no byte sent', () => {
  it.each(everyone.map((subject) => [subject.row, subject] as const))(
    '%s: refused, then taken',
    async (_row, subject) => {
      const port = await freePort();
      let starting: Promise<ScriptedServer> | undefined;
      const begin = () => {
        starting ??= serve({ [ACCOUNT_PATH]: [accountWith(7)], [subject.route]: [subject.good] }, port);
      };
      await run(subject, `http://127.0.0.1:${port}`, {}, begin);
      expect((await starting)?.count(subject.route)).toBe(1);
    },
  );

  it.each(everyone.map((subject) => [subject.row, subject] as const))(
    '%s: TLS fails five times',
    async (_row, subject) => {
      let connections = 0;
      const plainServer = createServer((socket) => {
        connections += 1;
        socket.on('error', () => {});
        socket.end('this is not TLS');
      });
      await new Promise<void>((resolve) => plainServer.listen(0, '127.0.0.1', resolve));
      const { port } = plainServer.address() as { port: number };
      const failure = await failureOf(run(subject, `https://127.0.0.1:${port}`));
      plainServer.close();
      expect(failure.code).toBe('network');
      expect(failure.charged).toBe('no');
      // A charged request asks for the credits first: one connection more.
      expect(connections).toBe(subject === charged || subject === audio ? 6 : 5);
    },
  );

  it('a host name that does not exist is tried five times and costs nothing', async () => {
    const context = createContext();
    const failure = await failureOf(call(charged, settingsFor('https://no-such-host.invalid'), context));
    expect([failure.code, failure.charged]).toEqual(['network', 'no']);
    expect(context.sleeps).toHaveLength(4);
  });
});

describe('a download that is cut', () => {
  const audioBytes = `ID3${'0123456789'.repeat(50)}`;
  const type = { 'content-type': 'audio/mpeg' };

  it('goes on with Range and If-Range where there is a strong ETag', async () => {
    const rest: Act = (response, _request, seen) => {
      const from = Number(/bytes=(\d+)-/.exec(seen.headers.range ?? '')?.[1]);
      answer(206, audioBytes.slice(from), {
        ...type,
        etag: '"v1"',
        'content-range': `bytes ${from}-${audioBytes.length - 1}/${audioBytes.length}`,
      })(response, _request, seen);
    };
    const server = await serve({ [download.route]: [half(audioBytes, { ...type, etag: '"v1"' }), rest] });
    const result = await run(download, server.url);
    expect(result.kind === 'bytes' && (await textOf(result.body))).toBe(audioBytes);
    expect(server.seen[1]?.headers.range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(server.seen[1]?.headers['if-range']).toBe('"v1"');
  });

  it('starts again where the file has changed or has no ETag', async () => {
    for (const head of [{ ...type, etag: '"v1"' }, type]) {
      const server = await serve({ [download.route]: [half(audioBytes, head), answer(200, 'ID3 new', type)] });
      const result = await run(download, server.url);
      expect(result.kind === 'bytes' && (await textOf(result.body))).toBe('ID3 new');
      expect(server.seen[1]?.headers.range).toEqual('etag' in head ? expect.stringMatching(/^bytes=/) : undefined);
    }
  });

  it('refuses another part than the one it asked for', async () => {
    const wrong = answer(206, 'x', { ...type, etag: '"v1"', 'content-range': 'bytes 0-0/9' });
    const server = await serve({ [download.route]: [half(audioBytes, { ...type, etag: '"v1"' }), wrong] });
    expect((await failureOf(run(download, server.url))).message).toMatch(/another part/);
  });
});

describe('waiting', () => {
  it('is jittered, doubles from 0.5 s, and ends after five tries', async () => {
    const server = await serve({ [read.route]: [html(503)] });
    const context = createContext();
    const steady = { entropy: { fraction: () => 1, token: () => 'x' } };
    await failureOf(call(read, settingsFor(server.url, steady), context));
    expect(context.sleeps).toEqual([500, 1000, 2000, 4000]);
  });

  it('obeys Retry-After in seconds and as a date', async () => {
    const later = () => new Date(Date.now() + 60_000).toUTCString();
    const server = await serve({
      [read.route]: [
        answer(429, ERROR_RECORD('slow'), { 'retry-after': '7' }),
        (response, request, seen) => answer(503, '', { 'retry-after': later() })(response, request, seen),
        accountWith(1),
      ],
    });
    const context = createContext();
    await call(read, settingsFor(server.url), context);
    expect(context.sleeps[0]).toBe(7000);
    expect(context.sleeps[1]).toBeGreaterThan(55_000);
    expect(context.sleeps[1]).toBeLessThanOrEqual(60_000);
  });

  it('does not wait for more than 120 s, and names the time', async () => {
    const server = await serve({ [read.route]: [answer(429, ERROR_RECORD('slow'), { 'retry-after': '121' })] });
    const failure = await failureOf(run(read, server.url));
    expect([failure.code, failure.hint]).toEqual(['rate_limited', expect.stringContaining('121 s')]);
    expect(server.count(read.route)).toBe(1);
  });
});

async function run(subject: Subject, url: string, more: Partial<RemoteSettings> = {}, onDetail?: () => void) {
  return call(subject, settingsFor(url, more), createContext(undefined, onDetail));
}

async function call(subject: Subject, settings: RemoteSettings, context = createContext()): Promise<Result> {
  const op = OPERATIONS.find(({ name }) => name === subject.operation);
  if (op === undefined) throw new TypeError(subject.operation);
  const engine = createRemoteEngine(settings);
  return (await engine.call<AnyOperation>(op, subject.input as never, context)) as Result;
}

async function freePort(): Promise<number> {
  const server = await startServer({});
  await server.close();
  return server.port;
}
