import type { Writable } from 'node:stream';
import { Failure } from '../../../contract/failure.ts';
import type { AnswerMessage, HostedSettings } from '../../../mcp/hosted.ts';
import { systemEntropy } from '../../../runtime/entropy.ts';
import { createBlob, makeAllPrivate, readTextFile, removeBlob, whenWritten } from '../../../runtime/files/blobs.ts';
import { errnoOf } from '../../../runtime/files/file-failure.ts';
import { openParent, ownCommand } from '../../../runtime/processes/child.ts';
import { collectBuffersEarly } from '../../../runtime/processes/heap.ts';
import { watchStray } from '../../../runtime/processes/stray.ts';
import { openThreadParent, ownScript } from '../../../runtime/processes/thread.ts';
import { nodeVersion, readServeFlags, type ServeFlags, serveVariable } from '../../../runtime/settings/service-data.ts';
import type { RunningServer, ServerOptions } from '../../../serve/server.ts';
import { startCodecs } from '../../children/codec.ts';
import { proofTools } from '../../children/other-eyes.ts';
import { otherReaders } from '../../children/other-reader.ts';
import { pageDrawers } from '../../children/page-drawer.ts';
import type { OwnCall } from '../call.ts';
import { tell } from '../tell.ts';

export async function run(call: OwnCall): Promise<number> {
  switch (call.subcommand) {
    case 'keys create':
      return withStore(call, createOne);
    case 'keys list':
      return withStore(call, listKeys);
    case 'keys revoke':
      return withStore(call, revoke);
    case 'credits grant':
      return withStore(call, grant);
    case 'migrate':
      return migrate(call);
    case 'move':
      return move(call);
    case 'worker':
      return work(call);
    case 'database':
      return database();
    default:
      return serve(call);
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

async function serve(call: OwnCall): Promise<number> {
  const { clock, messages, options } = call;
  prepare();
  const { host, data, keyFile, database, ...given } = readServeFlags(flagsOf(call));
  const port = portOf('--port', given.port);
  const withJobs = options.workers !== false;
  if (!withJobs && database === undefined) {
    throw new Failure('usage', '--no-workers leaves jobs to pdftool work, which needs a database that both use', {
      hint: 'Name one with --database, or leave --no-workers out.',
    });
  }
  const { createFirstKey } = await import('../../../serve/keys.ts');
  const store = await storeOf(call);
  let first: string | undefined;
  try {
    const keys = await store.keys();
    const isOpen = !LOOPBACK.test(host);
    // A first key that a file takes is shown to nobody.
    const makesFirst = keys.length === 0 && keyFile !== undefined;
    if (isOpen && !makesFirst && !keys.some(({ revokedAt }) => revokedAt === null)) {
      throw new Failure('usage', `${host} is not this machine alone, and there is no API key yet`, {
        hint: `Make one first: pdftool serve keys create --data ${data}; or name a file for it with --key-file`,
      });
    }
    if (isOpen)
      messages.warn('the address is open to others and the connection is not encrypted: put a TLS proxy in front');
    // Made before the key is, so that no key is lost where the file cannot be.
    const target = keys.length > 0 || keyFile === undefined ? undefined : newFile(keyFile);
    if (target === 'taken') await whenOthersMadeKey(call, store, keyFile);
    else if (keys.length === 0) {
      const request = { kind: 'live', label: 'first key' } as const;
      first = (await createFirstKey(store, request, systemEntropy, clock.now()))?.key;
      if (target !== undefined) await whenWritten(target.end(first === undefined ? '' : `${first}\n`));
      if (keyFile !== undefined && first === undefined) await removeBlob(keyFile);
    }
  } finally {
    await store.close();
  }
  return runServer(call, { host, port, does: withJobs ? 'everything' : 'requests', tools }, (server) =>
    announce(call, `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`, data, first, keyFile),
  );
}

/** To be called first: what has been allocated before stays large. */
export function prepare(): void {
  collectBuffersEarly();
  makeAllPrivate();
}

/** Runs until it is told to stop, or until something threw that nobody foresaw. */
export async function runServer(
  call: OwnCall,
  own: Pick<ServerOptions, 'host' | 'port' | 'does' | 'tools'>,
  announce: (server: RunningServer) => void,
): Promise<number> {
  const { streams, clock, signal, version } = call;
  const { data, database: postgres, ...given } = readServeFlags(flagsOf(call));
  const storage = storageOf({ ...given, database: postgres });
  const adminPort = given.adminPort === undefined ? undefined : portOf('--admin-port', given.adminPort);
  const [{ startServer }, { createLog }, { readServeSettings }] = await Promise.all([
    import('../../../serve/server.ts'),
    import('../../../serve/log.ts'),
    import('../../../serve/settings.ts'),
  ]);
  const file = `${data}/serve.json`;
  const settings = readServeSettings(await readTextFile(file), file, serveVariable);
  const log = createLog(streams.err, clock);
  const programs = { worker: [...ownCommand(), 'serve', 'worker'], database: ownScript('serve', 'database') };
  const about = { version: version(), nodeVersion, clock, entropy: systemEntropy, log };
  const server = await startServer({ ...own, ...programs, ...about, adminPort, data, postgres, storage, settings });
  announce(server);
  if (server.adminPort !== undefined)
    log('info', 'for operators', { host: settings.admin_host, port: server.adminPort });
  const broken = new AbortController();
  const release = watchStray((kind, detail) => {
    log('error', 'stray', { kind, detail });
    server.service.metrics.stray(kind);
    // Whatever threw was left half-done, and what it holds may be wrong: a fresh process is better than this one.
    if (kind === 'exception') broken.abort();
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    for (const each of [signal, broken.signal]) each.addEventListener('abort', () => resolve(), { once: true });
  });
  log('info', 'stopping');
  await server.stop();
  release();
  log('info', 'stopped');
  return broken.signal.aborted ? 1 : 0;
}

/** The bucket that the flags name, and the key to it. */
function storageOf({ storage, storageKey, storageToken, database }: Omit<ReturnType<typeof readServeFlags>, 'data'>) {
  if (storage === undefined) return undefined;
  if (database !== undefined) return { address: storage, key: storageKey, token: storageToken };
  throw new Failure('usage', '--storage is for servers that share a database of PostgreSQL', {
    hint: 'Name one with --database, or leave --storage out: everything is in the folder then.',
  });
}

/** Brings a database to the version of this program. */
async function migrate(call: OwnCall): Promise<number> {
  const { database } = readServeFlags(flagsOf(call));
  if (database === undefined) {
    throw new Failure('usage', 'expected --database: what is in the data folder is brought up to date by itself');
  }
  const { migrate: bring } = await import('../../../serve/store/postgres/store.ts');
  const { from, to } = await bring(database, call.clock);
  tell(call, { ok: true, from, to });
  return 0;
}

/** Carries everything from a folder to a database and a bucket. */
async function move(call: OwnCall): Promise<number> {
  const { from, to } = call.options;
  const [postgres, address] = String(to ?? '')
    .split(',')
    .map((each) => each.trim());
  if (typeof from !== 'string' || postgres === undefined || address === undefined) {
    throw new Failure('usage', 'expected --from FOLDER --to postgres://user@host/name,s3://bucket/prefix');
  }
  const { data, database, storageKey, storageToken } = readServeFlags({ data: from, database: postgres });
  const [{ move: carry }, { bucketOf }, { readServeSettings }] = await Promise.all([
    import('../../../serve/move.ts'),
    import('../../../serve/data.ts'),
    import('../../../serve/settings.ts'),
  ]);
  const file = `${data}/serve.json`;
  const settings = readServeSettings(await readTextFile(file), file, serveVariable);
  const bucket = bucketOf({ address, key: storageKey, token: storageToken }, settings);
  const about = { clock: call.clock, nodeVersion, newId: systemEntropy.token() };
  tell(call, { ok: true, ...(await carry({ ...about, from: data, postgres: database ?? postgres, bucket })) });
  return 0;
}

/** What answers at /mcp, loaded with the first question. */
function tools(about: HostedSettings): AnswerMessage {
  let hosted: Promise<AnswerMessage> | undefined;
  return async (message, headers) => {
    hosted ??= import('../../../mcp/hosted.ts').then(({ createHosted }) => createHosted(about));
    return (await hosted)(message, headers);
  };
}

function portOf(flag: string, given: string): number {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (!(port <= 65_535)) throw new Failure('usage', `${flag}: expected a number up to 65535, found ${given}`);
  return port;
}

function newFile(path: string): Writable | 'taken' {
  try {
    return createBlob(path);
  } catch (cause) {
    if (errnoOf(cause) === 'EEXIST') return 'taken';
    throw noKeyFile(path, cause);
  }
}

/** Milliseconds for which the key of another server is waited for. */
const FIRST_KEY = 3_000;

/** Of servers that start at once with one path, the one that made the file makes the key. */
async function whenOthersMadeKey({ clock, signal }: OwnCall, store: Store, path = ''): Promise<void> {
  for (const end = clock.now() + FIRST_KEY; (await store.keys()).length === 0; await clock.sleep(100, signal)) {
    if (clock.now() > end) throw noKeyFile(path, Object.assign(new Error('it is there'), { code: 'EEXIST' }));
  }
}

function noKeyFile(path: string, cause: unknown): Failure {
  const message = `--key-file: ${path} cannot be made: ${errnoOf(cause) ?? String(cause)}`;
  return new Failure('usage', message, { hint: 'Name a file that is not there yet.', cause });
}

/** Where it listens and how it is used; the first key is shown here, or is in a file, and is seen nowhere again. */
function announce(
  { flags, streams }: OwnCall,
  url: string,
  data: string,
  key: string | undefined,
  keyFile: string | undefined,
): void {
  if (flags.json) {
    const first = key === undefined ? {} : keyFile === undefined ? { api_key: key } : { api_key_file: keyFile };
    streams.out(`${JSON.stringify({ ok: true, url, data, ...first })}\n`);
    return;
  }
  const [shown, about] =
    key === undefined
      ? ['PDFTOOL_API_KEY=sk_live_…', 'Keys: pdftool serve keys list']
      : keyFile === undefined
        ? [`PDFTOOL_API_KEY=${key}`, 'This first key is shown once; 20 credits are on it.']
        : [`PDFTOOL_API_KEY_FILE=${keyFile}`, `The first key is in ${keyFile}; 20 credits are on it.`];
  streams.out(
    [
      `pdftool serve listens on ${url}`,
      `Data: ${data}`,
      about,
      '',
      'Use it:',
      `  export PDFTOOL_BASE_URL=${url} ${shown}`,
      '  pdftool account',
      '  pdftool merge a.pdf b.pdf -o merged.pdf',
      '',
      '',
    ].join('\n'),
  );
}

/** The other side of a pool: started by a server, never by hand. */
async function work({ clock, signal }: OwnCall): Promise<number> {
  const parent = openParent();
  if (parent === undefined) {
    throw new Failure('usage', 'serve worker is started by pdftool serve, not by hand', { hint: 'Run pdftool serve.' });
  }
  const [{ serveTasks }, { createLocalEngine }, { guard }, { localProbe }, { speechMeans }, { measureWithin }] =
    await Promise.all([
      import('../../../serve/worker/worker.ts'),
      import('../../../local/engine.ts'),
      import('../../../flow/checks.ts'),
      import('../../remote.ts'),
      import('../../speech-means.ts'),
      import('../../../flow/measure.ts'),
    ]);
  const engine = guard(createLocalEngine(), localProbe);
  await serveTasks(parent, engine, {
    clock,
    ...otherReaders(clock, parent.gone),
    startCodecs,
    random: systemEntropy.bytes,
    drawPages: pageDrawers(clock, parent.gone),
    ...proofTools(clock, parent.gone),
    // What one user has spoken is not kept for another.
    ...(await speechMeans(false)),
    measure: (op, input, ctx) => measureWithin(op, input, ctx, localProbe),
  });
  return signal.aborted ? 1 : 0;
}

/** The thread of a server that has its database: started by it, never by hand. */
async function database(): Promise<number> {
  const parent = openThreadParent();
  if (parent === undefined) {
    throw new Failure('usage', 'serve database is started by pdftool serve, not by hand', {
      hint: 'Run pdftool serve.',
    });
  }
  const { serveStore } = await import('../../../serve/data.ts');
  await serveStore(parent);
  return 0;
}

type Store = Awaited<ReturnType<typeof storeOf>>;

/** The accounts and jobs that the flags name. */
async function storeOf(call: OwnCall) {
  const { openAnyStore } = await import('../../../serve/data.ts');
  const { data, database: postgres } = readServeFlags(flagsOf(call));
  return openAnyStore({ data, postgres, clock: call.clock }, nodeVersion);
}

async function withStore(call: OwnCall, use: (call: OwnCall, store: Store) => Promise<void>): Promise<number> {
  const store = await storeOf(call);
  try {
    await use(call, store);
  } finally {
    await store.close();
  }
  return 0;
}

async function createOne(call: OwnCall, store: Store): Promise<void> {
  const { createKey } = await import('../../../serve/keys.ts');
  const { options, clock } = call;
  const account = typeof options.account === 'string' ? options.account : undefined;
  if (account !== undefined && (await store.account(account, clock.now())) === undefined) {
    throw new Failure('not_found', `there is no account ${account}`, { hint: 'See pdftool serve keys list.' });
  }
  const label = typeof options.label === 'string' ? options.label : null;
  const request = { kind: options.test === true ? 'test' : 'live', label, account } as const;
  const { id, key, account: of } = await createKey(store, request, systemEntropy, clock.now());
  tell(call, { ok: true, id, account: of, label, api_key: key });
  call.messages.note('the key is shown once');
}

async function listKeys(call: OwnCall, store: Store): Promise<void> {
  const accounts = await store.accounts();
  const keys = (await store.keys()).map(({ id, account, label, createdAt, revokedAt }) => {
    const { available, reserved, used } = accounts.find((each) => each.id === account) ?? {};
    return {
      id,
      account,
      label,
      created_at: new Date(createdAt).toISOString(),
      revoked_at: revokedAt === null ? null : new Date(revokedAt).toISOString(),
      credits: { available, reserved, used },
    };
  });
  if (call.flags.json) return tell(call, { ok: true, keys });
  if (keys.length === 0) call.messages.note('there is no key yet');
  for (const { id, account, label, revoked_at, credits } of keys) {
    const state = revoked_at === null ? `${credits.available} credits left, ${credits.used} used` : 'revoked';
    call.streams.out(`${id}  ${account}  ${state}${label === null ? '' : `  ${label}`}\n`);
  }
}

async function revoke(call: OwnCall, store: Store): Promise<void> {
  const id = (await keyNamed(call, store)).id;
  const revoked = await store.revokeKey(id, call.clock.now());
  tell(call, { ok: true, id, revoked });
}

async function grant(call: OwnCall, store: Store): Promise<void> {
  const { clock, args } = call;
  const [, given = ''] = args;
  const amount = /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined;
  if (amount === undefined) throw new Failure('usage', `expected a whole number of credits, found ${given}`);
  const { id, account } = await keyNamed(call, store);
  await store.grant(account, amount, `operator ${systemEntropy.token()}`, clock.now());
  const { available } = (await store.account(account, clock.now())) ?? {};
  tell(call, { ok: true, id, account, granted: amount, credits_remaining: available });
}

/** A key by its id or by itself. */
async function keyNamed({ args }: OwnCall, store: Store) {
  const { idOf } = await import('../../../serve/keys.ts');
  const [given = ''] = args;
  const key = await store.key(idOf(given) ?? given);
  if (key === undefined)
    throw new Failure('not_found', 'there is no such key', { hint: 'See pdftool serve keys list.' });
  return key;
}

export function flagsOf({ options }: OwnCall): ServeFlags {
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  return {
    host: text('host'),
    port: text('port'),
    data: text('data'),
    keyFile: text('keyFile'),
    adminPort: text('adminPort'),
    database: text('database'),
    storage: text('storage'),
  };
}
