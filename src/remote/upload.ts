// Uploads a file to a signed address: exactly its bytes, without the key, resumed where the address supports that.
import { Failure } from '../contract/base/failure.ts';
import type { Context, RandomAccess } from '../contract/base/ports.ts';
import { type RequestBody, sourceBytes } from '../wire/multipart.ts';
import { errorRecordOf, refusalOf } from '../wire/response.ts';
import type { Session } from './exchange.ts';
import { readErrorText } from './receive.ts';
import { persist, Setback, setbackOf } from './replay.ts';
import { describeError, isUnsent, type Reply, type Sending } from './transport.ts';

export interface Upload {
  readonly session: Session;
  readonly url: URL;
  readonly source: RandomAccess;
  readonly mediaType: string;
  /** Whether an earlier try may have left a part there. */
  readonly again: boolean;
}

/** What the address already has: everything, or this many bytes. */
type Held = 'all' | number;

/** Rejects with a Failure: `not_found` where the address has expired. */
export async function upload(task: Upload, ctx: Context): Promise<void> {
  const { entropy } = task.session.settings;
  let again = task.again;
  let best = 0;
  for (;;) {
    const before = best;
    try {
      await persist('upload', ctx, entropy.fraction, async () => {
        const held = again && isResumable(task) ? await ask(task, ctx) : 0;
        again = true;
        if (held === 'all') return;
        best = Math.max(best, held);
        await put(task, held, ctx);
      });
      return;
    } catch (error) {
      ctx.signal.throwIfAborted();
      if (!(error instanceof Setback)) throw error;
      // Five tries without progress end it; a slow line that breaks now and then may continue.
      if (best <= before) throw error.failure;
    }
  }
}

/** A plain signed address would store the query for its progress as an empty file. */
function isResumable({ url: { hostname, searchParams } }: Upload): boolean {
  return (
    searchParams.has('upload_id') ||
    searchParams.get('uploadType') === 'resumable' ||
    (hostname === 'storage.googleapis.com' && !searchParams.has('X-Goog-Signature'))
  );
}

/** How much of the file arrived: asked with an empty PUT and `Content-Range: bytes * / N`. */
async function ask(task: Upload, ctx: Context): Promise<Held> {
  const { size } = task.source;
  const nothing: RequestBody = { contentType: task.mediaType, length: 0, async *open() {} };
  const reply = await send(task, nothing, `bytes */${size}`, ctx);
  return heldBy(reply, task, ctx);
}

async function put(task: Upload, from: number, ctx: Context): Promise<void> {
  const { source, mediaType } = task;
  const { size } = source;
  const body: RequestBody = {
    contentType: mediaType,
    length: size - from,
    open: (signal) => sourceBytes(source, signal, from),
  };
  const range = from === 0 ? undefined : `bytes ${from}-${size - 1}/${size}`;
  const held = await heldBy(await send(task, body, range, ctx), task, ctx);
  if (held === 'all') return;
  throw new Setback('cut', new Failure('network', `upload: only ${held} of ${size} bytes have arrived`));
}

async function send(
  { session, url }: Upload,
  body: RequestBody,
  range: string | undefined,
  ctx: Context,
): Promise<Reply> {
  const sending: Sending = { started: false, sent: 0 };
  const headers = range === undefined ? {} : { 'content-range': range };
  try {
    return await session.transport.send({ method: 'PUT', url, headers, body, anonymous: true }, sending, ctx);
  } catch (error) {
    if (ctx.signal.aborted || error instanceof Failure) throw error;
    const unsent = isUnsent(error, sending, body.length > 0);
    const failure = new Failure('network', `upload: ${describeError(error, url, session.key)}`, { cause: error });
    const { code } = error as { code?: unknown }; // any thrown value has optional properties
    // The file has changed its length: it cannot be resumed.
    if (code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') throw new Failure('refused', failure.message, { cause: error });
    throw new Setback(unsent ? 'unsent' : 'cut', failure);
  }
}

/** 2xx: everything arrived. 308: a part, given as `Range: bytes=0-K`. */
async function heldBy(reply: Reply, { session, source }: Upload, ctx: Context): Promise<Held> {
  const { status, headers } = reply;
  if (status >= 200 && status < 300) {
    reply.discard();
    return 'all';
  }
  if (status === 308) {
    reply.discard();
    const last = /^bytes=0-(\d{1,15})$/.exec(headers.range?.trim() ?? '')?.[1];
    return last === undefined ? 0 : Math.min(Number(last) + 1, source.size);
  }
  if (status === 416) {
    // Bytes of a killed run may still arrive after this query.
    reply.discard();
    const failure = new Failure('network', 'upload: the address has another part of the file by now', { status });
    throw new Setback('cut', failure);
  }
  const text = (await readErrorText(reply)).replaceAll(session.key, '…');
  // Storage services answer 401 or 403 where a signature has expired.
  const gone = [401, 403, 404, 410].includes(status);
  const refusal = refusalOf('upload', status, headers, text);
  const failure = gone
    ? new Failure('not_found', 'the upload address is no longer taken', { status, cause: refusal })
    : refusal;
  throw setbackOf(failure, reply, errorRecordOf(headers, text) !== undefined, ctx);
}
