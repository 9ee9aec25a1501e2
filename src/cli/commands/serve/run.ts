import type { Writable } from 'node:stream';
import { atLast } from '../../../contract/base/closing.ts';
import { Failure } from '../../../contract/base/failure.ts';
import type { AnswerMessage } from '../../../contract/tools.ts';
import type { HostedSettings } from '../../../mcp/hosted.ts';
import { systemEntropy } from '../../../runtime/entropy.ts';
import {
  createBlob,
  joinPath,
  makePrivate,
  readTextFile,
  removeBlob,
  whenWritten,
} from '../../../runtime/files/stores/blobs.ts';
import { errnoOf } from '../../../runtime/files/system/file-failure.ts';
import { readPageFile } from '../../../runtime/folders/page-files.ts';
import type { WebPage } from '../../../serve/routes/page.ts';
import type { OwnCall } from '../../line/call.ts';
import {
  type AccountStore,
  createOne,
  listAccounts,
  revoke,
  runGrant,
  runMigrate,
  runMove,
  storeOf,
  withStore,
} from './accounts.ts';
import { portOf, serveFlags, storageOf } from './options.ts';
import { database, runPoolProcess } from './pools.ts';
import { prepare, runServer } from './start.ts';

export async function run(call: OwnCall): Promise<number> {
  switch (call.subcommand) {
    case 'keys create':
      return withStore(call, createOne);
    case 'keys list':
      return withStore(call, listAccounts);
    case 'keys revoke':
      return withStore(call, revoke);
    case 'credits grant':
      return withStore(call, runGrant);
    case 'migrate':
      return runMigrate(call);
    case 'move':
      return runMove(call);
    case 'worker':
      return runPoolProcess(call);
    case 'database':
      return database();
    default:
      return serve(call);
  }
}

async function serve(call: OwnCall): Promise<number> {
  const { options, streams } = call;
  prepare();
  const { host, data, keyFile: named, database, ...given } = serveFlags(call);
  // A key in output that goes to a file or log would stay there.
  const keyFile = named ?? (streams.outIsTerminal ? undefined : joinPath(data, 'first-key'));
  const port = portOf('--port', given.port);
  const withJobs = options.workers !== false;
  if (!withJobs && database === undefined) {
    throw new Failure('usage', '--no-workers leaves jobs to pdftool work, which needs a database that both use', {
      hint: 'Name one with --database, or leave --no-workers out.',
    });
  }
  // Bad settings are refused before a first key and its file are made.
  storageOf({ ...given, database });
  const page = await pageOf(options, host);
  const adminKey = await adminKeyOf(options.adminKeyFile);
  const first = await prepareData(call, { host, data, keyFile, isNamed: named !== undefined });
  const does = withJobs ? 'everything' : 'requests';
  return runServer(call, { host, port, does, tools, page, adminKey }, (server) => {
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`;
    announce(call, { url, data, hasPage: page !== undefined }, first, keyFile);
  });
}

/** The web page, unless disabled. Throws where other machines could use its key unasked. */
async function pageOf(options: OwnCall['options'], host: string): Promise<WebPage | undefined> {
  if (options.page === false) return undefined;
  const file = options.pageKeyFile;
  if (typeof file !== 'string') return { read: readPageFile, key: undefined };
  if (!['127.0.0.1', 'localhost', '::1'].includes(host) && options.allowPublicPage !== true) {
    throw new Failure('usage', `--page-key-file: anybody who reaches ${host} could spend the credits of this key`, {
      hint: 'Listen on 127.0.0.1, or add --allow-public-page.',
    });
  }
  const key = (await readTextFile(file))?.trim();
  if (!key) throw new Failure('usage', `--page-key-file: ${file} holds no key`);
  return { read: readPageFile, key };
}

/** The key of the operator's area. Its form differs from that of API keys, so that none is taken for it. */
async function adminKeyOf(file: unknown): Promise<string | undefined> {
  if (typeof file !== 'string') return undefined;
  const target = newFile(file, '--admin-key-file');
  if (target !== 'taken') {
    const key = `sk_admin_${systemEntropy.token()}${systemEntropy.token()}`;
    await whenWritten(target.end(`${key}\n`));
    return key;
  }
  const key = (await readTextFile(file))?.trim() ?? '';
  if (/^sk_admin_[0-9a-f]{64}$/.test(key)) return key;
  throw new Failure('usage', `--admin-key-file: ${file} holds no admin key`, {
    hint: 'Name a file that is not there yet: the key is written to it.',
  });
}

/** Prints where the server listens and how to use it; a first key is shown here, or is in a file, and never again. */
function announce(
  { flags, streams }: OwnCall,
  { url, data, hasPage }: { readonly url: string; readonly data: string; readonly hasPage: boolean },
  key: string | undefined,
  keyFile: string | undefined,
): void {
  if (flags.json) {
    const first = key === undefined ? {} : keyFile === undefined ? { api_key: key } : { api_key_file: keyFile };
    streams.json({ ok: true, url, data, ...first });
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
      ...(hasPage ? [`Or open ${url} in a browser.`] : []),
      '',
      '',
    ].join('\n'),
  );
}

/** Answers at /mcp; loaded with the first question. */
function tools(about: HostedSettings): AnswerMessage {
  let hosted: Promise<AnswerMessage> | undefined;
  return async (message, headers) => {
    hosted ??= import('../../../mcp/hosted.ts').then(({ createHosted }) => createHosted(about));
    return (await hosted)(message, headers);
  };
}

// Prepares the data folder of a server, and the key that is made with it: shown once, or written to a file.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

interface FirstKey {
  readonly host: string;
  readonly data: string;
  /** The file for the key; undefined where it is shown at the terminal. */
  readonly keyFile: string | undefined;
  readonly isNamed: boolean;
}

/** Makes the data folder private. Returns the first key, where this server made it. */
async function prepareData(call: OwnCall, { host, data, keyFile, isNamed }: FirstKey): Promise<string | undefined> {
  const { clock, messages } = call;
  const { createFirstKey } = await import('../../../serve/service/keys.ts');
  const store = await storeOf(call);
  await using _ = atLast(() => store.close());
  const keys = await store.keys();
  const isOpen = !LOOPBACK.test(host);
  // A first key that goes into a file is not shown.
  const makesFirst = keys.length === 0 && isNamed;
  if (isOpen && !makesFirst && !keys.some(({ revokedAt }) => revokedAt === null)) {
    throw new Failure('usage', `${host} is not this machine alone, and there is no API key yet`, {
      hint: `Make one first: pdftool serve keys create --data ${data}; or name a file for it with --key-file`,
    });
  }
  if (isOpen)
    messages.warn('the address is open to others and the connection is not encrypted: put a TLS proxy in front');
  await makePrivate(data);
  if (keys.length > 0) return undefined;
  // The file is made before the key, so that no key is lost where it cannot be written.
  const target = keyFile === undefined ? undefined : newFile(keyFile, '--key-file');
  if (target === 'taken') {
    await whenOthersMadeKey(call, store, keyFile);
    return undefined;
  }
  const first = (await createFirstKey(store, { kind: 'live', label: 'first key' }, systemEntropy, clock.now()))?.key;
  if (target !== undefined) await whenWritten(target.end(first === undefined ? '' : `${first}\n`));
  if (keyFile !== undefined && first === undefined) await removeBlob(keyFile);
  return first;
}

function newFile(path: string, flag: string): Writable | 'taken' {
  try {
    return createBlob(path);
  } catch (cause) {
    if (errnoOf(cause) === 'EEXIST') return 'taken';
    throw noKeyFile(path, cause, flag);
  }
}

/** Milliseconds to wait for the key of another server. */
const FIRST_KEY = 3_000;

/** Waits for the first key: of servers that start together with one key file, the one that created the file makes it. */
async function whenOthersMadeKey({ clock, signal }: OwnCall, store: AccountStore, path = ''): Promise<void> {
  for (const end = clock.now() + FIRST_KEY; (await store.keys()).length === 0; await clock.sleep(100, signal)) {
    if (clock.now() > end) throw noKeyFile(path, Object.assign(new Error('it is there'), { code: 'EEXIST' }));
  }
}

function noKeyFile(path: string, cause: unknown, flag = '--key-file'): Failure {
  const message = `${flag}: ${path} cannot be made: ${errnoOf(cause) ?? String(cause)}`;
  return new Failure('usage', message, { hint: 'Name a file that is not there yet.', cause });
}
