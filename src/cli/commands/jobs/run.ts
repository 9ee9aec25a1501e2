import { Failure } from '../../../contract/base/failure.ts';
import { columns } from '../../../contract/columns.ts';
import { jobCancel } from '../../../contract/operations/speech.ts';
import { isOurs, type JobPorts } from '../../../flow/job-ports.ts';
import { type JobState, jobIdOf, readState } from '../../../flow/job-state.ts';
import { isOpen, type JournalEntry } from '../../../flow/journal.ts';
import { adoptJob, findAnyJob } from '../../../flow/unknown-job.ts';
import { askJob, jobFailure, note } from '../../../flow/watch-job.ts';
import { readSettings } from '../../../runtime/settings/settings.ts';
import { printableLine } from '../../../runtime/terminal/printable.ts';
import { formatDuration } from '../../../runtime/terminal/units.ts';
import { openJournalPorts } from '../../engines/journal.ts';
import { deliverJob } from '../../jobs/delivery.ts';
import { followJobs } from '../../jobs/follow.ts';
import { openOwnJobPorts } from '../../jobs/ports.ts';
import { jobName } from '../../jobs/view.ts';
import { type OwnCall, recordContext } from '../../line/call.ts';
import { readFollowOptions } from '../../line/grammar.ts';
import { tell } from '../../run/show.ts';

export async function run(call: OwnCall): Promise<number> {
  switch (call.subcommand) {
    case 'list':
      return list(call);
    case 'status':
      return status(call);
    case 'watch':
      return follow(call, true);
    case 'wait':
      return follow(call, false);
    case 'cancel':
      return cancel(call);
    case 'download':
      return download(call);
    default:
      return forget(call);
  }
}

/** Lists this machine's jobs, oldest first; `--refresh` asks the service about those that have not ended. */
async function list(call: OwnCall): Promise<number> {
  const { options, flags, streams, clock } = call;
  const { journal } = openJournalPorts(readSettings({ ...flags, remote: true, local: false }));
  const kinds = options.calls === true ? (['call'] as const) : (['speech', 'workflow'] as const);
  if (options.refresh === true) await refresh(call, journal.list(...kinds));
  const entries = journal.list(...kinds);
  if (flags.json) {
    streams.json({ ok: true, jobs: entries.map(shown) });
    return 0;
  }
  const rows = entries.map((entry) => [
    entry.id,
    entry.status ?? entry.step,
    entry.operation,
    jobName(entry),
    `${formatDuration(clock.now() - entry.begun)} ago`,
    entry.result?.path ?? '',
  ]);
  for (const line of columns(rows)) streams.out(`${streams.outIsTerminal ? printableLine(line) : line}\n`);
  if (entries.length === 0) call.messages.note('no jobs were begun on this machine, or all are forgotten');
  return 0;
}

async function refresh(call: OwnCall, entries: readonly JournalEntry[]): Promise<void> {
  const { ports } = await openOwnJobPorts(call);
  for (const entry of entries.filter((job) => isOpen(job) && job.job_id !== undefined && isOurs(ports, job))) {
    try {
      note(ports, entry, (await askJob(ports, entry, recordContext(call))).state);
    } catch (error) {
      if (!(error instanceof Failure) || call.signal.aborted) throw error;
      if (error.code === 'not_found') ports.journal.add(entry, { step: 'gone', message: error.message });
      call.messages.warn(`${entry.id}: ${error.message}`);
    }
  }
}

async function status(call: OwnCall): Promise<number> {
  const { ports } = await openOwnJobPorts(call);
  const [id = ''] = call.args;
  const entry = ports.journal.lookUp(id);
  if (entry !== undefined && entry.job_id === undefined) {
    tell(call, { ok: true, ...shown(entry) });
    return 0;
  }
  if (entry === undefined) {
    const { record } = await findAnyJob(ports, id, recordContext(call));
    tell(call, record);
    return 0;
  }
  const { state } = await askJob(ports, entry, recordContext(call));
  note(ports, entry, state);
  tell(call, { ...state.record, id: entry.id, job_id: jobIdOf(state.record) ?? entry.job_id });
  return 0;
}

/** watch draws progress; wait prints plain lines. Both fetch results. */
async function follow(call: OwnCall, draw: boolean): Promise<number> {
  const { args, messages, flags, options } = call;
  const { ports } = await openOwnJobPorts(call);
  const entries =
    args.length === 0 ? unfinished(ports, call) : await Promise.all(args.map((id) => known(ports, id, call)));
  if (entries.length === 0) {
    messages.note('there is no unfinished job');
    return 0;
  }
  if (entries.length > 1 && flags.output !== undefined) {
    throw new Failure('usage', `-o names one output, and there are ${entries.length} jobs`);
  }
  return followJobs(ports, entries, readFollowOptions(options, { soon: true, draw }), call);
}

function unfinished(ports: JobPorts, { messages }: OwnCall): JournalEntry[] {
  const open = ports.journal.list('speech', 'workflow').filter((entry) => isOpen(entry) && isOurs(ports, entry));
  for (const entry of open) if (!isAsked(entry)) messages.warn(`${notBegun(entry)}. ${nextOf(entry)}`);
  return open.filter(isAsked);
}

/** Whether the service has the job, as far as is known. */
function isAsked({ job_id, step }: JournalEntry): boolean {
  return job_id !== undefined && ['accepted', 'succeeded', 'placing'].includes(step);
}

async function known(ports: JobPorts, id: string, call: OwnCall): Promise<JournalEntry> {
  const entry = ports.journal.lookUp(id);
  if (entry === undefined) return adoptJob(ports, await findAnyJob(ports, id, recordContext(call)));
  if (isOpen(entry) && !isAsked(entry)) {
    throw new Failure('conflict', notBegun(entry), { hint: nextOf(entry) });
  }
  return entry;
}

async function download(call: OwnCall): Promise<number> {
  const { flags, streams, signal, clock, messages } = call;
  const { ports } = await openOwnJobPorts(call);
  const entry = await known(ports, call.args[0] ?? '', call);
  const { state } = await askJob(ports, entry, recordContext(call));
  const now = note(ports, entry, state);
  assertDone(now, state);
  const detail = flags.verbose ? (line: string) => messages.note(line) : () => {};
  const place = { output: flags.output, force: flags.force, streams, progress: () => {}, detail };
  const file = await deliverJob(ports, now, state, place, { signal, clock });
  if (file === undefined) return 0;
  if (flags.json) tell(call, { ok: true, id: entry.id, operation: entry.operation, output: file });
  else streams.out(`${streams.outIsTerminal ? printableLine(file.path) : file.path}\n`);
  return 0;
}

async function cancel(call: OwnCall): Promise<number> {
  const { ports } = await openOwnJobPorts(call);
  for (const id of call.args) {
    const entry = ports.journal.lookUp(id);
    const { record } = await ports.engine.call(jobCancel, { id: entry?.job_id ?? id }, recordContext(call));
    if (entry !== undefined) note(ports, entry, readState(record));
    tell(call, entry === undefined ? record : { ...record, id: entry.id });
  }
  return 0;
}

function assertDone(entry: JournalEntry, state: JobState): void {
  if (state.phase === 'failed') throw jobFailure(entry, state);
  if (state.phase === 'succeeded') return;
  throw new Failure('pending', `${entry.operation} ${entry.id} is ${state.status}: there is no result yet`, {
    hint: `Wait for it with: pdftool jobs watch ${entry.id}`,
  });
}

/** Removes entries from the list. The service keeps its jobs; an id that is only here would be lost. */
async function forget(call: OwnCall): Promise<number> {
  const { args, flags, options } = call;
  const { journal } = openJournalPorts(readSettings({ ...flags, remote: true, local: false }));
  const kinds = ['speech', 'workflow', 'call'] as const;
  const named = args.map((id) => {
    const entry = journal.lookUp(id);
    if (entry === undefined) throw new Failure('not_found', `the journal of this machine has no job ${id}`);
    return entry;
  });
  const ended = options.ended === true ? journal.list(...kinds).filter((entry) => !isOpen(entry)) : [];
  if (named.length + ended.length === 0 && options.ended !== true) {
    throw new Failure('usage', 'jobs forget takes the id of a job, or --ended', {
      hint: 'See them with: pdftool jobs list',
    });
  }
  const open = named.find(isOpen);
  if (open !== undefined && !flags.force) {
    throw new Failure('usage', `${open.id} has not ended (${open.status ?? open.step}): its id stands nowhere else`, {
      hint: 'Add --force to forget it all the same.',
    });
  }
  const forgotten = [...named, ...ended].filter((entry) => journal.forget(entry)).map(({ id }) => id);
  if (flags.json) tell(call, { ok: true, forgotten });
  else call.messages.note(`forgotten: ${forgotten.join(' ') || 'none'}`);
  return 0;
}

/** An entry without fields that only this program needs; an upload address is a secret. */
function shown({
  name: _name,
  session_uri: _uri,
  session_at: _at,
  key: _key,
  begun,
  updated,
  ...entry
}: JournalEntry): object {
  return { ...entry, begun: new Date(begun).toISOString(), updated: new Date(updated).toISOString() };
}

function notBegun({ id, operation, step }: JournalEntry): string {
  return `the service is not known to have ${operation} ${id}: it came as far as '${step}'`;
}

function nextOf({ id, kind }: JournalEntry): string {
  return kind === 'workflow' ? `Go on with: pdftool workflow resume ${id}` : 'Run the same command again.';
}
