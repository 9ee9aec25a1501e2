import { atEnd, closing } from '../../contract/base/closing.ts';
import { FAILURES, Failure } from '../../contract/base/failure.ts';
import { limited } from '../../contract/base/timing.ts';
import { say } from '../../contract/base/wording.ts';
import type { JobPorts } from '../../flow/job-ports.ts';
import type { JournalEntry } from '../../flow/journal.ts';
import { jobFailure, watchJob } from '../../flow/watch-job.ts';
import type { WrittenFile } from '../../runtime/rows/place-result.ts';
import { notify, runCommand } from '../../runtime/terminal/notify.ts';
import { formatDuration } from '../../runtime/terminal/units.ts';
import { type Invocation, recordContext } from '../line/call.ts';
import { failureOf } from '../line/failure-of.ts';
import type { Flags } from '../line/flags.ts';
import type { FollowOptions } from '../line/grammar.ts';
import { deliverJob } from './delivery.ts';
import { createJobView, type JobView, jobName } from './view.ts';

type Following = Pick<Invocation, 'streams' | 'messages' | 'clock' | 'signal'> & { readonly flags: Flags };

/** Returns the highest exit code of all jobs; throws where the run was stopped. `--timeout` ends it with 8. */
export async function followJobs(
  ports: JobPorts,
  entries: readonly JournalEntry[],
  options: FollowOptions,
  call: Following,
): Promise<number> {
  const { flags, clock, streams, messages } = call;
  const limit = limited(call.signal, flags.timeout, clock, () => {
    const message = `not done within ${formatDuration(flags.timeout ?? 0)} (exit code ${FAILURES.pending.exit})`;
    return new Failure('pending', message);
  });
  const draws = options.draw && streams.errIsTerminal && flags.progress;
  const mode = flags.quiet ? 'none' : draws ? 'draw' : 'lines';
  using _ = atEnd(limit.release);
  using view = closing(await createJobView({ streams, messages, clock, mode, json: flags.json }));
  const bounded = { ...call, signal: limit.signal };
  const codes = await Promise.all(entries.map((entry) => followOne(ports, entry, options, view, bounded)));
  view.close();
  if (limit.signal.aborted && codes.some((code) => code !== 0)) throw stillGoing(ports, entries, limit.signal);
  return Math.max(0, ...codes);
}

async function followOne(
  ports: JobPorts,
  entry: JournalEntry,
  options: FollowOptions,
  view: JobView,
  call: Following,
): Promise<number> {
  const { signal, clock, flags, streams } = call;
  const ctx = recordContext(call);
  let code: number;
  let file: WrittenFile | undefined;
  let word = 'unknown';
  try {
    const ended = await watchJob(ports, entry, options.soon, (event) => view.event(event), ctx);
    word = ended.state.status;
    if (ended.state.phase === 'failed') throw jobFailure(ended.entry, ended.state);
    if (options.deliver) {
      const progress = (event: Parameters<JobView['progress']>[1]) => view.progress(entry, event);
      const place = { output: flags.output, force: flags.force, streams, progress, detail: ctx.detail };
      file = await deliverJob(ports, ended.entry, ended.state, place, { signal, clock }).catch((error: unknown) => {
        throw signal.aborted ? error : undelivered(error, ended.entry);
      });
    }
    view.done(ended.entry, file, ended.state);
    code = 0;
  } catch (error) {
    const failure = failureOf(error, signal);
    // A stop is reported once for all jobs.
    if (signal.aborted) return failure.exit;
    view.failed(entry, failure);
    code = failure.exit;
  }
  await tellOthers(entry, word, code, file, options, call);
  return code;
}

/** Rings the bell, and runs the command of --on-done with the facts in its environment. */
async function tellOthers(
  entry: JournalEntry,
  status: string,
  code: number,
  file: WrittenFile | undefined,
  { notify: bell, onDone }: FollowOptions,
  { streams, messages }: Following,
): Promise<void> {
  if (bell) await notify(`${jobName(entry)}: ${file?.path ?? status}`, streams);
  if (onDone === undefined) return;
  const variables = {
    PDFTOOL_JOB_ID: entry.job_id ?? entry.id,
    PDFTOOL_JOB_STATUS: status,
    PDFTOOL_JOB_EXIT: String(code),
    PDFTOOL_JOB_OUTPUT: file?.path ?? '',
  };
  try {
    const exit = await runCommand(onDone, variables);
    if (exit !== 0) messages.warn(`the command of --on-done ended with exit code ${exit}`);
  } catch (error) {
    messages.warn(`the command of --on-done cannot be run: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Why following ended early, and how to continue: jobs go on at the service. */
function stillGoing({ journal }: JobPorts, entries: readonly JournalEntry[], signal: AbortSignal): Failure {
  const open = entries
    .map((entry) => journal.read(entry) ?? entry)
    .filter(({ step }) => step === 'accepted' || step === 'succeeded' || step === 'placing');
  const { code, message } = failureOf(undefined, signal);
  const ids = open.map(({ id }) => id).join(' ');
  const goes = open.length === 1 ? 'the job goes on' : 'the jobs go on';
  return new Failure(code, open.length === 0 ? message : `${message}; ${goes}`, {
    hint: open.length === 0 ? undefined : `Go on with: pdftool jobs watch ${ids}`,
  });
}

/** The failure of a delivery: the job is done and paid for all the same. */
function undelivered(error: unknown, { id, charged }: JournalEntry): unknown {
  if (!(error instanceof Failure)) return error;
  const { hint = '' } = error;
  return error.with({
    charged: charged ?? 'yes',
    hint: say`${hint}${hint === '' ? '' : ' '}It was paid for; fetch it, at no cost, with: pdftool jobs download ${id}`,
    cause: error,
  });
}
