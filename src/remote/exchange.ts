import { Failure } from '../contract/base/failure.ts';
import type { Context, RandomAccess } from '../contract/base/ports.ts';
import { limited } from '../contract/base/timing.ts';
import { command, say, setting } from '../contract/base/wording.ts';
import type { WireRequest } from '../wire/request.ts';
import { errorRecordOf, refusalOf } from '../wire/response.ts';
import { below, parseBaseUrl } from './address.ts';
import { type Partial, resumeHeaders } from './answer.ts';
import { type Balance, createBalance } from './balance.ts';
import { checkKey, maskKey } from './credentials.ts';
import { type Doubt, doubtFailure } from './doubt.ts';
import { readErrorText, ShortBody } from './receive.ts';
import { persist, type ReplayClass, Setback, setbackOf } from './replay.ts';
import type { RemoteSettings } from './settings.ts';
import {
  describeError,
  isRedirect,
  isUnsent,
  openTransport,
  type Reply,
  type Sending,
  type Transport,
} from './transport.ts';

/** What all calls of an engine share: a checked address and key, an HTTP client, and the known balance. */
export interface Session {
  readonly settings: RemoteSettings;
  readonly base: URL;
  readonly key: string;
  readonly transport: Transport;
  readonly balance: Balance;
}

/** A request, and how to read its answer. */
export interface RemoteCall<T> {
  /** The operation's name, for messages. */
  readonly name: string;
  readonly kind: ReplayClass;
  readonly request: WireRequest;
  /** The address, where it is not the path below the base URL. */
  readonly url?: URL;
  /** Reads a 2xx answer. Throws ShortBody where it broke off, Failure where it is not the expected output. */
  take(reply: Reply, partial: Partial, ctx: Context): Promise<T>;
}

/** Returns a function that opens the session at its first call. Throws for an invalid address or key. */
export function sessions(settings: RemoteSettings): () => Promise<Session> {
  let opened: Promise<Session> | undefined;
  return async () => {
    const base = parseBaseUrl(settings.baseUrl);
    const key = checkKey(settings.apiKey);
    opened ??= openTransport(settings, base, key).then((transport) => {
      return { settings, base, key, transport, balance: createBalance(transport, base) };
    });
    return opened;
  };
}

interface Call<T> extends RemoteCall<T> {
  readonly session: Session;
  readonly ctx: Context;
  readonly doubt: Doubt;
  readonly partial: Partial;
}

/** Runs an exchange. Rejects with a Failure that says whether it was charged. */
export async function perform<T>(exchange: RemoteCall<T>, session: Session, outer: Context): Promise<T> {
  const { name, kind } = exchange;
  const { entropy, timeouts } = session.settings;
  const { total } = timeouts ?? {};
  const { signal, release } = limited(outer.signal, total, outer.clock, () => {
    const hint = say`Give it more with ${setting('timeout')}.`;
    return new Failure('network', `not done within ${(total ?? 0) / 1000} s`, { hint });
  });
  const ctx = { ...outer, signal };
  const doubt: Doubt = { kind, sent: 0, open: false, paid: false };
  const call: Call<T> = { ...exchange, session, ctx, doubt, partial: {} };
  try {
    if (kind === 'charged') {
      const { remaining, refused } = await session.balance.before(ctx);
      // A key that is not accepted is reported before a file is uploaded.
      if (refused === true) throw refusalOf(name, 401, { 'content-type': 'application/json' }, KEY_REFUSED);
      doubt.before = remaining;
    }
    return await persist(kind, ctx, entropy.fraction, () => tryOnce(call));
  } catch (error) {
    throw await doubtFailure(name, error, doubt, session.balance, ctx);
  } finally {
    release();
  }
}

const KEY_REFUSED = JSON.stringify({ ok: false, error: 'the service does not accept the API key; nothing was sent' });

async function tryOnce<T>(call: Call<T>): Promise<T> {
  const { name, request, session, ctx, doubt, partial } = call;
  const url = call.url ?? below(session.base, request.path);
  const { method, body } = request;
  const headers = { ...request.headers, ...(doubt.kind === 'download' ? resumeHeaders(partial) : {}) };
  const sending: Sending = { started: false, sent: 0 };
  let reply: Reply;
  try {
    reply = await session.transport.send({ method, url, headers, body }, sending, ctx);
  } catch (error) {
    const unsent = isUnsent(error, sending, body !== undefined);
    if (!unsent) doubt.open = true;
    doubt.sent = sending.sent;
    if (ctx.signal.aborted || error instanceof Failure) throw error;
    const failure = new Failure('network', `${name}: ${describeError(error, url, session.key)}`, {
      hint: unsent
        ? say`Check the network, the proxy and the base URL: ${command('doctor')} ${setting('online')}`
        : undefined,
      cause: error,
    });
    throw new Setback(unsent ? 'unsent' : 'cut', failure);
  }
  doubt.sent = sending.sent;
  const { status } = reply;
  if (status < 200 || status > 299) throw await refusal(call, reply);
  doubt.open = true;
  doubt.paid = Number(reply.headers['x-credits-used'] ?? 0) > 0;
  try {
    return await call.take(reply, partial, ctx);
  } catch (error) {
    if (!(error instanceof ShortBody) || ctx.signal.aborted) throw error;
    const remains = error.body ?? (doubt.kind === 'charged' ? remainsOf(partial) : undefined);
    throw new Setback('cut', new Failure('network', `${name}: ${error.message}`, { status, cause: error, remains }));
  }
}

/** The part of a file that arrived, where the rest will not be requested. */
function remainsOf(partial: Partial): RandomAccess | undefined {
  const { draft } = partial;
  delete partial.draft;
  return draft === undefined || draft.size === 0 ? undefined : draft.finish();
}

/**
 * What an unsuccessful answer means, and whether the charge is in doubt: not for a 4xx; for others unless the record
 * says that nothing was charged.
 */
async function refusal<T>({ name, doubt, ctx, session }: Call<T>, reply: Reply): Promise<Failure | Setback> {
  const { status, headers, url } = reply;
  // A server that echoes the key in its error must not get it into a log.
  const text = (await readErrorText(reply)).replaceAll(session.key, maskKey(session.key));
  // A 429 says nothing about earlier tries of a keyed request.
  const record = errorRecordOf(headers, text);
  if (status !== 429) doubt.open = (status < 400 || status >= 500) && record?.meta?.credits_charged !== 0;
  if (isRedirect(status)) {
    const to =
      headers.location !== undefined && URL.canParse(headers.location, url.href)
        ? new URL(headers.location, url).origin
        : 'nowhere';
    return new Failure('server', `${name}: ${url.host} redirects to ${to}; only downloads are followed`, {
      status,
      hint: 'Check the base URL: pdftool config get base_url',
    });
  }
  return setbackOf(refusalOf(name, status, headers, text), reply, record !== undefined, ctx);
}
