// Speech jobs of a real server that are refused or fail, and how long a result can be fetched.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { sweep } from '../../src/serve/jobs/sweep.ts';
import { form, startRig } from './rig.ts';
import { create, ended, GUIDE, type Job, LOREM, pdfOf, rig } from './speech-jobs.ts';

describe('a job that fails', () => {
  it('says why, and costs nothing', async () => {
    const hurried = await startRig({ settings: { job_seconds: 1 } });
    try {
      const before = await hurried.credits();
      const text = await pdfOf('Every evening the keeper climbed up the stairs and lit the lamp. '.repeat(100));
      const answer = await hurried.send('/api/v1/pdf-to-audiobook', form({ 'book.pdf': text }, { voice_id: 'slt' }));
      const job = (await answer.json()) as Job;
      expect([answer.status, await hurried.credits()]).toEqual([202, before - job.credits_reserved!]);
      const done = await ended(job, hurried);
      expect(done).toMatchObject({
        status: 'failed',
        error_code: expect.stringMatching(/^\w+$/),
        error_message: expect.stringMatching(/\w/),
      });
      expect([done.result_url, done.credits_charged ?? 0]).toEqual([undefined, 0]);
      expect(await hurried.credits()).toBe(before);
      const download = await hurried.send(`/api/v1/speech-jobs/${job.job_id}/download`);
      expect([download.status, ((await download.json()) as { error: string }).error]).toEqual([
        409,
        expect.stringMatching(/the job failed/),
      ]);
      // Its key is free for the next one.
      const next = await hurried.send('/api/v1/pdf-to-speech', form({ 'book.pdf': await pdfOf('Short.') }, {}));
      expect(next.status).toBe(202);
      await ended((await next.json()) as Job, hurried);
    } finally {
      await hurried.close();
    }
  });
});

describe('the address of a result', () => {
  it('ends after an hour, is given anew, and ends for good when the sound is not kept any more', async () => {
    let ahead = 0;
    const later = await startRig({ clock: { ...systemClock, now: () => systemClock.now() + ahead } });
    try {
      const text = await pdfOf('The keeper lit the lamp.');
      const answer = await later.send('/api/v1/pdf-to-speech', form({ 'book.pdf': text }, { voice_id: 'kal16' }));
      const job = (await answer.json()) as Job;
      const { result_url } = await ended(job, later);
      expect((await fetch(result_url!)).status).toBe(200);
      ahead += 3_700_000;
      expect((await fetch(result_url!)).status).toBe(410);
      expect((await fetch((await ended(job, later)).result_url!)).status).toBe(200);
      expect((await later.send(`/api/v1/speech-jobs/${job.job_id}/download`)).status).toBe(200);
      ahead += 24 * 3_600_000;
      await sweep(later.server.service);
      expect((await later.send(`/api/v1/speech-jobs/${job.job_id}/download`)).status).toBe(410);
    } finally {
      await later.close();
    }
  });
});

describe('before anything is queued', () => {
  const refusals: readonly (readonly [string, () => Promise<Response>, number, RegExp])[] = [
    [
      'too many pages',
      () => create('pdf-to-audiobook', GUIDE, { page_range: '1-21' }),
      413,
      /at most 20 pages, found 21/,
    ],
    [
      'too much text',
      async () =>
        create(
          'pdf-to-audiobook',
          await pdfOf(...Array.from({ length: 20 }, (_, i) => `page${i} word${i} `.repeat(80))),
        ),
      413,
      /at most 18000 characters/,
    ],
    [
      'too many minutes',
      async () =>
        create(
          'pdf-to-audiobook',
          await pdfOf(...Array.from({ length: 11 }, (_, i) => `page${i} word${i} `.repeat(80))),
          { speed: '0.5' },
        ),
      413,
      /at most 20 minutes, found \d+/,
    ],
    [
      'too many bytes',
      () => create('pdf-to-audiobook', Buffer.concat([LOREM, Buffer.alloc(10 * 1024 * 1024)])),
      413,
      /10485760/,
    ],
    ['no text', async () => create('pdf-to-audiobook', await pdfOf('')), 422, /no text/],
    [
      'a page that is not there',
      () => create('pdf-to-audiobook', LOREM, { page_range: '9' }),
      400,
      /there is no page 9/,
    ],
    [
      'an unknown voice',
      () => create('pdf-to-audiobook', LOREM, { page_range: '1', voice_id: 'nobody' }),
      400,
      /no voice nobody/,
    ],
    [
      'a language nobody speaks',
      () => create('pdf-to-audiobook', LOREM, { page_range: '1', language: 'xx' }),
      501,
      /speaks xx/,
    ],
    [
      'a wrong fix',
      () => create('pdf-to-audiobook', LOREM, { page_range: '1', pronunciation_fixes: 'a==b\nc' }),
      400,
      /line 2/,
    ],
    ['no PDF', () => create('presentation-narration', Buffer.from('hello')), 400, /PDF/],
    [
      'words in pictures',
      () => create('pdf-to-audiobook', LOREM, { page_range: '1', ocr: 'true' }),
      400,
      /recognised before a job is made/,
    ],
    ['subtitles', () => create('pdf-to-audiobook', LOREM, { page_range: '1', subtitles: 'srt' }), 400, /subtitles/],
  ];
  it.each(refusals)('%s is refused, and nothing is charged', async (_, send, status, message) => {
    const before = await rig.credits();
    const answer = await send();
    const record = (await answer.json()) as { ok: boolean; error: string };
    expect([answer.status, record.ok]).toEqual([status, false]);
    expect(record.error).toMatch(message);
    expect(await rig.credits()).toBe(before);
  });

  it('too few credits are a 402 that says how many there are', async () => {
    const poor = await rig.stranger();
    const answer = await rig.send('/api/v1/pdf-to-audiobook', {
      ...form({ 'book.pdf': GUIDE }, { page_range: '5-6' }),
      headers: { 'X-API-Key': poor },
    });
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
      402,
      expect.stringMatching(/sets aside 60 credits, 20 are left/),
    ]);
  });
});
