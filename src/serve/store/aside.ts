// Runs the store on a thread of its own, so that locks of other processes and a slow disk never block the event loop.

import { Failure, type FailureCode } from '../../contract/base/failure.ts';
import type { Clock } from '../../contract/base/ports.ts';
import type { Wording } from '../../contract/base/wording.ts';
import type { Thread, ThreadParent } from '../../runtime/processes/thread.ts';
import type { Sql } from './driver.ts';
import { METHODS, type Store } from './store.ts';

type Method = keyof typeof METHODS;

interface Call {
  readonly id: number;
  readonly method: Method;
  readonly args: readonly unknown[];
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly failure?: {
    readonly code?: FailureCode;
    readonly name: string;
    readonly message: string;
    readonly hint?: Wording;
  };
}

interface Pending {
  readonly message: object;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The id of a thread's first message: whether it has opened the database. */
const OPENED = 0;
/** Milliseconds before an ended thread is restarted; doubled each time, at most 5 s. */
const RESTART = 50;

/** A store whose methods run in a thread. The thread is restarted when it ends, and `onLost` gets the reason. */
export async function storeAside(start: () => Thread, clock: Clock, onLost: (reason: string) => void): Promise<Store> {
  const pending = new Map<number, Pending>();
  const closed = new AbortController();
  let calls = OPENED;
  let restarts = 0;
  let thread = begin();
  await opened();

  function begin(): Thread {
    const begun = start();
    begun.onMessage((message) => {
      const { id, value, failure } = message as Reply; // the thread is this same program
      const asked = pending.get(id);
      pending.delete(id);
      if (failure === undefined) asked?.resolve(value);
      else asked?.reject(failureOf(failure));
    });
    void begun.ended.then(async (reason) => {
      // Calls in progress may or may not have been committed; every method can be called again.
      for (const { reject } of pending.values()) reject(new Error(`the database thread ended: ${reason}`));
      pending.clear();
      if (closed.signal.aborted) return;
      onLost(reason);
      await clock.sleep(Math.min(5_000, RESTART * 2 ** restarts), closed.signal).catch(() => {});
      if (closed.signal.aborted) return;
      restarts = Math.min(restarts + 1, 10);
      thread = begin();
      // Calls made meanwhile.
      for (const { message } of pending.values()) thread.send(message);
      opened().then(
        () => {
          restarts = 0;
        },
        (error: unknown) => onLost(String(error)),
      );
    });
    return begun;
  }

  function opened(): Promise<unknown> {
    return new Promise((resolve, reject) => pending.set(OPENED, { message: {}, resolve, reject }));
  }

  const ask = (method: Method | 'close', args: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      closed.signal.throwIfAborted();
      calls += 1;
      const message = { id: calls, method, args };
      pending.set(calls, { message, resolve, reject });
      thread.send(message);
    });
  const methods = Object.keys(METHODS) as Method[]; // its own keys
  const asked = Object.fromEntries(methods.map((method) => [method, (...args: unknown[]) => ask(method, args)]));
  return {
    ...(asked as unknown as Omit<Store, 'close'>), // each method with the arguments and the answer of its namesake
    async close() {
      if (closed.signal.aborted) return;
      const closing = ask('close', []);
      closed.abort(new Error('the store is closed'));
      await closing;
      await thread.ended;
    },
  };
}

/** Answers calls inside the thread. Calls that have arrived share a transaction and a sync, but fail alone. */
export async function answerCalls(
  parent: ThreadParent,
  open: () => Promise<{ sql: Sql; store: Store }>,
): Promise<void> {
  const opened = await open().catch((error: unknown) => {
    parent.send({ id: OPENED, failure: tell(error) });
    parent.close();
  });
  if (opened === undefined) return;
  const { sql, store } = opened;
  parent.send({ id: OPENED });
  let waiting: Call[] = [];
  parent.onMessage((message) => {
    if (waiting.length === 0) setImmediate(answerAll);
    waiting.push(message as Call); // the other side is this same program
  });

  function answerAll(): void {
    const calls = waiting;
    waiting = [];
    void answer(calls.filter(({ method }) => method in METHODS)).then(async () => {
      const closing = calls.find(({ method }) => !(method in METHODS));
      if (closing === undefined) return;
      await store.close();
      parent.send({ id: closing.id });
      parent.close();
    });
  }

  async function answer(calls: readonly Call[]): Promise<void> {
    const kinds = new Set(calls.map(({ method }) => METHODS[method].kind));
    const run = () => calls.map((call) => began(call, store));
    try {
      const running = kinds.size > 1 || !kinds.has('reads') ? sql.transact(run, kinds.has('durable')) : run();
      for (const { id, promise } of running) {
        promise.then(
          (value) => parent.send({ id, value }),
          (error: unknown) => parent.send({ id, failure: tell(error) }),
        );
      }
    } catch (error) {
      // The transaction failed: none of the calls took effect.
      for (const { id } of calls) parent.send({ id, failure: tell(error) });
    }
  }
}

/** Starts a call. The SQLite store does all work before its methods return. */
function began({ id, method, args }: Call, store: Store): { id: number; promise: Promise<unknown> } {
  const call = store[method] as (...args: readonly unknown[]) => Promise<unknown>; // args are those of the same method
  const promise = call.apply(store, [...args]);
  // Its failure is handled when the transaction has ended.
  promise.catch(() => {});
  return { id, promise };
}

function tell(error: unknown): NonNullable<Reply['failure']> {
  if (error instanceof Failure) {
    const { code, name, message, hint } = error;
    return { code, name, message, ...(hint === undefined ? {} : { hint }) };
  }
  if (error instanceof Error) return { name: error.name, message: error.message };
  return { name: 'Error', message: String(error) };
}

function failureOf({ code, name, message, hint }: NonNullable<Reply['failure']>): Error {
  return code === undefined ? Object.assign(new Error(message), { name }) : new Failure(code, message, { hint });
}
