// Owns one request and its answer on Node's own objects: bodies by text or from disk, the client's leaving. Knows no operation.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { readBlob } from '../runtime/blobs.ts';

/** What the log line of a request says besides its route, status and time. */
export interface Facts {
  account?: string;
  bytes_in?: number;
  bytes_out?: number;
  credits?: number;
  error?: string;
  /** Of a failure nobody foresaw. */
  detail?: string;
}

export interface Exchange {
  readonly id: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Of the path, such as a job's id. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly facts: Facts;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly text: string } | { readonly file: string; readonly size: number; readonly start?: number };
  /** Runs when the answer was sent or given up. */
  readonly after?: () => Promise<void>;
}

export function jsonAnswer(status: number, record: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: { text: JSON.stringify(record) },
  };
}

/** Every answer: nothing of it is kept by caches or guessed at by browsers. */
const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/** Sends an answer. A client that leaves meanwhile ends it quietly. */
export async function send({ id, outgoing, incoming, facts }: Exchange, answer: Answer): Promise<void> {
  try {
    const { status, headers, body } = answer;
    const length =
      body === undefined ? 0 : 'text' in body ? Buffer.byteLength(body.text) : body.size - (body.start ?? 0);
    facts.bytes_out = length;
    outgoing.writeHead(status, { ...ALWAYS, 'X-Request-Id': id, 'Content-Length': String(length), ...headers });
    if (body === undefined || incoming.method === 'HEAD') await ended(outgoing);
    else if ('text' in body) await ended(outgoing, body.text);
    else await pipeline(readBlob(body.file, { start: body.start ?? 0, end: body.size - 1 }), outgoing);
  } catch {
    // The client left, or the file could not be read to its end: a cut answer is shorter than its Content-Length.
    outgoing.destroy();
  } finally {
    await answer.after?.();
  }
}

/** Tells a client that waits for it (`Expect: 100-continue`, as curl does) that its body is wanted. */
export function askForBody({ incoming, outgoing }: Exchange): void {
  if (/^100-continue$/i.test(incoming.headers.expect ?? '') && !outgoing.headersSent) outgoing.writeContinue();
}

/** A client that still sends is read for a while, so that it gets to read the answer: closing at once would reset it. */
export const LINGER = { milliseconds: 5_000, bytes: 64 * 1024 ** 2 };

/** Lets a client that sends more than was read finish, within bounds. */
export function lingerOn(incoming: IncomingMessage, sleep: (milliseconds: number) => Promise<void>): void {
  if (incoming.complete || incoming.destroyed) return;
  let seen = 0;
  incoming.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (seen > LINGER.bytes) incoming.socket.destroy();
  });
  incoming.on('error', () => {});
  incoming.resume();
  void sleep(LINGER.milliseconds).then(() => {
    if (!incoming.complete) incoming.socket.destroy();
  });
}

function ended(outgoing: ServerResponse, text?: string): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('close', resolve);
    outgoing.end(text, () => resolve());
  });
}
