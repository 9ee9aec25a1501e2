// Speech jobs of a real server: limits, credits set aside and charged, states, the ways to the sound, one job of a key at a time.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { sweep } from '../../src/serve/workflow/sweep.ts';
import { CLEAN, type Folder, folder, pdftool } from '../e2e/pdftool.ts';
import { form, type Rig, startRig } from './rig.ts';

const GUIDE = readFileSync(resolve(import.meta.dirname, '../fixtures/guide.pdf'));
const LOREM = readFileSync(resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf'));

// Sound takes a second of processor time a minute; machines that are shared have few of those.
vi.setConfig({ testTimeout: 240_000 });

let rig: Rig;
let here: Folder;
beforeAll(async () => {
  rig = await startRig();
  here = folder();
});
afterAll(async () => {
  await rig.close();
  here[Symbol.dispose]();
});

interface Job {
  readonly job_id: string;
  readonly status_url: string;
  readonly status: string;
  readonly credits_reserved?: number;
  readonly credits_charged?: number;
  readonly minutes?: number;
  readonly pages?: readonly { page: number; start: number; end: number }[];
  readonly result_url?: string;
  readonly error_code?: string;
  readonly error_message?: string;
}

async function create(path: string, file: Uint8Array, fields: Record<string, string> = {}): Promise<Response> {
  return rig.send(`/api/v1/${path}`, form({ 'book.pdf': file }, fields));
}

async function ended(job: Job, from = rig): Promise<Job> {
  for (;;) {
    const now = (await (await from.send(new URL(job.status_url).pathname)).json()) as Job;
    if (!['queued', 'running'].includes(now.status)) return now;
    await new Promise((after) => setTimeout(after, 200));
  }
}

async function credits(amount: number): Promise<void> {
  await rig.server.service.store.grant(rig.account, amount, `test ${Math.random()}`, Date.now());
}

async function pdfOf(...texts: string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) {
    document
      .addPage([595, 842])
      .drawText(text.replace(/(.{60,75}) /g, '$1\n'), { x: 50, y: 650, size: 8, lineHeight: 9, font });
  }
  return document.save();
}

describe('an audiobook', () => {
  it('is a job: set aside, spoken, charged by the minute, fetched in two ways', async () => {
    await credits(1_000);
    const before = await rig.credits();
    const answer = await create('pdf-to-audiobook', GUIDE, { page_range: '7-8', output_format: 'm4b' });
    expect(answer.status).toBe(202);
    const job = (await answer.json()) as Job;
    expect(job.status_url).toBe(`${rig.url}/api/v1/jobs/${job.job_id}`);
    expect(job.credits_reserved).toBe(15);
    expect(await rig.credits()).toBe(before - 15);

    const early = await rig.send(`/api/v1/speech-jobs/${job.job_id}/download`);
    expect([early.status, ((await early.json()) as { error: string }).error]).toEqual([
      409,
      expect.stringMatching(/not there yet/),
    ]);
    const second = await create('generate-audiobook', LOREM);
    expect([second.status, ((await second.json()) as { error: string }).error]).toEqual([
      409,
      expect.stringMatching(/at a time/),
    ]);

    const done = await ended(job);
    expect(done).toMatchObject({ status: 'succeeded', minutes: 1, credits_charged: 15 });
    expect(done.pages?.map(({ page }) => page)).toEqual([7, 8]);
    expect(await rig.credits()).toBe(before - done.credits_charged!);
    const sound = Buffer.from(await (await fetch(done.result_url!)).arrayBuffer());
    const download = await rig.send(`/api/v1/speech-jobs/${job.job_id}/download`);
    expect(download.headers.get('content-type')).toBe('audio/mp4');
    expect(Buffer.from(await download.arrayBuffer()).equals(sound)).toBe(true);
    const part = await fetch(done.result_url!, { headers: { Range: `bytes=${sound.length - 10}-` } });
    expect([part.status, Buffer.from(await part.arrayBuffer()).equals(sound.subarray(-10))]).toEqual([206, true]);
    writeFileSync(here.at('book.m4b'), sound);
    const probe = execFileSync('ffprobe', ['-v', 'error', '-show_chapters', here.at('book.m4b')], { encoding: 'utf8' });
    expect(probe.match(/\[CHAPTER\]/g)).toHaveLength(2);
    expect((await rig.send(`/api/v1/speech-jobs/${job.job_id}`)).status).toBe(200);
    expect((await rig.send(`/api/v1/workflow-jobs/${job.job_id}`)).status).toBe(404);
  });

  it('of another account is as unknown as one that never was, and its address is no longer good without its signature', async () => {
    const job = (await (await create('pdf-to-speech', LOREM, { page_range: '1' })).json()) as Job;
    const done = await ended(job);
    const stranger = { headers: { 'X-API-Key': await rig.stranger() } };
    for (const path of [
      `jobs/${job.job_id}`,
      `speech-jobs/${job.job_id}`,
      `speech-jobs/${job.job_id}/download`,
      'jobs/job_none',
    ]) {
      expect([path, (await rig.send(`/api/v1/${path}`, stranger)).status]).toEqual([path, 404]);
    }
    expect((await fetch(done.result_url!.replace(/signature=.{4}/, 'signature=0000'))).status).toBe(403);
  });

  it('is charged at the end for what was made, and the rest is returned', async () => {
    await credits(1_000);
    const before = await rig.credits();
    const answer = await create('pdf-to-audiobook', LOREM, { page_range: '1', output_format: 'mp4' });
    const job = (await answer.json()) as Job;
    expect(job.credits_reserved).toBe(20);
    const done = await ended(job);
    expect(done).toMatchObject({ status: 'succeeded', credits_charged: 20 });
    expect(await rig.credits()).toBe(before - 20);
    expect((await rig.server.service.store.audit()).mismatches).toEqual([]);
  });

  it('costs the minutes that were made where those are fewer than the estimated ones', async () => {
    await credits(1_000);
    const before = await rig.credits();
    // kal16 says more in a minute than the 900 characters that are reckoned with.
    const text = await pdfOf('Every evening the keeper climbed up the stairs and lit the lamp. '.repeat(14));
    const job = (await (await create('pdf-to-audiobook', text, { voice_id: 'kal16' })).json()) as Job;
    expect(job.credits_reserved).toBe(30);
    expect(await rig.credits()).toBe(before - 30);
    const done = await ended(job);
    expect(done).toMatchObject({ status: 'succeeded', minutes: 1, credits_charged: 15 });
    expect(await rig.credits()).toBe(before - 15);
    expect((await rig.server.service.store.audit()).mismatches).toEqual([]);
  });

  it('is told in false where that is asked for, as in true', async () => {
    await credits(100);
    const fields = { page_range: '7-8', preserve_chapters: 'false', normalize_pauses: 'false', voice_id: 'kal16' };
    const job = (await (await create('pdf-to-audiobook', GUIDE, fields)).json()) as Job;
    expect(await ended(job)).toMatchObject({ status: 'succeeded', chapters: [] });
  });
});

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

describe('the rest', () => {
  it('a voice preview is sound at once and free', async () => {
    const before = await rig.credits();
    const answer = await rig.send('/api/v1/voice-preview', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: 'Hello there.', output_format: 'wav' }),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 4)).toBe('RIFF');
    expect(await rig.credits()).toBe(before);
  });

  it('a narration is a video of its pages', async () => {
    await credits(100);
    const done = await ended(
      (await (await create('presentation-narration', LOREM, { page_range: '1-2' })).json()) as Job,
    );
    expect(done).toMatchObject({ status: 'succeeded', credits_charged: 20 });
    const film = Buffer.from(await (await fetch(done.result_url!)).arrayBuffer());
    writeFileSync(here.at('slides.mp4'), film);
    const streams = execFileSync('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_name',
      '-of',
      'csv=p=0',
      here.at('slides.mp4'),
    ]);
    expect(streams.toString().trim().split('\n').toSorted()).toEqual(['aac', 'h264']);
  });

  it("the client's commands for jobs work against it, with real sound", async () => {
    await credits(1_000);
    writeFileSync(here.at('guide.pdf'), GUIDE);
    const env = { ...CLEAN, PDFTOOL_BASE_URL: rig.url, PDFTOOL_API_KEY: rig.key, XDG_STATE_HOME: here.at('state') };
    const run = (...args: string[]) => pdftool(args, { cwd: here.path, env });
    const wish = ['--page-range', '7', '--no-preserve-chapters', '--yes', '--detach', '-o', 'seven.mp3'];
    const begun = await run('audiobook', 'guide.pdf', ...wish);
    expect([begun.exitCode, begun.stdout]).toEqual([0, expect.stringMatching(/^job_/)]);
    const listed = await run('jobs', 'list');
    const id = listed.stdout.split(' ')[0] ?? '';
    expect((await run('jobs', 'watch', id)).stdout).toBe('seven.mp3\n');
    const { stdout } = await run('jobs', 'status', id, '--json');
    expect(stdout).toContain('"status":"succeeded"');
    expect(stdout).toContain('"chapters":[]');
    const duration = execFileSync('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'format=duration',
      '-of',
      'csv=p=0',
      join(here.path, 'seven.mp3'),
    ]);
    expect(Number(duration)).toBeGreaterThan(5);
    expect((await run('jobs', 'wait', id)).exitCode).toBe(0);
    expect((await run('jobs', 'forget', id)).exitCode).toBe(0);
  });
});
