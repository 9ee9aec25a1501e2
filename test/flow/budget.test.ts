// Price, budget and plan against a real server that counts requests.
import { afterEach, describe, expect, it } from 'vitest';
import { info, merge, rotate } from '../../src/contract/operations/pages/pages.ts';
import { workflowCreate } from '../../src/contract/operations/service/workflow.ts';
import { compress } from '../../src/contract/operations/size/compress.ts';
import { audiobook, narrate } from '../../src/contract/operations/speech.ts';
import { limitSpending } from '../../src/flow/budget.ts';
import { planOf } from '../../src/flow/plan.ts';
import { callPrice } from '../../src/flow/price.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import { bytesSource, createContext, failureOf, settingsFor } from '../faults/context.ts';
import {
  ACCOUNT_PATH,
  type Act,
  accountWith,
  answer,
  cut,
  ERROR_RECORD,
  record,
  type ScriptedServer,
  startServer,
} from '../faults/scripted-server.ts';

let server: ScriptedServer | undefined;
afterEach(() => server?.close());
const file = bytesSource('a.pdf', '%PDF-1.4 x');
const good = answer(200, '%PDF-1.7\n%%EOF\n', { 'content-type': 'application/pdf' });

async function remote(acts: readonly Act[]) {
  server = await startServer({
    [ACCOUNT_PATH]: [accountWith(20)],
    'POST /api/v1/rotate': acts,
    'POST /api/v1/pdf-info': [record({ ok: true, page_count: 1, credits_remaining: 1 })],
  });
  return createRemoteEngine(settingsFor(server.url));
}

describe('prices', () => {
  // Typed by hand from SERVICE.md, "Credit costs".
  it.each([
    [merge, {}, 1, false],
    [info, {}, 0, false],
    [audiobook, {}, 15 * 20, true],
    [audiobook, { output_format: 'm4b' }, 15 * 20, true],
    [audiobook, { output_format: 'mp4' }, 20 * 20, true],
    [narrate, {}, 20 * 20, true],
    [workflowCreate, { maxCredits: 7 }, 7, true],
  ])('$name', (op, input, credits, atMost) => {
    expect(callPrice(op, input)).toMatchObject({ credits, atMost });
  });
});

describe('--max-credits', () => {
  it('refuses before sending what would cost more, and lets free calls pass', async () => {
    const engine = limitSpending(await remote([good]), 0);
    const failure = await failureOf(engine.call(rotate, { file, angle: 90 }, createContext()));
    expect([failure.code, failure.exit, failure.charged]).toEqual(['over_max_credits', 5, 'no']);
    expect(failure.message).toBe(
      'rotate costs 1 credits (charged when it succeeds); max-credits is 0; nothing was sent',
    );
    await engine.call(info, { file }, createContext());
    expect(server?.seen.map(({ path }) => path)).toEqual(['/api/v1/pdf-info']);
  });

  it('counts a whole batch, what was refused not, and what is unknown as charged', async () => {
    const refused = answer(422, ERROR_RECORD('no'));
    const engine = limitSpending(await remote([refused, good, cut, good]), 2);
    const rotateOnce = () => engine.call(rotate, { file, angle: 90 }, createContext());
    expect((await failureOf(rotateOnce())).code).toBe('unprocessable');
    await rotateOnce();
    expect((await failureOf(rotateOnce())).code).toBe('ambiguous');
    const over = await failureOf(rotateOnce());
    expect([over.code, over.message]).toEqual(['over_max_credits', expect.stringContaining('2 are spent')]);
    expect(server?.count('POST /api/v1/rotate')).toBe(3);
  });

  it('holds for calls side by side', async () => {
    const engine = limitSpending(await remote([good]), 2);
    const calls = [1, 2, 3].map(() => engine.call(rotate, { file, angle: 90 }, createContext()));
    const states = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(states.sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('takes what the service says it used', async () => {
    const free = answer(200, '%PDF-1.7\n%%EOF\n', { 'content-type': 'application/pdf', 'x-credits-used': '0' });
    const engine = limitSpending(await remote([free]), 1);
    for (let call = 0; call < 3; call += 1) await engine.call(rotate, { file, angle: 90 }, createContext());
    expect(server?.count('POST /api/v1/rotate')).toBe(3);
  });
});

describe('--plan', () => {
  it('shows request, checks and price, and sends nothing', async () => {
    const probe = { countPages: async () => undefined };
    await remote([good]);
    const big = { ...file, name: '/secret/folder/big.txt', read: () => 0 };
    const plan = await planOf('remote', compress, { file: big, target_bytes: 1000 }, createContext(), probe, 0);
    expect(plan).toEqual({
      ok: false,
      operation: 'compress',
      engine: 'remote',
      request: {
        method: 'POST',
        path: '/api/v1/compress',
        fields: { target_bytes: 1000 },
        files: [{ name: '/secret/folder/big.txt', bytes: 10 }],
      },
      checks: [
        {
          what: '/secret/folder/big.txt',
          limit: 'a PDF file',
          found: 'text',
          ok: false,
          message: 'compress: /secret/folder/big.txt: expected a PDF file, found text',
        },
        { what: 'credits', limit: 'at most 0', found: '1', ok: false },
      ],
      price: { credits: 1, at_most: false, why: 'charged when it succeeds' },
    });
    expect(server?.seen).toEqual([]);
  });
});
