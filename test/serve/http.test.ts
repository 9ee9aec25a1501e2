// What every request goes through: keys, statuses, error records, ids, limits of work, addresses for operators.
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describedBy } from './described.ts';
import { FOR_METRICS, form, type Rig, startRig, until } from './rig.ts';

const PDF = '%PDF-1.4 not really';
let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

async function errorOf(answer: Response): Promise<{ error: string; _meta: Record<string, unknown> }> {
  expect(answer.headers.get('content-type')).toBe('application/json');
  const record = (await answer.json()) as { ok: boolean; error: string; _meta: Record<string, unknown> };
  expect(record).toMatchObject({ ok: false, error: expect.any(String) });
  expect(record._meta).toMatchObject({ credits_charged: 0, support: expect.any(String) });
  expect(record._meta.request_id).toBe(answer.headers.get('x-request-id'));
  return record;
}

const bare = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${rig.url}${path}`, { ...init, headers });

describe('keys', () => {
  it('are taken from either header, or the same from both', async () => {
    for (const headers of [
      { Authorization: `Bearer ${rig.key}` },
      { 'X-API-Key': rig.key },
      { Authorization: `Bearer ${rig.key}`, 'X-API-Key': rig.key },
    ]) {
      expect((await bare('/api/v1/account', headers)).status).toBe(200);
    }
  });

  it('that differ are a 400; none, a wrong one or another scheme a 401', async () => {
    const other = rig.key.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const both = await bare('/api/v1/account', { Authorization: `Bearer ${rig.key}`, 'X-API-Key': other });
    expect(both.status).toBe(400);
    expect((await errorOf(both)).error).toMatch(/different keys/);
    for (const headers of [{}, { 'X-API-Key': other }, { 'X-API-Key': 'nonsense' }, { Authorization: 'Basic eDp5' }]) {
      const answer = await bare('/api/v1/account', headers);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect((await errorOf(answer))._meta.code).toBe('unauthenticated');
    }
  });

  it('that were revoked are a 403 where SERVICE.md declares it, a 401 elsewhere', async () => {
    const key = await rig.stranger();
    const id = /_([0-9a-f]{16})/.exec(key)?.[1] ?? '';
    await rig.server.service.store.revokeKey(id, Date.now());
    expect((await bare('/api/v1/account', { 'X-API-Key': key })).status).toBe(403);
    const form401 = form({ 'a.pdf': PDF });
    expect((await bare('/api/v1/pdf-info', { 'X-API-Key': key }, form401)).status).toBe(401);
  });

  it('are asked for by every row of the service', async () => {
    for (const { method, path } of rig.server.service.rows) {
      const answer = await bare(path.replace(/:\w+/, 'x'), {}, { method });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });

  it('are kept as digests and never logged', async () => {
    const [key] = await rig.server.service.store.keys();
    expect(JSON.stringify(key)).not.toContain(rig.key);
    expect(key?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(rig.lines.join('')).not.toContain(rig.key.slice(-20));
  });
});

describe('the account record', () => {
  it('has the fields of SERVICE.md', async () => {
    const record = (await (await rig.send('/api/v1/account')).json()) as Record<string, unknown>;
    expect(record).toMatchObject({
      ok: true,
      credits_remaining: expect.any(Number),
      credits_lifetime_used: 0,
      free_tier_resets_at: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
      api_key: { id: rig.keyId, label: 'rig' },
    });
  });
});

describe('paths', () => {
  it('that are unknown are a 404, those of another method a 405 that says which', async () => {
    expect((await errorOf(await rig.send('/api/v1/none')))._meta.code).toBe('not_found');
    const wrong = await rig.send('/api/v1/merge');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    await errorOf(wrong);
  });

  it('of what has no engine here say so, and nothing is charged', async () => {
    const before = await rig.credits();
    const translate = await rig.send('/api/v1/translate-and-speak', form({ 'a.pdf': PDF }, { target_language: 'hi' }));
    expect(translate.status).toBe(501);
    expect((await errorOf(translate)).error).toMatch(/disabled/);
    expect(await rig.credits()).toBe(before);
  });

  it('of audio jobs know none', async () => {
    for (const path of ['jobs/x', 'speech-jobs/x', 'speech-jobs/x/download']) {
      expect((await rig.send(`/api/v1/${path}`)).status).toBe(404);
    }
  });
});

describe('requests', () => {
  it('with several mistakes hear of all of them at once', async () => {
    const body = form({ 'a.pdf': PDF }, { angel: '90', angle: '45' });
    const answer = await rig.send('/api/v1/rotate', body);
    expect(answer.status).toBe(400);
    const { error } = await errorOf(answer);
    expect(error).toMatch(/unknown field 'angel'/);
    expect(error).toMatch(/one of 90, 180, 270, -90, -180, -270, found '45'/);
  });

  it('have an id, with the client’s own at its end where that is plain', async () => {
    const mine = await rig.send('/api/v1/account', { headers: { 'X-Request-Id': 'build-7.1' } });
    expect(mine.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}~build-7\.1$/);
    const odd = await rig.send('/api/v1/account', { headers: { 'X-Request-Id': 'a b{}"' } });
    expect(odd.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  });

  it('are answered so that nothing is kept or guessed', async () => {
    const { headers } = await rig.send('/api/v1/account');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('without credits are a 402 before the body is read', async () => {
    const key = await rig.stranger();
    const id = /_([0-9a-f]{16})/.exec(key)?.[1] ?? '';
    const account = (await rig.server.service.store.key(id))?.account ?? '';
    await rig.server.service.store.reserve(account, 20, 'all', Date.now());
    const answer = await rig.send('/api/v1/merge', { ...form({ 'a.pdf': PDF }), headers: { 'X-API-Key': key } });
    expect(answer.status).toBe(402);
    expect((await errorOf(answer))._meta.credits_remaining).toBe(0);
  });

  it('leave one log line each, as JSON, without file names', async () => {
    const answer = await rig.send('/api/v1/pdf-info', form({ 'secret-name.pdf': PDF }));
    const id = answer.headers.get('x-request-id');
    const line = await until(() => rig.lines.find((each) => each.includes(String(id))));
    expect(JSON.parse(line)).toMatchObject({
      event: 'request',
      method: 'POST',
      route: '/api/v1/pdf-info',
      status: 400,
    });
    expect(rig.lines.join('')).not.toContain('secret-name');
  });
});

describe('Expect: 100-continue', () => {
  const ask = (path: string, headers: string) =>
    new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(rig.server.port, '127.0.0.1', () =>
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10\r\n${headers}\r\n`,
        ),
      );
      socket.on('data', (chunk) => {
        text += String(chunk);
        if (/\r\n\r\n/.test(text)) socket.destroy();
      });
      socket.on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''));
    });

  it('is answered by 401 without a key, by 100 with one', async () => {
    expect(await ask('/api/v1/pdf-info', 'Content-Type: multipart/form-data; boundary=x\r\n')).toBe(
      'HTTP/1.1 401 Unauthorized',
    );
    const headers = `X-API-Key: ${rig.key}\r\nContent-Type: multipart/form-data; boundary=x\r\n`;
    expect(await ask('/api/v1/pdf-info', headers)).toBe('HTTP/1.1 100 Continue');
  });
});

/** Bytes as they are; the status and the record that came back. */
function raw(bytes: string): Promise<{ status: number; head: string; record: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(rig.server.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += String(chunk);
      const [head = '', body = ''] = text.split('\r\n\r\n', 2);
      if (!body.endsWith('}')) return;
      resolve({ status: Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]), head, record: JSON.parse(body) as never });
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => reject(new Error(`no record: ${text}`)));
  });
}

describe('what no handler sees', () => {
  const GET = 'GET /api/v1/account HTTP/1.1\r\n';
  it.each([
    ['a header that is too long', `${GET}Host: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ['a missing Host', `${GET}\r\n`, 400],
    ['an empty Host', `${GET}Host:\r\n\r\n`, 400],
    ['a Host that is none', `${GET}Host: a b/c\r\n\r\n`, 400],
    ['two Hosts', `${GET}Host: x\r\nHost: y\r\n\r\n`, 400],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a control character in a header', `${GET}Host: x\r\nX-A: a\u0000b\r\n\r\n`, 400],
    ['two lengths', `${GET}Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
    ['a version of HTTP it does not speak', 'GET / HTTP/3.7\r\nHost: x\r\n\r\n', 400],
    ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405],
    ['a path that is none', 'GET example HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an unknown expectation', 'GET /none HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 404],
  ])('%s gets the error record all the same', async (_, bytes, status) => {
    const answer = await raw(bytes);
    expect(answer.status).toBe(status);
    const id = /x-request-id: (req_[0-9a-f]{32})\r?$/im.exec(answer.head)?.[1];
    expect(answer.head).toMatch(/content-type: application\/json/i);
    expect(answer.record).toMatchObject({
      ok: false,
      error: expect.stringMatching(/\w+ \w+/),
      _meta: { request_id: id, support: 'the operator of this server', credits_charged: 0 },
    });
    expect(await until(() => rig.lines.find((line) => line.includes(String(id))))).toContain(`"status":${status}`);
  });

  it('a body that goes wrong in the middle ends the request with the record', async () => {
    const head = `Host: x\r\nX-API-Key: ${rig.key}\r\nContent-Type: multipart/form-data; boundary=x`;
    const bytes = `POST /api/v1/pdf-info HTTP/1.1\r\n${head}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n--x\r\n\r\nnonsense\r\n`;
    expect(await raw(bytes)).toMatchObject({
      status: 400,
      record: { ok: false, _meta: { support: expect.any(String) } },
    });
    await until(() => (rig.server.service.gate.inside === 0 ? true : undefined));
  });
});

describe('the Host header', () => {
  /** With fetch the header cannot be chosen. */
  const asked = (port: number, path: string, host: string, key = '') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { Host: host, 'X-API-Key': key };
      const sent = request({ port, path, host: '127.0.0.1', headers }, async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
      sent.on('error', reject);
      sent.end();
    });

  it('never gets into an address that is handed out', async () => {
    const { status, text } = await asked(rig.server.port, '/openapi.json', 'evil.example:1', rig.key);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ servers: [{ url: rig.url }] });
    expect(text).not.toContain('evil.example');
  });

  it('must name this server where its public address is known, except for probes', async () => {
    const known = await startRig({ settings: { public_url: 'https://pdf.example.org/', hosts: ['inside'] } });
    const { port } = known.server;
    for (const host of [
      'pdf.example.org',
      'PDF.example.org:443',
      'inside:80',
      `127.0.0.1:${port}`,
      `localhost:${port}`,
    ]) {
      const { status, text } = await asked(port, '/openapi.json', host, known.key);
      expect([host, status]).toEqual([host, 200]);
      expect(JSON.parse(text)).toMatchObject({ servers: [{ url: 'https://pdf.example.org' }] });
    }
    for (const host of ['evil.example', 'pdf.example.org.evil.example', '10.0.0.1:80']) {
      const { status, text } = await asked(port, '/api/v1/account', host, known.key);
      expect([host, status]).toEqual([host, 421]);
      expect(JSON.parse(text)).toMatchObject({ ok: false, _meta: { support: expect.any(String) } });
      expect((await asked(port, '/readyz', host)).status).toBe(200);
    }
    await known.close();
  });
});

describe('addresses for operators', () => {
  it('need no key and are described', async () => {
    const document = (await (await rig.send('/openapi.json')).json()) as Record<string, unknown>;
    const { issues } = describedBy(document);
    for (const path of ['/livez', '/readyz', '/health', '/version', '/metrics', '/api/v1/capabilities']) {
      const answer = await bare(path, path === '/metrics' ? FOR_METRICS.headers : {});
      expect([path, answer.status]).toEqual([path, 200]);
      expect(await issues('GET', path, answer)).toEqual([]);
    }
    expect(document.servers).toEqual([{ url: rig.url }]);
  });

  it('say in the capabilities what is there and what is not', async () => {
    const { operations, workflows } = (await (await bare('/api/v1/capabilities')).json()) as {
      operations: { name: string; available: boolean; reason?: string }[];
      workflows: Record<string, { available: boolean }>;
    };
    const missing = operations.filter(({ available }) => !available);
    expect(missing.map(({ name }) => name)).toEqual(['translate-and-speak']);
    expect(missing.every(({ reason }) => typeof reason === 'string' && reason.length > 10)).toBe(true);
    expect(Object.entries(workflows).map(([name, { available }]) => [name, available])).toEqual([
      ['compress', true],
      ['folder', true],
      ['source_pack', true],
      ['steps', true],
      ['redaction', true],
    ]);
  });

  it('count requests, credits and the delay of the event loop', async () => {
    const text = await (await bare('/metrics', FOR_METRICS.headers)).text();
    expect(text).toMatch(
      /^pdftool_request_seconds_count\{route="\/api\/v1\/account",method="GET",status="200"\} \d+$/m,
    );
    for (const name of ['pdftool_upload_bytes_total', 'pdftool_tasks', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(text).toMatch(new RegExp(`^${name}`, 'm'));
    }
  });
});

describe('a full queue', () => {
  it('answers 429 with Retry-After, is not ready, and takes work again when there is room', async () => {
    const small = await startRig({ settings: { queue: 1 } });
    const slow = new Promise<() => void>((resolve) => {
      const socket = connect(small.server.port, '127.0.0.1', () => {
        const head = `X-API-Key: ${small.key}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000`;
        socket.write(`POST /api/v1/pdf-info HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n--x\r\n`);
        resolve(() => socket.destroy());
      });
      socket.on('error', () => {});
    });
    const leave = await slow;
    await until(() => (small.server.service.gate.inside === 1 ? true : undefined));
    const answer = await small.send('/api/v1/merge', form({ 'a.pdf': PDF }));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
    expect((await fetch(`${small.url}/readyz`)).status).toBe(503);
    leave();
    await until(() => (small.server.service.gate.inside === 0 ? true : undefined));
    expect((await small.send('/api/v1/pdf-info', form({ 'a.pdf': PDF }))).status).toBe(400);
    await small.close();
  });
});
