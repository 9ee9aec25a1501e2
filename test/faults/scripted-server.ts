import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As latin1 text: one character for each byte. */
  readonly body: string;
}

/** What the server does with a request that has arrived whole. */
export type Act = (response: ServerResponse, request: IncomingMessage, seen: Seen) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
  /** Requests seen for a method and a path. */
  count(route: string): number;
  close(): Promise<void>;
}

/**
 * `script`: acts by `METHOD /path`. The last act of a list is repeated; what has no list is answered with 404.
 * `port`: 0 takes a free one.
 */
export async function startServer(script: Readonly<Record<string, readonly Act[]>>, port = 0): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const count = (route: string) => seen.filter(({ method, path }) => `${method} ${path}` === route).length;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const path = url.split('?')[0] ?? '';
      const one: Seen = { method, path, headers, body: Buffer.concat(chunks).toString('latin1') };
      const acts = script[`${method} ${path}`];
      const act = acts?.[Math.min(count(`${method} ${path}`), acts.length - 1)];
      seen.push(one);
      if (act === undefined) return answer(404, ERROR_RECORD('no such path'))(response, request, one);
      act(response, request, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo; // listening on TCP
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    seen,
    count,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const ERROR_RECORD = (error: string, meta?: object) =>
  JSON.stringify({ ok: false, error, ...(meta === undefined ? {} : { _meta: meta }) });

/** A whole answer; JSON unless headers say otherwise. */
export function answer(status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Act {
  return (response) => {
    const bytes = Buffer.from(body);
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      ...lowerCase(headers),
    });
    response.end(bytes);
  };
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A record of SERVICE.md. */
export const record = (value: object, headers: Record<string, string> = {}): Act =>
  answer(200, JSON.stringify(value), headers);

/** The connection is reset before any answer. */
export const cut: Act = (_response, request) => {
  request.socket.resetAndDestroy();
};

/** The head and the first half of a body, then the connection ends. */
export function half(body: string | Uint8Array, headers: Record<string, string> = {}): Act {
  return (response, request) => {
    const bytes = Buffer.from(body);
    response.writeHead(200, { 'content-length': String(bytes.length), ...headers });
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => request.socket.destroy());
  };
}

/** A proxy's page. */
export function html(status: number): Act {
  return answer(status, '<html><head><title>Gateway\u001b[31m trouble</title></head></html>', {
    'content-type': 'text/html; charset=utf-8',
  });
}

export const ACCOUNT_PATH = 'GET /api/v1/account';
export const accountWith = (credits: number): Act =>
  record({ ok: true, credits_remaining: credits, credits_lifetime_used: 3, api_key: { id: 'k1', label: null } });
