// The built program and large jobs: four steps with their headers, uploads gone on with, sessions that end, redaction.

import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makePdf } from '../e2e/make-pdf.ts';
import { type Behaviour, type JobService, json, sha, startJobService } from '../jobs/service.ts';
import { bench, KEY } from '../jobs/workbench.ts';

const BOOK = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const RESULT = Buffer.from('%PDF-1.7 smaller');

let services: JobService[] = [];
afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  services = [];
});

async function setUp(behaviour: Partial<Behaviour> = {}) {
  const service = await startJobService({ result: RESULT, states: ['succeeded'], ...behaviour });
  services.push(service);
  const ports = bench(service);
  copyFileSync(BOOK, `${ports.work}/book.pdf`);
  return { service, ports };
}

const routes = (service: JobService) =>
  service.seen.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`);

describe('the four steps', () => {
  it('create with its key, PUT without the API key, finalize, poll; exactly the declared bytes', async () => {
    const { service, ports } = await setUp();
    using _ = ports;
    const run = await ports.run(['workflow', 'compress', 'book.pdf', '--idempotency-key', 'order-7']);
    expect([run.exitCode, run.stdout]).toEqual([0, 'book-compressed.pdf\n']);
    expect(routes(service)).toEqual([
      'POST /api/v1/workflow-jobs',
      'PUT /upload/:id',
      'POST /api/v1/workflow-jobs/:id',
      'GET /api/v1/workflow-jobs/:id',
    ]);
    const [create, put] = service.seen;
    expect(create?.headers['idempotency-key']).toBe('order-7');
    expect([put?.headers.authorization, put?.headers['x-api-key'], put?.headers['idempotency-key']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const [job] = service.jobs.values();
    const input = readFileSync(BOOK);
    expect([put?.headers['content-length'], put?.headers['transfer-encoding']]).toEqual([
      String(input.length),
      undefined,
    ]);
    expect(job?.request).toEqual({ workflow: 'compress', inputBytes: input.length, options: {}, maxCredits: 1 });
    expect(sha(job?.input ?? Buffer.alloc(0))).toBe(sha(input));
    expect(readFileSync(`${ports.work}/book-compressed.pdf`)).toEqual(RESULT);
    // The key stands for one request.
    const other = await ports.run(['workflow', 'source-pack', 'book.pdf', '--idempotency-key', 'order-7']);
    expect([other.exitCode, other.stderr]).toEqual([2, expect.stringContaining('order-7 belongs to another request')]);
  });

  it('any name, options as JSON or text, and names that the service has for ours', async () => {
    const { service, ports } = await setUp();
    using _ = ports;
    const options = ['--option', 'deep=true', '--option', 'mode=rag', '--option', 'n=3'];
    expect(
      (await ports.run(['workflow', 'submit', 'tidy_up', 'book.pdf', ...options, '--max-credits', '3', '-q'])).exitCode,
    ).toBe(0);
    await ports.run(['config', 'set', 'workflow_source_pack', 'pack-2']);
    service.behaviour.result = Buffer.from('PK\u0003\u0004 pack');
    expect((await ports.run(['workflow', 'source-pack', 'book.pdf', '-q'])).stdout).toBe('book-source-pack.zip\n');
    expect([...service.jobs.values()].map(({ request }) => request)).toMatchObject([
      { workflow: 'tidy_up', options: { deep: true, mode: 'rag', n: 3 }, maxCredits: 3 },
      { workflow: 'pack-2', options: { mode: 'rag' }, maxCredits: 1 },
    ]);
  });

  it('a folder is zipped, the same bytes each time; its budget is a credit a file', async () => {
    const { service, ports } = await setUp({ result: Buffer.from('PK\u0003\u0004 out') });
    using _ = ports;
    mkdirSync(`${ports.work}/papers/deep`, { recursive: true });
    copyFileSync(BOOK, `${ports.work}/papers/b.pdf`);
    copyFileSync(BOOK, `${ports.work}/papers/deep/a.pdf`);
    writeFileSync(`${ports.work}/papers/notes.txt`, 'mine');
    const run = await ports.run(['workflow', 'folder', 'papers']);
    expect([run.exitCode, run.stdout]).toEqual([0, 'papers-output.zip\n']);
    expect(run.stderr).toContain('note: 1 file of papers');
    const [job] = service.jobs.values();
    writeFileSync(`${ports.work}/sent.zip`, job?.input ?? '');
    const names = 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), *z.namelist())';
    expect(execFileSync('python3', ['-c', names, `${ports.work}/sent.zip`], { encoding: 'utf8' })).toBe(
      'None b.pdf deep/a.pdf\n',
    );
    expect(job?.request).toMatchObject({ workflow: 'folder', maxCredits: 2 });
    expect((await ports.run(['workflow', 'folder', 'sent.zip', '-o', 'again.zip', '-q'])).exitCode).toBe(0);
    expect([...service.jobs.values()][1]?.input).toEqual(job?.input);
  });

  it.each([
    ['a text file', ['workflow', 'compress', 'notes.pdf'], 6, /expected a PDF file, found text/],
    ['a PDF for a folder', ['workflow', 'folder', 'book.pdf'], 6, /no ZIP that can be read/],
    ['an empty folder', ['workflow', 'folder', 'empty'], 6, /expected 1 to 100 files in it, found 0/],
    ['101 files', ['workflow', 'folder', 'many'], 6, /expected 1 to 100 files in it, found 101/],
    ['101 pages to redact', ['redact', 'inspect', 'pages-101.pdf'], 6, /expected at most 100 pages, found 101/],
    ['501 pages for a source pack', ['workflow', 'source-pack', 'pages-501.pdf'], 6, /at most 500 pages, found 501/],
    ['a budget of none', ['workflow', 'compress', 'book.pdf', '--max-credits', '0'], 5, /at most 0 credits, found 1/],
    ['an output that is there', ['workflow', 'compress', 'book.pdf', '-o', 'notes.pdf'], 10, /exists already/],
    ['the local engine', ['workflow', 'compress', 'book.pdf', '--local'], 24, /run on the service/],
  ])('%s is refused before anything is sent', async (_what, args, exit, message) => {
    const { service, ports } = await setUp();
    using _ = ports;
    writeFileSync(`${ports.work}/notes.pdf`, 'Dear diary');
    mkdirSync(`${ports.work}/empty`);
    mkdirSync(`${ports.work}/many`);
    for (let n = 0; n < 101; n += 1) writeFileSync(`${ports.work}/many/${n}.pdf`, '%PDF-1.4');
    makePdf(`${ports.work}/pages-101.pdf`, { pages: 101 });
    makePdf(`${ports.work}/pages-501.pdf`, { pages: 501 });
    const run = await ports.run(args);
    expect([run.exitCode, run.stderr]).toEqual([exit, expect.stringMatching(message)]);
    expect([service.seen, await ports.jobs()]).toEqual([[], []]);
  });

  it('--plan says what would be sent, and sends nothing', async () => {
    const { service, ports } = await setUp();
    using _ = ports;
    const { stdout, exitCode } = await ports.run(['workflow', 'compress', 'book.pdf', '--plan', '--json']);
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([
      0,
      { ok: true, plan: { price: { credits: 1 }, output: 'book-compressed.pdf' } },
    ]);
    expect([service.seen, await ports.jobs()]).toEqual([[], []]);
  });
});

describe('an upload', () => {
  const big = (path: string) => makePdf(path, { pages: 8, imageBytes: 1_000_000 });

  it('that is cut goes on where the address says, without sending twice what is there', async () => {
    const { service, ports } = await setUp();
    using _ = ports;
    big(`${ports.work}/big.pdf`);
    let cuts = 0;
    service.behaviour.intercept = (request, _response, incoming) => {
      if (request.method === 'PUT' && request.headers['content-length'] !== '0' && cuts++ < 2) {
        service.behaviour.onChunk = ({ bytes }) => bytes > 1_000_000 && incoming.socket.destroy();
      } else delete service.behaviour.onChunk;
      return false;
    };
    const run = await ports.run(['workflow', 'compress', 'big.pdf', '-q']);
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
    const puts = service.seen.filter(({ method }) => method === 'PUT');
    const size = readFileSync(`${ports.work}/big.pdf`).length;
    expect(puts.filter(({ headers }) => headers['content-range'] === `bytes */${size}`)).toHaveLength(2);
    expect(puts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(size + 500_000);
    const [job] = service.jobs.values();
    expect(sha(job?.input ?? Buffer.alloc(0))).toBe(sha(readFileSync(`${ports.work}/big.pdf`)));
    expect([service.jobs.size, job?.finalized]).toEqual([1, 1]);
  });

  it('to a plain address begins anew, and never asks it how much it has', async () => {
    const { service, ports } = await setUp({ resumable: false });
    using _ = ports;
    big(`${ports.work}/big.pdf`);
    let cuts = 0;
    service.behaviour.intercept = (request, _response, incoming) => {
      if (request.method === 'PUT' && cuts++ === 0) service.behaviour.onChunk = () => incoming.socket.destroy();
      else delete service.behaviour.onChunk;
      return false;
    };
    expect((await ports.run(['workflow', 'compress', 'big.pdf', '-q'])).exitCode).toBe(0);
    const puts = service.seen.filter(({ method }) => method === 'PUT');
    expect(puts.map(({ headers }) => headers['content-range'])).toEqual([undefined, undefined]);
    const [job] = service.jobs.values();
    expect(sha(job?.input ?? Buffer.alloc(0))).toBe(sha(readFileSync(`${ports.work}/big.pdf`)));
  });

  it('whose session has ended asks with the same key first, then makes a new job; the old one is never queued', async () => {
    const { service, ports } = await setUp();
    using _ = ports;
    service.behaviour.intercept = (request, response) => {
      const [first] = service.jobs.values();
      if (request.method !== 'PUT' || !request.path.endsWith(first?.uploadId ?? '-')) return false;
      json(response, 410, { ok: false, error: 'the session has ended' });
      return true;
    };
    expect((await ports.run(['workflow', 'compress', 'book.pdf', '-q'])).exitCode).toBe(0);
    const keys = service.seen
      .filter(({ path }) => path.endsWith('/workflow-jobs'))
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([true, false]);
    expect([...service.jobs.values()].map(({ finalized }) => finalized)).toEqual([0, 1]);
  });

  it('of a file that changes meanwhile is an error before finalize', async () => {
    const { service, ports } = await setUp({ slow: 20 });
    using _ = ports;
    big(`${ports.work}/big.pdf`);
    const { died } = ports.start(['workflow', 'compress', 'big.pdf']);
    while (service.count('PUT', /./) === 0) await new Promise((done) => setTimeout(done, 5));
    const bytes = readFileSync(`${ports.work}/big.pdf`);
    bytes.write('XX', 20);
    writeFileSync(`${ports.work}/big.pdf`, bytes);
    service.behaviour.slow = 0;
    const { code, stderr } = await died;
    expect([code, stderr]).toEqual([
      6,
      expect.stringMatching(/big\.pdf has changed since \S+ was begun; the job was not queued/),
    ]);
    expect(service.count('POST', /workflow-jobs\/./)).toBe(0);
    const resumed = await ports.run(['workflow', 'resume']);
    expect([resumed.exitCode, service.count('POST', /workflow-jobs\/./)]).toEqual([6, 0]);
  });

  it('stopped by Ctrl-C ends with 130 and says how to go on; resume does, from the journal alone', async () => {
    const { service, ports } = await setUp({ slow: 20 });
    using _ = ports;
    big(`${ports.work}/big.pdf`);
    const { child, died } = ports.start(['workflow', 'compress', 'big.pdf']);
    while ((service.seen.find(({ method }) => method === 'PUT')?.bytes ?? 0) < 200_000)
      await new Promise((done) => setTimeout(done, 5));
    child.kill('SIGINT');
    const { code, stderr } = await died;
    service.behaviour.slow = 0;
    expect(code).toBe(130);
    const id = /pdftool workflow resume (\S+)\n$/.exec(stderr)?.[1];
    expect(id).toBeDefined();
    expect((await ports.run(['jobs', 'watch'])).stderr).toContain(`pdftool workflow resume ${id}`);
    const run = await ports.run(['workflow', 'resume', String(id), '-q']);
    expect([run.exitCode, run.stdout]).toEqual([0, 'big-compressed.pdf\n']);
    const [job, ...others] = [...service.jobs.values()];
    expect([others.length, job?.finalized, sha(job?.input ?? Buffer.alloc(0))]).toEqual([
      0,
      1,
      sha(readFileSync(`${ports.work}/big.pdf`)),
    ]);
    expect((await ports.run(['workflow', 'resume', String(id)])).exitCode).toBe(2);
  });

  it('whose finalize has no answer asks the job, and finalizes once', async () => {
    const { service, ports } = await setUp();
    using _ = ports;
    let lost = 0;
    service.behaviour.intercept = (request, response, incoming) => {
      if (request.method !== 'POST' || !/workflow-jobs\/./.test(request.path) || lost++ > 0) return false;
      // Queued, and the connection breaks before the answer.
      response.end = (() => incoming.socket.destroy()) as unknown as typeof response.end;
      return false;
    };
    expect((await ports.run(['workflow', 'compress', 'book.pdf', '-q'])).exitCode).toBe(0);
    const [job] = service.jobs.values();
    expect([job?.finalized, service.count('POST', /workflow-jobs\/./)]).toEqual([1, 1]);
  });

  it('that is refused for want of credits is closed: 5, and the next try is a new request', async () => {
    const { service, ports } = await setUp();
    using _ = ports;
    service.behaviour.intercept = (request, response) => {
      if (!request.path.endsWith('/workflow-jobs')) return false;
      json(response, 402, { ok: false, error: 'no credits' });
      return true;
    };
    expect((await ports.run(['workflow', 'compress', 'book.pdf'])).exitCode).toBe(5);
    delete service.behaviour.intercept;
    expect((await ports.run(['workflow', 'compress', 'book.pdf', '-q'])).exitCode).toBe(0);
    const [first, second] = service.seen.filter(({ path }) => path.endsWith('/workflow-jobs'));
    expect(first?.headers['idempotency-key']).not.toBe(second?.headers['idempotency-key']);
    expect(first?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe('redact', () => {
  const sum = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  const regions = [{ page: 1, x: 0.1, y: 0.2, w: 0.3, h: 0.04, kind: 'email', id: 'r1' }];

  it('inspect writes regions.json; apply takes it only when a person has reviewed it, for this file', async () => {
    const { service, ports } = await setUp();
    using _ = ports;
    service.behaviour.states = [
      { status: 'succeeded', result: { sourceSha256: sum(BOOK), regions }, result_url: null },
    ];
    const inspected = await ports.run(['redact', 'inspect', 'book.pdf']);
    expect([inspected.exitCode, inspected.stdout]).toEqual([0, 'regions.json\n']);
    const path = `${ports.work}/regions.json`;
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ reviewed: false, sourceSha256: sum(BOOK), regions });
    const apply = ['redact', 'apply', 'book.pdf', '--regions', 'regions.json'];
    const early = await ports.run(apply);
    expect([early.exitCode, early.stderr]).toEqual([2, expect.stringContaining('"reviewed": true')]);
    const review = (value: object) =>
      writeFileSync(path, JSON.stringify({ reviewed: true, sourceSha256: sum(BOOK), regions, ...value }));
    review({ sourceSha256: 'f'.repeat(64) });
    expect((await ports.run(apply)).stderr).toContain('was made for another file');
    review({ regions: [] });
    expect((await ports.run(apply)).stderr).toContain('expected 1 to 2000 regions, found 0');
    review({ regions: Array.from({ length: 2001 }, () => regions[0]) });
    expect((await ports.run(apply)).exitCode).toBe(6);
    expect(service.jobs.size).toBe(1);
    service.behaviour.states = ['succeeded'];
    review({});
    const applied = await ports.run(apply);
    expect([applied.exitCode, applied.stdout]).toEqual([0, 'book-redacted.pdf\n']);
    expect([...service.jobs.values()].map(({ request }) => request)).toMatchObject([
      { workflow: 'redaction', options: { mode: 'inspect' }, maxCredits: 1 },
      {
        workflow: 'redaction',
        options: { mode: 'apply', reviewed: true, sourceSha256: sum(BOOK), regions },
        maxCredits: 1,
      },
    ]);
    // The file was changed after it was inspected.
    appendFileSync(`${ports.work}/book.pdf`, '\n');
    expect((await ports.run([...apply, '-o', 'other.pdf'])).exitCode).toBe(6);
  });

  it('words that are looked for stand in no journal: a run that was stopped needs them again', async () => {
    const { service, ports } = await setUp();
    using _ = ports;
    service.behaviour.states = [
      { status: 'succeeded', result: { sourceSha256: sum(BOOK), regions }, result_url: null },
    ];
    service.behaviour.intercept = (_request, response) => {
      json(response, 401, { ok: false, error: 'not now' });
      return true;
    };
    const inspect = ['redact', 'inspect', 'book.pdf', '--find', 'Quorlax', '--regex', 'Zy+x', '--kinds', 'email', '-q'];
    expect((await ports.run(inspect)).exitCode).toBe(4);
    delete service.behaviour.intercept;
    const resumed = await ports.run(['workflow', 'resume']);
    expect([resumed.exitCode, resumed.stderr]).toEqual([2, expect.stringContaining('Run the same command again')]);
    const other = inspect.map((word) => (word === 'Quorlax' ? 'Other' : word));
    for (const line of [inspect, [...other, '-o', 'other.json']]) expect((await ports.run(line)).exitCode).toBe(0);
    const options = (find: string) => ({ mode: 'inspect', kinds: ['email'], find: [find], regex: ['Zy+x'] });
    expect([...service.jobs.values()].map(({ request }) => request.options)).toEqual([
      options('Quorlax'),
      options('Other'),
    ]);
    expect(await ports.jobs()).toHaveLength(2);
    expect(ports.journal()).toContain('email');
    expect(ports.journal()).not.toMatch(/Quorlax|Zy\+x|Other/);
  });

  it('findings behind a result address are taken too; those of another file, or none, are refused', async () => {
    const { service, ports } = await setUp({ result: { source_sha256: sum(BOOK), regions } });
    using _ = ports;
    expect((await ports.run(['redact', 'inspect', 'book.pdf', '-q'])).exitCode).toBe(0);
    service.behaviour.result = { source_sha256: 'f'.repeat(64), regions };
    const wrong = await ports.run(['redact', 'inspect', 'book.pdf', '-o', 'wrong.json']);
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      20,
      expect.stringContaining('inspected another file than book.pdf'),
    ]);
    expect(readdirSync(ports.work)).toEqual(['book.pdf', 'regions.json']);
  });
});

it('a result that is no PDF is not kept as one', async () => {
  const { ports } = await setUp({ result: randomBytes(100) });
  using _ = ports;
  const run = await ports.run(['workflow', 'compress', 'book.pdf']);
  expect([run.exitCode, run.stderr]).toEqual([20, expect.stringContaining('does not begin as application/pdf')]);
  expect(readdirSync(ports.work)).toEqual(['book.pdf']);
});
