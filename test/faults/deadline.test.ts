// A time limit replaces the signal of a context and nothing else: the journal must learn when a request's last bytes leave.
import { expect, it } from 'vitest';
import { merge } from '../../src/contract/operations/pages/pages.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import { bytesSource, createContext, failureOf, settingsFor } from './context.ts';
import { ACCOUNT_PATH, accountWith, startServer } from './scripted-server.ts';

it('a call with a time limit hands on all of its context', async () => {
  const server = await startServer({ [ACCOUNT_PATH]: [accountWith(3)], 'POST /api/v1/merge': [() => {}] });
  try {
    let isTold = false;
    const outer = { ...createContext(), beforeLastBytes: () => void (isTold = true) };
    // The test's clock sleeps a thousandth.
    const engine = createRemoteEngine(settingsFor(server.url, { timeouts: { total: 500_000 } }));
    const small = bytesSource('small.pdf', '%PDF-1.7\n%%EOF\n');
    const failure = await failureOf(engine.call(merge, { file: [small, small] }, outer));
    expect([failure.code, isTold, outer.events.length > 0]).toEqual(['ambiguous', true, true]);
  } finally {
    await server.close();
  }
});
