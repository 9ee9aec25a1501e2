import { Failure } from '../contract/base/failure.ts';
import type { Context } from '../contract/base/ports.ts';
import type { Balance } from './balance.ts';
import { type ReplayClass, Setback } from './replay.ts';

/** What is known of a call while it runs. */
export interface Doubt {
  readonly kind: ReplayClass;
  /** Body bytes sent in the last try. */
  sent: number;
  /** The service may have accepted the request and has not refused it. */
  open: boolean;
  /** The head of the answer said that credits were used. */
  paid: boolean;
  /** Credits before the request, where known. */
  before?: number | undefined;
}

const CHARGED: ReadonlySet<ReplayClass> = new Set(['charged', 'keyed', 'finalize']);

/** The failure to throw. Other errors (defects of ours) are returned unchanged. */
export async function doubtFailure(
  name: string,
  error: unknown,
  doubt: Doubt,
  balance: Balance,
  ctx: Context,
): Promise<unknown> {
  const inDoubt = doubt.open && CHARGED.has(doubt.kind);
  if (ctx.signal.aborted) return stopped(name, ctx.signal.reason, doubt, inDoubt);
  const failure = error instanceof Setback ? error.failure : error;
  if (!inDoubt || !(failure instanceof Failure)) return failure;
  const after = await balance.after(ctx);
  return new Failure('ambiguous', `${failure.message}; ${verdict(doubt, compare(doubt.before, after))}`, {
    charged: doubt.paid ? 'yes' : 'unknown',
    hint: hintFor(doubt),
    status: failure.status,
    meta: failure.meta,
    remains: failure.remains,
    cause: failure,
  });
}

function stopped(name: string, reason: unknown, doubt: Doubt, inDoubt: boolean): Failure {
  const base = reason instanceof Failure ? reason : new Failure('interrupted', 'interrupted', { cause: reason });
  const how = doubt.sent > 0 ? ` after ${doubt.sent} bytes were sent` : '';
  if (!inDoubt) {
    const why = CHARGED.has(doubt.kind) ? 'nothing was charged' : 'it costs nothing';
    return base.with({ wording: `${name}: ${base.message}${how}; ${why}`, cause: base });
  }
  // After our own time limit the answer counts as lost; Ctrl-C keeps the exit code that shells expect.
  const code = base.code === 'network' ? 'ambiguous' : base.code;
  return new Failure(code, `${name}: ${base.message}${how}; ${verdict(doubt, '')}`, {
    charged: doubt.paid ? 'yes' : 'unknown',
    hint: hintFor(doubt),
    cause: base,
  });
}

/** Scripts look for `charged: …` in the text; --json has it as a key. */
function verdict(doubt: Doubt, credits: string): string {
  if (doubt.paid) return `it was charged (charged: yes${credits})`;
  return `it may have been charged (charged: unknown${credits})`;
}

function compare(before: number | undefined, after: number | undefined): string {
  if (before === undefined && after === undefined) return '; the account does not answer';
  return `, credits before: ${before ?? 'unknown'}, after: ${after ?? 'unknown'}`;
}

function hintFor({ kind }: Doubt): string {
  if (kind === 'keyed') return 'The same Idempotency-Key finds the job again, if there is one.';
  return 'It was not sent again. See what was charged with: pdftool account';
}
