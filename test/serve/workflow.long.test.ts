// Workflow jobs over HTTP: made once, uploaded in pieces on a signed address, run by a worker, fetched, never charged twice.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/contract/base/ports.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { folder } from '../e2e/pdftool.ts';
import { describedBy } from './described.ts';
import { form, type Rig, startRig, until } from './rig.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../fixtures/guide.pdf'));
const LOREM = readFileSync(join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf'));

interface Told {
  readonly jobId: string;
  readonly uploadId: string;
  readonly status: string;
  readonly upload?: { readonly session_uri: string };
  readonly result_url?: string;
  readonly result?: {
    readonly sha256: string;
    readonly bytes: number;
    readonly pages?: number;
    readonly files?: object;
  };
  readonly credits_charged: number;
  readonly error_code?: string;
  readonly error_message?: string;
}

let rig: Rig;
/** Added to the time of the machine: an hour goes by at once. */
let ahead = 0;
const clock: Clock = { now: () => systemClock.now() + ahead, sleep: systemClock.sleep };
beforeAll(async () => {
  rig = await startRig({ clock });
});
afterAll(() => rig.close());

const create = (body: object, headers: Record<string, string> = {}) =>
  rig.send('/api/v1/workflow-jobs', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const told = async (answer: Response) => (await answer.json()) as Told;
const compress = (inputBytes = GUIDE.length) => ({ workflow: 'compress', inputBytes, options: {}, maxCredits: 1 });
/** An object so many levels deep. */
const nested = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;
const apply = (more: object) => ({
  ...{ mode: 'apply', reviewed: true, sourceSha256: '0'.repeat(64) },
  regions: [{ page: 1, x: 0, y: 0, w: 0.5, h: 0.5, ...more }],
});
const put = (uri: string | undefined, body: Uint8Array, headers: Record<string, string> = {}) =>
  fetch(String(uri), { method: 'PUT', body: new Uint8Array(body), headers });
const finalize = (uploadId: string) => rig.send(`/api/v1/workflow-jobs/${uploadId}`, { method: 'POST' });
const poll = async (jobId: string) => told(await rig.send(`/api/v1/workflow-jobs/${jobId}`));
const ended = (jobId: string) =>
  until(async () => {
    const job = await poll(jobId);
    return job.status === 'succeeded' || job.status === 'failed' ? job : undefined;
  });

async function run(body: object, input: Uint8Array): Promise<Told> {
  const job = await told(await create(body));
  expect((await put(job.upload?.session_uri, input)).status).toBe(200);
  expect((await finalize(job.uploadId)).status).toBe(200);
  return ended(job.jobId);
}

/** A ZIP made by another program. */
async function zipOf(files: Readonly<Record<string, Uint8Array | string>>): Promise<Buffer> {
  using here = folder();
  const script = 'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1],"w",zipfile.ZIP_DEFLATED)\n';
  const adds = Object.keys(files).map((name, index) => {
    writeFileSync(here.at(`f${index}`), files[name] ?? '');
    return `z.write(${JSON.stringify(here.at(`f${index}`))}, ${JSON.stringify(name)})\n`;
  });
  await execa('python3', ['-c', `${script}${adds.join('')}z.close()`, here.at('out.zip')]);
  return readFileSync(here.at('out.zip'));
}

describe('a PDF that cannot shrink', () => {
  it('comes back as it is: from compress, from a job, and in a folder', async () => {
    let smallest = GUIDE;
    for (let round = 0; ; round += 1) {
      const answer = await rig.send('/api/v1/compress', form({ 'a.pdf': smallest }));
      expect(answer.status).toBe(200);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (bytes.equals(smallest)) break;
      smallest = bytes;
      expect(round).toBeLessThan(5);
    }
    const job = await run(compress(smallest.length), smallest);
    expect(job).toMatchObject({ status: 'succeeded', credits_charged: 1 });
    expect(job.result?.sha256).toBe(createHash('sha256').update(smallest).digest('hex'));
    const zip = await zipOf({ 'a.pdf': smallest });
    const all = await run({ workflow: 'folder', inputBytes: zip.length, options: {}, maxCredits: 1 }, zip);
    expect(all).toMatchObject({ status: 'succeeded', result: { files: { done: 1, failed: 0 } } });
  });
});

describe('a compress job', () => {
  it('goes from upload to a verified PDF, charged once, every answer as described', async () => {
    const { issues } = describedBy((await (await rig.send('/openapi.json')).json()) as Record<string, unknown>);
    const before = await rig.credits();
    const made = await create(compress());
    expect(await issues('POST', '/api/v1/workflow-jobs', made)).toEqual([]);
    const job = await told(made);
    expect(job).toMatchObject({ status: 'awaiting_upload', credits_charged: 0 });
    expect(await rig.credits()).toBe(before - 1);
    const upload = await put(job.upload?.session_uri, GUIDE);
    expect(await issues('PUT', new URL(String(job.upload?.session_uri)).pathname, upload)).toEqual([]);
    const queued = await finalize(job.uploadId);
    expect(await issues('POST', `/api/v1/workflow-jobs/${job.uploadId}`, queued)).toEqual([]);
    const done = await ended(job.jobId);
    expect(done).toMatchObject({ status: 'succeeded', credits_charged: 1, result: { pages: 86 } });
    const answer = await fetch(String(done.result_url));
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(done.result?.sha256);
    expect(bytes.length).toBeLessThan(GUIDE.length);
    using here = folder();
    writeFileSync(here.at('out.pdf'), bytes);
    await execa('qpdf', ['--check', here.at('out.pdf')]);
    expect(await rig.credits()).toBe(before - 1);
    expect(readdirSync(join(rig.data, 'uploads'))).toEqual([]);
  });

  it('that is finalized again is the same job, running or done', async () => {
    const job = await run(compress(), GUIDE);
    const before = await rig.credits();
    expect(await told(await finalize(job.uploadId))).toMatchObject({ jobId: job.jobId, status: 'succeeded' });
    expect(await rig.credits()).toBe(before);
  });

  it('whose input is no PDF fails with a reason, and its budget comes back', async () => {
    const before = await rig.credits();
    const job = await run(compress(11), Buffer.from('hello world'));
    expect(job).toMatchObject({ status: 'failed', credits_charged: 0, error_code: 'refused' });
    expect(job.error_message).toMatch(/expected a PDF/);
    expect(await rig.credits()).toBe(before);
  });

  it('can be fetched from where a download broke off', async () => {
    const job = await run(compress(), GUIDE);
    const whole = Buffer.from(await (await fetch(String(job.result_url))).arrayBuffer());
    const etag = `"${job.result?.sha256}"`;
    const rest = await fetch(String(job.result_url), { headers: { Range: 'bytes=1000-', 'If-Range': etag } });
    expect([rest.status, rest.headers.get('etag')]).toEqual([206, etag]);
    expect(Buffer.from(await rest.arrayBuffer())).toEqual(whole.subarray(1000));
    const changed = await fetch(String(job.result_url), { headers: { Range: 'bytes=1000-', 'If-Range': '"other"' } });
    expect(changed.status).toBe(200);
    await changed.arrayBuffer();
    const beyond = await fetch(String(job.result_url), { headers: { Range: 'bytes=99999999-' } });
    expect(beyond.status).toBe(416);
  });
});

describe('other workflows', () => {
  it('source_pack makes the four files', async () => {
    const job = await run(
      { workflow: 'source_pack', inputBytes: LOREM.length, options: { mode: 'rag' }, maxCredits: 1 } as never,
      LOREM,
    );
    expect(job.status).toBe('succeeded');
    using here = folder();
    writeFileSync(here.at('out.zip'), Buffer.from(await (await fetch(String(job.result_url))).arrayBuffer()));
    const names = (await execa('unzip', ['-Z1', here.at('out.zip')])).stdout.split('\n');
    expect(names).toEqual(['README.txt', 'document.md', 'chunks.jsonl', 'manifest.json']);
  });

  it('folder makes each PDF smaller, keeps names, reports the rest, and costs what was done', async () => {
    const zip = await zipOf({
      'a/guide.pdf': GUIDE,
      'a/words.txt': 'words',
      'bad.pdf': 'not a PDF',
      'lörem.pdf': LOREM,
    });
    const before = await rig.credits();
    const job = await run({ workflow: 'folder', inputBytes: zip.length, options: {}, maxCredits: 10 } as never, zip);
    expect(job).toMatchObject({
      status: 'succeeded',
      credits_charged: 2,
      result: { files: { done: 2, failed: 1, skipped: 1 } },
    });
    expect(await rig.credits()).toBe(before - 2);
    using here = folder();
    writeFileSync(here.at('out.zip'), Buffer.from(await (await fetch(String(job.result_url))).arrayBuffer()));
    await execa('python3', ['-m', 'zipfile', '-e', here.at('out.zip'), here.at('out')]);
    await execa('qpdf', ['--check', here.at('out/a/guide.pdf')]);
    await execa('qpdf', ['--check', here.at('out/lörem.pdf')]);
    const report = JSON.parse(readFileSync(here.at('out/report.json'), 'utf8')) as {
      files: { name: string; status: string }[];
    };
    expect(report.files.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'a/guide.pdf done',
      'a/words.txt skipped',
      'bad.pdf failed',
      'lörem.pdf done',
    ]);
  });

  it('an inspect job with its mode alone, as SERVICE.md shows it, looks for all kinds', async () => {
    const document = await PDFDocument.create();
    document.addPage().drawText('anna@example.org, card 4111 1111 1111 1111, SSN 536-22-8145', { size: 12 });
    const pdf = await document.save();
    const job = await run({ ...compress(pdf.length), workflow: 'redaction', options: { mode: 'inspect' } }, pdf);
    expect(job).toMatchObject({ status: 'succeeded', credits_charged: 1 });
    const found = (await (await fetch(String(job.result_url))).json()) as { regions: { kind: string }[] };
    expect(found.regions.map(({ kind }) => kind).sort()).toEqual(['card', 'email', 'ssn']);
  });

  it('folder with more PDFs than its budget does nothing', async () => {
    const zip = await zipOf({ 'a.pdf': LOREM, 'b.pdf': LOREM });
    const before = await rig.credits();
    const job = await run({ workflow: 'folder', inputBytes: zip.length, options: {}, maxCredits: 1 }, zip);
    expect(job).toMatchObject({ status: 'failed', error_code: 'over_max_credits' });
    expect(await rig.credits()).toBe(before);
  });

  it.each([
    [{ ...compress(), workflow: 'redaction' }, 400, /options.mode/],
    [{ ...compress(), workflow: 'redaction', options: { mode: 'inspect', find: ['x\ud800'] } }, 400, /lone surrogates/],
    [{ ...compress(), workflow: 'redaction', options: apply({ more: 1 }) }, 400, /unknown member of region 1: 'more'/],
    [{ ...compress(), workflow: 'redaction', options: apply({ kind: nested(1_200) }) }, 400, /more than 64 levels/],
    [{ ...compress(), workflow: 'redaction', options: apply({ kind: nested(20) }) }, 400, /kind and id to be texts/],
    [{ ...compress(), options: nested(1_200) }, 400, /more than 64 levels/],
    [{ ...compress(), workflow: 'redaction', options: { mode: 'apply' } }, 400, /reviewed/],
    [{ ...compress(268_435_457), workflow: 'redaction' }, 413, /268435456/],
    [{ ...compress(), workflow: 'none' }, 400, /unknown workflow 'none'/],
    [{ ...compress(), maxCredits: 2 }, 400, /exactly 1/],
    [{ ...compress(1024 ** 3 + 1) }, 413, /at most 1073741824 bytes/],
    [{ ...compress(), options: { colour: true } }, 400, /unknown option 'colour'/],
    [{ ...compress(), options: { target_bytes: 0 } }, 400, /at least 1/],
    [{ workflow: 'source_pack', inputBytes: 268_435_457, options: {}, maxCredits: 1 }, 413, /268435456/],
    [{ workflow: 'folder', inputBytes: 1, options: {}, maxCredits: 101 }, 400, /maxCredits/],
    [{ workflow: 'compress', options: {}, maxCredits: 1 }, 400, /inputBytes is missing/],
  ])('%j is refused with %i', async (body, status, says) => {
    const before = await rig.credits();
    const answer = await create(body);
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as { error: string }).error).toMatch(says);
    expect(await rig.credits()).toBe(before);
  });
});

describe('an Idempotency-Key', () => {
  it('finds the job of the same request, in whatever order its members come; another request is a 422', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const first = await told(await create(compress(), headers));
    const before = await rig.credits();
    const again = await told(
      await create({ maxCredits: 1, options: {}, inputBytes: GUIDE.length, workflow: 'compress' }, headers),
    );
    expect([again.jobId, again.upload?.session_uri]).toEqual([first.jobId, first.upload?.session_uri]);
    expect((await create(compress(1), headers)).status).toBe(422);
    expect(await rig.credits()).toBe(before);
  });

  it('sent ten times at once makes one job', async () => {
    const before = await rig.credits();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create(compress(), { 'Idempotency-Key': 'ten' })),
    );
    const ids = await Promise.all(answers.map(async (answer) => (await told(answer)).jobId));
    expect(new Set(ids).size).toBe(1);
    expect(await rig.credits()).toBe(before - 1);
  });

  it('of another account is another key', async () => {
    const mine = await told(await create(compress(), { 'Idempotency-Key': 'shared' }));
    const theirs = await told(
      await create(compress(), { 'Idempotency-Key': 'shared', 'X-API-Key': await rig.stranger() }),
    );
    expect(theirs.jobId).not.toBe(mine.jobId);
  });
});

describe('an upload session', () => {
  const session = async (bytes = GUIDE.length) => told(await create(compress(bytes)));
  const ask = (uri: string | undefined, total = GUIDE.length) =>
    put(uri, new Uint8Array(), { 'Content-Range': `bytes */${total}` });

  it('goes on from where a connection broke, byte for byte', async () => {
    const { upload, uploadId, jobId } = await session();
    const uri = new URL(String(upload?.session_uri));
    expect([(await ask(upload?.session_uri)).status, (await ask(upload?.session_uri)).headers.get('range')]).toEqual([
      308,
      null,
    ]);
    await new Promise<void>((resolve) => {
      const socket = connect(rig.server.port, '127.0.0.1', () => {
        socket.write(`PUT ${uri.pathname}${uri.search} HTTP/1.1\r\nHost: x\r\nContent-Length: ${GUIDE.length}\r\n\r\n`);
        socket.write(GUIDE.subarray(0, 100_000), () => setTimeout(() => socket.destroy(), 50));
      });
      socket.on('close', () => resolve());
    });
    const range = await until(async () => (await ask(upload?.session_uri)).headers.get('range') ?? undefined);
    const have = Number(range.replace('bytes=0-', '')) + 1;
    expect(have).toBe(100_000);
    const rest = { 'Content-Range': `bytes ${have}-${GUIDE.length - 1}/${GUIDE.length}` };
    expect((await put(upload?.session_uri, GUIDE.subarray(have), rest)).status).toBe(200);
    expect((await ask(upload?.session_uri)).status).toBe(200);
    expect(readFileSync(join(join(rig.data, 'uploads'), uploadId)).equals(GUIDE)).toBe(true);
    await finalize(uploadId);
    expect((await ended(jobId)).status).toBe('succeeded');
  });

  it('takes chunks in order; one from elsewhere is answered with what is there', async () => {
    const { upload } = await session();
    const chunk = (start: number, end: number) =>
      put(upload?.session_uri, GUIDE.subarray(start, end), {
        'Content-Range': `bytes ${start}-${end - 1}/${GUIDE.length}`,
      });
    expect((await chunk(0, 1000)).headers.get('range')).toBe('bytes=0-999');
    expect((await chunk(2000, 3000)).headers.get('range')).toBe('bytes=0-999');
    expect((await chunk(0, 1000)).headers.get('range')).toBe('bytes=0-999');
    expect((await chunk(1000, GUIDE.length)).status).toBe(200);
  });

  it('wants exactly the declared bytes', async () => {
    const { upload, uploadId } = await session();
    expect((await put(upload?.session_uri, GUIDE.subarray(1))).status).toBe(400);
    expect((await put(upload?.session_uri, Buffer.concat([GUIDE, GUIDE]))).status).toBe(413);
    expect((await finalize(uploadId)).status).toBe(409);
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(GUIDE);
        controller.close();
      },
    });
    const init = { method: 'PUT', body: chunked, duplex: 'half' } as RequestInit;
    expect((await fetch(String(upload?.session_uri), init)).status).toBe(400);
  });

  it('needs no key, and only its own address', async () => {
    const { upload, uploadId } = await session();
    const uri = new URL(String(upload?.session_uri));
    const other = await session();
    const forged = [
      uri.href.replace(/signature=./, (found) => (found.endsWith('0') ? 'signature=1' : 'signature=0')),
      uri.href.replace(uploadId, other.uploadId),
      uri.href.replace(/expires=\d+/, 'expires=99999999999'),
      `${uri.origin}${uri.pathname}`,
    ];
    for (const address of forged) expect([address, (await put(address, GUIDE)).status]).toEqual([address, 403]);
    expect(readdirSync(join(rig.data, 'uploads'))).not.toContain(uploadId);
  });

  it('is over after an hour, and its budget comes back', async () => {
    const before = await rig.credits();
    const { upload, jobId, uploadId } = await session();
    await put(upload?.session_uri, GUIDE.subarray(0, 10), { 'Content-Range': `bytes 0-9/${GUIDE.length}` });
    ahead += 3_601_000;
    expect((await put(upload?.session_uri, GUIDE)).status).toBe(410);
    const { sweep } = await import('../../src/serve/jobs/sweep.ts');
    await sweep(rig.server.service);
    expect((await poll(jobId)).status).toBe('expired');
    expect((await finalize(uploadId)).status).toBe(409);
    expect(await rig.credits()).toBeGreaterThanOrEqual(before);
    expect(readdirSync(join(rig.data, 'uploads'))).not.toContain(uploadId);
  });

  it('that was finalized takes nothing more', async () => {
    const { upload, uploadId, jobId } = await session();
    await put(upload?.session_uri, GUIDE);
    await finalize(uploadId);
    expect((await put(upload?.session_uri, GUIDE)).status).toBe(409);
    expect((await ask(upload?.session_uri)).status).toBe(200);
    await ended(jobId);
  });
});

describe('what belongs to another account', () => {
  it('is a 404, not a 403', async () => {
    const { jobId, uploadId } = await told(await create(compress()));
    const headers = { 'X-API-Key': await rig.stranger() };
    expect((await rig.send(`/api/v1/workflow-jobs/${jobId}`, { headers })).status).toBe(404);
    expect((await rig.send(`/api/v1/workflow-jobs/${uploadId}`, { method: 'POST', headers })).status).toBe(404);
  });
});

describe('files of older tries', () => {
  it('go with the next sweep, and the result of the last one stays', async () => {
    const job = await run(compress(), GUIDE);
    const results = join(rig.data, 'results');
    const [name = ''] = readdirSync(results).filter((each) => each.startsWith(job.jobId));
    expect(name).toBe(`${job.jobId}.1.pdf`);
    writeFileSync(join(results, `${job.jobId}.0.pdf`), 'an older one');
    const { sweep } = await import('../../src/serve/jobs/sweep.ts');
    await sweep(rig.server.service);
    expect(readdirSync(results).filter((each) => each.startsWith(job.jobId))).toEqual([name]);
    expect((await fetch(String(job.result_url))).status).toBe(200);
  });
});

describe('results', () => {
  it('are fetched on a signed address only, and go away in time', async () => {
    const job = await run(compress(), GUIDE);
    const uri = new URL(String(job.result_url));
    expect((await fetch(`${uri.origin}${uri.pathname}`)).status).toBe(403);
    ahead += 3_700_000;
    expect((await fetch(uri)).status).toBe(410);
    const renewed = await poll(job.jobId);
    expect((await fetch(String(renewed.result_url))).status).toBe(200);
    ahead += 24 * 3_600_000;
    const { sweep } = await import('../../src/serve/jobs/sweep.ts');
    await sweep(rig.server.service);
    expect(await poll(job.jobId)).toMatchObject({ status: 'succeeded', result_expired: true });
    expect(readdirSync(join(rig.data, 'results'))).toEqual([]);
    expect((await rig.server.service.store.audit()).mismatches).toEqual([]);
  });
});
