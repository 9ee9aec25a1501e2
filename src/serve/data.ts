import { Failure } from '../contract/base/failure.ts';
import type { Clock } from '../contract/base/ports.ts';
import { say, setting } from '../contract/base/wording.ts';
import {
  joinPath,
  lastUsed,
  listBlobs,
  makePrivate,
  markUsed,
  readTextFile,
  removeBlob,
  sizeOf,
  takeFromOthers,
  textOnce,
  touchPrivate,
} from '../runtime/files/stores/blobs.ts';
import { startThread, type ThreadParent } from '../runtime/processes/thread.ts';
import type { ServeSettings } from './base/settings.ts';
import type { Blobs } from './blobs/blobs.ts';
import type { BucketPlace } from './blobs/bucket.ts';
import { folderBlobs } from './blobs/folder.ts';
import type { Folders } from './service/service.ts';
import { answerCalls, storeAside } from './store/aside.ts';
import { openSql } from './store/driver.ts';
import { createStore } from './store/sqlite.ts';
import type { Store } from './store/store.ts';

/** The store of a data folder, created if missing. Commands and a running server may have it open at once. */
export async function openStore(data: string, nodeVersion: string): Promise<Store> {
  await makePrivate(data);
  return createStore(await openSql(await privateFile(data, 'serve.db'), nodeVersion));
}

/** For commands: the store of a folder, or the one in a database of PostgreSQL. */
export async function openAnyStore({ data, postgres, clock }: Place, nodeVersion: string): Promise<Store> {
  if (postgres === undefined) {
    // Checked first: a new serve.db in a shared folder would keep its servers from starting.
    await assertBelongs(data, undefined);
    return openStore(data, nodeVersion);
  }
  const { openPostgres } = await import('./store/postgres/store.ts');
  return (await openPostgres(postgres, clock)).store;
}

/** In the database thread: opens the database and answers calls until the other side closes it. */
export async function serveStore(parent: ThreadParent): Promise<void> {
  const { path, nodeVersion } = parent.data as { path: string; nodeVersion: string }; // as just above
  await answerCalls(parent, async () => {
    const sql = await openSql(path, nodeVersion);
    return { sql, store: createStore(sql) };
  });
}

/** The state of a server. */
export interface State {
  readonly store: Store;
  readonly clock: Clock;
  readonly folders: Folders;
  readonly blobs: Blobs;
  /** Other servers may use it too. */
  readonly isShared: boolean;
  /** Marks this server as running, and removes the folders of servers that are gone. */
  tidy(): Promise<void>;
  /** Closes the store and releases the folder. */
  release(): Promise<void>;
}

interface Place {
  readonly data: string;
  /** The address of a PostgreSQL database; undefined for SQLite in the folder. */
  readonly postgres: string | undefined;
  readonly clock: Clock;
}

/** State in a folder, for one server. `thread`: the script of the database thread. */
export async function openAlone(
  { data, clock }: Place,
  nodeVersion: string,
  thread: readonly string[],
  onLost: (reason: string) => void,
): Promise<State> {
  const owned = await ownData(data, nodeVersion);
  try {
    const path = await privateFile(data, 'serve.db');
    const store = await storeAside(() => startThread(thread, { path, nodeVersion }), clock, onLost);
    return {
      ...{ store, clock, folders: owned.folders, blobs: folderBlobs(data), isShared: false },
      async tidy() {},
      async release() {
        await store.close();
        owned.release();
      },
    };
  } catch (error) {
    owned.release();
    throw error;
  }
}

/** Milliseconds without a sign of life after which a server's folder is removed. */
const GONE = 3_600_000;
/** The file that names the store of a shared folder: two databases on one folder would delete each other's files. */
export const MARK = 'store-id';

/** The address of a storage, and the key to it. */
export interface StoragePlace {
  readonly address: string;
  readonly key: string | undefined;
  readonly token?: string | undefined;
}

export type BucketOptions = BucketPlace & { readonly isDirect: boolean };

export function bucketOf(
  storage: StoragePlace,
  { storage_endpoint, storage_region, storage_direct }: ServeSettings,
): BucketOptions {
  return { ...storage, endpoint: storage_endpoint, region: storage_region, isDirect: storage_direct };
}

/** Accounts and jobs in PostgreSQL; files in a bucket, or in a folder that all servers share. `id` is this server's. */
export async function openShared(
  { data, postgres = '', clock: machineClock, bucket }: Place & { readonly bucket?: BucketOptions | undefined },
  id: string,
  newId: string,
): Promise<State> {
  const { openPostgres } = await import('./store/postgres/store.ts');
  const { store, clock } = await openPostgres(postgres, machineClock);
  try {
    await makePrivate(data);
    if ((await sizeOf(joinPath(data, 'serve.db'))) !== undefined) {
      throw new Failure('usage', `${data} has accounts and jobs of its own, in SQLite`, {
        hint: say`Choose another folder with ${setting('data')}.`,
      });
    }
    const mark = await store.keep('store id', newId);
    if (bucket === undefined && (await textOnce(joinPath(data, MARK), mark)) !== mark) {
      throw new Failure('usage', `the files in ${data} belong to another database`, {
        hint: 'Choose the folder that the other servers of this database use, or an empty one for a new database.',
      });
    }
    const servers = joinPath(data, 'servers');
    const mine = joinPath(servers, id);
    const [requests, work] = [joinPath(mine, 'requests'), joinPath(mine, 'work')];
    for (const path of [requests, work]) await makePrivate(path);
    const blobs =
      bucket === undefined
        ? await blobsAt(data)
        : await (await import('./blobs/s3.ts')).openS3(bucket, mark, machineClock);
    return {
      ...{ store, clock, folders: { requests, work }, blobs, isShared: true },
      async tidy() {
        await markUsed(mine, clock.now());
        for (const name of await listBlobs(servers)) {
          const at = await lastUsed(joinPath(servers, name));
          if (at !== undefined && clock.now() - at > GONE) await removeBlob(joinPath(servers, name));
        }
      },
      async release() {
        blobs.close();
        await removeBlob(mine);
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function blobsAt(data: string): Promise<Blobs> {
  for (const name of ['uploads', 'results']) await makePrivate(joinPath(data, name));
  return folderBlobs(data);
}

interface Owned {
  readonly folders: Folders;
  /** Releases the folder for another server. */
  release(): void;
}

/** Locks the data folder and removes remains of a killed server. Throws where `mark` is not that of its database. */
export async function ownData(data: string, nodeVersion: string, mark?: string): Promise<Owned> {
  await makePrivate(data);
  await assertBelongs(data, mark);
  // A database lock ends with its process, however that ends; a pid file would remain.
  const lock = await openSql(await privateFile(data, 'owner.db'), nodeVersion);
  try {
    lock.exec('PRAGMA busy_timeout = 0');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new Failure('conflict', `${data} is used by another pdftool serve`, {
      hint: say`Stop it first, or choose another folder with ${setting('data')}.`,
      cause,
    });
  }
  const [requests, work] = [joinPath(data, 'requests'), joinPath(data, 'work')];
  for (const path of [requests, work]) {
    await removeBlob(path);
    await makePrivate(path);
  }
  await blobsAt(data);
  await takeFromOthers(data);
  return { folders: { requests, work }, release: () => lock.close() };
}

/** Throws where the folder holds the files of a PostgreSQL database with another mark. */
async function assertBelongs(data: string, mark: string | undefined): Promise<void> {
  const present = await readTextFile(joinPath(data, MARK));
  if (present === undefined || present === mark) return;
  throw new Failure('usage', `the files in ${data} belong to a database of PostgreSQL`, {
    hint: say`Name it with ${setting('database')}, or choose another folder with ${setting('data')}.`,
  });
}

async function privateFile(data: string, name: string): Promise<string> {
  const path = joinPath(data, name);
  await touchPrivate(path);
  return path;
}
