// A bucket that does not take results for longer than a call waits for it: what was done is kept, and paid once.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { openPostgres } from '../../src/serve/store/postgres/store.ts';
import { noisyPdf } from './documents.ts';
import { at, bucketEnv, create, headers, type JobTold, killFleet, place, start } from './fleet.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { until } from './rig.ts';
import { type S3Server, startS3 } from './s3.ts';

/** Milliseconds: more than the 15 s that each call waits. */
const OUTAGE = 20_000;
const PDF = noisyPdf(60_000);

let postgres: PostgresServer;
let s3: S3Server;
beforeAll(async () => {
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
});
afterAll(async () => {
  await Promise.all([postgres.remove(), s3.remove()]);
});
afterEach(killFleet);

it('a result waits for a bucket that is away, and is neither made nor paid again', { timeout: 120_000 }, async () => {
  const all = await place(postgres, bucketEnv(s3));
  const server = await start(all, ['serve', '--port', '0', '--no-workers']);
  const worker = await start(all, ['work']);
  const { url, key } = server;
  const job = await create(url, key, PDF.length);
  await fetch(at(job.upload?.session_uri, url), { method: 'PUT', body: new Uint8Array(PDF) });
  s3.refuse(/\/results\//);
  const begun = await fetch(`${url}/api/v1/workflow-jobs/${job.uploadId}`, { method: 'POST', headers: headers(key) });
  expect(begun.status).toBe(200);
  await until(() => (s3.refused() > 0 ? true : undefined), 30_000);
  await sleep(OUTAGE);
  // The patience of a call was over, and the job is still the same worker's.
  expect(worker.log()).toContain('the storage does not answer');
  s3.accept();
  const done = await until(async () => {
    const answer = await fetch(`${url}/api/v1/workflow-jobs/${job.jobId}`, { headers: headers(key) });
    const told = (await answer.json()) as JobTold;
    return ['succeeded', 'failed'].includes(told.status) ? told : undefined;
  }, 30_000);
  expect([done.status, (await fetch(String(done.result_url))).status]).toEqual(['succeeded', 200]);
  const { store } = await openPostgres(all.database, systemClock);
  const { entries, reserved, mismatches } = await store.audit();
  expect([entries.charge, reserved, mismatches]).toEqual([1, 0, []]);
  expect(await store.job(job.jobId)).toMatchObject({ token: 1, attempts: 1 });
  expect(s3.objects().filter((name) => name.includes('/results/')).length).toBe(1);
  await store.close();
});
