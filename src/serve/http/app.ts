// Finds the route of a request and runs it: Host, request id, handler, error record, log line.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure } from '../../contract/base/failure.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import { errorRecord, statusOf } from '../../wire/reply.ts';
import { HttpFailure } from '../base/http-failure.ts';
import type { Log } from '../base/log.ts';
import { fullDisk } from '../limits/disk.ts';
import { RETRY_AFTER } from '../limits/gate.ts';
import type { Service } from '../service/service.ts';
import { type Exchange, type HttpAnswer, jsonAnswer } from './exchange.ts';
import { assertHost } from './headers.ts';
import { send } from './send.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** The row that declares its statuses. */
  readonly op?: ServiceOperation;
  /** Polled by machines that know only the IP address: no log line, any Host. */
  readonly quiet?: true;
  handle(exchange: Exchange): Promise<HttpAnswer>;
}

/** Answers one request. It never rejects. */
export type RequestHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

export function createApp(routes: readonly Route[], service: Service, log: Log): RequestHandler {
  return async (incoming, outgoing) => {
    const exchange = exchangeOf(incoming, outgoing, service);
    try {
      const { route, params } = find(routes, incoming);
      await serve({ ...exchange, params }, route, service, log);
    } catch (error) {
      // The answer was sent, but removing its files or recording its charge failed.
      log('error', 'after the answer', { request_id: exchange.id, detail: detailOf(error) });
    }
  };
}

function exchangeOf(incoming: IncomingMessage, outgoing: ServerResponse, service: Service): Exchange {
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort(new Failure('interrupted', 'the client closed the connection'));
  });
  incoming.on('error', () => {});
  outgoing.on('error', () => {});
  return {
    id: requestId(incoming.headers['x-request-id'], service),
    incoming,
    outgoing,
    params: {},
    query: new URLSearchParams(incoming.url?.split('?', 2)[1] ?? ''),
    signal: left.signal,
    facts: {},
  };
}

type Match = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

/** The route of a request, or one that answers 400, 404 or 405. */
function find(routes: readonly Route[], { method, url = '' }: IncomingMessage): Match {
  // A proxy may send an absolute URL: only the path counts.
  const path = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(url)?.[1];
  const fitting = routes.flatMap((route) => {
    const params = path === undefined ? undefined : paramsOf(route.path, path);
    return params === undefined ? [] : [{ route, params }];
  });
  const wanted = method === 'HEAD' ? 'GET' : method;
  const match = fitting.find(({ route }) => route.method === wanted);
  if (match !== undefined) return match;
  const allowed = [...new Set(fitting.map(({ route }) => route.method))];
  const handle = async () => {
    if (path === undefined) throw new Failure('usage', 'expected a path that begins with /');
    if (allowed.length === 0) throw new Failure('not_found', 'there is no such path; see /openapi.json');
    const message = `expected ${allowed.join(' or ')} for this path`;
    throw new HttpFailure('usage', message, 405, { Allow: allowed.join(', ') });
  };
  return { route: { method: 'GET', path: 'unknown', handle }, params: {} };
}

/** The parameters of a path; undefined when it does not match. */
function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const [left, right] = [pattern.split('/'), path.split('/')];
  if (left.length !== right.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of left.entries()) {
    const given = right[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = given;
    else if (part !== given) return undefined;
  }
  return params;
}

async function serve(exchange: Exchange, route: Route, service: Service, log: Log): Promise<void> {
  const { incoming, facts } = exchange;
  const began = service.clock.now();
  const answer = await answerFor(exchange, route, service);
  try {
    await send(exchange, answer, service);
  } finally {
    const seconds = (service.clock.now() - began) / 1000;
    service.metrics.request(route.path, incoming.method ?? '', answer.status, seconds);
    if (!route.quiet) {
      const { method } = incoming;
      const { status } = answer;
      const level = status >= 500 && status !== 501 ? 'error' : 'info';
      log(level, 'request', { request_id: exchange.id, method, route: route.path, status, seconds, ...facts });
    }
  }
}

async function answerFor(exchange: Exchange, route: Route, service: Service): Promise<HttpAnswer> {
  try {
    assertHost(exchange.incoming, route.quiet === true, service);
    if (!route.quiet) service.rates.countAddress(exchange.incoming);
    return await route.handle(exchange);
  } catch (error) {
    return errorAnswer(error, exchange, service, route.op);
  }
}

/** The error record of a thrown value. */
export function errorAnswer(
  thrown: unknown,
  { id, facts }: Pick<Exchange, 'id' | 'facts'>,
  service: Service,
  op?: ServiceOperation,
): HttpAnswer {
  const error = fullDisk(thrown);
  const failure = error instanceof Failure ? error : new Failure('internal', String(error), { cause: error });
  const status = statusOf(failure, op);
  facts.error = failure.code;
  if (status === 507) facts.detail = detailOf(thrown);
  if (failure.code === 'internal') facts.detail = detailOf(error);
  const record = errorRecord(failure, { request_id: id, support: service.settings.support });
  const wait = status === 429 || status === 503 ? { 'Retry-After': String(RETRY_AFTER) } : {};
  const who = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return jsonAnswer(status, record, { ...wait, ...who, ...(failure instanceof HttpFailure ? failure.headers : {}) });
}

function detailOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A fresh id, with the client's id appended when it is plain text that cannot forge a log line. */
export function requestId(given: string | string[] | undefined, { entropy }: Pick<Service, 'entropy'>): string {
  return `req_${entropy.token()}${typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? `~${given}` : ''}`;
}
