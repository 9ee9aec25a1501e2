import type { Clock } from '../contract/ports.ts';
import type { Log } from './base/log.ts';
import type { Levels, Metrics } from './base/metrics.ts';
import type { ServeSettings } from './base/settings.ts';
import { Pool } from './worker/pool.ts';

type Name = 'requests' | 'small' | 'jobs';

/** Seconds after which a small request is moved to the other workers. */
const SMALL_SECONDS = 1;
/** Tasks after which a worker is replaced: fewer for jobs, whose documents may be large. */
const RECYCLE = { requests: 200, small: 200, jobs: 20 } as const;

/** The worker processes of a server: one pool for paid and large requests, one for small free ones, one for jobs. */
export class WorkerPools {
  readonly requests: Pool;
  readonly small: Pool;
  readonly jobs: Pool;

  constructor(
    command: readonly string[],
    does: { readonly requests: boolean; readonly jobs: boolean },
    settings: ServeSettings,
    clock: Clock,
    metrics: () => Metrics,
    log: Log,
  ) {
    const { workers, job_workers, request_seconds, job_seconds, memory_bytes, address_bytes } = settings;
    const start = (name: Name, size: number, seconds: number): Pool => {
      const bounds = { memory: memory_bytes, addressSpace: address_bytes, patience: seconds * 1000 };
      return new Pool({ command, size, ...bounds, recycleAfter: RECYCLE[name] }, clock, {
        lost(reason) {
          metrics().lost(name, reason);
          log('warn', 'worker lost', { pool: name, reason });
        },
        unexpected: (detail) => log('error', 'task', { pool: name, detail }),
      });
    };
    this.requests = start('requests', does.requests ? workers : 0, request_seconds);
    this.small = start('small', does.requests ? 1 : 0, SMALL_SECONDS);
    this.jobs = start('jobs', does.jobs ? job_workers : 0, job_seconds);
  }

  get #all(): Pool[] {
    return [this.requests, this.small, this.jobs];
  }

  get healthy(): boolean {
    return this.#all.every(({ state }) => state.healthy);
  }

  get levels(): Pick<Levels, Name> {
    return { requests: this.requests.state, small: this.small.state, jobs: this.jobs.state };
  }

  get pids(): Record<Name, number[]> {
    return { requests: this.requests.pids, small: this.small.pids, jobs: this.jobs.pids };
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((pool) => pool.close()));
  }
}
