import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlobName } from '../blobs/blobs.ts';

/** What the log line of a request says besides its route, status and time. */
interface Facts {
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

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?:
    | { readonly text: string }
    | { readonly file: string; readonly size: number; readonly start?: number }
    | { readonly blob: BlobName; readonly size: number; readonly start?: number };
  /** Runs when the answer was sent or given up. `isDelivered`: the last byte of it was taken by the socket. */
  readonly after?: (isDelivered: boolean) => Promise<void>;
}

export function jsonAnswer(status: number, record: object, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: { text: JSON.stringify(record) },
  };
}

/** Tells a client that waits for it (`Expect: 100-continue`, as curl does) that its body is wanted. */
export function askForBody({ incoming, outgoing }: Exchange): void {
  if (/^100-continue$/i.test(incoming.headers.expect ?? '') && !outgoing.headersSent) outgoing.writeContinue();
}
