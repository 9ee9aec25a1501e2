import { Failure } from '../contract/base/failure.ts';
import type { Context } from '../contract/base/ports.ts';
import { present } from '../contract/base/present.ts';
import { workflowStatus } from '../contract/operations/service/workflow.ts';
import { jobStatus } from '../contract/operations/speech.ts';
import type { JobPorts } from './job-ports.ts';
import { type JobState, readState } from './job-state.ts';
import type { JournalEntry } from './journal.ts';

/** An event of a watched job. lost: the service does not answer, for the reason `why`. back: it answers again. */
export type JobEvent =
  | { readonly kind: 'state'; readonly entry: JournalEntry; readonly state: JobState; readonly changed: boolean }
  | { readonly kind: 'lost'; readonly entry: JournalEntry; readonly why: string }
  | { readonly kind: 'back'; readonly entry: JournalEntry };

const FIRST = 1_000;
const LONGEST = 10_000;
const GROWTH = 1.5;
const JITTER = 0.2;
/** The longest Retry-After that is obeyed, in milliseconds: a wrong header must not stop a watch for days. */
const LONGEST_RETRY_AFTER = 600_000;

/** Asks once. Throws what the engine throws. */
export async function askJob(
  ports: JobPorts,
  entry: JournalEntry,
  ctx: Context,
): Promise<{ state: JobState; retryAfter?: number }> {
  const id = entry.job_id;
  if (id === undefined) throw new TypeError(`${entry.id} has no job id`);
  const { engine } = ports;
  const { record, retryAfter } =
    entry.kind === 'speech'
      ? await engine.call(jobStatus, { id }, ctx)
      : await engine.call(workflowStatus, { jobId: id }, ctx);
  return { state: readState(record), ...present({ retryAfter }) };
}

/**
 * Polls until the job has ended and returns how. `soon`: ask at once, not after the first pause. A failure that may
 * pass (network, 5xx, 429) is reported, and polling goes on; any other is thrown.
 */
export async function watchJob(
  ports: JobPorts,
  entry: JournalEntry,
  soon: boolean,
  tell: (event: JobEvent) => void,
  ctx: Context,
): Promise<{ entry: JournalEntry; state: JobState }> {
  let delay = FIRST;
  let lost = false;
  let now = entry;
  let status: string | undefined;
  if (!soon) await ctx.clock.sleep(jittered(delay, ports), ctx.signal);
  for (;;) {
    let asked: number | undefined;
    try {
      const { state, retryAfter } = await askJob(ports, now, ctx);
      asked = retryAfter;
      if (lost) tell({ kind: 'back', entry: now });
      lost = false;
      const changed = state.status !== status;
      now = note(ports, now, state);
      tell({ kind: 'state', entry: now, state, changed });
      status = state.status;
      if (state.phase === 'succeeded' || state.phase === 'failed') return { entry: now, state };
    } catch (error) {
      if (ctx.signal.aborted || !(error instanceof Failure)) throw error;
      if (error.code === 'not_found') ports.journal.add(now, { step: 'gone', message: error.message });
      if (!['network', 'server', 'rate_limited'].includes(error.code)) throw error;
      if (!lost) tell({ kind: 'lost', entry: now, why: error.message });
      lost = true;
      asked = error.retryAfter;
    }
    await ctx.clock.sleep(Math.min(asked ?? jittered(delay, ports), LONGEST_RETRY_AFTER), ctx.signal);
    delay = Math.min(LONGEST, delay * GROWTH);
  }
}

/** Writes a new status, or the end of the job, into the journal. */
export function note({ journal }: JobPorts, entry: JournalEntry, state: JobState): JournalEntry {
  const { status, phase, error_code, error_message } = state;
  // A result that was placed stays placed, whatever the service says later.
  const ended = !['accepted', 'succeeded'].includes(entry.step);
  const step = ended ? entry.step : phase === 'succeeded' || phase === 'failed' ? phase : entry.step;
  if (status === entry.status && step === entry.step) return entry;
  return journal.add(entry, { status, step, ...present({ error_code, error_message }) });
}

/** The failure of a job that ended badly. */
export function jobFailure({ id, operation, charged }: JournalEntry, state: JobState): Failure {
  const { error_code, error_message, status } = state;
  const why = [error_code, error_message].filter((text) => text !== undefined).join(': ') || 'no reason given';
  return new Failure('job_failed', `${operation} ${id} ${status}: ${why}`, {
    charged: charged === 'unknown' ? 'unknown' : 'no',
    hint: 'The service returns the credits of a job that failed. See: pdftool account',
    meta: present({ error_code, error_message }),
  });
}

function jittered(delay: number, { fraction }: JobPorts): number {
  return delay * (1 - JITTER + 2 * JITTER * fraction());
}
