import { Failure } from '../../contract/base/failure.ts';
import type { Clock } from '../../contract/base/ports.ts';
import { after } from '../../contract/base/timing.ts';
import { type Child, outgrown, startChild } from '../../runtime/processes/child.ts';
import type { Report, Task, TaskOutput } from './messages.ts';
import { PREEMPT_AFTER, type Running, Shares } from './shares.ts';

export interface PoolSettings {
  readonly command: readonly string[];
  readonly size: number;
  /** Resident bytes a worker may hold. */
  readonly memory: number;
  /** Address space in bytes. */
  readonly addressSpace: number;
  /** Milliseconds a task may take. */
  readonly patience: number;
  /** Tasks after which a worker is replaced. */
  readonly recycleAfter: number;
}

/** Why a worker was killed or lost. */
export type Loss = 'memory' | 'time' | 'aborted' | 'died' | 'given up';

export interface PoolEvents {
  lost(reason: Loss): void;
  /** An unexpected error of a task, for the server's log only. */
  unexpected(detail: string): void;
}

type Progress = Extract<Report, { kind: 'progress' }>;

export interface RunOptions {
  readonly signal: AbortSignal;
  /** The paying account: accounts take turns by the time they have used. */
  readonly owner?: string;
  /** A free request of few bytes. */
  readonly isSmall?: boolean;
  onProgress?(progress: Progress): void;
}

/** Milliseconds before a worker that never became ready is restarted; doubled each time, at most 5 s. */
const RESTART = 100;
/** Milliseconds a worker has to become ready before it is replaced. */
const START = 60_000;

interface Ticket {
  readonly owner: string;
  readonly take: (worker: Worker) => void;
}

interface Worker {
  readonly child: Child;
  tasks: number;
  report: ((report: Report) => void) | undefined;
}

/** The worker died during its task. The task may be retried, since it need not be at fault. */
export class WorkerLost extends Failure {}

/** The task took longer than the pool allows. */
export class Overdue extends Failure {}

/** The account had all workers while another one waited. The task is restarted when its turn comes. */
class Preempted extends Failure {}

export class Pool {
  readonly #settings: PoolSettings;
  readonly #clock: Clock;
  readonly #events: PoolEvents;
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #waiting: Ticket[] = [];
  readonly #shares: Shares;
  /** Stops a task so that its worker serves another account. */
  readonly preempts = new Map<Running, () => void>();
  readonly #closed = new AbortController();
  #active = 0;
  #failedStarts = 0;

  constructor(settings: PoolSettings, clock: Clock, events: PoolEvents) {
    this.#settings = settings;
    this.#clock = clock;
    this.#events = events;
    this.#shares = new Shares(settings.size, clock);
    for (let i = 0; i < settings.size; i += 1) this.#start();
  }

  /** Numbers of running and waiting tasks, and whether workers start. */
  get state(): { active: number; waiting: number; healthy: boolean } {
    return { active: this.#active, waiting: this.#waiting.length, healthy: this.#failedStarts < 3 };
  }

  get pids(): number[] {
    return [...this.#workers].map(({ child }) => child.pid);
  }

  /** Runs a task on the next free worker. Throws a Failure; after an abort its worker has been killed. */
  async run(task: Task, options: RunOptions): Promise<TaskOutput> {
    for (;;) {
      try {
        return await this.#runOnce(task, options);
      } catch (error) {
        if (!(error instanceof Preempted)) throw error;
      }
    }
  }

  async #runOnce(task: Task, { signal, onProgress, owner = '' }: RunOptions): Promise<TaskOutput> {
    const worker = await this.#acquire(signal, owner);
    const running = this.#shares.begin(owner);
    this.#active += 1;
    const onReport = (progress: Progress) => {
      running.pages = Math.max(running.pages, progress.pages ?? 0);
      onProgress?.(progress);
    };
    const over = new AbortController();
    try {
      const report = await Promise.race([
        this.#reported(worker, task, onReport),
        this.#lost(worker, over.signal),
        this.#overdue(worker, over.signal),
        this.#tooLarge(worker, over.signal),
        this.#aborted(worker, signal, over.signal),
        this.preempted(worker, running),
      ]);
      if (report.kind === 'done') return report.made;
      throw this.#failure(report.failure);
    } finally {
      over.abort();
      this.#active -= 1;
      this.preempts.delete(running);
      this.#shares.end(running);
      this.#release(worker);
      this.#dispatch();
    }
  }

  /** Kills all workers; tasks that run fail. */
  async close(): Promise<void> {
    this.#closed.abort(new Failure('interrupted', 'the server stops'));
    const ended = [...this.#workers].map(({ child }) => child.ended);
    for (const { child } of this.#workers) child.kill();
    await Promise.all(ended);
  }

  #start(): void {
    if (this.#closed.signal.aborted) return;
    const { command, addressSpace } = this.#settings;
    const child = startChild(command, { addressSpace });
    const worker: Worker = { child, tasks: 0, report: undefined };
    this.#workers.add(worker);
    let ready = false;
    const settled = new AbortController();
    void after(START, this.#clock, settled.signal, () => child.kill());
    child.onMessage((message) => {
      const report = message as Report; // the child is this same program
      if (report.kind !== 'ready') return worker.report?.(report);
      ready = true;
      settled.abort();
      this.#failedStarts = 0;
      this.#offer(worker);
    });
    void child.ended.then(() => {
      settled.abort();
      this.#workers.delete(worker);
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
      if (ready) return this.#start();
      this.#failedStarts += 1;
      const pause = Math.min(5_000, RESTART * 2 ** Math.min(this.#failedStarts, 6));
      void after(pause, this.#clock, this.#closed.signal, () => this.#start());
    });
  }

  #offer(worker: Worker): void {
    this.#idle.push(worker);
    this.#dispatch();
  }

  /** Assigns idle workers to waiting tasks, by the shares of their accounts. */
  #dispatch(): void {
    while (this.#idle.length > 0) {
      const next = this.#shares.next(this.#waiting);
      const worker = next === undefined ? undefined : this.#idle.pop();
      if (next === undefined || worker === undefined) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      next.take(worker);
    }
  }

  /** After GIVE_UP, gives a waiting task a worker of an account that has all of them. */
  async #relieve(ticket: Ticket, stop: AbortSignal): Promise<void> {
    for (;;) {
      await this.#clock.sleep(PREEMPT_AFTER, stop).catch(() => {});
      if (!this.#waiting.includes(ticket)) return;
      const surplus = this.#idle.length > 0 ? undefined : this.#shares.surplus(ticket.owner);
      if (surplus !== undefined) this.preempts.get(surplus)?.();
    }
  }

  #acquire(signal: AbortSignal, owner: string): Promise<Worker> {
    signal.throwIfAborted();
    this.#closed.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = AbortSignal.any([signal, this.#closed.signal]);
      const ticket: Ticket = {
        owner,
        take: (worker) => {
          stop.removeEventListener('abort', leave);
          resolve(worker);
        },
      };
      const leave = () => {
        const at = this.#waiting.indexOf(ticket);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(stop.reason);
      };
      stop.addEventListener('abort', leave, { once: true });
      this.#waiting.push(ticket);
      this.#dispatch();
      if (this.#waiting.includes(ticket)) void this.#relieve(ticket, stop);
    });
  }

  #release(worker: Worker): void {
    worker.report = undefined;
    worker.tasks += 1;
    if (!this.#workers.has(worker)) return;
    const used = (worker.child.memory() ?? 0) > this.#settings.memory / 2;
    if (worker.tasks >= this.#settings.recycleAfter || used) worker.child.kill();
    else this.#offer(worker);
  }

  #reported(
    worker: Worker,
    task: Task,
    onProgress: (progress: Progress) => void,
  ): Promise<Exclude<Report, { kind: 'ready' | 'progress' }>> {
    return new Promise((resolve) => {
      worker.report = (report) => {
        if (report.kind === 'progress') onProgress(report);
        else if (report.kind !== 'ready') resolve(report);
      };
      worker.child.send(task);
    });
  }

  async #lost(worker: Worker, over: AbortSignal): Promise<never> {
    const { code, signal } = await worker.child.ended;
    if (!over.aborted) this.#events.lost('died');
    throw new WorkerLost('internal', `a worker process ended under its task (${signal ?? `exit code ${code}`})`);
  }

  async #overdue(worker: Worker, over: AbortSignal): Promise<never> {
    const { patience } = this.#settings;
    await this.#clock.sleep(patience, over);
    const message = `the work took longer than the ${Math.round(patience / 1000)} s this server allows`;
    this.#end(worker, 'time');
    throw new Overdue('too_large', message, { kind: 'limit' });
  }

  async #tooLarge(worker: Worker, over: AbortSignal): Promise<never> {
    const { memory } = this.#settings;
    await outgrown(worker.child, memory, this.#clock, over);
    this.#end(worker, 'memory');
    const message = `the document needs more memory than this server allows (${memory} bytes)`;
    throw new Failure('too_large', message, { kind: 'limit' });
  }

  #aborted(worker: Worker, signal: AbortSignal, over: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      const stop = () => {
        this.#end(worker, 'aborted');
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      over.addEventListener('abort', () => signal.removeEventListener('abort', stop), { once: true });
      if (signal.aborted) stop();
    });
  }

  preempted(worker: Worker, running: Running): Promise<never> {
    return new Promise((_, reject) => {
      this.preempts.set(running, () => {
        this.#end(worker, 'given up');
        reject(new Preempted('interrupted', 'another account had waited'));
      });
    });
  }

  /** Kills a worker; its replacement starts when it has ended. */
  #end(worker: Worker, reason: Loss): void {
    this.#events.lost(reason);
    // It must get no new task before it has ended.
    this.#workers.delete(worker);
    worker.child.kill();
  }

  #failure({ code, message, kind, errno, isLost }: Extract<Report, { kind: 'failed' }>['failure']): Failure {
    const cause = errno === undefined ? undefined : Object.assign(new Error(message), { code: errno });
    if (code === 'internal') this.#events.unexpected(message);
    return new (isLost === true ? WorkerLost : Failure)(code, message, { kind, cause });
  }
}
