// The worker half of pdf.js in a thread of its own. It reads a page in one go, however long that takes: meanwhile the
// asking thread hears signals, and can end it.
import type { Thread } from '../../../contract/base/ports.ts';
import { loadWorkerHalf } from './pdfjs-load.ts';
import { OperatorCount, type Port } from './pdfjs-port.ts';

/** Sent instead of operators where a page has too many. */
const OVERRUN = { overrun: true };

type Listener = Parameters<Port['addEventListener']>[1];

/** The port to a thread that runs `serveReader`. `overrun`: as in connectedPorts. */
export function portTo(thread: Thread, overrun: () => void): Port {
  const listeners = new Set<Listener>();
  thread.onMessage((data) => {
    if (typeof data === 'object' && data !== null && 'overrun' in data) overrun();
    else for (const listener of listeners) listener({ data });
  });
  return {
    // Sent by pdf.js: objects, all of which can be cloned.
    postMessage: (message) => thread.send(message as object),
    addEventListener: (_name, listener) => void listeners.add(listener),
    removeEventListener: (_name, listener) => void listeners.delete(listener),
  };
}

export async function serveReader(parent: Pick<Thread, 'send' | 'onMessage'>): Promise<void> {
  const { WorkerMessageHandler } = await loadWorkerHalf();
  const listeners = new Set<Listener>();
  const operators = new OperatorCount();
  parent.onMessage((data) => {
    for (const listener of listeners) listener({ data });
  });
  WorkerMessageHandler.initializeFromPort({
    postMessage: (message) => parent.send(operators.isTooMany(message) ? OVERRUN : (message as object)),
    addEventListener: (_name, listener) => void listeners.add(listener),
    removeEventListener: (_name, listener) => void listeners.delete(listener),
  } satisfies Port);
}
