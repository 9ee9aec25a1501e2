// Owns one server from start to stop: parts put together, address listened on, work finished or handed back at the end. Knows no command line.
import type { Server } from 'node:http';
import type { ServiceOperation } from '../contract/operation.ts';
import { SERVICE_OPERATIONS } from '../contract/operations.ts';
import type { Clock } from '../contract/ports.ts';
import { accountRecord } from './account.ts';
import { createSigner } from './addresses.ts';
import { createApp, type Route } from './app.ts';
import { Holds } from './charge.ts';
import { openStore, ownData } from './data.ts';
import { Gate } from './gate.ts';
import type { Entropy } from './keys.ts';
import { listen } from './listen.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { operate } from './operate.ts';
import { descriptionRoutes, operatorRoutes } from './operations.ts';
import { Rates } from './rates.ts';
import type { Runner, Service } from './service.ts';
import { rowsWithLimits, type ServeSettings, workflowBounds } from './settings.ts';
import { createSpeech, makesSpeech } from './speech/create.ts';
import { speechDownload, speechStatus } from './speech/record.ts';
import { type About, type AnswerMessage, toolsRoute } from './tools.ts';
import { Pool, type PoolEvents } from './worker/pool.ts';
import { createJob } from './workflow/create.ts';
import { fetchResult, finalizeJob, jobStatus } from './workflow/routes.ts';
import { Scheduler } from './workflow/scheduler.ts';
import { sweep } from './workflow/sweep.ts';
import { takeUpload, type Writing } from './workflow/upload.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** Of a listener for operators alone, where they want one. */
  readonly adminPort?: number | undefined;
  /** The data folder. */
  readonly data: string;
  readonly settings: ServeSettings;
  /** The command line of a worker process. */
  readonly worker: readonly string[];
  readonly version: string;
  readonly nodeVersion: string;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
  /** What answers at /mcp; left out, there is no such path. */
  readonly tools?: (about: About) => AnswerMessage;
  /** For a bench: other rows, and what runs them in place of workers. */
  readonly rows?: readonly ServiceOperation[];
  readonly runner?: Runner;
}

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  readonly adminPort: number | undefined;
  readonly service: Service;
  /** Process ids of the workers, for those who watch over them. */
  readonly workers: () => { requests: number[]; jobs: number[] };
  /** Finishes what is under way, within the grace, and hands back the rest. */
  stop(): Promise<void>;
}

/** Milliseconds between two sweeps. */
const SWEEP = 60_000;

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { clock, entropy, settings, log, version, nodeVersion, data } = options;
  const owned = await ownData(data, nodeVersion);
  const store = await openStore(data, nodeVersion);
  const secret = await store.keep('signing key', entropy.token() + entropy.token());
  const released = await store.releaseHolds(Number.MAX_SAFE_INTEGER, clock.now());
  if (released > 0) log('warn', 'credits returned', { requests: released });
  // The folder is ours: whoever ran them is gone, and no lease has to be waited for.
  const interrupted = await store.takeUpJobs(Number.MAX_SAFE_INTEGER, clock.now());
  if (interrupted > 0) log('warn', 'jobs taken up', { jobs: interrupted });
  const id = `server_${entropy.token()}`;

  const gate = new Gate(settings.queue, 'requests');
  const uploadGate = new Gate(settings.uploads, 'uploads');
  const pools = {
    requests: poolFor('requests', options.runner === undefined ? settings.workers : 0),
    jobs: poolFor('jobs', settings.job_workers),
  };
  const metrics = createMetrics(async () => ({
    requests: pools.requests.state,
    jobs: pools.jobs.state,
    inside: gate.inside,
    states: await store.jobCounts(),
  }));
  let { port } = options;
  const service: Service = {
    id,
    rows: rowsWithLimits(options.rows ?? SERVICE_OPERATIONS, settings),
    workflows: workflowBounds(settings),
    settings,
    store,
    holds: new Holds(store, clock, id),
    runner: options.runner ?? pools.requests,
    rates: new Rates(settings, clock),
    gate,
    uploadGate,
    folders: owned.folders,
    clock,
    entropy,
    metrics,
    sign: createSigner(secret),
    wake: () => scheduler.wake(),
    version,
    listening: () => ({ host: options.host, port }),
    async health() {
      if (gate.isFull) return { ready: false, reason: 'the queue is full' };
      if (!pools.requests.state.healthy || !pools.jobs.state.healthy) {
        return { ready: false, reason: 'worker processes do not start' };
      }
      await store.jobCounts();
      return { ready: true };
    },
  };
  const scheduler = new Scheduler(service, pools.jobs, log);
  const stopping = new AbortController();
  const forOperators = operatorRoutes(service, () => stopping.signal.aborted);
  // With a port of their own, what machines must not see is not on the other one.
  const { adminPort } = options;
  const open = adminPort === undefined ? forOperators : forOperators.filter(({ path }) => path !== '/metrics');
  const tools = options.tools === undefined ? [] : [toolsRoute(service, options.tools)];
  const routes = [...routesOf(service), ...open, ...descriptionRoutes(service), ...tools];
  const servers: Server[] = [];
  try {
    servers.push(await listen(createApp(routes, service, log), options, service, log));
    if (adminPort !== undefined) {
      const address = { host: settings.admin_host, port: adminPort };
      servers.push(await listen(createApp(forOperators, service, log), address, service, log));
    }
  } catch (error) {
    for (const each of servers) each.close();
    await Promise.all([pools.requests.close(), pools.jobs.close()]);
    store.close();
    owned.release();
    throw error;
  }
  const working = scheduler.run();
  const sweeping = sweepNowAndThen(service, log, stopping.signal);

  function poolFor(name: 'requests' | 'jobs', size: number): Pool {
    const events: PoolEvents = {
      lost(reason) {
        metrics.lost(name, reason);
        log('warn', 'worker lost', { pool: name, reason });
      },
      unexpected: (detail) => log('error', 'task', { pool: name, detail }),
    };
    const { memory_bytes: memory, address_bytes: addressSpace } = settings;
    const patience = 1000 * (name === 'requests' ? settings.request_seconds : settings.job_seconds);
    // A job may be large: its worker starts afresh for the next one.
    const recycleAfter = name === 'requests' ? 200 : 20;
    return new Pool({ command: options.worker, size, memory, addressSpace, patience, recycleAfter }, clock, events);
  }

  const [main, admin] = servers.map(portOf);
  port = main ?? port;
  return {
    host: options.host,
    port,
    adminPort: admin,
    service,
    workers: () => ({ requests: pools.requests.pids, jobs: pools.jobs.pids }),
    async stop() {
      stopping.abort();
      const over = new AbortController();
      const sleep = (milliseconds: number) => clock.sleep(milliseconds, over.signal).catch(() => {});
      const grace = sleep(settings.grace_seconds * 1000);
      const left = Promise.all([gate.close(), uploadGate.close()]);
      await Promise.all([Promise.race([left, grace]), scheduler.stop(grace)]);
      const closed = servers.map((each) => new Promise<void>((resolve) => each.close(() => resolve())));
      for (const each of servers) each.closeIdleConnections();
      await Promise.race([Promise.all(closed), sleep(1_000)]);
      for (const each of servers) each.closeAllConnections();
      over.abort();
      await Promise.all([pools.requests.close(), working, sweeping]);
      await left;
      store.close();
      owned.release();
    },
  };
}

/** Every row by its own handler, or by the one that runs operations. */
function routesOf(service: Service): Route[] {
  const writing: Writing = new Map();
  const own: Readonly<Record<string, (op: ServiceOperation) => Route['handle']>> = {
    account: () => (exchange) => accountRecord(exchange, service),
    'workflow-create': (op) => (exchange) => createJob(op, exchange, service),
    'workflow-finalize': (op) => (exchange) => finalizeJob(op, exchange, service),
    'workflow-status': (op) => (exchange) => jobStatus(op, exchange, service),
    'job-status': (op) => (exchange) => speechStatus(op, exchange, service),
    'job-download': () => (exchange) => speechDownload(exchange, service),
  };
  const rows = service.rows
    .filter(({ name }) => name !== 'openapi')
    .flatMap((op): Route[] => {
      const runs: Route['handle'] = (exchange) =>
        makesSpeech(op) ? createSpeech(op, exchange, service) : operate(op, exchange, service);
      const handle = own[op.name]?.(op) ?? runs;
      return [op.path, ...op.pathAliases].map((path) => ({ method: op.method, path, op, handle }));
    });
  return [
    ...rows,
    { method: 'PUT', path: '/uploads/:uploadId', handle: (exchange) => takeUpload(exchange, service, writing) },
    { method: 'GET', path: '/results/:jobId', handle: (exchange) => fetchResult(exchange, service) },
  ];
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : undefined;
}

async function sweepNowAndThen(service: Service, log: Log, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      const removed = await sweep(service);
      if (removed > 0) log('info', 'swept', { removed });
      const returned = await service.holds.renew();
      if (returned > 0) log('warn', 'credits returned', { requests: returned });
      await service.clock.sleep(SWEEP, signal);
    }
  } catch (error) {
    if (!signal.aborted) log('error', 'sweep', { detail: String(error) });
  }
}
