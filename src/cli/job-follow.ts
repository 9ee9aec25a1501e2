// Owns following jobs to their end, side by side: watched, delivered, told; one exit code for all. Knows no argv.
import { FAILURES, Failure } from '../contract/failure.ts';
import type { Clock, Context } from '../contract/ports.ts';
import type { Desk } from '../flow/desk.ts';
import type { Entry } from '../flow/journal.ts';
import { jobFailure, watchJob } from '../flow/watch-job.ts';
import { notify, runCommand } from '../runtime/notify.ts';
import type { Streams } from '../runtime/streams.ts';
import { formatDuration } from '../runtime/units.ts';
import type { Delivered } from './deliver.ts';
import { failureOf } from './failure-of.ts';
import type { Flags } from './flags.ts';
import { deliverJob } from './job-delivery.ts';
import { createJobView, type JobView, nameOf } from './job-view.ts';
import type { Options } from './program.ts';
import type { Voice } from './voice.ts';

export interface Around {
  readonly streams: Streams;
  readonly voice: Voice;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly flags: Flags;
}

/** What is wished for beside the end of the jobs. */
export interface FollowWish {
  /** Ask at once; a job that was just begun is given a moment. */
  readonly soon: boolean;
  /** Results are fetched too. */
  readonly deliver: boolean;
  readonly draw: boolean;
  readonly notify: boolean;
  readonly onDone: string | undefined;
}

/** `--notify`, `--on-done` and `--no-download`, as commands of jobs have them. */
export function followWish(options: Options, more: { soon: boolean; draw?: boolean }): FollowWish {
  return {
    soon: more.soon,
    draw: more.draw ?? true,
    deliver: options.download !== false,
    notify: options.notify === true,
    onDone: typeof options.onDone === 'string' ? options.onDone : undefined,
  };
}

/** Returns the highest exit code of them all; throws where the run was stopped. `--timeout` ends it with 8. */
export async function followJobs(
  desk: Desk,
  entries: readonly Entry[],
  wish: FollowWish,
  around: Around,
): Promise<number> {
  const { flags, clock, streams, voice } = around;
  const limit = limited(around.signal, flags.timeout, clock);
  const draws = wish.draw && streams.errIsTerminal && flags.progress;
  const mode = flags.quiet ? 'none' : draws ? 'draw' : 'lines';
  const view = await createJobView({ streams, voice, clock, mode, json: flags.json });
  try {
    const codes = await Promise.all(
      entries.map((entry) => followOne(desk, entry, wish, view, { ...around, signal: limit.signal })),
    );
    view.close();
    if (limit.signal.aborted && codes.some((code) => code !== 0)) throw stillGoing(desk, entries, limit.signal);
    return Math.max(0, ...codes);
  } finally {
    view.close();
    limit.release();
  }
}

async function followOne(desk: Desk, entry: Entry, wish: FollowWish, view: JobView, around: Around): Promise<number> {
  const { signal, clock, flags, streams, voice } = around;
  const detail = flags.verbose ? (line: string) => voice.note(line) : () => {};
  const ctx: Context = { signal, clock, temp: noFiles, progress: () => {}, detail };
  let code: number;
  let file: Delivered | undefined;
  let word = 'unknown';
  try {
    const ended = await watchJob(desk, entry, wish.soon, (event) => view.event(event), ctx);
    word = ended.state.status;
    if (ended.state.phase === 'failed') throw jobFailure(ended.entry, ended.state);
    if (wish.deliver) {
      const progress = (event: Parameters<JobView['progress']>[1]) => view.progress(entry, event);
      const place = { output: flags.output, force: flags.force, streams, progress, detail };
      file = await deliverJob(desk, ended.entry, ended.state, place, { signal, clock }).catch((error: unknown) => {
        throw signal.aborted ? error : undelivered(error, ended.entry);
      });
    }
    view.done(ended.entry, file, ended.state);
    code = 0;
  } catch (error) {
    const failure = failureOf(error, signal);
    // A stop is told once for all.
    if (signal.aborted) return failure.exit;
    view.failed(entry, failure);
    code = failure.exit;
  }
  await tellOthers(entry, word, code, file, wish, around);
  return code;
}

/** The job is done and paid for, whatever keeps its result from its place. */
function undelivered(error: unknown, { id, charged }: Entry): unknown {
  if (!(error instanceof Failure)) return error;
  const { code, message, status, meta, kind, hint = '' } = error;
  return new Failure(code, message, {
    charged: charged ?? 'yes',
    hint: `${hint}${hint === '' ? '' : ' '}It was paid for; fetch it, at no cost, with: pdftool jobs download ${id}`,
    ...{ status, meta, kind },
    cause: error,
  });
}

/** The bell and the person's own command, which learns what happened from its environment. */
async function tellOthers(
  entry: Entry,
  status: string,
  code: number,
  file: Delivered | undefined,
  { notify: bell, onDone }: FollowWish,
  { streams, voice }: Around,
): Promise<void> {
  if (bell) await notify(`${nameOf(entry)}: ${file?.path ?? status}`, streams);
  if (onDone === undefined) return;
  const variables = {
    PDFTOOL_JOB_ID: entry.job_id ?? entry.id,
    PDFTOOL_JOB_STATUS: status,
    PDFTOOL_JOB_EXIT: String(code),
    PDFTOOL_JOB_OUTPUT: file?.path ?? '',
  };
  try {
    const exit = await runCommand(onDone, variables);
    if (exit !== 0) voice.warn(`the command of --on-done ended with exit code ${exit}`);
  } catch (error) {
    voice.warn(`the command of --on-done cannot be run: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Why it ended early, and how to go on: the jobs do not end with us. */
function stillGoing({ journal }: Desk, entries: readonly Entry[], signal: AbortSignal): Failure {
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

interface Limit {
  readonly signal: AbortSignal;
  release(): void;
}

function limited(signal: AbortSignal, milliseconds: number | undefined, clock: Clock): Limit {
  if (milliseconds === undefined) return { signal, release: () => {} };
  const over = new AbortController();
  const done = new AbortController();
  const why = new Failure(
    'pending',
    `not done within ${formatDuration(milliseconds)} (exit code ${FAILURES.pending.exit})`,
  );
  void clock.sleep(milliseconds, done.signal).then(
    () => over.abort(why),
    () => {},
  );
  return { signal: AbortSignal.any([signal, over.signal]), release: () => done.abort() };
}

const noFiles = {
  create: () => {
    throw new TypeError('a status is a record and needs no file');
  },
};
