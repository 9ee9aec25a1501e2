import type { Clock } from '../contract/base/ports.ts';
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
export function startPools(
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
  const requests = start('requests', does.requests ? workers : 0, request_seconds);
  const small = start('small', does.requests ? 1 : 0, SMALL_SECONDS);
  const jobs = start('jobs', does.jobs ? job_workers : 0, job_seconds);
  const all = [requests, small, jobs];
  return {
    ...{ requests, small, jobs },
    isHealthy: () => all.every(({ state }) => state.healthy),
    levels: (): Pick<Levels, Name> => ({ requests: requests.state, small: small.state, jobs: jobs.state }),
    pids: (): Record<Name, number[]> => ({ requests: requests.pids, small: small.pids, jobs: jobs.pids }),
    close: async () => void (await Promise.all(all.map((pool) => pool.close()))),
  };
}
