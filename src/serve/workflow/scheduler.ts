// Owns running queued jobs: claimed with a lease, worked on by a process, finished once by whoever holds the last token. Knows no HTTP.
import { FAILURES, Failure } from '../../contract/failure.ts';
import { EXTENSIONS } from '../../contract/media.ts';
import type { Clock } from '../../contract/ports.ts';
import { joinPath, makePrivate, placeBlob, removeBlob } from '../../runtime/blobs.ts';
import type { Log } from '../log.ts';
import type { Service } from '../service.ts';
import { minutePrice } from '../speech/create.ts';
import type { Job, JobResult, Outcome } from '../store/store.ts';
import type { Made, Task } from '../worker/messages.ts';
import { type Pool, WorkerLost } from '../worker/pool.ts';

/** Milliseconds after which the queue is looked at although nobody said that a job came: leases run out by themselves. */
const LOOK = 500;

/** Times that a job is taken up for each attempt it has, whatever ended them. */
const MOST_CLAIMS = 20;

export class Scheduler {
  readonly #service: Service;
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #nap = new AbortController();

  constructor(service: Service, pool: Pool, log: Log) {
    this.#service = service;
    this.#pool = pool;
    this.#log = log;
  }

  /** Looks at the queue now. */
  wake(): void {
    this.#nap.abort();
  }

  /** Works until it is stopped. */
  async run(): Promise<void> {
    const { store, clock, settings } = this.#service;
    while (!this.#stop.signal.aborted) {
      const hasRoom = this.#running.size < settings.job_workers;
      const now = clock.now();
      const job = hasRoom
        ? await store.claimJob(now, { owner: this.#service.id, until: now + this.#lease })
        : undefined;
      if (job === undefined) await this.#sleep(clock);
      else this.#begin(job);
    }
  }

  /** Takes no new job; settles when those that run are done, or have been handed back when `patience` is over. */
  async stop(patience: Promise<void>): Promise<void> {
    this.#stop.abort();
    this.wake();
    const done = Promise.all(this.#running);
    await Promise.race([done, patience]);
    await this.#pool.close();
    await done;
  }

  get #lease(): number {
    return this.#service.settings.lease_seconds * 1000;
  }

  #begin(job: Job): void {
    const run = this.#work(job)
      .catch((error: unknown) => this.#log('error', 'job', { job: job.id, detail: String(error) }))
      .finally(() => {
        this.#running.delete(run);
        this.wake();
      });
    this.#running.add(run);
  }

  async #sleep(clock: Clock): Promise<void> {
    this.#nap = new AbortController();
    await clock.sleep(LOOK, AbortSignal.any([this.#nap.signal, this.#stop.signal])).catch(() => {});
  }

  async #work(job: Job): Promise<void> {
    const { store, clock, folders, settings } = this.#service;
    const folder = joinPath(folders.work, `${job.id}.${job.token}`);
    const lease = new AbortController();
    try {
      // A job that takes its server with it again and again is no attempt either: it ends all the same.
      if (job.attempts > settings.job_attempts || job.token > settings.job_attempts * MOST_CLAIMS) {
        throw new Failure('job_failed', `${settings.job_attempts} workers ended before the job was done`);
      }
      await makePrivate(folder);
      const onProgress = this.#heartbeat(job, lease);
      const made = await this.#pool.run(this.#task(job, folder), { signal: lease.signal, onProgress });
      const result = await this.#keep(job, made, joinPath(folder, 'out'));
      await this.#finish(job, { state: 'succeeded', result, charged: chargeOf(job, made, this.#service) });
    } catch (error) {
      if (lease.signal.aborted) {
        this.#log('warn', 'lease lost', { job: job.id, token: job.token });
      } else if (error instanceof WorkerLost || isStop(error)) {
        const back = await store.handBack(job.id, job.token, this.#stop.signal.aborted, clock.now());
        this.#log('warn', back ? 'job handed back' : 'lease lost', { job: job.id, token: job.token });
      } else {
        await this.#finish(
          job,
          failed(error, (detail) => this.#log('error', 'job', { job: job.id, detail })),
        );
      }
    } finally {
      await removeBlob(folder);
    }
  }

  #task(job: Job, folder: string): Task {
    const { workflows, folders, rows } = this.#service;
    const { pages, files } = workflows[job.workflow] ?? {};
    const input = { field: 'file', path: joinPath(folders.uploads, job.uploadId), name: 'the upload' };
    const { fields, file: name } = job.options;
    const row = rows.find((op) => op.name === job.workflow);
    if (row !== undefined && isRecord(fields)) {
      const files = [{ ...input, name: String(name) }];
      const output = joinPath(folder, 'out');
      return {
        kind: 'operation',
        name: row.name,
        limits: row.limits ?? {},
        fields,
        files,
        folder,
        output,
        durable: true,
      };
    }
    return {
      kind: 'workflow',
      name: job.workflow,
      fields: job.options,
      files: [input],
      folder,
      output: joinPath(folder, 'out'),
      durable: true,
      bounds: {
        maxCredits: job.maxCredits,
        ...(pages === undefined ? {} : { pages }),
        ...(files === undefined ? {} : { files }),
      },
    };
  }

  /** Makes the lease longer for as long as the worker gives signs of life; gives the work up where another has it. */
  #heartbeat(job: Job, lease: AbortController): (progress: { phase: string; done: number; total?: number }) => void {
    const { store, clock } = this.#service;
    return ({ phase, done, total }) => {
      const now = clock.now();
      const told = { phase, done, ...(total === undefined ? {} : { total }) };
      void store.heartbeat(job.id, job.token, now, now + this.#lease, told).then((held) => {
        if (!held) lease.abort(new Failure('conflict', 'another worker has the job'));
      });
    };
  }

  /** The output under a name that no other try can take, on the disk before the database says that it is there. */
  async #keep(job: Job, made: Made, path: string): Promise<JobResult> {
    const { mediaType, bytes, sha256 = '', pages, measurement, files, warnings, details } = made;
    const name = `${job.id}.${job.token}.${EXTENSIONS[mediaType]?.[0] ?? 'bin'}`;
    await placeBlob(path, joinPath(this.#service.folders.results, name));
    return {
      name,
      mediaType,
      bytes,
      sha256,
      ...(pages === undefined ? {} : { pages }),
      ...(measurement === undefined ? {} : { measurement: { ...measurement } }),
      ...(files === undefined ? {} : { files: { ...files } }),
      ...(warnings === undefined ? {} : { warnings }),
      ...(details === undefined ? {} : { details }),
    };
  }

  async #finish(job: Job, outcome: Outcome): Promise<void> {
    const { store, clock, folders, settings, metrics } = this.#service;
    const now = clock.now();
    const ended = await store.finishJob(job.id, job.token, outcome, now, now + settings.result_seconds * 1000);
    const seconds = (now - job.createdAt) / 1000;
    if (!ended) {
      if (outcome.state === 'succeeded') await removeBlob(joinPath(folders.results, outcome.result.name));
      this.#log('warn', 'job finished by another', { job: job.id, token: job.token });
      return;
    }
    await removeBlob(joinPath(folders.uploads, job.uploadId));
    if (outcome.state === 'succeeded') metrics.credits(outcome.charged);
    metrics.job(job.workflow, outcome.state, seconds);
    const { state } = outcome;
    const facts = state === 'succeeded' ? { credits: outcome.charged } : { error: outcome.code };
    this.#log('info', 'job', { job: job.id, account: job.account, workflow: job.workflow, state, seconds, ...facts });
  }
}

/** A folder costs what was done of it, speech its minutes, of which never more than was set aside; the rest was done or not. */
function chargeOf(job: Job, made: Made, { rows }: Service): number {
  const { fields } = job.options;
  const row = rows.find((op) => op.name === job.workflow);
  if (row === undefined || !isRecord(fields)) return made.files?.done ?? 1;
  return Math.min(job.maxCredits, minutePrice(row, fields) * Number(made.details?.minutes ?? 0));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The pool was closed before a worker was free. */
function isStop(error: unknown): boolean {
  return error instanceof Failure && error.code === 'interrupted';
}

/** What a job's owner is told. */
function failed(error: unknown, log: (detail: string) => void): Outcome {
  if (error instanceof Failure && error.code in FAILURES && error.code !== 'internal') {
    return { state: 'failed', code: error.code, message: error.message };
  }
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { state: 'failed', code: 'internal', message: 'unexpected failure on the server; nothing was charged' };
}
