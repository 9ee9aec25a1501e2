import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Levels {
  readonly requests: { readonly active: number; readonly waiting: number };
  readonly small: { readonly active: number; readonly waiting: number };
  readonly jobs: { readonly active: number; readonly waiting: number };
  readonly inside: number;
  readonly states: Readonly<Record<string, number>>;
}

export type Metrics = ReturnType<typeof createMetrics>;

const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

export function createMetrics(levels: () => Levels) {
  const registry = new Registry();
  // Memory, file descriptors and event loop delay come with the library.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 });
  const registers = [registry];
  const requests = new Histogram({
    name: 'pdftool_request_seconds',
    help: 'Time from the request line to the end of the answer',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers,
  });
  const jobs = new Histogram({
    name: 'pdftool_job_seconds',
    help: 'Time of a workflow job from its creation to its end',
    labelNames: ['workflow', 'outcome'],
    buckets: [0.5, 1, 5, 15, 60, 300, 900, 3600],
    registers,
  });
  const received = new Counter({ name: 'pdftool_upload_bytes_total', help: 'Bytes of bodies received', registers });
  const credits = new Counter({ name: 'pdftool_credits_charged_total', help: 'Credits charged', registers });
  const lost = new Counter({
    name: 'pdftool_workers_lost_total',
    help: 'Workers that were killed or died under a task',
    labelNames: ['pool', 'reason'],
    registers,
  });
  const loops = new Counter({
    name: 'pdftool_loop_failures_total',
    help: 'Steps of what the server does all the time that failed and were tried again',
    labelNames: ['loop'],
    registers,
  });
  const strays = new Counter({
    name: 'pdftool_strays_total',
    help: 'Rejections and exceptions that nobody waited for',
    labelNames: ['kind'],
    registers,
  });
  const inside = new Gauge({ name: 'pdftool_requests_inside', help: 'Requests under way', registers });
  const tasks = new Gauge({
    name: 'pdftool_tasks',
    help: 'Tasks of worker processes',
    labelNames: ['pool', 'state'],
    registers,
  });
  const states = new Gauge({ name: 'pdftool_jobs', help: 'Workflow jobs by state', labelNames: ['state'], registers });
  return {
    request: (route: string, method: string, status: number, seconds: number) =>
      requests.observe({ route, method, status: String(status) }, seconds),
    received: (bytes: number) => received.inc(bytes),
    credits: (charged: number) => credits.inc(charged),
    job: (workflow: string, outcome: string, seconds: number) => jobs.observe({ workflow, outcome }, seconds),
    lost: (pool: string, reason: string) => lost.inc({ pool, reason }),
    loopFailed: (loop: string) => loops.inc({ loop }),
    stray: (kind: string) => strays.inc({ kind }),
    async text() {
      const now = levels();
      inside.set(now.inside);
      for (const pool of ['requests', 'small', 'jobs'] as const) {
        tasks.set({ pool, state: 'active' }, now[pool].active);
        tasks.set({ pool, state: 'waiting' }, now[pool].waiting);
      }
      states.reset();
      for (const [state, jobsOfIt] of Object.entries(now.states)) states.set({ state }, jobsOfIt);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}
