import { Failure } from '../../contract/failure.ts';
import type { Clock } from '../../contract/ports.ts';
import { type Child, startChild } from '../../runtime/processes/child.ts';
import type { Made, Report, Task } from './messages.ts';

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
export type Loss = 'memory' | 'time' | 'aborted' | 'died';

export interface PoolEvents {
  lost(reason: Loss): void;
  /** What a task said that nobody foresaw; for the log of the server, not for its users. */
  unexpected(detail: string): void;
}

type Progress = Extract<Report, { kind: 'progress' }>;

export interface RunOptions {
  readonly signal: AbortSignal;
  /** The account whose work it is: accounts take turns, and their time is counted. */
  readonly owner?: string;
  /** Free, and soon over. */
  readonly isSmall?: boolean;
  onProgress?(progress: Progress): void;
}

/** Milliseconds between two looks at a worker's memory. */
const LOOK = 50;
/** Milliseconds before a worker is started again that ended before it was ready; doubled each time, at most 5 s. */
const RESTART = 100;
/** Milliseconds a worker has to become ready before another is started in its place. */
const START = 60_000;

/** Seconds of an account's task from which it may not have all workers: the next one could wait as long. */
const COSTLY = 1;
/** Seconds that a page counts until it is known how long the task takes: what reading the text of a full one takes. */
const PAGE = 0.01;
/** Seconds that any task counts. */
const LEAST = 0.01;
/** Milliseconds in which half of the time that an account has used is forgotten. */
const FORGET = 60_000;
/** Accounts whose use is remembered. */
const MOST_ACCOUNTS = 10_000;

/** What an account has used of the workers lately. */
interface Use {
  seconds: number;
  at: number;
  /** Of its tasks, the last ones counting most. */
  usual: number;
  readonly running: Set<Running>;
}

/** A task under way. */
interface Running {
  readonly began: number;
  /** As far as they are known. */
  pages: number;
}

interface Ticket {
  readonly owner: string;
  readonly take: (worker: Worker) => void;
}

interface Worker {
  readonly child: Child;
  tasks: number;
  report: ((report: Report) => void) | undefined;
}

/** The worker died under its task, through no fault that the task is known to have: it may be tried again. */
export class WorkerLost extends Failure {}

/** The task took longer than the pool allows. */
export class Overdue extends Failure {}

export class Pool {
  readonly #settings: PoolSettings;
  readonly #clock: Clock;
  readonly #events: PoolEvents;
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #waiting: Ticket[] = [];
  readonly #uses = new Map<string, Use>();
  readonly #closed = new AbortController();
  #active = 0;
  #failedStarts = 0;

  constructor(settings: PoolSettings, clock: Clock, events: PoolEvents) {
    this.#settings = settings;
    this.#clock = clock;
    this.#events = events;
    for (let i = 0; i < settings.size; i += 1) this.#start();
  }

  /** Tasks that run and that wait, and whether workers can be started at all. */
  get state(): { active: number; waiting: number; healthy: boolean } {
    return { active: this.#active, waiting: this.#waiting.length, healthy: this.#failedStarts < 3 };
  }

  /** Process ids of the workers. */
  get pids(): number[] {
    return [...this.#workers].map(({ child }) => child.pid);
  }

  /** Runs a task on the next worker that is free. Throws a Failure; after an abort nothing of it runs any more. */
  async run(task: Task, { signal, onProgress, owner = '' }: RunOptions): Promise<Made> {
    const worker = await this.#acquire(signal, owner);
    const use = this.#useOf(owner);
    const running: Running = { began: this.#clock.now(), pages: 0 };
    use.running.add(running);
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
      ]);
      if (report.kind === 'done') return report.made;
      throw this.#failure(report.failure);
    } finally {
      over.abort();
      this.#active -= 1;
      use.running.delete(running);
      const seconds = (this.#clock.now() - running.began) / 1000;
      use.seconds += seconds;
      use.usual = (use.usual + seconds) / 2;
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
    this.#clock.sleep(START, settled.signal).then(
      () => child.kill(),
      () => {},
    );
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
      this.#clock.sleep(pause, this.#closed.signal).then(
        () => this.#start(),
        () => {},
      );
    });
  }

  #offer(worker: Worker): void {
    this.#idle.push(worker);
    this.#dispatch();
  }

  /** Gives idle workers to those who wait: to the account that has used least, and not all of them to one whose tasks are long. */
  #dispatch(): void {
    while (this.#idle.length > 0) {
      const next = this.#next();
      const worker = next === undefined ? undefined : this.#idle.pop();
      if (next === undefined || worker === undefined) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      next.take(worker);
    }
  }

  #next(): Ticket | undefined {
    const { size } = this.#settings;
    const now = this.#clock.now();
    let best: Ticket | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const ticket of this.#waiting) {
      const { seconds, usual, running } = this.#useOf(ticket.owner);
      // What runs counts before it has ended: else an account could take all at once.
      const under = [...running].map(({ began, pages }) => Math.max((now - began) / 1000, usual, pages * PAGE, LEAST));
      const isCostly = Math.max(usual, ...under) >= COSTLY;
      if (ticket.owner !== '' && isCostly && running.size >= Math.max(1, size - 1)) continue;
      const used = under.reduce((sum, each) => sum + each, seconds);
      if (used >= least) continue;
      best = ticket;
      least = used;
    }
    return best;
  }

  #useOf(owner: string): Use {
    const now = this.#clock.now();
    const use = this.#uses.get(owner) ?? { seconds: 0, at: now, usual: 0, running: new Set() };
    use.seconds *= 0.5 ** (Math.max(0, now - use.at) / FORGET);
    use.at = now;
    // The last one used is the youngest.
    this.#uses.delete(owner);
    this.#uses.set(owner, use);
    if (this.#uses.size > MOST_ACCOUNTS) {
      const [oldest] = [...this.#uses].find(([, { running }]) => running.size === 0) ?? [];
      if (oldest !== undefined) this.#uses.delete(oldest);
    }
    return use;
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
    this.#end(worker, 'time', message);
    throw new Overdue('too_large', message, { kind: 'limit' });
  }

  async #tooLarge(worker: Worker, over: AbortSignal): Promise<never> {
    const { memory } = this.#settings;
    while ((worker.child.memory() ?? 0) <= memory) await this.#clock.sleep(LOOK, over);
    throw this.#end(worker, 'memory', `the document needs more memory than this server allows (${memory} bytes)`);
  }

  #aborted(worker: Worker, signal: AbortSignal, over: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      const stop = () => {
        this.#end(worker, 'aborted', '');
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      over.addEventListener('abort', () => signal.removeEventListener('abort', stop), { once: true });
      if (signal.aborted) stop();
    });
  }

  /** Kills a worker that has overstepped; another takes its place when it has ended. */
  #end(worker: Worker, reason: Loss, message: string): Failure {
    this.#events.lost(reason);
    // Not offered again: it is as good as gone.
    this.#workers.delete(worker);
    worker.child.kill();
    return new Failure('too_large', message, { kind: 'limit' });
  }

  #failure({ code, message, kind, errno }: Extract<Report, { kind: 'failed' }>['failure']): Failure {
    const cause = errno === undefined ? undefined : Object.assign(new Error(message), { code: errno });
    if (code === 'internal') this.#events.unexpected(message);
    return new Failure(code, message, { kind, cause });
  }
}
