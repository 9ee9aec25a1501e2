/**
 * A lock between processes and machines that share a folder.
 *
 * The lock is a file, created exclusively, that names its holder (pid, host, token). A lock is stale when its holder's process on
 * this machine has ended, or after ten seconds, since the work it guards takes milliseconds. Only the process that creates the
 * file `.break` may remove a stale lock, and only while its text is still the one that it judged: so no fresh lock is removed. A
 * holder that was suspended may lose its lock; `assertHeld` notices that before it writes. Waiting polls every 5 to 25 ms.
 */

import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { atEnd } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import { isAlive } from '../files/system/alive.ts';
import { errnoOf } from '../files/system/file-failure.ts';
import { ifPossible } from '../files/system/if-possible.ts';

/** Milliseconds after which a lock is stale. */
const STALE = 10_000;
/** Longest wait for a lock, in milliseconds. */
const PATIENCE = 20_000;

/**
 * Runs `work` while no other process on any machine does so with the same `path`, whose folder must exist.
 * `work` calls `assertHeld` before it writes.
 */
export async function withLock<T>(path: string, work: (assertHeld: () => void) => T | Promise<T>): Promise<T> {
  const token = `${process.pid} ${hostname()} ${randomUUID()}\n`;
  const end = Date.now() + PATIENCE;
  while (!create(path, token)) {
    const held = read(path);
    if (held !== undefined && isStale(path, held)) breakLock(path, held);
    else if (Date.now() > end) {
      throw new Failure('conflict', `${path} is held by another process`, {
        hint: 'Try again. If no other pdftool is running, remove that file.',
      });
    } else await new Promise((resolve) => setTimeout(resolve, 5 + 20 * Math.random()));
  }
  const assertHeld = () => {
    if (read(path) !== token) throw new Failure('conflict', `${path} was lost to another process; nothing was written`);
  };
  using _ = atEnd(() => {
    if (read(path) === token) remove(path);
  });
  return await work(assertHeld);
}

function create(path: string, token: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(descriptor, token);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

/** A lock without text was created by a holder that has not written its name yet: only its age can make it stale. */
function isStale(path: string, token: string): boolean {
  if (age(path) > STALE) return true;
  const [id = '', host] = token.trimEnd().split(' ');
  return host === hostname() && /^\d+$/.test(id) && !isAlive(Number(id));
}

function breakLock(path: string, token: string): void {
  const guard = `${path}.break`;
  if (!create(guard, '')) {
    if (age(guard) > STALE) remove(guard);
    return;
  }
  using _ = atEnd(() => remove(guard));
  if (read(path) === token) remove(path);
}

// Its owner may have removed a file meanwhile, and then it is not old; or it belongs to somebody else.
const age = (path: string) => ifPossible(() => Date.now() - statSync(path).mtimeMs) ?? 0;
const read = (path: string) => ifPossible(() => readFileSync(path, 'utf8'));
const remove = (path: string) => ifPossible(() => unlinkSync(path));
