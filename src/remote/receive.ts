// Reads answers without trusting what they announce: text is capped, lengths are checked.
import { Failure } from '../contract/base/failure.ts';
import type { Context, Draft, RandomAccess } from '../contract/base/ports.ts';
import type { Headers } from '../wire/response.ts';
import type { Reply } from './transport.ts';

/** Most bytes kept of an error, of a record (in memory), of a file (on disk). */
export const CAPS = { error: 64 * 1024, record: 64 * 1024 ** 2, file: 4 * 1024 ** 3 } as const;

/** The body broke off, stalled, or had another length than announced. */
export class ShortBody extends Error {
  /** The part that arrived, where it is not in the draft. */
  readonly body: RandomAccess | undefined;

  constructor(message: string, { body, ...options }: ErrorOptions & { body?: RandomAccess } = {}) {
    super(message, options);
    this.body = body;
  }
}

/** The text of a body of at most `cap` bytes. */
export async function readReply(reply: Reply, cap: number): Promise<string> {
  return (await bytesOf(guarded(reply, lengthOf(reply.headers)), cap, () => tooLong(cap))).toString('utf8');
}

/** The bytes of a body; more than `cap` are refused with the failure of `excess`. */
export async function bytesOf(body: AsyncIterable<Uint8Array>, cap: number, excess: () => Failure): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > cap) throw excess();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The text of an error's body, up to the cap. Never throws, because the status is what counts. */
export async function readErrorText(reply: Reply): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of reply.body) {
      chunks.push(chunk);
      if ((size += chunk.length) >= CAPS.error) break;
    }
  } catch {
    // What came before the cut is shown.
  }
  reply.discard();
  return Buffer.concat(chunks).subarray(0, CAPS.error).toString('utf8');
}

/** Streams a body to the end of `draft`. */
export async function readInto(reply: Reply, draft: Draft, ctx: Context): Promise<void> {
  const length = lengthOf(reply.headers);
  const start = draft.size;
  const total = length === undefined ? {} : { total: start + length };
  if (length !== undefined && start + length > CAPS.file) throw tooLong(CAPS.file);
  for await (const chunk of guarded(reply, length)) {
    ctx.signal.throwIfAborted();
    if (draft.size + chunk.length > CAPS.file) throw tooLong(CAPS.file);
    draft.write(chunk);
    ctx.progress({ phase: 'download', done: draft.size, unit: 'bytes', ...total });
  }
}

/** Content-Length as a number; undefined where it is absent or no number. */
export function lengthOf(headers: Headers): number | undefined {
  const text = headers['content-length'];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The chunks of the body; a cut, a stall or a wrong length becomes ShortBody. */
async function* guarded(reply: Reply, length: number | undefined): AsyncGenerator<Uint8Array> {
  let received = 0;
  let ended = false;
  try {
    const chunks = reply.body[Symbol.asyncIterator]();
    for (;;) {
      let next: IteratorResult<Uint8Array>;
      try {
        next = await chunks.next();
      } catch (cause) {
        const all = length === undefined ? '' : ` of ${length}`;
        throw new ShortBody(`the answer broke off after ${received}${all} bytes`, { cause });
      }
      if (next.done === true) break;
      received += next.value.length;
      yield next.value;
    }
    ended = true;
    if (length !== undefined && received !== length) {
      throw new ShortBody(`the answer has ${received} bytes where ${length} were announced`);
    }
  } finally {
    if (!ended) reply.discard();
  }
}

function tooLong(cap: number): Failure {
  return new Failure('server', `the answer is longer than ${cap} bytes, the most that is taken`);
}
