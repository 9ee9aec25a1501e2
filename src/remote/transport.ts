import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Failure } from '../contract/base/failure.ts';
import type { Context } from '../contract/base/ports.ts';
import { present } from '../contract/base/present.ts';
import type { RequestBody } from '../wire/multipart.ts';
import type { Headers } from '../wire/response.ts';
import { isLoopback, nextHop } from './address.ts';
import { keyHeaders } from './credentials.ts';
import { headerLine, maskSecrets, shownUrl } from './redact.ts';
import { type RemoteSettings, TIMEOUTS } from './settings.ts';

/** A request. It carries the key if its address has the origin of the base URL, unless it is anonymous. */
interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | undefined;
  /** Milliseconds to wait for the head of the answer; by default as set. */
  readonly patience?: number;
  readonly anonymous?: true;
}

/** How far one try got. */
export interface Sending {
  /** Whether a byte of the request may have left this machine. */
  started: boolean;
  /** Body bytes handed to the connection. */
  sent: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The final address after redirects. */
  readonly url: URL;
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection of a body that is not read to its end. */
  discard(): void;
}

export interface Transport {
  /** Sends one request; follows redirects of GET only. Rejects with the error of the client or of the body's source. */
  send(request: Outgoing, sending: Sending, ctx: SendContext): Promise<Reply>;
}

type SendContext = Pick<Context, 'signal' | 'progress' | 'beforeLastBytes'>;

const MAX_HOPS = 5;

/** Loads the client; opens no connection yet. */
export async function openTransport(settings: RemoteSettings, base: URL, key: string): Promise<Transport> {
  const dispatcher = await createDispatcher(settings, base);
  const { default: undiciRequest } = await import('undici/lib/api/api-request.js');
  const { trace } = settings;
  const timeouts = { ...TIMEOUTS, ...settings.timeouts };
  const agent = settings.userAgent ?? 'pdftool';
  let count = 0;

  async function sendOnce(request: Outgoing, sending: Sending, ctx: SendContext) {
    const { method, url, body } = request;
    const headers: Record<string, string> = {
      'user-agent': agent,
      'accept-encoding': 'identity', // lengths are compared, so nothing may be recoded on the way
      ...request.headers,
      ...(url.origin === base.origin && request.anonymous !== true ? keyHeaders(key, settings.keyHeader) : {}),
      ...(body === undefined ? {} : { 'content-length': String(body.length), 'content-type': body.contentType }),
    };
    const number = (count += 1);
    const traced = (mark: string, first: string, all: Headers) => {
      trace?.(`#${number} ${mark} ${first}`);
      for (const [name, value = ''] of Object.entries(all))
        trace?.(`#${number} ${mark} ${headerLine(name, value, key)}`);
    };
    traced('>', `${method} ${shownUrl(url)}`, headers);
    // Without a body undici does not report the first byte; errors while connecting are recognised by isUnsent.
    const response = await undiciRequest.call(dispatcher, {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: method as Dispatcher.HttpMethod, // GET and POST by the rows; `api` checks what a person types
      headers,
      signal: ctx.signal,
      headersTimeout: request.patience ?? timeouts.headers,
      bodyTimeout: timeouts.idle,
      // undici documents async iterables as bodies, its types leave them out. A Readable would read ahead of the
      // connection, and `started` would be true too early.
      ...(body === undefined ? {} : { body: watched(body, sending, ctx) as unknown as Readable }),
    });
    // An error of a body that nobody reads any more must not end the process.
    response.body.on('error', () => {});
    traced('<', String(response.statusCode), flat(response.headers));
    return response;
  }

  return {
    async send(request, sending, ctx) {
      let { url } = request;
      for (let hop = 0; ; hop += 1) {
        const response = await sendOnce({ ...request, url }, sending, ctx);
        const headers = flat(response.headers);
        const status = response.statusCode;
        const target = isRedirect(status) && request.method === 'GET' ? headers.location : undefined;
        if (target === undefined) {
          return { status, headers, url, body: response.body, discard: () => response.body.destroy() };
        }
        response.body.destroy();
        if (hop === MAX_HOPS) throw new Failure('server', `${url.host}: more than ${MAX_HOPS} redirects`, { status });
        url = nextHop(url, target);
      }
    },
  };
}

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Whether an error proves that no byte was sent: it occurred while connecting. */
export function isUnsent(error: unknown, sending: Sending, hadBody: boolean): boolean {
  if (hadBody) return !sending.started;
  const { code = '', syscall } = error as { code?: unknown; syscall?: unknown }; // any thrown value has optional properties
  if (syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  return (
    typeof code === 'string' &&
    /^(ECONNREFUSED$|ENOTFOUND$|EAI_AGAIN$|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(code)
  );
}

/** A network error in one line, with the host and without secrets. */
export function describeError(error: unknown, url: URL, key: string): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const known: Record<string, string> = {
    ECONNREFUSED: 'nothing answers there',
    ENOTFOUND: 'the host name is unknown',
    EAI_AGAIN: 'the host name could not be looked up',
    UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
    UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
    UND_ERR_BODY_TIMEOUT: 'the answer stopped in the middle',
    UND_ERR_SOCKET: 'the connection was cut',
    ECONNRESET: 'the connection was cut',
    EPIPE: 'the connection was cut',
    UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'a file changed while it was being sent',
  };
  const text = known[String(code)] ?? maskSecrets(String(message ?? error), key);
  return `${url.host}: ${text}${typeof code === 'string' ? ` (${code})` : ''}`;
}

async function* watched(body: RequestBody, sending: Sending, ctx: SendContext) {
  const total = body.length;
  sending.sent = 0;
  for await (const chunk of body.open(ctx.signal)) {
    sending.started = true;
    if (sending.sent + chunk.length >= total) ctx.beforeLastBytes?.();
    yield chunk;
    sending.sent += chunk.length;
    ctx.progress({ phase: 'upload', done: sending.sent, total, unit: 'bytes' });
  }
}

async function createDispatcher(settings: RemoteSettings, base: URL): Promise<Dispatcher> {
  const connect = {
    timeout: settings.timeouts?.connect ?? TIMEOUTS.connect,
    ...(settings.ca === undefined ? {} : { ca: [...(await import('node:tls')).rootCertificates, ...settings.ca] }),
  };
  // Connections are not reused: on a kept one, a reset cannot be told from an accepted request.
  const options = { connect, pipelining: 0 };
  const { http, https, no } = settings.proxy ?? {};
  // Loopback addresses bypass the proxy, as users of curl and Go expect.
  if ((http ?? https) === undefined || isLoopback(base)) {
    const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
    return new Agent(options);
  }
  // The proxies need a method that only undici's index adds to dispatchers, but the index loads fetch, WebSocket and
  // more.
  const { default: Dispatcher } = await import('undici/lib/dispatcher/dispatcher.js');
  const { default: connectThrough } = await import('undici/lib/api/api-connect.js');
  Dispatcher.prototype.connect = connectThrough;
  const { default: EnvHttpProxyAgent } = await import('undici/lib/dispatcher/env-http-proxy-agent.js');
  return new EnvHttpProxyAgent({
    ...options,
    requestTls: connect,
    proxyTls: connect,
    ...present({ httpProxy: http, httpsProxy: https, noProxy: no }),
  });
}

function flat(headers: Record<string, string | string[] | undefined>): Headers {
  const joined = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), joined(value)]));
}
