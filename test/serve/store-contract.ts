// What every store does, whatever database it is on: credits change once and together, jobs are finished by their last worker only.
import { describe, expect, it } from 'vitest';
import type { ClaimScope, NewJob } from '../../src/serve/store/jobs.ts';
import type { Store } from '../../src/serve/store/store.ts';

export const NOVEMBER = Date.UTC(2026, 10, 21);
export const DECEMBER = Date.UTC(2026, 11, 1);

export const job = (id: string, more: Partial<NewJob> = {}): NewJob => ({
  id,
  uploadId: `up_${id}`,
  account: 'acct_a',
  workflow: 'compress',
  options: {},
  inputBytes: 100,
  maxCredits: 1,
  expiresAt: NOVEMBER + 3_600_000,
  ...more,
});

export const lease = (after: number, owner = 'server_a') => ({ owner, until: NOVEMBER + after });

/** `withStore` gives a store of its own with one account, acct_a. */
export function storeContract(withStore: (use: (store: Store) => Promise<void>) => Promise<void>): void {
  describe('credits', () => {
    it('are 20 for a new account, set aside, charged in part, and the rest returned', () =>
      withStore(async (store) => {
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 20, reserved: 0, used: 0 });
        expect(await store.reserve('acct_a', 5, 'x', NOVEMBER)).toBe(true);
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 15, reserved: 5, used: 0 });
        await store.settle('x', 2, NOVEMBER);
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 18, reserved: 0, used: 2 });
      }));

    it('are settled once: the second time changes nothing', () =>
      withStore(async (store) => {
        await store.reserve('acct_a', 3, 'x', NOVEMBER);
        await store.settle('x', 0, NOVEMBER);
        await store.settle('x', 3, NOVEMBER);
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 20, reserved: 0, used: 0 });
        expect(await store.audit()).toMatchObject({ entries: { charge: 0, release: 1 }, mismatches: [] });
      }));

    it('are never set aside beyond what is there, nor charged beyond what was set aside', () =>
      withStore(async (store) => {
        expect(await store.reserve('acct_a', 21, 'x', NOVEMBER)).toBe(false);
        await store.reserve('acct_a', 1, 'y', NOVEMBER);
        await expect(store.settle('y', 2, NOVEMBER)).rejects.toThrow(/holds 1 credits/);
        expect(await store.audit()).toMatchObject({ reserved: 1, mismatches: [] });
      }));

    it('are granted once for each reference', () =>
      withStore(async (store) => {
        expect(await store.grant('acct_a', 100, 'pack 1', NOVEMBER)).toBe(true);
        expect(await store.grant('acct_a', 100, 'pack 1', NOVEMBER)).toBe(false);
        expect((await store.account('acct_a', NOVEMBER))?.available).toBe(120);
      }));

    it('are filled up to 20 when a month begins, once, and what was bought stays', () =>
      withStore(async (store) => {
        expect((await store.account('acct_a', NOVEMBER))?.resetsAt).toBe(DECEMBER);
        await store.reserve('acct_a', 7, 'x', NOVEMBER);
        await store.settle('x', 7, NOVEMBER);
        expect((await store.account('acct_a', DECEMBER - 1))?.available).toBe(13);
        expect((await store.account('acct_a', DECEMBER))?.available).toBe(20);
        expect((await store.account('acct_a', DECEMBER + 1))?.resetsAt).toBe(Date.UTC(2027, 0, 1));
        await store.grant('acct_a', 1000, 'pack', DECEMBER);
        expect((await store.account('acct_a', Date.UTC(2027, 0, 1)))?.available).toBe(1020);
        expect((await store.audit()).mismatches).toEqual([]);
      }));

    it('that were charged are told by day', () =>
      withStore(async (store) => {
        for (const [ref, day, charged] of [
          ['x', 0, 2],
          ['y', 0, 1],
          ['z', 2, 4],
          ['free', 2, 0],
        ] as const) {
          await store.reserve('acct_a', 4, ref, NOVEMBER);
          await store.settle(ref, charged, NOVEMBER + day * 86_400_000);
        }
        const first = NOVEMBER / 86_400_000;
        const days = [
          { day: first, credits: 3, charges: 2 },
          { day: first + 2, credits: 4, charges: 1 },
        ];
        expect(await store.usage(NOVEMBER)).toEqual(days);
        expect(await store.usage(NOVEMBER + 1)).toEqual(days.slice(1));
      }));

    it('of a job that is cancelled come back, and its worker can no longer end it', () =>
      withStore(async (store) => {
        await store.createJob(job('job_1', { isUploaded: true, maxCredits: 5 }), NOVEMBER);
        const claimed = await store.claimJob(NOVEMBER, lease(1000));
        expect(await store.openJobs(10)).toMatchObject([{ id: 'job_1', state: 'running' }]);
        expect(await store.cancelJob('job_1', NOVEMBER)).toBe(true);
        expect(await store.cancelJob('job_1', NOVEMBER)).toBe(false);
        expect(await store.heartbeat('job_1', claimed?.token ?? 0, NOVEMBER, NOVEMBER + 2000, {})).toBe(false);
        const failed = { state: 'failed', code: 'internal', message: 'late' } as const;
        expect(await store.finishJob('job_1', claimed?.token ?? 0, failed, NOVEMBER, NOVEMBER)).toBe(false);
        expect(await store.job('job_1')).toMatchObject({ state: 'failed', errorCode: 'cancelled', charged: 0 });
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 20, reserved: 0 });
        expect(await store.openJobs(10)).toEqual([]);
      }));

    it('of requests that died with their server are returned when its lease is over; those of jobs stay', () =>
      withStore(async (store) => {
        for (const ref of ['1', '2']) await store.reserve('acct_a', 1, ref, NOVEMBER, lease(100));
        await store.createJob(job('job_1'), NOVEMBER);
        await store.extendHolds(['2', 'unknown'], NOVEMBER + 200);
        expect(await store.releaseHolds(NOVEMBER + 150, NOVEMBER)).toBe(1);
        expect(await store.releaseHolds(NOVEMBER + 150, NOVEMBER)).toBe(0);
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 18, reserved: 2 });
        expect(await store.releaseHolds(Number.MAX_SAFE_INTEGER, NOVEMBER)).toBe(1);
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 19, reserved: 1 });
      }));
  });

  describe('a job', () => {
    it('is made once for each Idempotency-Key; another request with the key is told apart', () =>
      withStore(async (store) => {
        const keyed = (id: string, requestHash: string) => job(id, { idempotency: { key: 'k', requestHash } });
        expect(await store.createJob(keyed('job_1', 'a'), NOVEMBER)).toBe('created');
        expect(await store.createJob(keyed('job_2', 'a'), NOVEMBER)).toMatchObject({ existing: { id: 'job_1' } });
        expect(await store.createJob(keyed('job_3', 'b'), NOVEMBER)).toBe('other_request');
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 19, reserved: 1 });
      }));

    it('is finished by its last worker only, and charged once', () =>
      withStore(async (store) => {
        await store.createJob(job('job_1'), NOVEMBER);
        await store.queueJob('job_1', NOVEMBER);
        const slow = await store.claimJob(NOVEMBER, lease(100));
        expect(await store.claimJob(NOVEMBER + 50, lease(150))).toBeUndefined();
        const quick = await store.claimJob(NOVEMBER + 101, lease(300));
        expect([slow?.token, quick?.token]).toEqual([1, 2]);
        const result = { name: 'out', mediaType: 'application/pdf', bytes: 1, sha256: '' };
        const done = { state: 'succeeded', result, charged: 1 } as const;
        const later = NOVEMBER + 1_000_000;
        expect(await store.heartbeat('job_1', 1, NOVEMBER + 102, NOVEMBER + 400, {})).toBe(false);
        expect(await store.finishJob('job_1', 1, done, NOVEMBER + 102, later)).toBe(false);
        expect(await store.finishJob('job_1', 2, done, NOVEMBER + 103, later)).toBe(true);
        expect(await store.finishJob('job_1', 2, done, NOVEMBER + 104, later)).toBe(false);
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 19, reserved: 0, used: 1 });
      }));

    it('keeps what a redaction looks for no longer than it needs it', () =>
      withStore(async (store) => {
        const options = { mode: 'inspect', find: ['Quorlax'], regex: ['Q+'], kinds: ['email'] };
        await store.createJob(job('job_1', { workflow: 'redaction', options }), NOVEMBER);
        await store.createJob(job('job_2', { workflow: 'redaction', options }), NOVEMBER);
        await store.queueJob('job_1', NOVEMBER);
        expect((await store.claimJob(NOVEMBER, lease(100)))?.options).toEqual(options);
        await store.finishJob('job_1', 1, { state: 'failed', code: 'x', message: 'y' }, NOVEMBER, NOVEMBER);
        await store.expireJobs(NOVEMBER + 3_600_001);
        for (const id of ['job_1', 'job_2'])
          expect((await store.job(id))?.options).toEqual({ mode: 'inspect', kinds: ['email'] });
      }));

    it('that fails gives its budget back', () =>
      withStore(async (store) => {
        await store.createJob(job('job_1', { maxCredits: 20 }), NOVEMBER);
        expect(await store.createJob(job('job_2'), NOVEMBER)).toBe('out_of_credits');
        await store.queueJob('job_1', NOVEMBER);
        await store.claimJob(NOVEMBER, lease(100));
        await store.finishJob('job_1', 1, { state: 'failed', code: 'x', message: 'y' }, NOVEMBER, NOVEMBER);
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 20, reserved: 0, used: 0 });
      }));

    it('whose upload never came expires and gives its budget back; a queued one does not expire', () =>
      withStore(async (store) => {
        await store.createJob(job('job_1'), NOVEMBER);
        await store.createJob(job('job_2'), NOVEMBER);
        await store.queueJob('job_2', NOVEMBER);
        expect(await store.expireJobs(NOVEMBER + 3_600_001)).toEqual([{ id: 'job_1', uploadId: 'up_job_1' }]);
        expect((await store.job('job_1'))?.state).toBe('expired');
        expect(await store.queueJob('job_1', NOVEMBER)).toBe(false);
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 19, reserved: 1 });
      }));

    it('handed back in good order is no attempt; lost with its worker it is', () =>
      withStore(async (store) => {
        await store.createJob(job('job_1'), NOVEMBER);
        await store.queueJob('job_1', NOVEMBER);
        await store.claimJob(NOVEMBER, lease(100));
        expect(await store.handBack('job_1', 1, true, NOVEMBER)).toBe(true);
        expect((await store.claimJob(NOVEMBER, lease(100)))?.attempts).toBe(1);
        await store.handBack('job_1', 2, false, NOVEMBER);
        expect(await store.claimJob(NOVEMBER, lease(100))).toMatchObject({ attempts: 2, token: 3 });
      }));

    it('whose server died is taken up again, and that is no attempt', () =>
      withStore(async (store) => {
        await store.createJob(job('job_1'), NOVEMBER);
        await store.queueJob('job_1', NOVEMBER);
        await store.claimJob(NOVEMBER, lease(100));
        expect(await store.takeUpJobs(NOVEMBER + 50, NOVEMBER)).toBe(0);
        expect(await store.takeUpJobs(Number.MAX_SAFE_INTEGER, NOVEMBER)).toBe(1);
        expect(await store.claimJob(NOVEMBER, lease(100))).toMatchObject({ attempts: 1, token: 2 });
        expect(await store.claimJob(NOVEMBER + 101, lease(200, 'server_b'))).toMatchObject({ attempts: 1, token: 3 });
        // Its own worker was silent for as long: that is one.
        expect(await store.claimJob(NOVEMBER + 201, lease(300, 'server_b'))).toMatchObject({ attempts: 2, token: 4 });
      }));
  });

  describe('calls at the same time', () => {
    it('never set aside more than there is, and settle once', () =>
      withStore(async (store) => {
        const refs = Array.from({ length: 40 }, (_, index) => `r${index}`);
        const kept = await Promise.all(refs.map((ref) => store.reserve('acct_a', 1, ref, NOVEMBER)));
        expect(kept.filter(Boolean)).toHaveLength(20);
        await Promise.all(refs.flatMap((ref, index) => [0, 1].map(() => store.settle(ref, index % 2, NOVEMBER))));
        const { entries, reserved, mismatches } = await store.audit();
        expect([entries.charge + entries.release, reserved, mismatches]).toEqual([20, 0, []]);
      }));

    it('make one job for a key, and fill free credits up once', () =>
      withStore(async (store) => {
        const idempotency = { key: 'k', requestHash: 'a' };
        const made = await Promise.all(
          Array.from({ length: 12 }, (_, index) => store.createJob(job(`job_${index}`, { idempotency }), NOVEMBER)),
        );
        expect(made.filter((each) => each === 'created')).toHaveLength(1);
        await Promise.all(Array.from({ length: 12 }, () => store.account('acct_a', DECEMBER)));
        expect(await store.account('acct_a', DECEMBER)).toMatchObject({ available: 20, reserved: 1 });
        expect((await store.audit()).mismatches).toEqual([]);
      }));

    it('hold an account to what it may have open', () =>
      withStore(async (store) => {
        const most = { sessions: 3, bytes: 1_000, jobs: 10, waiting: 10, kept: 1_000 };
        const made = await Promise.all(
          Array.from({ length: 10 }, (_, index) => store.createJob(job(`job_${index}`, { most }), NOVEMBER)),
        );
        expect(made.filter((each) => each === 'created')).toHaveLength(3);
        expect(made.filter((each) => each === 'too_many_sessions')).toHaveLength(7);
      }));

    it('hold an account to the results that it may keep', () =>
      withStore(async (store) => {
        const most = { sessions: 10, bytes: 10_000, jobs: 10, waiting: 10, kept: 1_000 };
        await store.createJob(job('first', { most, isUploaded: true }), NOVEMBER);
        const claimed = await store.claimJob(NOVEMBER, lease(1_000));
        const result = { name: 'first.1.pdf', mediaType: 'application/pdf', bytes: 995, sha256: 'ab' };
        const outcome = { state: 'succeeded', result, charged: 1 } as const;
        await store.finishJob('first', claimed?.token ?? 0, outcome, NOVEMBER, NOVEMBER + 1_000);
        expect(await store.createJob(job('second', { most }), NOVEMBER)).toBe('too_many_results');
        await store.addAccount('acct_b', NOVEMBER);
        expect(await store.createJob(job('other', { most, account: 'acct_b' }), NOVEMBER)).toBe('created');
        await store.expireJobs(NOVEMBER + 1_001);
        expect(await store.createJob(job('third', { most }), NOVEMBER)).toBe('created');
      }));

    it('hold an account and all of them to what may wait', () =>
      withStore(async (store) => {
        await store.addAccount('acct_b', NOVEMBER);
        const most = { sessions: 10, bytes: 10_000, jobs: 2, waiting: 3, kept: 10_000 };
        const make = (account: string, count: number) =>
          Promise.all(
            Array.from({ length: count }, async (_, index) => {
              const made = await store.createJob(job(`${account}_${index}`, { account, most }), NOVEMBER);
              if (made === 'created') await store.queueJob(`${account}_${index}`, NOVEMBER);
              return made;
            }),
          );
        expect((await make('acct_a', 6)).filter((each) => each === 'too_many_jobs')).toHaveLength(4);
        expect(await make('acct_b', 1)).toEqual(['created']);
        expect(await store.createJob(job('one_more', { account: 'acct_b', most }), NOVEMBER)).toBe('queue_full');
      }));

    it('work on no more jobs of an account at once than it may have, and go on with others', () =>
      withStore(async (store) => {
        await store.addAccount('acct_b', NOVEMBER);
        for (const [account, count] of [
          ['acct_a', 8],
          ['acct_b', 1],
        ] as const) {
          for (let index = 0; index < count; index += 1) {
            await store.createJob(job(`${account}_${index}`, { account }), NOVEMBER);
            await store.queueJob(`${account}_${index}`, NOVEMBER);
          }
        }
        const claim = (owner: string) => store.claimJob(NOVEMBER, lease(1_000, owner), 'any', 2);
        const found = [];
        for (let turn = 0; turn < 4; turn += 1) found.push(...(await Promise.all(['a', 'b', 'c', 'd'].map(claim))));
        expect(found.flatMap((each) => each?.account ?? []).sort()).toEqual(['acct_a', 'acct_a', 'acct_b']);
        expect(await claim('e')).toBeUndefined();
      }));

    it('set credits of no more requests aside than an account may have under way; those of a dead server do not count', () =>
      withStore(async (store) => {
        await store.createJob(job('job_1'), NOVEMBER);
        const ask = (ref: string, now = NOVEMBER) => store.reserve('acct_a', 1, ref, now, lease(100), 2);
        expect([await ask('1'), await ask('2'), await ask('3')]).toEqual([true, true, 'busy']);
        await store.settle('1', 1, NOVEMBER);
        expect(await ask('4')).toBe(true);
        expect(await ask('5', NOVEMBER + 101)).toBe(true);
        expect((await store.audit()).mismatches).toEqual([]);
      }));

    it('give every waiting job to one worker', () =>
      withStore(async (store) => {
        for (let index = 0; index < 20; index += 1) {
          await store.createJob(job(`job_${index}`), NOVEMBER);
          await store.queueJob(`job_${index}`, NOVEMBER);
        }
        const taken: string[] = [];
        const work = async (owner: string) => {
          for (;;) {
            const next = await store.claimJob(NOVEMBER, lease(1_000, owner));
            if (next === undefined) return;
            taken.push(next.id);
            const result = { name: next.id, mediaType: 'application/pdf', bytes: 1, sha256: '' };
            const done = { state: 'succeeded', result, charged: 1 } as const;
            expect(await store.finishJob(next.id, next.token, done, NOVEMBER, DECEMBER)).toBe(true);
          }
        };
        // Who found only what others were just taking looks again, as a scheduler does.
        while (taken.length < 20) await Promise.all(['a', 'b', 'c', 'd'].map(work));
        expect(new Set(taken).size).toBe(20);
        expect(await store.account('acct_a', NOVEMBER)).toMatchObject({ available: 0, reserved: 0, used: 20 });
      }));

    it('prune once', () =>
      withStore(async (store) => {
        for (let index = 0; index < 10; index += 1) {
          await store.reserve('acct_a', 1, `r${index}`, NOVEMBER + index);
          await store.settle(`r${index}`, 1, NOVEMBER + index);
        }
        const before = await store.audit();
        await Promise.all([
          ...[1, 2, 3].map((each) => store.prune(DECEMBER + each)),
          ...[1, 2, 3].map((each) => store.reserve('acct_a', 1, `s${each}`, NOVEMBER)),
        ]);
        const after = await store.audit();
        expect([before.entries.charge, after.entries.charge, after.mismatches]).toEqual([10, 10, []]);
      }));
  });

  describe('what is old', () => {
    it('is forgotten, over several months, and every balance stays', () =>
      withStore(async (store) => {
        await store.grant('acct_a', 100, 'pack', NOVEMBER);
        for (const at of [NOVEMBER, DECEMBER, DECEMBER + 40 * 86_400_000]) {
          await store.reserve('acct_a', 2, `r${at}`, at);
          await store.settle(`r${at}`, 1, at);
        }
        await store.createJob(job('job_old'), NOVEMBER);
        await store.expireJobs(NOVEMBER + 3_600_001);
        const before = { accounts: await store.accounts(), audit: await store.audit() };
        expect(await store.prune(DECEMBER + 100 * 86_400_000)).toBeGreaterThan(9);
        expect({ accounts: await store.accounts(), audit: await store.audit() }).toEqual(before);
        expect(await store.job('job_old')).toBeUndefined();
      }));
  });

  describe('an upload', () => {
    it('is written by one server, until that is silent for too long', () =>
      withStore(async (store) => {
        await store.createJob(job('job_1'), NOVEMBER);
        expect(await store.holdUpload('job_1', lease(100, 'a'), NOVEMBER)).toBe(true);
        expect(await store.holdUpload('job_1', lease(150, 'b'), NOVEMBER + 50)).toBe(false);
        expect(await store.holdUpload('job_1', lease(160, 'a'), NOVEMBER + 60)).toBe(true);
        expect(await store.holdUpload('job_1', lease(300, 'b'), NOVEMBER + 161)).toBe(true);
      }));
  });

  describe('jobs', () => {
    it('are known with their files, counted, and those of speech by their key', () =>
      withStore(async (store) => {
        const speech = { keyId: 'key_1', mostOfKey: 1 };
        await store.createJob(job('job_1', speech), NOVEMBER);
        expect(await store.createJob(job('job_2', speech), NOVEMBER)).toBe('busy');
        expect(await store.activeSpeech('key_1')).toBe(1);
        await store.queueJob('job_1', NOVEMBER);
        await store.claimJob(NOVEMBER, lease(100));
        const result = { name: 'job_1.1.pdf', mediaType: 'application/pdf', bytes: 1, sha256: '' };
        await store.finishJob('job_1', 1, { state: 'succeeded', result, charged: 1 }, NOVEMBER, DECEMBER);
        const known = { id: 'job_1', uploadId: 'up_job_1', token: 1, inputBytes: 100, state: 'succeeded' };
        expect(await store.jobsWithFiles()).toEqual([{ ...known, resultName: 'job_1.1.pdf' }]);
        expect(await store.jobCounts()).toEqual({ succeeded: 1 });
        expect(await store.jobByUpload('up_job_1')).toMatchObject({ id: 'job_1', result, charged: 1 });
      }));

    it('whose upload is there already are queued as they are made: no crash leaves one between', () =>
      withStore(async (store) => {
        expect(await store.createJob({ ...job('job_1'), isUploaded: true }, NOVEMBER)).toBe('created');
        expect(await store.job('job_1')).toMatchObject({ state: 'queued', expiresAt: Number.MAX_SAFE_INTEGER });
        expect(await store.claimJob(NOVEMBER, lease(100))).toMatchObject({ id: 'job_1' });
      }));

    it('with NUL, ill-formed Unicode or deep members in what they store harm no other', () =>
      withStore(async (store) => {
        let deep: object = {};
        for (let level = 0; level < 1_200; level += 1) deep = { deep };
        const options = { find: ['x\ud800', 'y\u0000'], 'k\u0000': 1, regions: [deep] };
        for (const id of ['job_1', 'job_2', 'job_3']) await store.createJob(job(id, { options }), NOVEMBER);
        for (const id of ['job_1', 'job_2']) {
          await store.queueJob(id, NOVEMBER);
          await store.claimJob(NOVEMBER, lease(100));
        }
        const details = { chapters: [{ title: 'One\u0000\udc00' }] };
        const result = { name: 'job_1.1.m4b', mediaType: 'audio/mp4', bytes: 1, sha256: '', details };
        await store.finishJob('job_1', 1, { state: 'succeeded', result, charged: 1 }, NOVEMBER, DECEMBER);
        const failure = { state: 'failed', code: 'x', message: 'no \u0000 page \ud800' } as const;
        await store.finishJob('job_2', 1, failure, NOVEMBER, DECEMBER);
        const files = (await store.jobsWithFiles()).map((row) => [row.id, row.resultName]);
        expect(files.sort()).toEqual([
          ['job_1', 'job_1.1.m4b'],
          ['job_3', undefined],
        ]);
        expect(await store.activeSpeech('key_1')).toBe(0);
        expect((await store.job('job_1'))?.result?.details).toEqual({ chapters: [{ title: 'One\ufffd' }] });
        expect((await store.job('job_2'))?.errorMessage).toBe('no  page \ufffd');
        expect((await store.job('job_3'))?.options).toMatchObject({ find: ['x\ufffd', 'y'], k: 1 });
        await store.expireJobs(NOVEMBER + 3_600_001);
        expect((await store.job('job_3'))?.state).toBe('expired');
      }));

    it('of another account than the one that has most under way come first', () =>
      withStore(async (store) => {
        await store.addAccount('acct_b', NOVEMBER);
        for (const [id, account] of [
          ['a1', 'acct_a'],
          ['a2', 'acct_a'],
          ['b1', 'acct_b'],
        ] as const) {
          await store.createJob(job(id, { account }), NOVEMBER);
          await store.queueJob(id, NOVEMBER);
        }
        const claim = async (turn: ClaimScope) => (await store.claimJob(NOVEMBER, lease(1_000), turn))?.id;
        expect([await claim('any'), await claim('others'), await claim('others')]).toEqual(['a1', 'b1', undefined]);
        expect(await claim('last')).toBeUndefined();
        expect(await claim('any')).toBe('a2');
      }));
  });

  describe('keys', () => {
    it('the first is made once, with its account, by servers that ask at the same time', () =>
      withStore(async (store) => {
        const ids = ['1', '2', '3', '4', '5', '6', '7', '8'];
        const row = (id: string) => ({ id, account: `acct_${id}`, sha256: 'ab', label: null, createdAt: NOVEMBER });
        const made = await Promise.all(ids.map((id) => store.addFirstKey(row(id))));
        const [key] = await store.keys();
        expect([made.filter(Boolean).length, (await store.keys()).length]).toEqual([1, 1]);
        expect(made[ids.indexOf(String(key?.id))]).toBe(true);
        expect((await store.accounts()).map(({ id }) => id).sort()).toEqual([key?.account, 'acct_a'].sort());
        expect(await store.account(String(key?.account), NOVEMBER)).toMatchObject({ available: 20 });
      }));

    it('are found by their id, listed, and revoked once; a value is made once and kept', () =>
      withStore(async (store) => {
        const key = { id: 'k1', account: 'acct_a', sha256: 'ab', label: null, createdAt: NOVEMBER };
        await store.addKey(key);
        expect(await store.keys()).toEqual([{ ...key, revokedAt: null }]);
        expect([await store.revokeKey('k1', DECEMBER), await store.revokeKey('k1', DECEMBER)]).toEqual([true, false]);
        expect(await store.key('k1')).toEqual({ ...key, revokedAt: DECEMBER });
        expect(await store.key('k2')).toBeUndefined();
        await expect(store.addKey({ ...key, id: 'k3', account: 'nobody' })).rejects.toThrow();
        expect([await store.keep('secret', 'one'), await store.keep('secret', 'two')]).toEqual(['one', 'one']);
      }));
  });
}
