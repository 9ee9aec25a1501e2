// Owns watching one job to its end: polling that backs off, survives a lost connection, and writes down what changed.
import { Failure } from '../contract/failure.ts';
import { jobStatus } from '../contract/operations/speech.ts';
import { workflowStatus } from '../contract/operations/workflow.ts';
import type { Context } from '../contract/ports.ts';
import type { Desk } from './desk.ts';
import { type JobState, readState } from './job-state.ts';
import type { Entry } from './journal.ts';

/** What a watcher learns. lost: the service cannot be asked, `why` says it; back: it can again. */
export type JobEvent =
  | { readonly kind: 'state'; readonly entry: Entry; readonly state: JobState; readonly changed: boolean }
  | { readonly kind: 'lost'; readonly entry: Entry; readonly why: string }
  | { readonly kind: 'back'; readonly entry: Entry };

const FIRST = 1_000;
const LONGEST = 10_000;
const GROWTH = 1.5;
const JITTER = 0.2;
/** A service that asks for more is asked all the same, so that a wrong header cannot stop a watch for days. */
const LONGEST_WISH = 600_000;

/** Asks once. Throws what the engine throws. */
export async function askJob(
  desk: Desk,
  entry: Entry,
  ctx: Context,
): Promise<{ state: JobState; retryAfter?: number }> {
  const id = entry.job_id;
  if (id === undefined) throw new TypeError(`${entry.id} has no job id`);
  const { engine } = desk;
  const { record, retryAfter } =
    entry.kind === 'speech'
      ? await engine.call(jobStatus, { id }, ctx)
      : await engine.call(workflowStatus, { jobId: id }, ctx);
  return { state: readState(record), ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/**
 * Polls until the job has ended and returns how. `soon`: ask at once, not after the first pause.
 * A failure that may pass (network, 5xx, 429) is told and outlasted; any other is thrown.
 */
export async function watchJob(
  desk: Desk,
  entry: Entry,
  soon: boolean,
  tell: (event: JobEvent) => void,
  ctx: Context,
): Promise<{ entry: Entry; state: JobState }> {
  let delay = FIRST;
  let lost = false;
  let now = entry;
  let status: string | undefined;
  if (!soon) await ctx.clock.sleep(jittered(delay, desk), ctx.signal);
  for (;;) {
    let wish: number | undefined;
    try {
      const { state, retryAfter } = await askJob(desk, now, ctx);
      wish = retryAfter;
      if (lost) tell({ kind: 'back', entry: now });
      lost = false;
      const changed = state.status !== status;
      now = note(desk, now, state);
      tell({ kind: 'state', entry: now, state, changed });
      status = state.status;
      if (state.phase === 'succeeded' || state.phase === 'failed') return { entry: now, state };
    } catch (error) {
      if (ctx.signal.aborted || !(error instanceof Failure)) throw error;
      if (error.code === 'not_found') desk.journal.add(now, { step: 'gone', message: error.message });
      if (!mayPass(error)) throw error;
      if (!lost) tell({ kind: 'lost', entry: now, why: error.message });
      lost = true;
      wish = error.retryAfter;
    }
    await ctx.clock.sleep(Math.min(wish ?? jittered(delay, desk), LONGEST_WISH), ctx.signal);
    delay = Math.min(LONGEST, delay * GROWTH);
  }
}

/** Writes down what is new: a word, or the end. */
export function note({ journal }: Desk, entry: Entry, state: JobState): Entry {
  const { status, phase, error_code, error_message } = state;
  // A result that was placed stays placed, whatever the service says later.
  const ended = !['accepted', 'succeeded'].includes(entry.step);
  const step = ended ? entry.step : phase === 'succeeded' || phase === 'failed' ? phase : entry.step;
  if (status === entry.status && step === entry.step) return entry;
  return journal.add(entry, {
    status,
    step,
    ...(error_code === undefined ? {} : { error_code }),
    ...(error_message === undefined ? {} : { error_message }),
  });
}

/** The failure of a job that ended badly. */
export function jobFailure({ id, operation, charged }: Entry, state: JobState): Failure {
  const { error_code, error_message, status } = state;
  const why = [error_code, error_message].filter((each) => each !== undefined).join(': ') || 'no reason given';
  return new Failure('job_failed', `${operation} ${id} ${status}: ${why}`, {
    charged: charged === 'unknown' ? 'unknown' : 'no',
    hint: 'The service returns the credits of a job that failed. See: pdftool account',
    meta: {
      ...(error_code === undefined ? {} : { error_code }),
      ...(error_message === undefined ? {} : { error_message }),
    },
  });
}

function mayPass({ code }: Failure): boolean {
  return code === 'network' || code === 'server' || code === 'rate_limited';
}

function jittered(delay: number, { fraction }: Desk): number {
  return delay * (1 - JITTER + 2 * JITTER * fraction());
}
