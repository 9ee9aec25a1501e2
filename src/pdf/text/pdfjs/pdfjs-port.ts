import { MOST_OPERATORS } from '../content/operators.ts';

type Listener = (event: { readonly data: unknown }) => void;

export interface Port {
  postMessage(message: unknown): void;
  addEventListener(name: string, listener: Listener): void;
  removeEventListener(name: string, listener: Listener): void;
}

/** The arrays of an operator list's chunk; undefined for other messages. */
function chunkOf(message: unknown): { chunk: { fnArray: unknown[]; argsArray: unknown[] }; last: boolean } | undefined {
  if (typeof message !== 'object' || message === null || !('chunk' in message)) return undefined;
  const { chunk } = message;
  if (typeof chunk !== 'object' || chunk === null || !('fnArray' in chunk) || !('argsArray' in chunk)) return undefined;
  const { fnArray, argsArray } = chunk;
  if (!Array.isArray(fnArray) || !Array.isArray(argsArray)) return undefined;
  return { chunk: { ...chunk, fnArray, argsArray }, last: 'lastChunk' in chunk && chunk.lastChunk === true };
}

function withOwnChunk(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('chunk' in message)) return message;
  const { chunk } = message;
  const isPlain = typeof chunk === 'object' && chunk !== null && 'items' in chunk;
  return isPlain ? { ...message, chunk: { ...chunk } } : message;
}

export class OperatorCount {
  private operators = 0;

  /** Whether the message exceeds the number of operators of any page. */
  isTooMany(message: unknown): boolean {
    const received = chunkOf(message);
    if (received === undefined) return false;
    this.operators = received.last ? 0 : this.operators + received.chunk.fnArray.length;
    return this.operators > MOST_OPERATORS;
  }
}

class End implements Port {
  readonly listeners = new Set<Listener>();
  peer: End | undefined;
  private readonly operators = new OperatorCount();
  private readonly overrun: () => void;

  constructor(overrun: () => void) {
    this.overrun = overrun;
  }

  postMessage(message: unknown): void {
    const data = this.detach(message);
    queueMicrotask(() => {
      for (const listener of this.peer?.listeners ?? []) listener({ data });
    });
  }

  /**
   * Copies what the worker half reuses after sending it: the arrays of an operator list, and the items of a page's
   * text, most of which would arrive empty.
   */
  private detach(message: unknown): unknown {
    const received = chunkOf(message);
    if (received === undefined) return withOwnChunk(message);
    const { chunk } = received;
    if (this.operators.isTooMany(message)) {
      this.overrun();
      return { ...(message as object), chunk: { ...chunk, fnArray: [], argsArray: [], length: 0 } };
    }
    return {
      ...(message as object),
      chunk: { ...chunk, fnArray: chunk.fnArray.slice(), argsArray: chunk.argsArray.slice() },
    };
  }

  addEventListener(_name: string, listener: Listener): void {
    this.listeners.add(listener);
  }
  removeEventListener(_name: string, listener: Listener): void {
    this.listeners.delete(listener);
  }
}

/**
 * Two connected ends. pdf.js's own port in a thread clones every message, a fifth of the time of a long document; here
 * the receiver gets the object itself. `overrun`: a page has more than MOST_OPERATORS operators; further ones are
 * dropped.
 */
export function connectedPorts(overrun: () => void): [Port, Port] {
  const [a, b] = [new End(overrun), new End(overrun)];
  a.peer = b;
  b.peer = a;
  return [a, b];
}
