// Decides which request may be repeated (the table of DESIGN.md as data), and repeats it.
import type { Failure } from '../contract/base/failure.ts';
import type { Context, Values } from '../contract/base/ports.ts';
import { outputOf, type ServiceOperation } from '../contract/operation.ts';
import type { Reply } from './transport.ts';

/** The rows of the table. `finalize` and `upload` are steps of workflow jobs, whose code acts on `look` and `resume`. */
export type ReplayClass = 'read' | 'download' | 'free' | 'charged' | 'keyed' | 'upload' | 'finalize';

/** unsent: refused, DNS, TLS. cut: broken after a byte was sent. throttled: 429. gateway: 502 to 504. broken: 500. */
export type Trouble = 'unsent' | 'cut' | 'throttled' | 'gateway' | 'broken';

/** twice: two tries at most. record: again only if the answer is an error record. look: ask for the status first. */
type Verdict = 'retry' | 'twice' | 'record' | 'resume' | 'look' | 'never';

const REPLAY: Readonly<Record<ReplayClass, Readonly<Record<Trouble, Verdict>>>> = {
  read: { unsent: 'retry', cut: 'retry', throttled: 'retry', gateway: 'retry', broken: 'twice' },
  download: { unsent: 'retry', cut: 'resume', throttled: 'retry', gateway: 'retry', broken: 'retry' },
  free: { unsent: 'retry', cut: 'twice', throttled: 'retry', gateway: 'twice', broken: 'never' },
  charged: { unsent: 'retry', cut: 'never', throttled: 'record', gateway: 'never', broken: 'never' },
  keyed: { unsent: 'retry', cut: 'retry', throttled: 'retry', gateway: 'retry', broken: 'retry' },
  upload: { unsent: 'retry', cut: 'resume', throttled: 'never', gateway: 'resume', broken: 'resume' },
  finalize: { unsent: 'retry', cut: 'look', throttled: 'never', gateway: 'look', broken: 'look' },
};

const TRIES = 5;
const FIRST_DELAY = 500;
const LONGEST_DELAY = 30_000;
/** A longer Retry-After, in milliseconds, ends the call; the message names the time. */
const LONGEST_RETRY_AFTER = 120_000;

/** A failed try, with everything that decides whether there is another. */
export class Setback extends Error {
  readonly trouble: Trouble;
  readonly failure: Failure;
  /** Whether the answer was an error record of the service, not the page of a proxy. */
  readonly record: boolean;
  /** Milliseconds that Retry-After asks for. */
  readonly retryAfter: number | undefined;

  constructor(trouble: Trouble, failure: Failure, details: { record?: boolean; retryAfter?: number | undefined } = {}) {
    super(failure.message, { cause: failure });
    this.trouble = trouble;
    this.failure = failure;
    this.record = details.record ?? false;
    this.retryAfter = details.retryAfter;
  }
}

/** The class of a call. A keyed call without its key may not be repeated. */
export function classOf(op: ServiceOperation, input: Values): ReplayClass {
  switch (op.replay) {
    case 'safe':
      return outputOf(op, input).output.kind === 'bytes' ? 'download' : 'read';
    case 'free':
      return 'free';
    case 'never':
      return 'charged';
    case 'keyed':
      return input['Idempotency-Key'] === undefined ? 'finalize' : 'keyed';
  }
}

/** An unsuccessful answer as a failed try, or its failure where another try would end in the same way. */
export function setbackOf(failure: Failure, reply: Reply, record: boolean, ctx: Context): Setback | Failure {
  const trouble = troubleOf(reply.status);
  if (trouble === undefined) return failure;
  const asked = retryAfter(reply.headers['retry-after'], ctx.clock.now());
  return new Setback(trouble, failure, { record, retryAfter: asked });
}

/** The trouble that a status means; undefined for a final answer. */
function troubleOf(status: number): Trouble | undefined {
  if (status === 429) return 'throttled';
  if (status === 500) return 'broken';
  return status >= 502 && status <= 504 ? 'gateway' : undefined;
}

/** Whether a request may be sent again after `tries` of them. */
function mayRepeat(kind: ReplayClass, setback: Setback, tries: number): boolean {
  if (tries >= TRIES) return false;
  switch (REPLAY[kind][setback.trouble]) {
    case 'retry':
    case 'resume':
      return true;
    case 'twice':
      return tries < 2;
    case 'record':
      return setback.record;
    case 'look':
    case 'never':
      return false;
  }
}

/**
 * Runs `once` until it succeeds, fails for good, or has no tries left; then throws the last Setback. Waits with full
 * jitter (0.5 to 30 s), or as long as Retry-After says.
 */
export async function persist<T>(
  kind: ReplayClass,
  ctx: Context,
  fraction: () => number,
  once: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await once(tries);
    } catch (error) {
      if (!(error instanceof Setback) || !mayRepeat(kind, error, tries)) throw error;
      const { retryAfter: asked, trouble, failure } = error;
      if (asked !== undefined && asked > LONGEST_RETRY_AFTER) throw tooLong(error, asked);
      const delay = asked ?? fraction() * Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (tries - 1));
      ctx.detail(
        `${failure.message}; trying again in ${(delay / 1000).toFixed(1)} s (${trouble}, try ${tries + 1} of ${TRIES})`,
      );
      await ctx.clock.sleep(delay, ctx.signal);
    }
  }
}

/** Milliseconds of a Retry-After header: seconds or a date. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function tooLong(setback: Setback, asked: number): Setback {
  const hint = `The service asks to wait ${Math.ceil(asked / 1000)} s; try again after that.`;
  return new Setback(setback.trouble, setback.failure.with({ hint, retryAfter: asked, cause: setback.failure }));
}
