import { relative, resolve } from 'node:path';
import { atEnd, closing } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { BytesResult, Context, Progress } from '../../contract/base/ports.ts';
import { EXTENSIONS, JSON_TYPE } from '../../contract/media.ts';
import type { JobPorts } from '../../flow/job-ports.ts';
import { downloadResult } from '../../flow/job-result.ts';
import type { JobState } from '../../flow/job-state.ts';
import type { JournalEntry } from '../../flow/journal.ts';
import { openOne } from '../../runtime/files/inputs/inputs.ts';
import { fileTarget } from '../../runtime/files/outputs/target.ts';
import { Workspace } from '../../runtime/files/outputs/workspace.ts';
import { sha256 } from '../../runtime/files/system/hash.ts';
import { draftsFor, placeResult, type WrittenFile } from '../../runtime/rows/place-result.ts';
import type { Streams } from '../../runtime/terminal/streams.ts';
import type { Destination } from '../files/destination.ts';
import { isInspection, takeFindings } from './findings.ts';

interface DeliveryOptions {
  /** `-o`, where it differs from that of the run that began the job. */
  readonly output?: string | undefined;
  readonly force: boolean;
  readonly streams: Streams;
  readonly progress: (event: Progress) => void;
  readonly detail: (line: string) => void;
}

/** Fetches the result and puts it in place; undefined where it went to standard output, or another process is writing it. */
export async function deliverJob(
  ports: JobPorts,
  entry: JournalEntry,
  state: JobState,
  options: DeliveryOptions,
  call: Pick<Context, 'signal' | 'clock'>,
): Promise<WrittenFile | undefined> {
  const { journal } = ports;
  const claim = journal.claim(entry);
  if ('heldBy' in claim) {
    options.detail(`process ${claim.heldBy} is writing the result`);
    return undefined;
  }
  using _ = atEnd(claim.release);
  using workspace = closing(new Workspace());
  const now = journal.read(entry) ?? entry;
  const there = await alreadyThere(now, options, workspace, call.signal);
  if (there !== undefined) {
    if (now.step !== 'delivered') journal.add(now, { step: 'delivered' });
    return there;
  }
  return await fetchAndPlace(ports, now, state, options, workspace, call);
}

async function fetchAndPlace(
  ports: JobPorts,
  entry: JournalEntry,
  state: JobState,
  options: DeliveryOptions,
  workspace: Workspace,
  call: Pick<Context, 'signal' | 'clock'>,
): Promise<WrittenFile | undefined> {
  const { streams, progress, detail } = options;
  const given = options.output ?? shown(entry.output?.path);
  const force = options.force || entry.output?.force === true;
  // Without a name of its own the result is named after the job, once its type is known.
  const known = given === undefined ? undefined : destinationOf(given, force, streams);
  const temp =
    known === undefined
      ? workspace.temp({ parent: '.', name: 'the result' })
      : draftsFor({ to: known, parts: 'single', workspace });
  const ctx: Context = { ...call, temp, progress, detail };
  const result = isInspection(entry)
    ? await takeFindings(ports, entry, state, ctx)
    : await downloadResult(ports, entry, state, ctx);
  await assertType(entry, result, call.signal);
  const to = known ?? destinationOf(nameFor(entry, result.mediaType), force, streams);
  const placing = (file: WrittenFile) => {
    const { path, bytes, sha256: sum = '' } = file;
    ports.journal.add(entry, { step: 'placing', result: { path: resolve(path), bytes, sha256: sum } });
  };
  const { signal } = call;
  const { pour } = streams;
  const written = await placeResult(result, { to, parts: 'single', workspace, signal, hash: true, pour, placing });
  ports.journal.add(entry, { step: 'delivered' });
  return written;
}

/** The result of an earlier run, if it is still there: that run may have been killed before it reported it. */
async function alreadyThere(
  { step, result }: JournalEntry,
  { output }: DeliveryOptions,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<WrittenFile | undefined> {
  if (result === undefined || (step !== 'placing' && step !== 'delivered')) return undefined;
  const { path, bytes, sha256: expected } = result;
  if (output !== undefined && resolve(output) !== path) return undefined;
  try {
    const source = await openOne(path, workspace, signal);
    if (source.size !== bytes || (await sha256(source, signal)) !== expected) return undefined;
    return { path: shown(path) ?? path, bytes, sha256: expected };
  } catch (error) {
    if (!(error instanceof Failure) || signal.aborted) throw error;
    return undefined; // not there
  }
}

/** The path relative to the current folder, where it is below it. */
function shown(path: string | undefined): string | undefined {
  const short = path === undefined ? undefined : relative('', path);
  return short === undefined || short === '' || short.startsWith('..') ? path : short;
}

/** A proxy's page or an error record must not be kept as the result of a job. */
async function assertType(
  { operation, fields }: JournalEntry,
  { body, mediaType }: BytesResult,
  signal: AbortSignal,
): Promise<void> {
  const { beginsAs } = await import('../../wire/response.ts');
  const expected = typeof fields.result_type === 'string' ? fields.result_type : undefined;
  let start = new Uint8Array();
  for await (const chunk of body.open(signal)) {
    start = Uint8Array.from(chunk.subarray(0, 8));
    break;
  }
  const isOther = expected === undefined && mediaType === JSON_TYPE;
  if (!isOther && (expected === undefined || beginsAs(expected, start))) return;
  const message = `${operation}: the result is called ${mediaType || 'nothing'} and does not begin as ${expected ?? 'audio'}`;
  throw new Failure('server', message);
}

function destinationOf(name: string, force: boolean, streams: Streams): Destination {
  if (name !== '-') return fileTarget(name, force, []);
  if (!streams.outIsTerminal) return { kind: 'stdout' };
  throw new Failure('usage', 'standard output is a terminal, and the result is no text', {
    hint: 'Name a file with -o, or send it into a pipe.',
  });
}

function nameFor({ job_id, id }: JournalEntry, mediaType: string): string {
  const stem = (job_id ?? id).replace(/[^\w.-]/g, '_').replace(/^\.+/, '');
  return `${stem}.${EXTENSIONS[mediaType]?.[0] ?? 'bin'}`;
}
