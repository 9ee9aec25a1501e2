import { atLast, firstError } from '../../contract/base/closing.ts';
import { FAILURES, Failure } from '../../contract/base/failure.ts';
import { isRecord, present } from '../../contract/base/present.ts';
import { EXTENSIONS } from '../../contract/media.ts';
import { priceOfSteps, readStepList } from '../../contract/operations/steps.ts';
import { joinPath, makePrivate, removeBlob } from '../../runtime/files/stores/blobs.ts';
import type { Log } from '../base/log.ts';
import { every, type Loops } from '../base/loops.ts';
import { resultBlob, StorageAway, uploadBlob } from '../blobs/blobs.ts';
import { fullDisk } from '../limits/disk.ts';
import type { Service } from '../service/service.ts';
import type { ClaimScope, Outcome } from '../store/jobs.ts';
import type { Job, StoredResult } from '../store/rows.ts';
import type { Task, TaskOutput } from '../worker/messages.ts';
import { type Pool, WorkerLost } from '../worker/pool.ts';
import { minutePrice } from './speech-create.ts';

/** Milliseconds between polls of the queue, since leases expire without a wake-up. */
const POLL_INTERVAL = 500;

/** The most claims per counted attempt of a job. */
const MOST_CLAIMS = 20;

type OnProgress = (progress: { phase: string; done: number; total?: number }) => void;

export class Scheduler {
  readonly #service: Service;
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #stop = new AbortController();
  /** Ends all waits. */
  readonly #over = new AbortController();
  /** Running jobs, the newest last. */
  readonly #running = new Map<Job, { readonly done: Promise<void>; readonly lease: AbortController }>();
  #nap = new AbortController();

  constructor(service: Service, pool: Pool, log: Log) {
    this.#service = service;
    this.#pool = pool;
    this.#log = log;
  }

  /** Polls the queue now. */
  wake(): void {
    this.#nap.abort();
  }

  run(loops: Loops): Promise<void> {
    const { store, clock, settings } = this.#service;
    return loops.run('the scheduler of jobs', POLL_INTERVAL, this.#stop.signal, async () => {
      // Set before the claim, so that a wake-up during it starts the next claim at once.
      this.#nap = new AbortController();
      const now = clock.now();
      const lease = { owner: this.#service.id, until: now + this.#lease };
      const scope = this.claimScope(settings.job_workers);
      const most = settings.key_running || undefined;
      const job = scope === undefined ? undefined : await store.claimJob(now, lease, scope, most);
      if (job === undefined) {
        await clock.sleep(POLL_INTERVAL, AbortSignal.any([this.#nap.signal, this.#stop.signal])).catch(() => {});
        return false;
      }
      const youngest = [...this.#running.values()].at(-1);
      if (scope === 'others')
        youngest?.lease.abort(new Preempted('interrupted', 'another account had waited for a worker'));
      this.#begin(job);
      return false;
    });
  }

  /** Takes no new jobs. Resolves when the running ones have ended; after `patience` they are handed back. */
  async stop(patience: Promise<void>): Promise<void> {
    this.#stop.abort();
    this.wake();
    const done = Promise.all([...this.#running.values()].map((running) => running.done));
    await Promise.race([done, patience]);
    this.#over.abort();
    await this.#pool.close();
    await done;
  }

  get #lease(): number {
    return this.#service.settings.lease_seconds * 1000;
  }

  /** Whose job may start now; undefined for nobody's. */
  claimScope(workers: number): ClaimScope | undefined {
    const free = workers - this.#running.size;
    if (free > 0) return workers > 1 && free === 1 ? 'last' : 'any';
    const accounts = new Set([...this.#running.keys()].map(({ account }) => account));
    return workers > 1 && free === 0 && accounts.size === 1 ? 'others' : undefined;
  }

  #begin(job: Job): void {
    const lease = new AbortController();
    const done = this.#work(job, lease)
      .catch((error: unknown) => this.#log('error', 'job', { job: job.id, detail: String(error) }))
      .finally(() => {
        this.#running.delete(job);
        this.wake();
      });
    this.#running.set(job, { done, lease });
  }

  async #work(job: Job, lease: AbortController): Promise<void> {
    const { store, clock, folders } = this.#service;
    const folder = joinPath(folders.work, `${job.id}.${job.token}`);
    await using _ = atLast(() => removeBlob(folder));
    const outcome = await this.#run(job, folder, lease).catch((error: unknown) => this.#ended(error, job, lease));
    if (outcome === 'hand back' || outcome === 'uncounted') {
      const uncounted = outcome === 'uncounted' || this.#stop.signal.aborted;
      const back = await store.handBack(job.id, job.token, uncounted, clock.now());
      this.#log('warn', back ? 'job handed back' : 'lease lost', { job: job.id, token: job.token });
    } else if (outcome === undefined) {
      this.#log('warn', 'lease lost', { job: job.id, token: job.token });
    } else {
      await this.#finish(job, outcome);
    }
  }

  async #run(job: Job, folder: string, lease: AbortController): Promise<Outcome> {
    const { settings } = this.#service;
    // Claims whose server died are not counted as attempts, but a job that kills its server each time must end too.
    if (job.attempts > settings.job_attempts || job.token > settings.job_attempts * MOST_CLAIMS) {
      throw new Failure('job_failed', `${settings.job_attempts} workers ended before the job was done`);
    }
    const onProgress = this.#heartbeat(job, lease);
    const there = this.#persist(() => this.#assertThere(job), lease.signal);
    await this.#whileMoving('fetch', there, onProgress);
    await makePrivate(folder);
    const upload = this.#service.blobs.fetch(uploadBlob(job.uploadId), joinPath(folder, 'in'));
    const task = this.#task(job, await this.#whileMoving('fetch', upload, onProgress), folder);
    const made = await this.#pool.run(task, { signal: lease.signal, onProgress });
    const kept = this.#persist(() => this.#keep(job, made, joinPath(folder, 'out')), lease.signal);
    const result = await this.#whileMoving('store', kept, onProgress);
    return { state: 'succeeded', result, charged: chargeOf(job, made, this.#service) };
  }

  /** The outcome of a job whose work failed; undefined when another worker has the job now. */
  async #ended(
    thrown: unknown,
    job: Job,
    lease: AbortController,
  ): Promise<Outcome | 'hand back' | 'uncounted' | undefined> {
    const error = firstError(thrown);
    if (lease.signal.aborted) return lease.signal.reason instanceof Preempted ? 'uncounted' : undefined;
    // Its worker died or the disk was full, which need not be the job's fault.
    if (
      error instanceof WorkerLost ||
      (error instanceof Failure && error.code === 'interrupted') ||
      fullDisk(error) !== error
    )
      return 'hand back';
    if (error instanceof StorageAway) return 'uncounted';
    if (error instanceof UploadGone) return failed(error, () => {});
    try {
      await this.#assertThere(job);
    } catch {
      // The storage fails now, so the failure may be its and not the job's.
      return 'uncounted';
    }
    return failed(error, (detail) => this.#log('error', 'job', { job: job.id, detail }));
  }

  /** Throws UploadGone when the storage has no such upload, and another error when the storage fails. */
  async #assertThere({ uploadId }: Job): Promise<void> {
    const size = await this.#service.blobs.size(uploadBlob(uploadId));
    if (size > 0) return;
    const message = 'the upload of this job is no longer there; nothing was charged: send the file again';
    throw new UploadGone('not_found', message);
  }

  /** Renews the lease of a job while its bytes are copied. */
  async #whileMoving<T>(phase: string, work: Promise<T>, onProgress: OnProgress): Promise<T> {
    const over = new AbortController();
    const { clock } = this.#service;
    const beating = every(this.#lease / 4, () => onProgress({ phase, done: 0 }), clock, over.signal);
    try {
      return await work;
    } finally {
      over.abort();
      await beating;
    }
  }

  #task(job: Job, path: string, folder: string): Task {
    const { workflows, rows } = this.#service;
    const place = { folder, output: joinPath(folder, 'out'), durable: true };
    const input = { field: 'file', path, name: 'the upload' };
    const { fields, file: name } = job.options;
    const row = rows.find((op) => op.name === job.workflow);
    if (row !== undefined && isRecord(fields)) {
      const files = [{ ...input, name: String(name) }];
      return { ...place, kind: 'operation', name: row.name, limits: row.limits ?? {}, fields, files };
    }
    const { pages, files } = workflows[job.workflow] ?? {};
    const limits = Object.fromEntries(rows.map(({ name, limits = {} }) => [name, limits]));
    const bounds = present({ maxCredits: job.maxCredits, pages, files, limits });
    return { ...place, kind: 'workflow', name: job.workflow, fields: job.options, files: [input], bounds };
  }

  /** Renews the lease with each progress report; aborts the work when another worker has the job. */
  #heartbeat(job: Job, lease: AbortController): OnProgress {
    const { store, clock } = this.#service;
    return ({ phase, done, total }) => {
      const now = clock.now();
      store.heartbeat(job.id, job.token, now, now + this.#lease, present({ phase, done, total })).then(
        (held) => {
          if (!held) lease.abort(new Failure('conflict', 'another worker has the job'));
        },
        // The next heartbeat may succeed; if none does, the lease ends.
        (error: unknown) => this.#log('warn', 'heartbeat', { job: job.id, detail: String(error) }),
      );
    };
  }

  /** Stores the output, under a name that no other claim uses, before the database refers to it. */
  async #keep(job: Job, made: TaskOutput, path: string): Promise<StoredResult> {
    const { mediaType, bytes, sha256 = '', pages, measurement, files, warnings, details } = made;
    const name = `${job.id}.${job.token}.${EXTENSIONS[mediaType]?.[0] ?? 'bin'}`;
    await this.#service.blobs.promote(path, resultBlob(name));
    const measured = { measurement: measurement && { ...measurement }, files: files && { ...files } };
    return { name, mediaType, bytes, sha256, pages, ...measured, warnings, details };
  }

  /** Retries for up to PATIENCE, so that finished work is not lost. */
  async #persist<T>(write: () => Promise<T>, lost?: AbortSignal): Promise<T> {
    const { clock } = this.#service;
    const end = clock.now() + PATIENCE;
    for (let tries = 0; ; tries += 1) {
      try {
        return await write();
      } catch (error) {
        // StorageAway comes after its own wait.
        const pause = error instanceof StorageAway ? 0 : RETRY_PAUSES[tries];
        if (pause === undefined || clock.now() > end || lost?.aborted || this.#over.signal.aborted) throw error;
        this.#log('warn', 'to be written again', { detail: String(error) });
        await clock.sleep(pause, this.#over.signal).catch(() => {});
      }
    }
  }

  /** The first attempt may have been committed although its answer was lost. */
  async #hasEnded(job: Job, outcome: Outcome): Promise<boolean> {
    const row = await this.#persist(() => this.#service.store.job(job.id));
    return outcome.state === 'succeeded' && row?.result?.name === outcome.result.name;
  }

  async #finish(job: Job, outcome: Outcome): Promise<void> {
    const { store, clock, blobs, settings, metrics } = this.#service;
    const now = clock.now();
    const until = now + settings.result_seconds * 1000;
    const ended =
      (await this.#persist(() => store.finishJob(job.id, job.token, outcome, now, until))) ||
      (await this.#hasEnded(job, outcome));
    const seconds = (now - job.createdAt) / 1000;
    if (!ended) {
      if (outcome.state === 'succeeded') await blobs.remove(resultBlob(outcome.result.name));
      this.#log('warn', 'job finished by another', { job: job.id, token: job.token });
      return;
    }
    await blobs.remove(uploadBlob(job.uploadId));
    if (outcome.state === 'succeeded') metrics.credits(outcome.charged);
    metrics.job(job.workflow, outcome.state, seconds);
    const { state } = outcome;
    const facts = state === 'succeeded' ? { credits: outcome.charged } : { error: outcome.code };
    this.#log('info', 'job', { job: job.id, account: job.account, workflow: job.workflow, state, seconds, ...facts });
  }
}

/** Its account had all workers while another one waited. */
class Preempted extends Failure {}

/** Milliseconds that a job waits for a storage that is away. Another worker may reach it after that. */
const PATIENCE = 600_000;

/** The upload of a job is missing: a backup was restored, or files were removed by hand. */
class UploadGone extends Failure {}

/** Milliseconds between tries after an unknown error. */
const RETRY_PAUSES = [500, 1_000, 2_000, 5_000, 10_000] as const;

/** Credits: one per file of a folder, the prices of steps, speech by the minute up to its reservation, else one. */
function chargeOf(job: Job, made: TaskOutput, { rows }: Service): number {
  if (job.workflow === 'steps') return priceOfSteps(readStepList(job.options, job.workflow));
  const { fields } = job.options;
  const row = rows.find((op) => op.name === job.workflow);
  if (row === undefined || !isRecord(fields)) return made.files?.done ?? 1;
  return Math.min(job.maxCredits, minutePrice(row, fields) * Number(made.details?.minutes ?? 0));
}

/** The outcome that the owner sees. Unexpected errors go to the log. */
function failed(error: unknown, log: (detail: string) => void): Outcome {
  if (error instanceof Failure && error.code in FAILURES && error.code !== 'internal') {
    return { state: 'failed', code: error.code, message: error.message };
  }
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { state: 'failed', code: 'internal', message: 'unexpected failure on the server; nothing was charged' };
}
