import type { Server } from 'node:http';
import type { ServiceOperation } from '../contract/operation.ts';
import { SERVICE_OPERATIONS } from '../contract/operations.ts';
import type { Clock } from '../contract/ports.ts';
import { accountRecord } from './account.ts';
import { createSigner } from './addresses.ts';
import type { BlobName } from './blobs/blobs.ts';
import { bucketOf, openAlone, openShared, type StoragePlace } from './data.ts';
import { createApp, type Route } from './http/app.ts';
import { listen } from './http/listen.ts';
import type { Entropy } from './keys.ts';
import { Holds } from './limits/charge.ts';
import { Room } from './limits/disk.ts';
import { Gate } from './limits/gate.ts';
import { Rates } from './limits/rates.ts';
import { Turns } from './limits/turns.ts';
import type { Log } from './log.ts';
import { Loops } from './loops.ts';
import { createMetrics } from './metrics.ts';
import { operate } from './operate.ts';
import { descriptionRoutes, operatorRoutes } from './operations.ts';
import type { Runner, Service } from './service.ts';
import { rowsWithLimits, type ServeSettings, workflowBounds } from './settings.ts';
import { createSpeech, makesSpeech } from './speech/create.ts';
import { speechDownload, speechStatus } from './speech/record.ts';
import type { Store } from './store/store.ts';
import { type About, type AnswerMessage, toolsRoute } from './tools.ts';
import { Lanes } from './worker/lanes.ts';
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
  /** The address of a database of PostgreSQL, which other servers may use too; left out, there is one in the folder. */
  readonly postgres?: string | undefined;
  /** Where uploads and results are, with `postgres`; left out, they are in the folder, which all servers share. */
  readonly storage?: StoragePlace | undefined;
  /** Requests or jobs alone, where other servers do the rest. */
  readonly does?: 'everything' | 'requests' | 'jobs';
  readonly settings: ServeSettings;
  /** The script and words of the thread that has the database. */
  readonly database: readonly string[];
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
  readonly workers: () => { requests: number[]; small: number[]; jobs: number[] };
  /** Finishes what is under way, within the grace, and hands back the rest. */
  stop(): Promise<void>;
}

/** Seconds after which a small request is none. */
const SMALL_SECONDS = 1;
/** Milliseconds between two sweeps. */
const SWEEP = 60_000;
/** Milliseconds between two looks at the database. */
const PULSE = 2_000;

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { entropy, settings, log, version, nodeVersion, data, postgres, storage, does = 'everything' } = options;
  const id = `server_${entropy.token()}`;
  const place = { data, postgres, clock: options.clock };
  const lost = (detail: string) => log('error', 'database', { detail });
  const state =
    postgres === undefined
      ? await openAlone(place, nodeVersion, options.database, lost)
      : await openShared({ ...place, bucket: storage && bucketOf(storage, settings) }, id, entropy.token());
  const { store, clock, folders, blobs } = state;
  const secret = await store.keep('signing key', entropy.token() + entropy.token());
  // The folder of one server alone: whoever was at work is gone, and no lease has to be waited for.
  const until = state.isShared ? clock.now() : Number.MAX_SAFE_INTEGER;
  const released = await store.releaseHolds(until, clock.now());
  if (released > 0) log('warn', 'credits returned', { requests: released });
  const interrupted = await store.takeUpJobs(until, clock.now());
  if (interrupted > 0) log('warn', 'jobs taken up', { jobs: interrupted });
  await state.tidy();

  const { queue, key_requests, key_bytes, small_requests, uploads, key_uploads, key_session_bytes } = settings;
  const gate = new Gate(
    { most: queue, mostOfOne: key_requests, bytesOfOne: key_bytes, small: small_requests },
    'requests',
  );
  const uploadGate = new Gate(
    { most: uploads, mostOfOne: key_uploads, bytesOfOne: key_session_bytes, small: 0 },
    'uploads',
  );
  const takesRequests = does !== 'jobs' && options.runner === undefined;
  const pools = {
    requests: poolFor('requests', takesRequests ? settings.workers : 0),
    small: poolFor('small', takesRequests ? 1 : 0),
    jobs: poolFor('jobs', does === 'requests' ? 0 : settings.job_workers),
  };
  // As of the last look: who asks for metrics does not wait for the database.
  let states: Awaited<ReturnType<Store['jobCounts']>> = {};
  const metrics = createMetrics(() => ({
    requests: pools.requests.state,
    small: pools.small.state,
    jobs: pools.jobs.state,
    inside: gate.inside,
    states,
  }));
  let { port } = options;
  const loops = new Loops(clock, log, metrics);
  const service: Service = {
    id,
    rows: rowsWithLimits(options.rows ?? SERVICE_OPERATIONS, settings),
    workflows: workflowBounds(settings),
    settings,
    store,
    holds: new Holds(store, clock, id, key_requests),
    runner: options.runner ?? new Lanes(pools.requests, pools.small, clock),
    rates: new Rates(settings, clock),
    turns: new Turns(),
    room: new Room(folders.requests, blobs, settings, store, clock),
    gate,
    uploadGate,
    folders,
    blobs,
    isShared: state.isShared,
    clock,
    entropy,
    metrics,
    sign: createSigner(secret),
    wake: () => scheduler.wake(),
    version,
    listening: () => ({ host: options.host, port }),
    async health() {
      if (gate.isFull) return { ready: false, reason: 'the queue is full' };
      if (Object.values(pools).some(({ state }) => !state.healthy)) {
        return { ready: false, reason: 'worker processes do not start' };
      }
      const trouble = loops.trouble;
      return trouble === undefined ? { ready: true } : { ready: false, reason: trouble };
    },
  };
  const scheduler = new Scheduler(service, pools.jobs, log);
  const stopping = new AbortController();
  let isDraining = false;
  const forOperators = operatorRoutes(service, () => isDraining);
  // With a port of their own, what machines must not see is not on the other one.
  const { adminPort } = options;
  const open = adminPort === undefined ? forOperators : forOperators.filter(({ path }) => path !== '/metrics');
  const tools = options.tools === undefined ? [] : [toolsRoute(service, options.tools)];
  const routes = [...routesOf(service), ...open, ...descriptionRoutes(service), ...tools];
  const servers: Server[] = [];
  try {
    if (does !== 'jobs') servers.push(await listen(createApp(routes, service, log), options, service, log));
    if (adminPort !== undefined) {
      const address = { host: settings.admin_host, port: adminPort };
      servers.push(await listen(createApp(forOperators, service, log), address, service, log));
    }
  } catch (error) {
    for (const each of servers) each.close();
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
    await state.release();
    throw error;
  }
  const working = does === 'requests' ? Promise.resolve() : scheduler.run(loops);
  const suspects = new Set<BlobName>();
  const looping = Promise.all([
    loops.run('the database', PULSE, stopping.signal, async () => {
      states = await store.jobCounts();
    }),
    loops.run('the sweep', SWEEP, stopping.signal, async () => {
      await state.tidy();
      const removed = await sweep(service, suspects);
      if (removed > 0) log('info', 'swept', { removed });
    }),
    loops.run('returning credits', SWEEP, stopping.signal, async () => {
      const returned = await service.holds.renew();
      if (returned > 0) log('warn', 'credits returned', { requests: returned });
    }),
  ]);

  function poolFor(name: 'requests' | 'small' | 'jobs', size: number): Pool {
    const events: PoolEvents = {
      lost(reason) {
        metrics.lost(name, reason);
        log('warn', 'worker lost', { pool: name, reason });
      },
      unexpected: (detail) => log('error', 'task', { pool: name, detail }),
    };
    const { memory_bytes: memory, address_bytes: addressSpace } = settings;
    const patience =
      { requests: settings.request_seconds, small: SMALL_SECONDS, jobs: settings.job_seconds }[name] * 1000;
    // A job may be large: its worker starts afresh for the next one.
    const recycleAfter = name === 'jobs' ? 20 : 200;
    return new Pool({ command: options.worker, size, memory, addressSpace, patience, recycleAfter }, clock, events);
  }

  const ports = servers.map(portOf);
  const admin = adminPort === undefined ? undefined : ports.pop();
  port = ports[0] ?? port;
  return {
    host: options.host,
    port,
    adminPort: admin,
    service,
    workers: () => ({ requests: pools.requests.pids, small: pools.small.pids, jobs: pools.jobs.pids }),
    async stop() {
      const over = new AbortController();
      const sleep = (milliseconds: number) => clock.sleep(milliseconds, over.signal).catch(() => {});
      isDraining = true;
      // What is in front sees it at /readyz, and what it has sent already is taken.
      if (does !== 'jobs') await sleep(settings.drain_seconds * 1000);
      stopping.abort();
      const grace = sleep(settings.grace_seconds * 1000);
      const left = Promise.all([gate.close(), uploadGate.close()]);
      await Promise.all([Promise.race([left, grace]), scheduler.stop(grace)]);
      const closed = servers.map((each) => new Promise<void>((resolve) => each.close(() => resolve())));
      for (const each of servers) each.closeIdleConnections();
      await Promise.race([Promise.all(closed), sleep(1_000)]);
      for (const each of servers) each.closeAllConnections();
      over.abort();
      await Promise.all([pools.requests.close(), pools.small.close(), working, looping]);
      await left;
      await state.release();
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
