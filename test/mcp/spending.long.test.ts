import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PDF } from '../../src/contract/media.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { argumentOf } from '../../src/mcp/arguments.ts';
import { CLEAN } from '../e2e/pdftool.ts';
import { type Act, answer, type ScriptedServer, startServer } from '../faults/scripted-server.ts';
import { fixture, Session, type SessionOptions } from './client.ts';

const PRICED = OPERATIONS.filter(({ cost }) => cost !== undefined && !('credits' in cost && cost.credits === 0));

/** Every tool whose call the service charges for, with a call that it would take: rows to come are among them by themselves. */
const CALLS = Object.fromEntries(
  PRICED.filter(({ disabled }) => disabled === undefined).flatMap((op) =>
    Object.entries(op.tools).map(([name, { required = [] }]) => [name, callOf(op, required)] as const),
  ),
);
/** Nobody can pay for it. */
const DISABLED = PRICED.filter(({ disabled }) => disabled !== undefined).flatMap(({ tools }) => Object.keys(tools));

function callOf(op: AnyOperation, required: readonly string[]): Record<string, unknown> {
  if (op.name === 'workflow-create') return { workflow: 'source_pack', path: 'lorem-ipsum.pdf' };
  const oneOf = op.needsOneOf?.find((name) => op.input[name]?.kind !== 'file');
  const values = Object.entries(op.input).flatMap(([name, field]): [string, unknown][] => {
    const argument = argumentOf(name, field);
    if (field.kind === 'file' && field.required) return [[argument, sampleOf(field.types)]];
    if (field.kind === 'files') return [[argument, Array(field.min).fill(sampleOf(field.types))]];
    if (field.kind === 'text' && field.grammar === 'pages') return [[argument, '1']];
    if (!field.required && !required.includes(name) && name !== oneOf) return [];
    if (field.kind === 'pages' || (field.kind === 'text' && field.grammar !== undefined)) return [[argument, '1']];
    if (field.kind === 'choice') return [[argument, field.values[0]]];
    if (field.kind === 'number') return [[argument, 1]];
    if (field.kind === 'flag') return [[argument, true]];
    if (field.kind === 'object') return [[argument, { Name: 'x' }]];
    return [
      [
        argument,
        field.kind === 'integer' ? Math.min(50_000, field.max ?? 50_000) : field.kind === 'size' ? 50_000 : 'text',
      ],
    ];
  });
  return Object.fromEntries(values);
}

function sampleOf(types: readonly string[]): string {
  return types.includes(PDF) ? 'lorem-ipsum.pdf' : 'dot.png';
}

const pdf = readFileSync(fixture('lorem-ipsum.pdf'));
const merged = answer(200, pdf, {
  'Content-Type': 'application/pdf',
  'X-Credits-Used': '1',
  'X-Credits-Remaining': '41',
});
const servers: ScriptedServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serviceWith(script: Readonly<Record<string, readonly Act[]>>): Promise<ScriptedServer> {
  const server = await startServer(script);
  servers.push(server);
  return server;
}

/** A client whose server works on the service, with a journal of its own. */
async function open(service: ScriptedServer, options: SessionOptions & { state?: string } = {}) {
  const state = options.state ?? mkdtempSync(join(tmpdir(), 'pdftool-test-mcp-'));
  const env = {
    ...CLEAN,
    XDG_STATE_HOME: state,
    PDFTOOL_BASE_URL: service.url,
    SERVICE_API_KEY: `sk_test_${'a'.repeat(32)}`,
  };
  const session = await Session.open({ ...options, env: { ...env, ...options.env } });
  session.bring('lorem-ipsum.pdf', 'outlines.pdf');
  return session;
}

describe('a charged call', () => {
  it('is one of many', () => {
    expect(Object.keys(CALLS)).toEqual(expect.arrayContaining(['merge_pdfs', 'pdf_to_speech', 'workflow_submit']));
    expect(Object.keys(CALLS).length).toBeGreaterThanOrEqual(18);
    expect(DISABLED).toEqual(['translate_and_speak']);
  });

  it.each(['modern', 'legacy'] as const)(
    'without a budget or a yes does not reach the service, whichever tool it is (%s)',
    async (era) => {
      const service = await serviceWith({});
      await using session = await open(service, { era });
      session.bringPng();
      for (const [name, args] of Object.entries(CALLS)) {
        // The person's own limit for a call is no permission.
        const most = name === 'workflow_submit' ? 1 : 100;
        for (const more of [{}, { max_credits: most }]) {
          const { isError, record, text } = await session.call(name, { ...args, ...more });
          expect(isError, name).toBe(true);
          expect(record.error, `${name}: ${text}`).toMatchObject({ code: 'over_max_credits', charged: 'no' });
          expect(text, name).toMatch(/costs (up to )?\d+ credit/);
        }
      }
      expect(service.seen).toEqual([]);
      for (const name of DISABLED) {
        const { record } = await session.call(name, { path: 'lorem-ipsum.pdf', target_language: 'hi' });
        expect(record.error.code).toBe('unavailable');
      }
      expect(service.seen).toEqual([]);
    },
  );

  it('says its price in its description', async () => {
    const service = await serviceWith({});
    await using session = await open(service);
    const { tools } = await session.client.listTools();
    for (const name of Object.keys(CALLS)) {
      const { description = '', annotations } = tools.find((tool) => tool.name === `pdftool_${name}`) ?? {};
      expect(description, name).toMatch(/costs \d+ credit|credits are set aside/);
      expect(annotations, name).toMatchObject({ readOnlyHint: false, openWorldHint: true });
    }
  });
});

describe('a budget', () => {
  it('is for the life of the server: what is left pays, and no more', async () => {
    const service = await serviceWith({ 'POST /api/v1/rotate': [merged] });
    await using session = await open(service, { args: ['--max-credits', '2'] });
    const turn = () => session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 });
    const { record } = await turn();
    expect(record).toMatchObject({
      ok: true,
      engine: 'remote',
      credits: { used: 1, remaining: 41 },
      bytes: pdf.length,
    });
    expect((await turn()).isError).toBe(false);
    const third = await turn();
    expect(third.record.error).toMatchObject({ code: 'over_max_credits', charged: 'no' });
    expect(third.text).toContain('0 credits of 2 are left');
    expect(service.count('POST /api/v1/rotate')).toBe(2);
  });

  it('is shared by calls side by side', async () => {
    const service = await serviceWith({ 'POST /api/v1/rotate': [slow(300, merged)] });
    await using session = await open(service, { args: ['--max-credits', '2'] });
    const calls = await Promise.all(
      [90, 180, 270, -90].map((angle) => session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle })),
    );
    expect(calls.filter(({ isError }) => !isError)).toHaveLength(2);
    expect(service.count('POST /api/v1/rotate')).toBe(2);
  });

  it('can be made less by a call for itself', async () => {
    const service = await serviceWith({});
    await using session = await open(service, { args: ['--max-credits', '100'] });
    const { record } = await session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90, max_credits: 0 });
    expect(record.error.code).toBe('over_max_credits');
    expect(service.seen).toEqual([]);
  });

  it('is given back by a call that was refused', async () => {
    const refusal = answer(422, JSON.stringify({ ok: false, error: 'no such page' }));
    const service = await serviceWith({ 'POST /api/v1/rotate': [refusal, merged] });
    await using session = await open(service, { args: ['--max-credits', '1'] });
    const first = await session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 });
    expect(first.record.error).toMatchObject({ code: 'unprocessable', charged: 'no' });
    expect((await session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 })).isError).toBe(false);
  });

  it('is not what a project file says', async () => {
    const service = await serviceWith({});
    await using session = await open(service);
    session.write('.pdftool.json', '{"max_credits": 1000}');
    await using second = await open(service, { here: session.here });
    const { record } = await second.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 });
    expect(record.error.code).toBe('over_max_credits');
    expect(service.seen).toEqual([]);
  });
});

describe.each(['modern', 'legacy'] as const)('a person with a %s client', (era) => {
  it('is asked once, with the price; a yes sends the call once', async () => {
    const service = await serviceWith({ 'POST /api/v1/rotate': [merged] });
    const person = () => ({ action: 'accept' as const, content: { yes: true } });
    await using session = await open(service, { era, person });
    const { isError, record } = await session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 });
    expect(isError).toBe(false);
    expect(record.credits.used).toBe(1);
    expect(session.asked).toHaveLength(1);
    expect(session.asked[0]).toMatch(/rotate_pdf costs 1 credit/);
    expect(service.count('POST /api/v1/rotate')).toBe(1);
    // A yes is for one call.
    await session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 });
    expect(session.asked).toHaveLength(2);
  });

  it.each([
    ['no', { action: 'accept' as const, content: { yes: false } }],
    ['nothing', { action: 'cancel' as const }],
    ['decline', { action: 'decline' as const }],
  ])('who answers %s is charged nothing', async (_, given) => {
    const service = await serviceWith({});
    await using session = await open(service, { era, person: () => given });
    const { isError, record } = await session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 });
    expect(isError).toBe(true);
    expect(record.error).toMatchObject({ code: 'over_max_credits', charged: 'no' });
    expect(service.seen).toEqual([]);
  });

  it('is not asked within the budget', async () => {
    const service = await serviceWith({ 'POST /api/v1/rotate': [merged] });
    await using session = await open(service, {
      era,
      args: ['--max-credits', '1'],
      person: () => ({ action: 'decline' }),
    });
    expect((await session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 })).isError).toBe(false);
    expect(session.asked).toEqual([]);
  });
});

describe('a call whose outcome is not known', () => {
  const cut: Act = (response) => response.socket?.destroy();

  it('is told so, and is never repeated: not by this server and not by the next', async () => {
    const service = await serviceWith({ 'POST /api/v1/rotate': [cut] });
    const state = mkdtempSync(join(tmpdir(), 'pdftool-test-mcp-'));
    await using session = await open(service, { args: ['--max-credits', '9'], state });
    const turn = (on: Session) => on.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 });
    const first = await turn(session);
    expect(first.record.error).toMatchObject({ charged: 'unknown' });
    expect(first.text).toMatch(/may have been charged.*account/is);
    expect(service.count('POST /api/v1/rotate')).toBe(1);
    const second = await turn(session);
    expect(second.record.error).toMatchObject({ code: 'ambiguous' });
    await using next = await open(service, { args: ['--max-credits', '9'], state, here: session.here });
    expect((await turn(next)).record.error).toMatchObject({ code: 'ambiguous' });
    expect(service.count('POST /api/v1/rotate')).toBe(1);
    rmSync(state, { recursive: true, force: true });
  });
});

describe('a call that is cancelled after it was sent', () => {
  it('goes on to its end, and the next answer says what became of it', async () => {
    const service = await serviceWith({ 'POST /api/v1/rotate': [slow(700, merged)] });
    await using session = await open(service, { args: ['--max-credits', '9'] });
    const cancel = new AbortController();
    const call = session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 }, { signal: cancel.signal });
    const given = expect(call).rejects.toThrow();
    await until(() => service.count('POST /api/v1/rotate') === 1);
    cancel.abort('changed my mind');
    await given;
    await until(() => session.here.list().includes('lorem-ipsum-rotated.pdf'));
    await until(() => session.told.includes('was cancelled'));
    const { record } = await session.call('first_run_checklist');
    expect(record.notes).toHaveLength(1);
    expect(record.notes[0]).toContain('rotate_pdf');
    expect(record.notes[0]).toContain(session.here.at('lorem-ipsum-rotated.pdf'));
    expect(service.count('POST /api/v1/rotate')).toBe(1);
    expect((await session.call('first_run_checklist')).record.notes).toBeUndefined();
  });

  it('is brought home also when the client leaves', async () => {
    const service = await serviceWith({ 'POST /api/v1/rotate': [slow(700, merged)] });
    const session = await open(service, { args: ['--max-credits', '9'] });
    void session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 }).catch(() => {});
    await until(() => service.count('POST /api/v1/rotate') === 1);
    await session.client.close();
    await until(() => session.here.list().includes('lorem-ipsum-rotated.pdf'));
    expect(readFileSync(session.here.at('lorem-ipsum-rotated.pdf')).equals(pdf)).toBe(true);
    await session[Symbol.asyncDispose]();
  });

  it('before it was sent is not sent', async () => {
    const service = await serviceWith({ 'POST /api/v1/rotate': [merged] });
    const never = () => new Promise<never>(() => {});
    await using session = await open(service, { era: 'legacy', person: never as never });
    const cancel = new AbortController();
    const call = session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 }, { signal: cancel.signal });
    const given = expect(call).rejects.toThrow();
    await until(() => session.asked.length === 1);
    cancel.abort('no');
    await given;
    expect((await session.call('first_run_checklist')).isError).toBe(false);
    expect(service.seen).toEqual([]);
  });
});

describe('free calls of the service', () => {
  it('need no budget', async () => {
    const info = { ok: true, page_count: 4, title: null, credits_remaining: 42 };
    const account = { ok: true, credits_remaining: 42, credits_lifetime_used: 0, api_key: { id: 'k' } };
    const service = await serviceWith({
      'POST /api/v1/pdf-info': [answer(200, JSON.stringify(info))],
      'GET /api/v1/account': [answer(200, JSON.stringify(account))],
    });
    await using session = await open(service);
    expect((await session.call('pdf_info', { path: 'lorem-ipsum.pdf' })).record.page_count).toBe(4);
    expect((await session.call('account')).record.credits_remaining).toBe(42);
  });
});

function slow(milliseconds: number, act: Act): Act {
  return (...request) => void setTimeout(() => act(...request), milliseconds);
}

async function until(met: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (met()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it did not come to pass within 10 s');
}
