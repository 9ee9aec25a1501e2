import { createHmac } from 'node:crypto';
import type { Clock } from '../contract/base/ports.ts';
import type { ServiceOperation } from '../contract/operation.ts';
import { SERVICE_OPERATIONS } from '../contract/operations/all.ts';
import type { AnswerMessage } from '../contract/tools.ts';
import type { Log } from './base/log.ts';
import { createLoops, type Loops } from './base/loops.ts';
import { createMetrics } from './base/metrics.ts';
import { rowsWithLimits, type ServeSettings, workflowBounds } from './base/settings.ts';
import type { BlobName } from './blobs/blobs.ts';
import { bucketOf, openAlone, openShared, type State, type StoragePlace } from './data.ts';
import type { Route } from './http/app.ts';
import { createWorkflow } from './jobs/create.ts';
import { cancelJob, fetchResult, finalizeJob, workflowStatus } from './jobs/routes.ts';
import { Scheduler } from './jobs/scheduler.ts';
import { createSpeech, makesSpeech } from './jobs/speech-create.ts';
import { speechDownload, speechStatus } from './jobs/speech-record.ts';
import { sweep } from './jobs/sweep.ts';
import { takeUpload, type Writing } from './jobs/upload.ts';
import { createHolds } from './limits/charge.ts';
import { createDiskReservations } from './limits/disk.ts';
import { Gate } from './limits/gate.ts';
import { createRates } from './limits/rates.ts';
import { ReadQueue } from './limits/read-queue.ts';
import { Listeners } from './listeners.ts';
import { startPools } from './pools.ts';
import { accountRecord } from './routes/account.ts';
import { adminRoutes } from './routes/admin.ts';
import { operate } from './routes/operate.ts';
import { descriptionRoutes, operatorRoutes } from './routes/operators.ts';
import { pageRoutes, type WebPage } from './routes/page.ts';
import { type About, toolsRoute } from './routes/tools.ts';
import type { Entropy } from './service/keys.ts';
import type { Service } from './service/service.ts';
import type { Store } from './store/store.ts';
import { createLanes, type Runner } from './worker/lanes.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** The port of a separate listener for operators. */
  readonly adminPort?: number | undefined;
  readonly data: string;
  /** The address of a PostgreSQL database, which other servers may share; undefined for SQLite in the folder. */
  readonly postgres?: string | undefined;
  /** Where uploads and results are, with `postgres`; undefined for the folder, which all servers share. */
  readonly storage?: StoragePlace | undefined;
  /** Only requests or only jobs, where other servers do the rest. */
  readonly does?: 'everything' | 'requests' | 'jobs';
  readonly settings: ServeSettings;
  /** The script and arguments of the database thread. */
  readonly database: readonly string[];
  /** The command line of a worker process. */
  readonly worker: readonly string[];
  readonly version: string;
  readonly nodeVersion: string;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
  /** Answers at /mcp; undefined for no such path. */
  readonly tools?: (about: About) => AnswerMessage;
  /** The web page at /; undefined for none. */
  readonly page?: WebPage | undefined;
  /** The key of the operator's account area; undefined for none. */
  readonly adminKey?: string | undefined;
  /** For measurements: other rows, and a substitute for the workers. */
  readonly rows?: readonly ServiceOperation[];
  readonly runner?: Runner;
}

export interface RunningServer {
  readonly port: number;
  readonly adminPort: number | undefined;
  readonly service: Service;
  /** Process ids of the workers. */
  readonly workers: () => { requests: number[]; small: number[]; jobs: number[] };
  /** Finishes running work within the grace period, and hands back the rest. */
  stop(): Promise<void>;
}

/** Milliseconds between two sweeps. */
const SWEEP = 60_000;
/** Milliseconds between two checks of the database. */
const DATABASE_CHECK = 2_000;

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { entropy, settings, log, does = 'everything', runner, adminPort, host } = options;
  const id = `server_${entropy.token()}`;
  const state = await openState(options, id);
  const { store, clock } = state;
  await takeOver(state, log);
  // Cached: metrics do not wait for the database.
  let states: Awaited<ReturnType<Store['jobCounts']>> = {};
  const takes = { requests: does !== 'jobs' && runner === undefined, jobs: does !== 'requests' };
  const pools = startPools(options.worker, takes, settings, clock, () => metrics, log);
  const metrics = createMetrics(() => ({ ...pools.levels(), inside: service.gate.inside, states }));
  const loops = createLoops(clock, log, metrics);
  const listeners = new Listeners();
  const service: Service = {
    ...(await limitsOf(options, state, id)),
    runner: runner ?? createLanes(pools.requests, pools.small, clock),
    metrics,
    wake: () => scheduler.wake(),
    listening: () => ({ host, port: listeners.port ?? options.port }),
    async health() {
      if (service.gate.isFull) return { ready: false, reason: 'the queue is full' };
      if (!pools.isHealthy()) return { ready: false, reason: 'worker processes do not start' };
      const trouble = loops.trouble();
      return trouble === undefined ? { ready: true } : { ready: false, reason: trouble };
    },
  };
  const scheduler = new Scheduler(service, pools.jobs, log);
  let isDraining = false;
  const forOperators = (isPrivate: boolean) => operatorRoutes(service, () => isDraining, isPrivate);
  // With an operator port, /metrics is only there.
  const shared = forOperators(false).filter(({ path }) => adminPort === undefined || path !== '/metrics');
  const tools = options.tools === undefined ? [] : [toolsRoute(service, options.tools)];
  const page = options.page === undefined ? [] : pageRoutes(service, options.page, options.adminKey !== undefined);
  const admin = options.adminKey === undefined ? [] : adminRoutes(service, options.adminKey);
  const routes = [...routesOf(service), ...shared, ...descriptionRoutes(service), ...tools, ...page, ...admin];
  const clients = does === 'jobs' ? undefined : { routes, at: options };
  const operators = adminPort === undefined ? undefined : { host: settings.admin_host, port: adminPort };
  try {
    await listeners.open(clients, operators && { routes: forOperators(true), at: operators }, service, log);
  } catch (error) {
    await pools.close();
    await state.release();
    throw error;
  }
  const stopping = new AbortController();
  const working = does === 'requests' ? Promise.resolve() : scheduler.run(loops);
  const looping = runLoops(loops, service, state, log, stopping.signal, async () => {
    states = await store.jobCounts();
  });
  return {
    port: listeners.port ?? options.port,
    adminPort: listeners.adminPort,
    service,
    workers: pools.pids,
    async stop() {
      const over = new AbortController();
      const sleep = (milliseconds: number) => clock.sleep(milliseconds, over.signal).catch(() => {});
      isDraining = true;
      // A balancer sees it at /readyz; requests that it still sends are accepted.
      if (does !== 'jobs') await sleep(settings.drain_seconds * 1000);
      stopping.abort();
      const grace = sleep(settings.grace_seconds * 1000);
      const gates = [service.gate, service.uploadGate, service.downloadGate];
      const left = Promise.all(gates.map((gate) => gate.close()));
      await Promise.all([Promise.race([left, grace]), scheduler.stop(grace)]);
      await listeners.close(sleep);
      over.abort();
      await Promise.all([pools.close(), working, looping]);
      await left;
      await state.release();
    },
  };
}

function openState(options: ServerOptions, id: string): Promise<State> {
  const { data, postgres, storage, settings, clock, entropy, log } = options;
  const place = { data, postgres, clock };
  const lost = (detail: string) => log('error', 'database', { detail });
  if (postgres === undefined) return openAlone(place, options.nodeVersion, options.database, lost);
  return openShared({ ...place, bucket: storage && bucketOf(storage, settings) }, id, entropy.token());
}

/** Takes over from dead servers: returns the credits of their requests and requeues their jobs. */
async function takeOver({ store, clock, isShared, tidy }: State, log: Log): Promise<void> {
  // Only one server uses a folder, so its predecessor is gone and the leases need not expire first.
  const until = isShared ? clock.now() : Number.MAX_SAFE_INTEGER;
  const released = await store.releaseHolds(until, clock.now());
  if (released > 0) log('warn', 'credits returned', { requests: released });
  const interrupted = await store.takeUpJobs(until, clock.now());
  if (interrupted > 0) log('warn', 'jobs taken up', { jobs: interrupted });
  await tidy();
}

/** The parts of a service without processes: rows, store and limits. */
async function limitsOf(
  { entropy, settings, version, rows = SERVICE_OPERATIONS }: ServerOptions,
  { store, clock, folders, blobs, isShared }: State,
  id: string,
): Promise<Omit<Service, 'runner' | 'metrics' | 'wake' | 'listening' | 'health'>> {
  const { queue, key_requests, key_bytes, small_requests, uploads, key_uploads, key_session_bytes } = settings;
  const { downloads, key_downloads } = settings;
  const secret = await store.keep('signing key', entropy.token() + entropy.token());
  const ofRequests = { most: queue, mostOfOne: key_requests, bytesOfOne: key_bytes, small: small_requests };
  const ofUploads = { most: uploads, mostOfOne: key_uploads, bytesOfOne: key_session_bytes, small: 0 };
  const ofDownloads = { most: downloads, mostOfOne: key_downloads, bytesOfOne: Number.POSITIVE_INFINITY, small: 0 };
  return {
    ...{ id, settings, store, folders, blobs, isShared, clock, entropy, version },
    rows: rowsWithLimits(rows, settings),
    workflows: workflowBounds(settings),
    holds: createHolds(store, clock, id, key_requests),
    rates: createRates(settings, clock),
    readQueue: new ReadQueue(),
    disk: createDiskReservations(folders.requests, settings, { blobs, store, clock }),
    gate: new Gate(ofRequests, 'requests'),
    uploadGate: new Gate(ofUploads, 'uploads'),
    downloadGate: new Gate(ofDownloads, 'downloads'),
    sign: (text) => createHmac('sha256', secret).update(text).digest('hex'),
  };
}

/** The periodic work of a server beside its jobs. */
async function runLoops(
  loops: Loops,
  service: Service,
  { tidy }: State,
  log: Log,
  signal: AbortSignal,
  look: () => Promise<void>,
): Promise<void> {
  const suspects = new Set<BlobName>();
  await Promise.all([
    loops.run('the database', DATABASE_CHECK, signal, look),
    loops.run('the sweep', SWEEP, signal, async () => {
      await tidy();
      const removed = await sweep(service, suspects);
      if (removed > 0) log('info', 'swept', { removed });
    }),
    loops.run('returning credits', SWEEP, signal, async () => {
      const returned = await service.holds.renew();
      if (returned > 0) log('warn', 'credits returned', { requests: returned });
    }),
  ]);
}

/** Every row with its own handler, or with the one for operations. */
function routesOf(service: Service): Route[] {
  const writing: Writing = new Map();
  const handlers: Readonly<Record<string, (op: ServiceOperation) => Route['handle']>> = {
    account: () => (exchange) => accountRecord(exchange, service),
    'workflow-create': (op) => (exchange) => createWorkflow(op, exchange, service),
    'workflow-finalize': (op) => (exchange) => finalizeJob(op, exchange, service),
    'workflow-status': (op) => (exchange) => workflowStatus(op, exchange, service),
    'job-status': (op) => (exchange) => speechStatus(op, exchange, service),
    'job-cancel': (op) => (exchange) => cancelJob(op, exchange, service),
    'job-download': () => (exchange) => speechDownload(exchange, service),
  };
  const rows = service.rows
    .filter(({ name }) => name !== 'openapi')
    .flatMap((op): Route[] => {
      const runs: Route['handle'] = (exchange) =>
        makesSpeech(op) ? createSpeech(op, exchange, service) : operate(op, exchange, service);
      const handle = handlers[op.name]?.(op) ?? runs;
      return [op.path, ...op.pathAliases].map((path) => ({ method: op.method, path, op, handle }));
    });
  return [
    ...rows,
    { method: 'PUT', path: '/uploads/:uploadId', handle: (exchange) => takeUpload(exchange, service, writing) },
    { method: 'GET', path: '/results/:jobId', handle: (exchange) => fetchResult(exchange, service) },
  ];
}
