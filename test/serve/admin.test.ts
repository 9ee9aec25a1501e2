// The operator's account area, and jobs that are cancelled: who may, and what it changes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN, pdftool } from '../e2e/pdftool.ts';
import { type Rig, startRig } from './rig.ts';

const ADMIN = `sk_admin_${'0f'.repeat(32)}`;
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ more: { adminKey: ADMIN, page: { read: async () => 'a page', key: undefined } } });
});
afterAll(() => rig.close());

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const ask = (method: string, path: string, body?: object, headers: Record<string, string> = bearer(ADMIN)) =>
  fetch(`${rig.url}/admin${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
const record = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Record<string, unknown>;
const compressJob = { workflow: 'compress', inputBytes: 100, maxCredits: 1 };
const newJob = (key = rig.key) =>
  record(
    fetch(`${rig.url}/api/v1/workflow-jobs`, {
      method: 'POST',
      headers: { ...bearer(key), 'Content-Type': 'application/json' },
      body: JSON.stringify(compressJob),
    }),
  );

describe('the account area', () => {
  const ROUTES = [
    ['GET', '/overview'],
    ['POST', '/keys'],
    ['POST', '/keys/0123456789abcdef/revoke'],
    ['POST', '/keys/0123456789abcdef/credits'],
    ['POST', '/jobs/job_x/cancel'],
  ] as const;

  it.each(ROUTES)(
    '%s %s is refused without the admin key, with an API key and with almost the right one',
    async (method, path) => {
      const almost = ADMIN.replace(/.$/, '0');
      for (const headers of [{}, bearer(rig.key), { 'X-API-Key': ADMIN }, { 'X-API-Key': rig.key }, bearer(almost)]) {
        const answer = await ask(method, path, method === 'GET' ? undefined : {}, headers);
        expect(answer.status).toBe(401);
        expect(JSON.stringify(await answer.json())).not.toContain(rig.account);
      }
      const elsewhere = { ...bearer(ADMIN), Origin: 'https://example.org' };
      expect((await ask(method, path, undefined, elsewhere)).status).toBe(403);
    },
  );

  it('is not there on a server without an admin key', async () => {
    const plain = await startRig();
    const answers = ROUTES.map(([method, path]) =>
      fetch(`${plain.url}/admin${path}`, { method, headers: bearer(ADMIN) }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    await plain.close();
  });

  it('opens nothing else: the admin key is no API key', async () => {
    expect((await fetch(`${rig.url}/api/v1/account`, { headers: bearer(ADMIN) })).status).toBe(401);
  });

  it('makes a key that works, names it, grants credits, and revokes it', async () => {
    const made = await record(ask('POST', '/keys', { label: 'for Ada' }));
    const key = String(made.api_key);
    const account = () => fetch(`${rig.url}/api/v1/account`, { headers: bearer(key) });
    expect(await record(account())).toMatchObject({ credits_remaining: 20, api_key: { label: 'for Ada' } });
    const granted = await record(ask('POST', `/keys/${made.id}/credits`, { credits: 30 }));
    expect(granted).toMatchObject({ ok: true, granted: 30, credits_remaining: 50 });
    for (const credits of [0, -5, 1.5, '7']) {
      expect((await ask('POST', `/keys/${made.id}/credits`, { credits })).status).toBe(400);
    }
    expect(await record(ask('POST', `/keys/${made.id}/revoke`, {}))).toMatchObject({ revoked: true });
    expect((await account()).status).toBe(403);
    expect((await ask('POST', '/keys/0123456789abcdef/credits', { credits: 1 })).status).toBe(404);
    expect((await ask('POST', '/keys', { account: 'acct_unknown' })).status).toBe(404);
    expect((await ask('POST', '/keys', { kind: 'live' })).status).toBe(400);
  });

  it('shows keys without their secrets, use by day, jobs without what they look for, and health', async () => {
    const { store, clock } = rig.server.service;
    await store.reserve(rig.account, 3, 'today', clock.now());
    await store.settle('today', 3, clock.now());
    const options = { mode: 'inspect', find: ['a secret name'] };
    await rig.send('/api/v1/workflow-jobs', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...compressJob, workflow: 'redaction', options }),
    });
    const overview = await record(ask('GET', '/overview'));
    expect(overview).toMatchObject({ health: { ready: true }, states: { awaiting_upload: 1 } });
    expect(overview.use).toHaveLength(30);
    expect((overview.use as number[]).at(-1)).toBe(3);
    expect(overview.jobs).toMatchObject([{ account: rig.account, workflow: 'redaction', state: 'awaiting_upload' }]);
    const text = JSON.stringify(overview);
    expect(text).toContain(rig.keyId);
    for (const secret of [rig.key, ADMIN, 'a secret name', 'sha256']) expect(text).not.toContain(secret);
  });

  it('is bounded as keys are', async () => {
    const slow = await startRig({ settings: { key_rate: 2 }, more: { adminKey: ADMIN } });
    const status = async () => (await fetch(`${slow.url}/admin/overview`, { headers: bearer(ADMIN) })).status;
    expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
    await slow.close();
  });
});

describe('a job', () => {
  it('is cancelled by its owner, once for all, and what it set aside comes back', async () => {
    const before = await rig.credits();
    const { jobId } = await newJob();
    expect(await rig.credits()).toBe(before - 1);
    const cancel = () => rig.send(`/api/v1/jobs/${jobId}/cancel`, { method: 'POST' });
    for (const answer of [await cancel(), await cancel()]) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ job_id: jobId, status: 'failed', error_code: 'cancelled' });
    }
    expect(await rig.credits()).toBe(before);
    const status = await rig.send(`/api/v1/workflow-jobs/${jobId}`);
    expect(await status.json()).toMatchObject({ status: 'failed', error_code: 'cancelled', credits_charged: 0 });
  });

  it('is cancelled at the command line; one that is not there is said', async () => {
    const { jobId } = await newJob();
    const env = { ...CLEAN, PDFTOOL_BASE_URL: rig.url, PDFTOOL_API_KEY: rig.key };
    const done = await pdftool(['jobs', 'cancel', String(jobId), '--json'], { env });
    expect([done.exitCode, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, job_id: jobId, error_code: 'cancelled' });
    const status = await rig.send(`/api/v1/workflow-jobs/${jobId}`);
    expect(await status.json()).toMatchObject({ status: 'failed', error_code: 'cancelled' });
    const none = await pdftool(['jobs', 'cancel', 'job_unknown'], { env });
    expect([none.exitCode, none.stdout, none.stderr]).toEqual([6, '', expect.stringMatching(/^error: .*job/)]);
  });

  it('of another account is not there to be cancelled', async () => {
    const { jobId } = await newJob(await rig.stranger(5));
    expect((await rig.send(`/api/v1/jobs/${jobId}/cancel`, { method: 'POST' })).status).toBe(404);
    expect((await ask('POST', `/jobs/${jobId}/cancel`, {})).status).toBe(200);
    expect((await ask('POST', `/jobs/${jobId}/cancel`, {})).status).toBe(404);
  });
});
