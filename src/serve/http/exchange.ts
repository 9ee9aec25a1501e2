import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlobName } from '../blobs/blobs.ts';

/** The fields of a request's log line besides its route, status and time. */
interface Facts {
  account?: string;
  bytes_in?: number;
  bytes_out?: number;
  credits?: number;
  error?: string;
  /** The stack of an unexpected failure. */
  detail?: string;
}

export interface Exchange {
  readonly id: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Parameters of the path, such as a job's id. */
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
  /** Runs when the answer was sent or abandoned. `isDelivered`: the socket took its last byte. */
  readonly after?: (isDelivered: boolean) => Promise<void>;
}

export function jsonAnswer(status: number, record: object, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: { text: JSON.stringify(record) },
  };
}

/** Sends `100 Continue` to a client that expects it before its body, as curl does. */
export function askForBody({ incoming, outgoing }: Exchange): void {
  if (/^100-continue$/i.test(incoming.headers.expect ?? '') && !outgoing.headersSent) outgoing.writeContinue();
}
