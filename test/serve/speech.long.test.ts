// Speech jobs of a real server, with real sound: credits set aside and charged, states, the ways to the sound, one job of a key at a time.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLEAN, pdftool } from '../e2e/pdftool.ts';
import { create, credits, ended, GUIDE, here, type Job, LOREM, pdfOf, rig } from './speech-jobs.ts';

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
