// The data folder of a server, and the key that is made with it: shown once, or written to a file.
import type { Writable } from 'node:stream';
import { Failure } from '../../../contract/failure.ts';
import { systemEntropy } from '../../../runtime/entropy.ts';
import { createBlob, makePrivate, removeBlob, whenWritten } from '../../../runtime/files/blobs.ts';
import { errnoOf } from '../../../runtime/files/file-failure.ts';
import type { OwnCall } from '../../line/call.ts';
import { type Store, storeOf } from './accounts.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

interface FirstKey {
  readonly host: string;
  readonly data: string;
  /** Where the key is written; undefined where it is shown at the terminal. */
  readonly keyFile: string | undefined;
  readonly isNamed: boolean;
}

/** Makes the data folder private. Returns the first key, where this server made it. */
export async function prepareData(
  call: OwnCall,
  { host, data, keyFile, isNamed }: FirstKey,
): Promise<string | undefined> {
  const { clock, messages } = call;
  const { createFirstKey } = await import('../../../serve/service/keys.ts');
  const store = await storeOf(call);
  try {
    const keys = await store.keys();
    const isOpen = !LOOPBACK.test(host);
    // A first key that goes into a file is shown to nobody.
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
    // Made before the key is, so that no key is lost where the file cannot be.
    const target = keyFile === undefined ? undefined : newFile(keyFile);
    if (target === 'taken') {
      await whenOthersMadeKey(call, store, keyFile);
      return undefined;
    }
    const first = (await createFirstKey(store, { kind: 'live', label: 'first key' }, systemEntropy, clock.now()))?.key;
    if (target !== undefined) await whenWritten(target.end(first === undefined ? '' : `${first}\n`));
    if (keyFile !== undefined && first === undefined) await removeBlob(keyFile);
    return first;
  } finally {
    await store.close();
  }
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
