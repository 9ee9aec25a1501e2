// How the workers of a pool are divided: with processes that answer when a file is there, and a clock that can be set ahead.
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { Pool } from '../../src/serve/worker/pool.ts';
import { folder } from '../e2e/pdftool.ts';
import { until } from './rig.ts';

/** Ends a task when the file is there that its folder names. */
const WORKER = `process.on('message', ({ folder }) => {
  const look = setInterval(() => {
    if (!require('node:fs').existsSync(folder)) return;
    clearInterval(look);
    process.send({ kind: 'done', made: { mediaType: '', bytes: 0 } });
  }, 5);
}); process.send({ kind: 'ready' });`;

it('an account that takes all workers after another began to wait gives one up', async () => {
  let ahead = 0;
  // Ten times as fast: a task that waits looks every 100 ms.
  const clock = {
    now: () => systemClock.now() + ahead,
    sleep: (milliseconds: number, signal: AbortSignal) => systemClock.sleep(milliseconds / 10, signal),
  };
  const settings = { size: 2, memory: 1e9, addressSpace: 1e11, patience: 600_000, recycleAfter: 100 };
  const lost: string[] = [];
  const events = { lost: (reason: string) => void lost.push(reason), unexpected() {} };
  const pool = new Pool({ ...settings, command: [process.execPath, '-e', WORKER] }, clock, events);
  using here = folder();
  const { signal } = new AbortController();
  const run = (owner: string, gate: string) =>
    pool.run(
      {
        ...{ kind: 'operation', name: 'x', limits: {}, fields: {}, files: [], durable: false },
        ...{ folder: gate, output: here.at('out') },
      },
      { signal, owner },
    );
  const open = process.execPath;
  for (let times = 0; times < 4; times += 1) await run('a', open);
  await run('b', open);
  // The other account has used more lately, so that it is the second whose turn it is.
  const used = run('b', here.at('used'));
  await until(() => (pool.state.active === 1 ? true : undefined));
  ahead += 60_000;
  writeFileSync(here.at('used'), '');
  await used;
  const first = [run('a', here.at('first')), run('a', here.at('first'))];
  await until(() => (pool.state.active === 2 ? true : undefined));
  const waiting = run('b', open);
  const second = [run('a', here.at('second')), run('a', here.at('second'))];
  writeFileSync(here.at('first'), '');
  await Promise.all(first);
  await until(() => (pool.state.active === 2 && pool.state.waiting === 1 ? true : undefined));
  await waiting;
  expect(lost).toEqual(['given up']);
  writeFileSync(here.at('second'), '');
  await Promise.all(second);
  await pool.close();
});
