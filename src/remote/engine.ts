// Owns the Engine over HTTP: one path for every row, and what a failure may have cost. Loads its HTTP client when first called.
import { Failure } from '../contract/failure.ts';
import type { AnyOperation, InputOf, Operation, ResultOf } from '../contract/operation.ts';
import type { Context, Engine, Result } from '../contract/ports.ts';
import { encodeRequest, type WireRequest } from '../wire/request.ts';
import { errorRecordOf, refusalOf } from '../wire/response.ts';
import { below, parseBaseUrl } from './address.ts';
import { type Partial, resumeHeaders, takeAnswer } from './answer.ts';
import { type Balance, createBalance } from './balance.ts';
import { checkKey, maskKey } from './credentials.ts';
import { withDeadline } from './deadline.ts';
import { type Doubt, settle } from './doubt.ts';
import { readErrorText, ShortBody } from './receive.ts';
import { classOf, persist, retryAfter, Setback, troubleOf } from './replay.ts';
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

interface Session {
  readonly base: URL;
  readonly key: string;
  readonly transport: Transport;
  readonly balance: Balance;
}

export function createRemoteEngine(settings: RemoteSettings): Engine {
  let opened: Promise<Session> | undefined;
  return {
    name: 'remote',
    refuses: (op) => op.disabled,
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      if (op.disabled !== undefined) throw new Failure('unavailable', `${op.name}: ${op.disabled}`);
      const base = parseBaseUrl(settings.baseUrl);
      const key = checkKey(settings.apiKey);
      opened ??= openTransport(settings, base, key).then((transport) => {
        return { base, key, transport, balance: createBalance(transport, base) };
      });
      const result = await perform(op, input, settings, await opened, ctx);
      return result as ResultOf<O>; // takeAnswer makes the kind that the row's output names
    },
  };
}

/** One call with all its tries. */
interface Call {
  readonly op: AnyOperation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly request: WireRequest;
  readonly session: Session;
  readonly ctx: Context;
  readonly doubt: Doubt;
  readonly partial: Partial;
}

async function perform(
  op: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  settings: RemoteSettings,
  session: Session,
  outer: Context,
): Promise<Result> {
  const kind = classOf(op, input);
  const request = encodeRequest(op, input, `pdftool-${settings.entropy.token()}`);
  const { ctx, release } = withDeadline(outer, settings.timeouts?.total);
  const doubt: Doubt = { kind, sent: 0, open: false, paid: false };
  const call: Call = { op, input, request, session, ctx, doubt, partial: { drafts: 0 } };
  try {
    if (kind === 'charged') doubt.before = await creditsBefore(call);
    const result = await persist(kind, ctx, settings.entropy.fraction, () => tryOnce(call));
    if (kind === 'charged' || result.credits !== undefined) session.balance.learn(result.credits);
    return result;
  } catch (error) {
    throw await settle(op, error, doubt, session.balance, ctx);
  } finally {
    release();
  }
}

/** Credits before a charged request. A key that is not taken is told before a file is uploaded. */
async function creditsBefore({ op, session, ctx }: Call): Promise<number | undefined> {
  const { remaining, refused } = await session.balance.before(ctx);
  if (refused === true) throw refusalOf(op, 401, { 'content-type': 'application/json' }, KEY_REFUSED);
  return remaining;
}

const KEY_REFUSED = JSON.stringify({ ok: false, error: 'the service does not accept the API key; nothing was sent' });

async function tryOnce(call: Call): Promise<Result> {
  const { op, input, request, session, ctx, doubt, partial } = call;
  const url = below(session.base, request.path);
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
    const failure = new Failure('network', `${op.name}: ${describeError(error, url, session.key)}`, {
      hint: unsent ? 'Check the network, the proxy and the base URL: pdftool doctor --online' : undefined,
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
    return await takeAnswer(op, input, reply, partial, ctx);
  } catch (error) {
    if (!(error instanceof ShortBody) || ctx.signal.aborted) throw error;
    throw new Setback('cut', new Failure('network', `${op.name}: ${error.message}`, { status, cause: error }));
  }
}

/** What an answer that is no success means, and whether it leaves the charge open: a 4xx is a no, all else is not. */
async function refusal({ op, doubt, ctx, session }: Call, reply: Reply): Promise<Failure | Setback> {
  const { status, headers, url } = reply;
  // A server that repeats the key in its error must not bring it into a log.
  const text = (await readErrorText(reply)).replaceAll(session.key, maskKey(session.key));
  // A 429 is no word on an earlier try of a keyed request.
  if (status !== 429) doubt.open = status < 400 || status >= 500;
  if (isRedirect(status)) {
    const to =
      headers.location !== undefined && URL.canParse(headers.location, url.href)
        ? new URL(headers.location, url).origin
        : 'nowhere';
    return new Failure('server', `${op.name}: ${url.host} redirects to ${to}; only downloads are followed`, {
      status,
      hint: 'Check the base URL: pdftool config get base_url',
    });
  }
  const failure = refusalOf(op, status, headers, text);
  const trouble = troubleOf(status);
  if (trouble === undefined) return failure;
  return new Setback(trouble, failure, {
    record: errorRecordOf(headers, text) !== undefined,
    wish: retryAfter(headers['retry-after'], ctx.clock.now()),
  });
}
