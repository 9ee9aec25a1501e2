import { Failure } from '../contract/failure.ts';
import type { Clock } from '../contract/ports.ts';
import { joinPath, makePrivate, removeBlob, takeFromOthers, touchPrivate } from '../runtime/files/blobs.ts';
import { startThread, type ThreadParent } from '../runtime/processes/thread.ts';
import type { Folders } from './service.ts';
import { answerCalls, storeAside } from './store/aside.ts';
import { openSql } from './store/driver.ts';
import { createStore } from './store/sqlite.ts';
import type { Store } from './store/store.ts';

/** The store of a data folder, which is made where there is none. Commands and a running server may have it open at once. */
export async function openStore(data: string, nodeVersion: string): Promise<Store> {
  await makePrivate(data);
  return createStore(await openSql(await privateFile(data, 'serve.db'), nodeVersion));
}

/** The same on a thread of its own, for a server; `thread` is what starts one. */
export async function openStoreAside(
  data: string,
  nodeVersion: string,
  thread: readonly string[],
  clock: Clock,
  onLost: (reason: string) => void,
): Promise<Store> {
  await makePrivate(data);
  const path = await privateFile(data, 'serve.db');
  return storeAside(() => startThread(thread, { path, nodeVersion }), clock, onLost);
}

/** Inside such a thread: opens the database it was given, and answers until the other side closes it. */
export async function serveStore(parent: ThreadParent): Promise<void> {
  const { path, nodeVersion } = parent.data as { path: string; nodeVersion: string }; // as just above
  await answerCalls(parent, async () => {
    const sql = await openSql(path, nodeVersion);
    return { sql, store: createStore(sql) };
  });
}

export interface Owned {
  readonly folders: Folders;
  /** Lets another server have the folder. */
  release(): void;
}

/** Takes the data folder for this process; what a server that was killed left half-done is removed. */
export async function ownData(data: string, nodeVersion: string): Promise<Owned> {
  await makePrivate(data);
  // A lock of the database dies with its process, whatever kills it: no file is left that names a process id of somebody else.
  const lock = await openSql(await privateFile(data, 'owner.db'), nodeVersion);
  try {
    lock.exec('PRAGMA busy_timeout = 0');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new Failure('conflict', `${data} is used by another pdftool serve`, {
      hint: 'Stop it first, or choose another folder with --data.',
      cause,
    });
  }
  const [requests, uploads, results, work] = ['requests', 'uploads', 'results', 'work'].map((name) =>
    joinPath(data, name),
  ) as [string, string, string, string]; // as many as there are names
  for (const path of [requests, work]) await removeBlob(path);
  for (const path of [requests, uploads, results, work]) await makePrivate(path);
  await takeFromOthers(data);
  return { folders: { requests, uploads, results, work }, release: () => lock.close() };
}

async function privateFile(data: string, name: string): Promise<string> {
  const path = joinPath(data, name);
  await touchPrivate(path);
  return path;
}
