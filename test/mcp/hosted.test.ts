import { request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHosted } from '../../src/mcp/hosted.ts';
import { type Rig, startRig } from '../serve/rig.ts';
import { ERAS, type Era } from './client.ts';

const NAMES = [
  'capabilities',
  'limits',
  'estimate_cost',
  'describe_operation',
  'explain_error',
  'explain_page_range',
  'openapi',
];

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ more: { tools: createHosted }, settings: { mcp_rate: 10_000 } });
});
afterAll(() => rig.close());

async function connect(era: Era): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: {}, ...(era === 'modern' ? { versionNegotiation: { mode: 'auto' as const } } : {}) },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${rig.url}/mcp`)));
  return client;
}

const list = (id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });

/** A request with any header, also those that fetch would not send. */
function raw(headers: Record<string, string>, body = list(), method = 'POST', at = rig) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(at.url);
    const all = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers };
    const sent = request({ hostname, port, path: '/mcp', method, headers: all }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe.each(ERAS)('the hosted tools, for a %s client', (era) => {
  it('only read: no file, no account, no job, no payment among them', async () => {
    const client = await connect(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES.map((name) => `pdftool_${name}`));
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(Object.keys(inputSchema.properties ?? {}).join()).not.toMatch(/path|file|key|url/);
    }
    await client.close();
  });

  it('tell what the service can do, what it costs and what its words mean', async () => {
    const client = await connect(era);
    // From now on the client holds answers against the schemas.
    await client.listTools();
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const { structuredContent, isError, content } = await client.callTool({
        name: `pdftool_${name}`,
        arguments: args,
      });
      expect(JSON.parse((content as { text: string }[])[0]?.text ?? '{}')).toEqual(structuredContent);
      expect(isError ?? false, name).toBe(false);
      // biome-ignore lint/suspicious/noExplicitAny: looked at key by key
      return structuredContent as any;
    };
    const { operations, workflows } = await call('capabilities');
    expect(operations.find(({ name }: { name: string }) => name === 'merge')).toMatchObject({
      path: '/api/v1/merge',
      available: true,
    });
    expect(Object.keys(workflows)).toContain('compress');
    // Numbers of SERVICE.md, typed by hand.
    expect((await call('limits', { operation: 'merge' })).limits).toEqual({
      merge: { inputBytes: 20 * 1024 * 1024, outputBytes: 16 * 1024 * 1024 },
    });
    expect(await call('estimate_cost', { operation: 'merge' })).toMatchObject({ credits: 1, at_most: false });
    expect(await call('estimate_cost', { operation: 'info' })).toMatchObject({ credits: 0 });
    expect(await call('estimate_cost', { operation: 'audiobook', minutes: 2 })).toMatchObject({
      credits: 30,
      at_most: true,
    });
    expect(await call('estimate_cost', { operation: 'narrate', characters: 1_000 })).toMatchObject({ credits: 40 });
    expect(await call('estimate_cost', { operation: 'workflow-create', max_credits: 7 })).toMatchObject({ credits: 7 });
    const split = await call('describe_operation', { operation: 'split' });
    expect(split).toMatchObject({ method: 'POST', path: '/api/v1/split', body: 'multipart' });
    expect(split.fields.required).toEqual(['file']);
    expect(split.repeat).toMatch(/account/);
    expect((await call('explain_error', { status: 402 })).errors[0]).toMatchObject({
      code: 'out_of_credits',
      exit_code: 5,
    });
    expect(await call('explain_page_range', { range: '1-3,r1', page_count: 9 })).toMatchObject({
      words: ['page 1 to page 3', 'the last page'],
      pages: [1, 2, 3, 9],
      count: 4,
    });
    expect((await call('openapi')).document.openapi).toBe('3.1.0');
    await client.close();
  });

  it.each([
    ['estimate_cost', { operation: 'no such thing' }, /expected one of/],
    ['estimate_cost', { operation: 'merge', path: '/etc/passwd' }, /no argument path/],
    ['explain_page_range', { range: '9-', page_count: 3 }, /3 pages/],
    ['explain_page_range', { range: '1-999999999,1-999999999' }, undefined],
    ['explain_page_range', { range: 'x'.repeat(501) }, /length/],
    ['explain_error', {}, /expected a code/],
    ['limits', { operation: '__proto__' }, /expected one of/],
  ])('refuse %s with %j, or answer it soon', async (name, args, message) => {
    const client = await connect(era);
    const { isError, content } = await client.callTool({ name: `pdftool_${name}`, arguments: args });
    const [{ text = '' } = {}] = content as { text: string }[];
    if (message !== undefined) {
      expect(isError).toBe(true);
      expect(text).toMatch(message);
    }
    await client.close();
  });
});

describe('POST /mcp', () => {
  it('needs no key, looks at none, keeps no session and writes no line of the log', async () => {
    const before = rig.lines.length;
    const { status, headers } = await raw({ Authorization: 'Bearer sk_live_wrong' });
    expect(status).toBe(200);
    expect(headers['mcp-session-id']).toBeUndefined();
    await raw({ 'X-API-Key': rig.key });
    expect(rig.lines.slice(before)).toEqual([]);
    expect(await rig.credits()).toBe(10_000 + 20);
  });

  it.each([
    ['a foreign Host', { Host: 'evil.example' }],
    ['a Host that begins alike', { Host: 'localhost.evil.example' }],
    ['a foreign Origin', { Origin: 'https://evil.example' }],
    ['no Origin that can be named', { Origin: 'null' }],
    ['an Origin that begins alike', { Origin: 'http://localhost.evil.example' }],
    ['an address as Origin that is not this one', { Origin: 'http://10.0.0.9' }],
  ])('refuses %s', async (_, headers) => {
    expect((await raw(headers)).status).toBe(403);
  });

  it.each([
    ['its own address', {}],
    ['a page of this machine', { Origin: 'http://localhost:5173' }],
    ['localhost', { Host: 'localhost:1' }],
  ])('takes %s', async (_, headers) => {
    expect((await raw(headers)).status).toBe(200);
  });

  it('takes the name that is set, and its pages', async () => {
    await using other = closing(
      await startRig({
        more: { tools: createHosted },
        settings: { public_url: 'https://pdf.example.org', hosts: ['alias.example.org'] },
      }),
    );
    const host = { Host: 'pdf.example.org' };
    expect((await raw({ ...host, Origin: 'https://pdf.example.org' }, list(), 'POST', other.rig)).status).toBe(200);
    expect((await raw({ Host: 'alias.example.org' }, list(), 'POST', other.rig)).status).toBe(200);
    expect((await raw({ ...host, Origin: 'https://example.org' }, list(), 'POST', other.rig)).status).toBe(403);
  });

  it.each([
    ['no JSON', '{', 400],
    ['no message', '"hello"', 400],
    ['what nests deeply', `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`, 400],
    ['too much', `{"x":"${'y'.repeat(70_000)}"}`, 413],
    ['too many messages', JSON.stringify(Array(50).fill(JSON.parse(list()))), 413],
    [
      'a stream that would stay open',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} }),
      404,
    ],
  ])('refuses %s', async (_, body, status) => {
    expect((await raw({}, body)).status).toBe(status);
  });

  it.each(['GET', 'DELETE', 'PUT'])('has no %s', async (method) => {
    const { status, headers } = await raw({}, '', method);
    expect(status).toBe(405);
    expect(headers.allow).toBe('POST');
  });

  it('refuses an address that asks too often, and says when to come back', async () => {
    await using other = closing(await startRig({ more: { tools: createHosted }, settings: { mcp_rate: 60 } }));
    const statuses: number[] = [];
    let last: Awaited<ReturnType<typeof raw>> | undefined;
    for (let each = 0; each < 70 && last?.status !== 429; each += 1) {
      last = await raw({}, list(each), 'POST', other.rig);
      statuses.push(last.status);
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(60);
    expect(last?.status).toBe(429);
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(last?.text ?? '')).toMatchObject({ ok: false, error: expect.stringContaining('60') });
    // Other addresses of the service are asked as before.
    expect((await fetch(`${other.rig.url}/api/v1/capabilities`)).status).toBe(200);
  });
});

function closing(one: Rig): AsyncDisposable & { rig: Rig } {
  return { rig: one, [Symbol.asyncDispose]: () => one.close() };
}
