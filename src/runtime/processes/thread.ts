import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Thread } from '../../contract/base/ports.ts';
import { collectBuffersEarly, isCollectedEarly } from './heap.ts';
import { isRunning, ownScriptPath } from './own-program.ts';

export type { Thread };

/** The script of this program, and the arguments of a thread that runs it. */
export function ownScript(...words: readonly string[]): string[] {
  return [ownScriptPath(), ...words];
}

/** Starts a thread with a script and its arguments. `data`: its workerData. */
export function startThread([script = '', ...argv]: readonly string[], data: object): Thread {
  // A thread inherits the flags of Node. It refuses those of V8, such as --max-old-space-size, where they are given.
  const worker = new Worker(script, { argv, workerData: data, ...(!isRunning() && { execArgv: [] }) });
  // Making the heap of a thread sets V8's flag back (Heap::ConfigureHeap), for the heap of the main thread too.
  if (isCollectedEarly()) worker.once('online', collectBuffersEarly);
  let failure: string | undefined;
  worker.on('error', (error) => {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  });
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code) => resolve(failure ?? `exit code ${code}`));
  });
  return {
    send: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    ended,
    kill: async () => void (await worker.terminate()),
  };
}

/** A thread's connection to the one that started it. */
export interface ThreadParent {
  readonly data: unknown;
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Takes no more messages: the thread ends by itself when its work is done. */
  close(): void;
}

/** Undefined where this is no thread. */
export function openThreadParent(): ThreadParent | undefined {
  if (isMainThread || parentPort === null) return undefined;
  const port = parentPort;
  return {
    data: workerData as unknown,
    send: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', listener),
    close: () => port.close(),
  };
}
