import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../contract/base/failure.ts';
import { say, setting } from '../../contract/base/wording.ts';
import type { Log } from '../base/log.ts';
import type { Service } from '../service/service.ts';
import { errorAnswer, type RequestHandler, requestId } from './app.ts';
import type { HttpAnswer } from './exchange.ts';
import { ALWAYS } from './send.ts';

/** Errors of Node's parser before there is a request, with status and message. */
const REFUSED: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the header of the request is longer than this server takes (16 KB)'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions of the body are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the header of the request did not come in time'],
};

/** The listen backlog. Beyond it clients wait seconds before they retry. */
const BACKLOG = 4_096;
/** Milliseconds that a refused client may keep sending. */
const CLOSE_AFTER = 2_000;

/** An HTTP server on an address, with our own answers to malformed requests. */
export async function listen(
  app: RequestHandler,
  { host, port }: { readonly host: string; readonly port: number },
  service: Service,
  log: Log,
): Promise<Server> {
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 10_000 });
  // Node would end every request after 300 s, even a fast upload; body.ts refuses slow ones.
  server.requestTimeout = 0;
  server.headersTimeout = 20_000;
  const answering = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.on('connection', () => service.readQueue.accepted());
  server.on('request', (incoming, outgoing) => {
    answering.set(incoming.socket, outgoing);
    void app(incoming, outgoing);
  });
  server.on('checkContinue', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  // RFC 9110, 10.1.1 lets a server ignore unknown expectations.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  server.on('connect', (_incoming, socket) => {
    refuse(socket, new Failure('usage', 'this server is no proxy', { status: 405 }));
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    // Already refused: its remaining bytes are read so that the client gets the answer.
    if (refused.has(socket)) return;
    // A second answer inside a started one would be garbage.
    if (!socket.writable || error.code === 'ECONNRESET' || answering.get(socket)?.headersSent) {
      socket.destroy();
      return;
    }
    const [status, message] = REFUSED[error.code ?? ''] ?? [400, 'this is not a request of HTTP'];
    refuse(socket, new Failure('usage', message, { status }));
  });

  function refuse(socket: Duplex, failure: Failure): void {
    const id = requestId(undefined, service);
    const facts = {};
    const answer = errorAnswer(failure, { id, facts }, service);
    log('info', 'request', { request_id: id, route: 'malformed', status: answer.status, ...facts });
    service.metrics.request('malformed', '', answer.status, 0);
    refused.add(socket);
    socket.on('error', () => {});
    socket.end(textOf(answer, id));
    void service.clock.sleep(CLOSE_AFTER, new AbortController().signal).then(() => socket.destroy());
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `${host}:${port} cannot be listened on: ${'code' in cause ? cause.code : cause.message}`;
      const hint = say`Choose another address with ${setting('host')} and ${setting('port')}.`;
      reject(new Failure('usage', message, { hint, cause }));
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  return server;
}

/** The bytes of an HTTP/1.1 answer, for a connection without a ServerResponse. */
function textOf({ status, headers, body }: HttpAnswer, id: string): string {
  const text = body !== undefined && 'text' in body ? body.text : '';
  const all = {
    ...ALWAYS,
    ...headers,
    'X-Request-Id': id,
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  // The reason is left out, as RFC 9112 allows.
  return `HTTP/1.1 ${status} \r\n${lines.join('')}\r\n${text}`;
}
