// kill -9 at every step of a workflow job and of an audiobook, then the same command again: one job, one upload, one result.
import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterEach, describe, expect, it } from 'vitest';
import { makePdf } from '../e2e/make-pdf.ts';
import { type Job, type JobService, type SeenRequest, sha, startJobService } from './service.ts';
import { type Bench, bench } from './workbench.ts';

const BOOK = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
/** Large enough to be in the middle of its upload for a while. */
const RESULT = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3_000_000, 'result ')]);

let services: JobService[] = [];
afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  services = [];
});

/** A place where the process dies: at a request's arrival, in the middle of bytes, or some milliseconds after an answer. */
interface Point {
  readonly name: string;
  readonly matches: (request: SeenRequest) => boolean;
  readonly when: 'arrival' | 'body' | 'answer';
}

const is = (method: string, path: RegExp) => (request: SeenRequest) =>
  request.method === method && path.test(request.path);
const CREATE = is('POST', /workflow-jobs$/);
const PUT = is('PUT', /^\/upload\//);
const FINALIZE = is('POST', /workflow-jobs\/./);
const POLL = is('GET', /workflow-jobs\//);
const FETCH = is('GET', /^\/results\//);

/** A finalize whose answer was lost is not sent again, so that a round has one of the two. */
const pointsOf = (round: number): readonly Point[] => [
  { name: 'the create arrives, its answer is lost', matches: CREATE, when: 'arrival' },
  { name: 'after create', matches: CREATE, when: 'answer' },
  { name: 'in the middle of the PUT', matches: PUT, when: 'body' },
  { name: 'after the PUT', matches: PUT, when: 'answer' },
  round % 2 === 0
    ? { name: 'the finalize arrives, its answer is lost', matches: FINALIZE, when: 'arrival' }
    : { name: 'after finalize', matches: FINALIZE, when: 'answer' },
  { name: 'after the poll that says succeeded', matches: POLL, when: 'answer' },
  { name: 'in the middle of the download', matches: FETCH, when: 'body' },
  { name: 'after the download', matches: FETCH, when: 'answer' },
];

describe('kill -9 of a workflow job', () => {
  // Each round kills one job at every point in turn, with other delays; a process may end before a late kill.
  let all = 0;
  it.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'round %i: one job, one upload, one result',
    { timeout: 120_000 },
    async (round) => {
      const { service, ports } = await setUp();
      using bench = ports;
      makePdf(bench.here.at('work/big.pdf'), { pages: 20, imageBytes: 500_000 });
      const input = readFileSync(`${bench.work}/big.pdf`);
      let kills = 0;
      for (const point of pointsOf(round)) {
        kills += await killAt(bench, service, ['workflow', 'compress', 'big.pdf', '-q'], point, round);
        // A late kill finds a job that is done: the same command is then a new one.
        if (await wasDelivered(bench)) break;
      }
      all += kills;
      expect(kills).toBeGreaterThanOrEqual(7);
      const finished = await wasDelivered(bench);
      const done = await bench.run(['workflow', 'compress', 'big.pdf', '-q']);
      const [job, ...others] = [...service.jobs.values()] as [Job, ...Job[]];
      expectEnd(done, finished, 'big-compressed.pdf');
      expect([others.length, job.finalized]).toEqual([0, 1]);
      expect(sha(job.input)).toBe(sha(input));
      expect(sha(readFileSync(`${bench.work}/big-compressed.pdf`))).toBe(sha(RESULT));
      expect(visible(bench)).toEqual(['big-compressed.pdf', 'big.pdf']);
      expect(await bench.jobs()).toMatchObject([{ step: 'delivered', status: 'succeeded' }]);
    },
  );

  it('was done at least fifty times', () => expect(all).toBeGreaterThanOrEqual(50));
});

const SPEECH_POST = is('POST', /pdf-to-audiobook$/);
const SPEECH_POLL = is('GET', /\/api\/v1\/jobs\//);

describe('kill -9 of an audiobook', () => {
  it.each<[string, Point]>([
    ['while its file is being sent', { name: '', matches: SPEECH_POST, when: 'body' }],
    ['after a poll', { name: '', matches: SPEECH_POLL, when: 'answer' }],
    ['in the middle of the download', { name: '', matches: FETCH, when: 'body' }],
    ['after the download', { name: '', matches: FETCH, when: 'answer' }],
  ])('%s: the same command goes on', async (_where, point) => {
    const { service, ports } = await setUp();
    using bench = ports;
    await writeLargeBook(`${bench.work}/book.pdf`);
    const command = ['audiobook', 'book.pdf', '-q'];
    expect(await killAt(bench, service, command, point, 3)).toBe(1);
    const finished = await wasDelivered(bench);
    const done = await bench.run(command);
    expectEnd(done, finished, 'book.mp3');
    expect(service.jobs.size).toBe(1);
    expect(visible(bench)).toEqual(['book.mp3', 'book.pdf']);
    expect(sha(readFileSync(`${bench.work}/book.mp3`))).toBe(sha(RESULT));
  });

  it.each(['arrival', 'answer'] as const)(
    'at the %s of the request that is charged: never sent twice; in doubt it says so and ends with 21',
    async (when) => {
      const { service, ports } = await setUp();
      using bench = ports;
      copyFileSync(BOOK, `${bench.work}/book.pdf`);
      const command = ['audiobook', 'book.pdf'];
      expect(await killAt(bench, service, command, { name: '', matches: SPEECH_POST, when }, 0)).toBe(1);
      const again = await bench.run(command);
      expect(service.count('POST', /pdf-to-audiobook/)).toBe(1);
      expect(service.jobs.size).toBe(1);
      if (again.exitCode === 0) return; // the answer was written down before the kill
      expect(again.exitCode).toBe(21);
      expect(again.stderr).toMatch(/its answer was lost: .* may have charged up to 90 credits; it was not sent again/);
      expect(again.stderr).toContain('add --again');
      // The person decides: the first job may be found by its id, or it is sent again.
      expect((await bench.run([...command, '--again', '-q'])).exitCode).toBe(0);
      expect(service.jobs.size).toBe(2);
    },
  );
});

/** Text of four pages, and so many bytes attached that its upload takes a while. */
async function writeLargeBook(path: string): Promise<void> {
  const document = await PDFDocument.load(readFileSync(BOOK));
  await document.attach(randomBytes(8_000_000), 'noise.bin');
  writeFileSync(path, await document.save());
}

async function setUp() {
  const service = await startJobService({ states: ['succeeded'], result: RESULT });
  services.push(service);
  return { service, ports: bench(service) };
}

/** Runs the command until the point is reached, and kills it there; how many were killed. */
async function killAt(
  bench: Bench,
  service: JobService,
  args: readonly string[],
  point: Point,
  delay: number,
): Promise<number> {
  let armed = true;
  const { child, died } = bench.start(args);
  const kill = () => void child.kill('SIGKILL');
  service.behaviour.intercept = (request, response) => {
    if (!armed || !point.matches(request)) return false;
    armed = false;
    if (point.when === 'arrival') {
      // The service does its work; nobody is there for the answer.
      const end = response.end.bind(response);
      response.end = (() => {
        kill();
        setTimeout(end, 50);
        return response;
      }) as typeof response.end;
    } else if (point.when === 'answer') {
      response.once('finish', () => setTimeout(kill, delay));
    } else if (request.method === 'GET') {
      // Half of the result, then the reader dies.
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': RESULT.length, etag: '"x"' });
      response.write(RESULT.subarray(0, RESULT.length / 2), () => setTimeout(kill, delay));
      return true;
    } else {
      // Taken slowly: the sender is killed while much of it has not left this machine's buffers.
      service.behaviour.slow = 10;
      service.behaviour.onChunk = ({ bytes }) => {
        if (bytes < 300_000) return;
        service.behaviour.slow = 0;
        kill();
      };
    }
    return false;
  };
  const { code, stderr } = await died;
  delete service.behaviour.intercept;
  delete service.behaviour.onChunk;
  service.behaviour.slow = 0;
  if (code !== 'SIGKILL' && code !== 0) throw new Error(`${point.name}: exit ${code}: ${stderr}`);
  return code === 'SIGKILL' ? 1 : 0;
}

/** Whether a kill came so late that all was done: the job is in the journal as delivered. */
async function wasDelivered(bench: Bench): Promise<boolean> {
  return (await bench.jobs())[0]?.step === 'delivered';
}

/** The same command goes on with a job; after one that was delivered it is a new request, and its output is in the way. */
function expectEnd(done: { exitCode?: number | undefined; stderr: string }, finished: boolean, output: string): void {
  if (!finished) expect([done.exitCode, done.stderr]).toEqual([0, '']);
  else expect([done.exitCode, done.stderr]).toEqual([10, expect.stringContaining(`${output} exists already`)]);
}

/** What a person sees: kill -9 leaves hidden scratch folders behind, never an output. */
function visible({ work }: Bench): string[] {
  return readdirSync(work)
    .filter((name) => !name.startsWith('.pdftool-'))
    .sort();
}
