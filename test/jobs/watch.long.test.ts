// The built program against a job service on real sockets: every way a job can go, with requests and headers counted.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Behaviour, type JobService, json, sha, startJobService } from './service.ts';
import { bench, KEY } from './workbench.ts';

const BOOK = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const RESULT = Buffer.alloc(400_000, 'sound ');
const POLL = /\/api\/v1\/jobs\//;

const services: JobService[] = [];
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
});

async function setUp(behaviour: Partial<Behaviour> = {}) {
  const service = await startJobService({ result: RESULT, ...behaviour });
  services.push(service);
  const ports = bench(service);
  copyFileSync(BOOK, `${ports.work}/book.pdf`);
  return { service, ports };
}

const eventsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

// Each test has a service and folders of its own, and most of it is waiting.
describe.concurrent('an audiobook', () => {
  it('goes through known and unknown words to the file, and no key goes to the origin of its result', async () => {
    const { service, ports } = await setUp({
      states: [
        'queued',
        { status: 'warming up', eta: 3 },
        { state: 'RUNNING', progress: 0.5 },
        { status: 'succeeded', extra: [1] },
      ],
    });
    using _ = ports;
    const done = await ports.run([
      'audiobook',
      'book.pdf',
      '--page-range',
      '!4',
      '--voice-style',
      'audiobook',
      '--json',
    ]);
    expect(done.exitCode).toBe(0);
    const events = eventsOf(done.stdout);
    expect(events.map(({ event, status }) => [event, status])).toEqual([
      ['state', 'queued'],
      ['state', 'warming up'],
      ['state', 'RUNNING'],
      ['state', 'succeeded'],
      ['progress', undefined],
      ['done', 'succeeded'],
    ]);
    expect(events[1]).toMatchObject({ record: { eta: 3 } });
    expect(events[2]).toMatchObject({ percent: 50 });
    expect(events.at(-1)).toMatchObject({ ok: true, output: { path: 'book.mp3', bytes: RESULT.length } });
    expect(readFileSync(`${ports.work}/book.mp3`)).toEqual(RESULT);
    // Plain lines, one a change, and nothing that moves a cursor.
    expect(done.stderr).toMatch(
      /book\.pdf: queued\nbook\.pdf: warming up\nbook\.pdf: RUNNING 50%\nbook\.pdf: succeeded\n/,
    );
    expect(done.stderr).not.toContain('\u001b');
    // Three of four pages: priced from their text, sent as plain numbers.
    expect(done.stderr).toMatch(/audiobook costs about 45 credits \(an estimate: 3 minutes/);
    const [job] = service.jobs.values();
    expect(job?.input.toString('latin1')).toMatch(/name="page_range"\r\n\r\n1-3\r\n/);
    expect([service.count('POST', /./), service.count('GET', POLL), service.storeSeen.length]).toEqual([1, 4, 1]);
    for (const { headers } of service.seen) expect(headers.authorization).toBe(`Bearer ${KEY}`);
    for (const { headers } of service.storeSeen)
      expect([headers.authorization, headers['x-api-key']]).toEqual([undefined, undefined]);
    // Neither key nor signed address is left where others might read it: the journal is private and holds no key.
    expect(ports.journal()).not.toContain(KEY);
    expect(ports.journal()).not.toContain('signature=');
  });

  it('that failed: 23, with the code and message of the service, cleaned of what a terminal would obey', async () => {
    const failed = { status: 'failed', error_code: 'no_voice', error_message: 'no such\u001b[2J voice' };
    const { ports } = await setUp({ states: ['queued', failed] });
    using _ = ports;
    const done = await ports.run(['audiobook', 'book.pdf']);
    expect(done.exitCode).toBe(23);
    expect(done.stderr).toMatch(/error: audiobook \S+ failed: no_voice: no such\\x1b\[2J voice/);
    expect(readdirSync(ports.work)).toEqual(['book.pdf']);
    const [job] = await ports.jobs();
    expect(job).toMatchObject({ step: 'failed', error_code: 'no_voice' });
  });

  it('whose result address has expired: asked for again, then the download endpoint', async () => {
    const { service, ports } = await setUp({ states: ['succeeded'] });
    using _ = ports;
    let fetched = 0;
    service.behaviour.intercept = (request, response) => {
      if (!request.path.startsWith('/results/') || ++fetched > 2) return false;
      json(response, 403, { ok: false, error: 'expired' });
      return true;
    };
    const done = await ports.run(['audiobook', 'book.pdf']);
    expect([done.exitCode, fetched]).toEqual([0, 3]);
    expect(service.count('GET', POLL)).toBe(2);
    // The endpoint leads to the other origin by a redirect: the key went to the service, and no further.
    const [download] = service.seen.filter(({ path }) => path.endsWith('/download'));
    expect(download?.headers.authorization).toBe(`Bearer ${KEY}`);
    for (const { headers } of service.storeSeen) expect(headers.authorization).toBeUndefined();
    expect(readFileSync(`${ports.work}/book.mp3`)).toEqual(RESULT);
  });

  it('whose download breaks off goes on where it stopped', async () => {
    const { service, ports } = await setUp({ states: ['succeeded'] });
    using _ = ports;
    let cuts = 0;
    service.behaviour.intercept = (request, response, incoming) => {
      if (!request.path.startsWith('/results/') || ++cuts > 1) return false;
      const etag = `"${sha(RESULT)}"`;
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': RESULT.length, etag });
      response.write(RESULT.subarray(0, 100_000), () => setTimeout(() => incoming.socket.destroy(), 50));
      return true;
    };
    const first = await ports.run(['audiobook', 'book.pdf']);
    expect([first.exitCode, service.storeSeen.map(({ headers }) => headers.range)]).toEqual([
      0,
      [undefined, 'bytes=100000-'],
    ]);
    expect(readFileSync(`${ports.work}/book.mp3`)).toEqual(RESULT);
  });

  it('that was taken without a job id is in doubt, and so it is the second time', async () => {
    const { service, ports } = await setUp();
    using _ = ports;
    service.behaviour.intercept = (request, response, incoming) => {
      if (request.method !== 'POST') return false;
      incoming.resume().once('end', () => json(response, 202, { ok: true }));
      return true;
    };
    for (let run = 0; run < 2; run++) {
      const { exitCode, stdout } = await ports.run(['audiobook', 'book.pdf', '--json']);
      expect([exitCode, JSON.parse(stdout)]).toEqual([21, expect.objectContaining({ ok: false })]);
      expect(JSON.parse(stdout).error).toMatchObject({ code: 'ambiguous', charged: 'unknown' });
    }
    expect(service.count('POST', /pdf-to-audiobook/)).toBe(1);
  });

  it('that was delivered elsewhere is not paid for again without a word', async () => {
    const { service, ports } = await setUp({ states: ['succeeded'] });
    using _ = ports;
    expect((await ports.run(['audiobook', 'book.pdf', '-o', 'elsewhere.mp3'])).exitCode).toBe(0);
    const again = await ports.run(['audiobook', 'book.pdf']);
    expect([again.exitCode, again.stderr]).toEqual([6, expect.stringMatching(/delivered to .*elsewhere\.mp3 before/)]);
    expect(service.count('POST', /pdf-to-audiobook/)).toBe(1);
    expect((await ports.run(['audiobook', 'book.pdf', '--again'])).exitCode).toBe(0);
    expect(service.count('POST', /pdf-to-audiobook/)).toBe(2);
  });

  it('that cannot be put in place says that it was paid for, and how it is fetched', async () => {
    const { service, ports } = await setUp({ states: ['succeeded'] });
    using _ = ports;
    service.behaviour.intercept = (request) => {
      // Its place is taken by a folder while the job runs.
      if (request.path.startsWith('/results/') && !existsSync(`${ports.work}/book.mp3`))
        mkdirSync(`${ports.work}/book.mp3`);
      return false;
    };
    const run = await ports.run(['audiobook', 'book.pdf']);
    expect(run.exitCode).not.toBe(0);
    expect(run.stderr).toMatch(/It was paid for; fetch it, at no cost, with: pdftool jobs download/);
  });

  it('of which 429 says to wait is asked when it says, and 503 is outlasted', async () => {
    const { service, ports } = await setUp({ states: ['succeeded'] });
    using _ = ports;
    let polls = 0;
    service.behaviour.intercept = (request, response) => {
      if (!POLL.test(request.path) || ++polls > 2) return false;
      if (polls === 1) json(response, 429, { ok: false, error: 'slowly' }, { 'retry-after': '2' });
      else json(response, 200, { status: 'queued' }, { 'retry-after': '3' });
      return true;
    };
    const done = await ports.run(['audiobook', 'book.pdf']);
    expect(done.exitCode).toBe(0);
    const [first = 0, second = 0, third = 0] = service.seen.filter(({ path }) => POLL.test(path)).map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(1_990);
    expect(third - second).toBeGreaterThanOrEqual(2_990);
  });

  it('goes on when the connection is lost for a while, and says so', { timeout: 90_000 }, async () => {
    const { service, ports } = await setUp({ states: ['queued', 'running', 'succeeded'] });
    using _ = ports;
    const { died } = ports.start(['audiobook', 'book.pdf']);
    await until(() => service.count('GET', POLL) === 1);
    await service.down();
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    await service.up();
    const { code, stderr } = await died;
    expect(code).toBe(0);
    expect(stderr).toMatch(/nothing answers there .*; the job goes on, still trying\n/);
    expect(stderr).toMatch(/the service answers again\n/);
    expect(readFileSync(`${ports.work}/book.mp3`)).toEqual(RESULT);
    expect(service.count('POST', /./)).toBe(1);
  });

  it('is refused before anything is sent: too many pages, too dear, one at a time, a name that is taken', async () => {
    const { service, ports } = await setUp({ states: ['running'] });
    using _ = ports;
    const dear = await ports.run(['audiobook', 'book.pdf', '--max-credits', '89']);
    expect([dear.exitCode, dear.stderr]).toEqual([5, expect.stringContaining('audiobook costs up to 90 credits')]);
    const range = await ports.run(['audiobook', 'book.pdf', '--page-range', '9']);
    expect([range.exitCode, range.stderr]).toEqual([2, expect.stringContaining('has 4 pages; there is no page 9')]);
    writeFileSync(`${ports.work}/book.mp3`, 'mine');
    expect((await ports.run(['audiobook', 'book.pdf'])).exitCode).toBe(10);
    expect([service.seen, await ports.jobs()]).toEqual([[], []]);
    const begun = await ports.run(['audiobook', 'book.pdf', '--detach', '-o', 'one.mp3']);
    expect([begun.exitCode, begun.stdout.trim()]).toEqual([0, [...service.jobs.keys()][0]]);
    const second = await ports.run(['audiobook', 'book.pdf', '--page-range', '1', '-o', 'two.mp3']);
    expect([second.exitCode, second.stderr]).toEqual([
      6,
      expect.stringMatching(/an audio job is running .* one at a time/),
    ]);
    expect(service.count('POST', /./)).toBe(1);
    expect(readFileSync(`${ports.work}/book.mp3`, 'utf8')).toBe('mine');
  });
});

describe.concurrent('jobs', () => {
  it('detached, watched from another process, fetched once, listed, forgotten, and then not known', async () => {
    const { service, ports } = await setUp({ states: ['queued', 'succeeded'] });
    using _ = ports;
    const begun = await ports.run(['audiobook', 'book.pdf', '--detach', '--json']);
    const { id, job_id, extra } = JSON.parse(begun.stdout) as Record<string, string>;
    expect([begun.exitCode, job_id, extra]).toEqual([0, [...service.jobs.keys()][0], 'kept']);
    const early = await ports.run(['jobs', 'download', String(id)]);
    expect([early.exitCode, early.stderr]).toEqual([8, expect.stringContaining('is queued: there is no result yet')]);
    const done = 'echo "$PDFTOOL_JOB_STATUS $PDFTOOL_JOB_OUTPUT $PDFTOOL_JOB_EXIT" > done.txt';
    const watched = await ports.run(['jobs', 'watch', '--on-done', done, '--notify']);
    expect([watched.exitCode, watched.stdout]).toEqual([0, 'book.mp3\n']);
    expect(readFileSync(`${ports.work}/done.txt`, 'utf8')).toBe('succeeded book.mp3 0\n');
    expect((await ports.run(['jobs', 'watch'])).stderr).toContain('there is no unfinished job');
    const status = await ports.run(['jobs', 'status', String(job_id), '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ status: 'succeeded', id, job_id });
    expect((await ports.run(['jobs', 'download', String(id), '-o', 'other.mp3'])).stdout).toBe('other.mp3\n');
    expect(readFileSync(`${ports.work}/other.mp3`)).toEqual(RESULT);
    expect((await ports.run(['jobs', 'forget', String(id)])).exitCode).toBe(0);
    expect(await ports.jobs()).toEqual([]);
    // The service still knows it by its own id; a job that it does not know either is 6.
    expect((await ports.run(['jobs', 'status', String(job_id), '-q'])).exitCode).toBe(0);
    service.jobs.clear();
    const gone = await ports.run(['jobs', 'status', String(job_id)]);
    expect([gone.exitCode, gone.stderr]).toEqual([
      6,
      expect.stringContaining('neither this machine nor the service knows'),
    ]);
    expect((await ports.run(['jobs', 'watch', 'nope'])).exitCode).toBe(6);
  });

  it('that the service has forgotten end the watch with 6, and are watched no more', async () => {
    const { service, ports } = await setUp({ states: ['queued'] });
    using _ = ports;
    await ports.run(['audiobook', 'book.pdf', '--detach']);
    service.jobs.clear();
    expect((await ports.run(['jobs', 'watch'])).exitCode).toBe(6);
    expect((await ports.run(['jobs', 'list'])).stdout).toMatch(/gone/);
    expect((await ports.run(['jobs', 'watch'])).exitCode).toBe(0);
  });

  it('are waited for until --timeout: 8; several end with the worst code of them', async () => {
    const { service, ports } = await setUp({ states: ['running'] });
    using _ = ports;
    await ports.run(['audiobook', 'book.pdf', '--detach']);
    const waited = await ports.run(['jobs', 'wait', '--timeout', '2s']);
    expect(waited.exitCode).toBe(8);
    expect(waited.stderr).toMatch(/not done within 2\.0 s .*; the job goes on\n.*pdftool jobs watch \S+\n$/);
    expect((await ports.run(['jobs', 'forget', String((await ports.jobs())[0]?.id)])).exitCode).toBe(2);
    service.behaviour.states = ['succeeded'];
    service.behaviour.result = Buffer.from('%PDF-1.7 x');
    await ports.run(['workflow', 'compress', 'book.pdf', '--detach']);
    const [speech] = service.jobs.values();
    service.behaviour.intercept = (request, response) => {
      if (speech === undefined || !request.path.endsWith(speech.id)) return false;
      json(response, 200, { state: 'ERROR', error: { code: 'broken', message: 'no luck' } });
      return true;
    };
    const both = await ports.run(['jobs', 'wait']);
    expect([both.exitCode, both.stdout]).toEqual([23, 'book-compressed.pdf\n']);
    expect(both.stderr).toContain('ERROR: broken: no luck');
  });

  it('of another service are left alone', async () => {
    const { ports } = await setUp({ states: ['queued'] });
    using _ = ports;
    await ports.run(['audiobook', 'book.pdf', '--detach']);
    const other = await setUp();
    ports.env.PDFTOOL_BASE_URL = other.service.url;
    other.ports[Symbol.dispose]();
    expect((await ports.run(['jobs', 'watch'])).stderr).toContain('there is no unfinished job');
    expect(other.service.seen).toEqual([]);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
