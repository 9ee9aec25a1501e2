// The four steps of a workflow job: create, upload, finalize, queue. Each is written to the journal, so that any run
// can continue where another stopped.

import { Failure } from '../contract/base/failure.ts';
import type { Context } from '../contract/base/ports.ts';
import { present } from '../contract/base/present.ts';
import { say, setting } from '../contract/base/wording.ts';
import { LIMITS } from '../contract/limits.ts';
import { workflowCreate, workflowFinalize, workflowStatus } from '../contract/operations/service/workflow.ts';
import { entryFacts, type JobFile, type JobPorts, type PaidRequest, requestDigest } from './job-ports.ts';
import { isBeforeQueue, readState, workflowIdsOf } from './job-state.ts';
import { isOpen, type JournalEntry } from './journal.ts';

/** Upload sessions that one run asks for: a session ends after an hour, and a slow line may need another. */
const MAX_SESSIONS = 3;

/** The entry of a workflow: one that an earlier run left open for the same request, or a new one with its own key. */
export function openWorkflow(ports: JobPorts, request: PaidRequest): { entry: JournalEntry; found: boolean } {
  const { journal, service } = ports;
  const print = requestDigest(ports, request);
  const keyed =
    request.key === undefined
      ? undefined
      : journal.list('workflow').find((entry) => entry.key === request.key && entry.service === service);
  const known = keyed ?? journal.find('workflow', print);
  if (keyed !== undefined && !keyed.name.includes(`-${print.slice(0, 10)}-`)) {
    throw new Failure('usage', `the Idempotency-Key ${request.key} belongs to another request (${keyed.id})`, {
      hint: 'Leave it out, or give a new one: a key stands for one request.',
    });
  }
  if (known !== undefined && (isOpen(known) || keyed !== undefined)) return { entry: known, found: true };
  const facts = entryFacts(ports, { ...request, key: request.key ?? ports.token() });
  const { entry, mine } = journal.beginOnce(print, facts, known);
  return { entry, found: !mine };
}

interface Submission extends JobPorts {
  readonly unwritten: PaidRequest['unwritten'];
}

/**
 * Does the remaining steps until the service has queued the job. Only one process does so at a time. `unwritten`:
 * options of the request that are not in the entry.
 */
export async function submitWorkflow(
  jobPorts: JobPorts,
  begun: JournalEntry,
  file: JobFile,
  ctx: Context,
  unwritten?: PaidRequest['unwritten'],
): Promise<JournalEntry> {
  const ports = { ...jobPorts, unwritten };
  if (!['begun', 'created', 'uploaded', 'finalizing'].includes(begun.step)) return begun;
  const claim = ports.journal.claim(begun);
  if ('heldBy' in claim) {
    throw new Failure('conflict', `another pdftool (process ${claim.heldBy}) is uploading ${begun.id} now`, {
      hint: `Watch it with: pdftool jobs watch ${begun.id}`,
    });
  }
  try {
    // Another process may have continued meanwhile.
    return await steps(ports, ports.journal.read(begun) ?? begun, file, ctx);
  } catch (error) {
    if (error instanceof Failure && isRefusal(error)) {
      ports.journal.add(begun, { step: 'refused', charged: 'no', message: error.message });
    }
    throw error;
  } finally {
    claim.release();
  }
}

async function steps(ports: Submission, begun: JournalEntry, file: JobFile, ctx: Context): Promise<JournalEntry> {
  let entry = begun;
  // An earlier run that came this far may have uploaded a part.
  let again = entry.step === 'created';
  for (let sessions = 0; sessions < MAX_SESSIONS; sessions += 1) {
    if (entry.step === 'begun') entry = await create(ports, entry, ctx);
    const uploaded = entry.step === 'created' ? await upload(ports, entry, file, again, ctx) : entry;
    const looked = uploaded?.step === 'finalizing' ? await lookFirst(ports, uploaded, ctx) : uploaded;
    const done = looked?.step === 'uploaded' ? await finalize(ports, looked, ctx) : looked;
    if (done !== undefined) return done;
    entry = await renew(ports, entry, ctx);
    again = false;
  }
  throw new Failure('server', `${entry.operation}: the service gives no upload address that works`);
}

/** However often the same key is sent, the service answers with the same job. */
async function create(ports: Submission, entry: JournalEntry, ctx: Context): Promise<JournalEntry> {
  const { journal } = ports;
  const { job_id, upload_id, session_uri } = await request(ports, entry, ctx);
  if (session_uri === undefined && job_id === undefined) throw notUnderstood(entry, 'an upload address');
  return journal.add(entry, {
    // For a key that was used before, no upload address means that all bytes have arrived.
    step: session_uri === undefined ? 'uploaded' : 'created',
    ...present({ job_id, upload_id }),
    ...(session_uri === undefined ? {} : { session_uri, session_at: ctx.clock.now() }),
  });
}

async function request({ engine, unwritten }: Submission, entry: JournalEntry, ctx: Context) {
  const { workflow, options, unwritten: left } = entry.fields;
  if (left !== undefined && unwritten === undefined) {
    throw new Failure('usage', `${entry.operation} ${entry.id}: what it looks for is written down nowhere`, {
      hint: 'Run the same command again: it goes on with the same job.',
    });
  }
  const input = {
    workflow: String(workflow),
    inputBytes: entry.files[0]?.bytes ?? 0,
    maxCredits: entry.credits ?? LIMITS.workflowCredits,
    // Written by ourselves, from a checked object.
    ...(options === undefined ? {} : { options: { ...(options as Record<string, unknown>), ...unwritten } }),
    'Idempotency-Key': entry.key,
  };
  const { record } = await engine.call(workflowCreate, input, ctx);
  return workflowIdsOf(record);
}

/** The entry when all bytes have arrived; undefined where the session has ended. */
async function upload(
  ports: Submission,
  entry: JournalEntry,
  file: JobFile,
  again: boolean,
  ctx: Context,
): Promise<JournalEntry | undefined> {
  const { session_uri, session_at = 0 } = entry;
  if (session_uri === undefined) return undefined;
  assertSame(entry, file);
  if (ctx.clock.now() - session_at > LIMITS.uploadSessionSeconds * 1000) return undefined;
  try {
    await ports.transfers.upload(session_uri, file.source, mediaTypeOf(entry), again, ctx);
  } catch (error) {
    if (!(error instanceof Failure) || ctx.signal.aborted) throw error;
    if (error.code === 'not_found') return undefined;
    // A file that became shorter also breaks the connection off: report the file, not the network.
    assertSame(entry, file);
    // An address that takes each byte once refuses after an earlier run has sent them all.
    if (!(again && (error.status === 409 || error.status === 412))) throw error;
  }
  assertSame(entry, file);
  return ports.journal.add(entry, { step: 'uploaded' });
}

/**
 * Renews an expired session: the same key may bring the job with a fresh address; else a job that was never queued is
 * left behind.
 */
async function renew(ports: Submission, entry: JournalEntry, ctx: Context): Promise<JournalEntry> {
  ctx.detail('the upload session has ended; asking for another');
  const fresh = await request(ports, entry, ctx);
  const isNew = fresh.session_uri !== undefined && fresh.session_uri !== entry.session_uri;
  if (isNew) return ports.journal.add(entry, { ...fresh, step: 'created', session_at: ctx.clock.now() });
  return create(ports, ports.journal.add(entry, { step: 'begun', key: ports.token() }), ctx);
}

/** The answer to a finalize was lost, perhaps with the run that sent it: the job's status decides. */
async function lookFirst(ports: Submission, entry: JournalEntry, ctx: Context): Promise<JournalEntry> {
  const { job_id } = entry.job_id === undefined ? await request(ports, entry, ctx) : entry;
  if (job_id === undefined) return ports.journal.add(entry, { step: 'uploaded' });
  try {
    const { record } = await ports.engine.call(workflowStatus, { jobId: job_id }, ctx);
    const { status } = readState(record);
    return ports.journal.add(entry, { job_id, status, step: isBeforeQueue(status) ? 'uploaded' : 'accepted' });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    return ports.journal.add(entry, { step: 'uploaded' });
  }
}

/** Undefined where the service has forgotten the upload. */
async function finalize(ports: Submission, entry: JournalEntry, ctx: Context): Promise<JournalEntry | undefined> {
  const { journal, engine } = ports;
  const uploadId = entry.upload_id ?? entry.job_id;
  if (uploadId === undefined) throw notUnderstood(entry, 'an upload id');
  for (let tries = 1; ; tries += 1) {
    journal.add(entry, { step: 'finalizing' });
    try {
      const { record } = await engine.call(workflowFinalize, { uploadId }, ctx);
      // In this answer a bare `id` names the job.
      const { job_id = entry.job_id ?? uploadId } = workflowIdsOf({ uploadId, ...record });
      return journal.add(entry, { step: 'accepted', job_id, status: readState(record).status });
    } catch (error) {
      if (error instanceof Failure && error.code === 'not_found') return undefined;
      // The answer was lost, or the upload was finalized before (409): the job's status decides.
      if (!(error instanceof Failure) || (error.code !== 'ambiguous' && error.code !== 'conflict')) throw error;
      ctx.signal.throwIfAborted();
      const looked = await lookFirst(ports, entry, ctx);
      if (looked.step !== 'uploaded') return looked;
      if (tries === 3) throw error;
    }
  }
}

function assertSame(entry: JournalEntry, file: JobFile): void {
  const [was] = entry.files;
  if (was?.bytes === file.source.size && was.fingerprint === file.fingerprint && file.isUnchanged()) return;
  throw new Failure('refused', `${file.source.name} has changed since ${entry.id} was begun; the job was not queued`, {
    hint: 'Run the same command again to submit the file as it is now.',
  });
}

/** The service refused, and would refuse the same request again. */
function isRefusal({ code, charged, status }: Failure): boolean {
  return (
    charged === 'no' &&
    status !== undefined &&
    ['refused', 'too_large', 'unprocessable', 'out_of_credits', 'unavailable'].includes(code)
  );
}

function mediaTypeOf({ fields }: JournalEntry): string {
  return typeof fields.media_type === 'string' ? fields.media_type : 'application/octet-stream';
}

function notUnderstood({ operation }: JournalEntry, what: string): Failure {
  return new Failure('server', `${operation}: the service's answer names no ${what.replace(/^an? /, '')}`, {
    hint: say`See the answer with ${setting('debug')}; a service of another version may speak otherwise.`,
  });
}
