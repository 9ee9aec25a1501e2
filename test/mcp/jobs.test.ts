import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN } from '../e2e/pdftool.ts';
import { answer, record, startServer } from '../faults/scripted-server.ts';
import { type Rig, startRig } from '../serve/rig.ts';
import { Session } from './client.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

function open(url: string, key: string, args: readonly string[] = ['--max-credits', '50']) {
  const state = mkdtempSync(join(tmpdir(), 'pdftool-test-mcp-'));
  const env = { ...CLEAN, XDG_STATE_HOME: state, PDFTOOL_BASE_URL: url, PDFTOOL_API_KEY: key };
  return Session.open({ args, env });
}

/** Asks until the job has ended. */
async function watched(session: Session, tool: string, job_id: string) {
  for (let tries = 0; tries < 200; tries += 1) {
    const { record: state, text } = await session.call(tool, { job_id });
    if (state.phase === 'succeeded' || state.phase === 'failed' || !state.ok) return { state, text };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the job did not end');
}

describe('tools on a real service', () => {
  it('do the work there, and say what it cost', async () => {
    await using session = await open(rig.url, rig.key);
    session.bring('lorem-ipsum.pdf', 'outlines.pdf');
    const before = await rig.credits();
    const { record: merged, text } = await session.call('merge_pdfs', { paths: ['lorem-ipsum.pdf', 'outlines.pdf'] });
    expect(merged, text).toMatchObject({ ok: true, engine: 'remote', credits: { used: 1, remaining: before - 1 } });
    expect(statSync(merged.path).size).toBe(merged.bytes);
    const { record: split } = await session.call('split_pdf', { path: 'lorem-ipsum.pdf', ranges: '1,2-z' });
    expect(split.files).toHaveLength(2);
    const { record: account } = await session.call('account');
    expect(account.credits_remaining).toBe(before - 2);
  });

  it('hand a file over as a workflow job, follow it and fetch the result; the same call finds the same job', async () => {
    await using session = await open(rig.url, rig.key);
    session.bring('lorem-ipsum.pdf');
    const before = await rig.credits();
    const submit = { workflow: 'compress', path: 'lorem-ipsum.pdf', max_credits: 1 };
    const first = await session.call('workflow_submit', submit);
    expect(first.record, first.text).toMatchObject({ ok: true, max_credits: 1 });
    const { job_id } = first.record;
    const again = await session.call('workflow_submit', submit);
    expect(again.record, again.text).toMatchObject({ ok: true, job_id });
    const { state, text } = await watched(session, 'workflow_status', job_id);
    expect(state, text).toMatchObject({ phase: 'succeeded', job_id });
    const { record: file, links } = await session.call('workflow_download', { job_id });
    expect(file).toMatchObject({ ok: true, path: session.here.at('lorem-ipsum.pdf').replace('.pdf', '-2.pdf') });
    expect(readFileSync(file.path).subarray(0, 5).toString()).toBe('%PDF-');
    expect(links).toHaveLength(1);
    expect(before - (await rig.credits())).toBe(1);
  });

  it('say that there is no such job, and that a job without a result has none', async () => {
    await using session = await open(rig.url, rig.key);
    expect((await session.call('job_status', { job_id: 'no-such-job' })).record.error.code).toBe('not_found');
    expect((await session.call('workflow_download', { job_id: 'no-such-job' })).record.error.code).toBe('not_found');
    expect(
      (await session.call('workflow_submit', { workflow: 'compress', path: 'missing.pdf' })).record.error.code,
    ).toBe('not_found');
    expect((await session.call('workflow_submit', { workflow: 'compress' })).record.error.code).toBe('usage');
  });
});

describe('speech on a service', () => {
  const KEY = 'sk_test_0123456789abcdefWXYZ';

  it('is begun once, asked after, and fetched', async () => {
    const sound = Buffer.concat([Buffer.from('ID3\u0004'), Buffer.alloc(500)]);
    const service = await startServer({
      'POST /api/v1/pdf-to-audiobook': [
        (response, request, seen) =>
          answer(202, '{"job_id":"j1","status_url":"/api/v1/jobs/j1"}')(response, request, seen),
      ],
      'GET /api/v1/jobs/j1': [
        record({ status: 'queued' }),
        record({ status: 'running', progress: 0.5 }),
        record({ status: 'succeeded' }),
      ],
      'GET /api/v1/speech-jobs/j1/download': [answer(200, sound, { 'Content-Type': 'audio/mpeg' })],
    });
    await using session = await open(service.url, KEY, ['--max-credits', '100']);
    session.bring('lorem-ipsum.pdf');
    const { record: estimate } = await session.call('estimate_speech_cost', {
      path: 'lorem-ipsum.pdf',
      page_range: '1',
    });
    const speak = { path: 'lorem-ipsum.pdf', page_range: '1' };
    const { record: begun, text } = await session.call('pdf_to_speech', speak);
    expect(begun, text).toMatchObject({ ok: true, job_id: 'j1', credits_estimated: estimate.credits_estimated });
    // The job goes on: what was sent is not sent again.
    const { record: found } = await session.call('pdf_to_speech', speak);
    expect(found).toMatchObject({ job_id: 'j1', warnings: [expect.stringContaining('before')] });
    expect(service.count('POST /api/v1/pdf-to-audiobook')).toBe(1);
    const early = await session.call('download_audio', { job_id: 'j1' });
    expect(early.record.error).toMatchObject({ code: 'pending', charged: 'no' });
    const { state } = await watched(session, 'job_status', 'j1');
    expect(state).toMatchObject({ phase: 'succeeded', job_id: 'j1' });
    const { record: file } = await session.call('download_audio', { job_id: 'j1' });
    expect(file).toMatchObject({
      path: session.here.at('lorem-ipsum.mp3'),
      bytes: sound.length,
      media_type: 'audio/mpeg',
    });
    await service.close();
  });

  it('that failed says why', async () => {
    const service = await startServer({
      'GET /api/v1/jobs/j2': [record({ status: 'failed', error_code: 'no_text', error_message: 'nothing to speak' })],
    });
    await using session = await open(service.url, KEY);
    const { record: told } = await session.call('job_status', { job_id: 'j2' });
    expect(told).toMatchObject({ ok: true, phase: 'failed', error_code: 'no_text' });
    const { record: fetched } = await session.call('download_audio', { job_id: 'j2' });
    expect(fetched.error).toMatchObject({ code: 'job_failed' });
    await service.close();
  });
});
