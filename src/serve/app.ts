// Owns the routes, computed from the rows, and what every request goes through: id, handler, error record, log line. Knows no handler's work.
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context as HonoContext } from 'hono';
import { Failure } from '../contract/failure.ts';
import type { ServiceOperation } from '../contract/operation.ts';
import { errorRecord, statusOf } from '../wire/reply.ts';
import { type Answer, type Exchange, jsonAnswer, send } from './exchange.ts';
import { COME_BACK } from './gate.ts';
import { HttpFailure } from './http-failure.ts';
import type { Log } from './log.ts';
import type { Service } from './service.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** The row it stands for: its declared statuses hold. */
  readonly op?: ServiceOperation;
  /** Asked for often by machines: no log line. */
  readonly quiet?: true;
  handle(exchange: Exchange): Promise<Answer>;
}

type Env = { Bindings: HttpBindings };

export function createApp(routes: readonly Route[], service: Service, log: Log): Hono<Env> {
  const app = new Hono<Env>({ strict: true });
  for (const route of routes) {
    app.on(route.method, route.path, (c) => serve(c, route, service, log));
  }
  app.notFound((c) => serve(c, unknownRoute(c, routes), service, log));
  return app;
}

/** No such path, or another method than its own. */
function unknownRoute(c: HonoContext<Env>, routes: readonly Route[]): Route {
  const { pathname } = new URL(c.req.url);
  const allowed = [...new Set(routes.filter(({ path }) => fits(path, pathname)).map(({ method }) => method))];
  return {
    method: 'GET',
    path: 'unknown',
    async handle() {
      if (allowed.length === 0) throw new Failure('not_found', 'there is no such path; see /openapi.json');
      const message = `expected ${allowed.join(' or ')} for this path`;
      throw new HttpFailure('usage', message, 405, { Allow: allowed.join(', ') });
    },
  };
}

function fits(pattern: string, path: string): boolean {
  const [left, right] = [pattern.split('/'), path.split('/')];
  return left.length === right.length && left.every((part, index) => part.startsWith(':') || part === right[index]);
}

async function serve(c: HonoContext<Env>, route: Route, service: Service, log: Log): Promise<Response> {
  const { incoming, outgoing } = c.env;
  const began = service.clock.now();
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort(new Failure('interrupted', 'the client closed the connection'));
  });
  incoming.on('error', () => {});
  const exchange: Exchange = {
    id: requestId(incoming.headers['x-request-id'], service),
    incoming,
    outgoing,
    params: c.req.param(),
    query: new URL(c.req.url).searchParams,
    signal: left.signal,
    facts: {},
  };
  const answer = await answerFor(exchange, route, service);
  await send(exchange, answer, service.clock, service.settings.stall_seconds);
  const seconds = (service.clock.now() - began) / 1000;
  service.metrics.request(route.path, incoming.method ?? '', answer.status, seconds);
  if (!route.quiet) {
    const { method } = incoming;
    const { status } = answer;
    const level = status >= 500 && status !== 501 ? 'error' : 'info';
    log(level, 'request', { request_id: exchange.id, method, route: route.path, status, seconds, ...exchange.facts });
  }
  return RESPONSE_ALREADY_SENT;
}

async function answerFor(exchange: Exchange, route: Route, service: Service): Promise<Answer> {
  try {
    return await route.handle(exchange);
  } catch (error) {
    return errorAnswer(error, exchange, route.op, service);
  }
}

/** The error record of whatever was thrown. */
function errorAnswer(
  error: unknown,
  { id, facts }: Exchange,
  op: ServiceOperation | undefined,
  service: Service,
): Answer {
  const failure = error instanceof Failure ? error : new Failure('internal', String(error), { cause: error });
  const status = statusOf(failure, op);
  facts.error = failure.code;
  if (failure.code === 'internal')
    facts.detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const record = errorRecord(failure, { request_id: id, support: service.settings.support });
  const wait = status === 429 || status === 503 ? { 'Retry-After': String(COME_BACK) } : {};
  const who = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return jsonAnswer(status, record, { ...wait, ...who, ...(failure instanceof HttpFailure ? failure.headers : {}) });
}

/** The client's own, where it is plain: what is echoed and logged must not be able to forge a line. */
function requestId(given: string | string[] | undefined, { entropy }: Service): string {
  return `req_${entropy.token()}${typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? `~${given}` : ''}`;
}
