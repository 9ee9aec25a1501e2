import { atEnd } from '../contract/base/closing.ts';
import { Failure } from '../contract/base/failure.ts';
import type { Context, Values } from '../contract/base/ports.ts';
import { command, say, setting } from '../contract/base/wording.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { type audiobook, jobStatus } from '../contract/operations/speech.ts';
import { entryFacts, isOurs, type JobPorts, type PaidRequest, requestDigest } from './job-ports.ts';
import { jobIdOf, readState } from './job-state.ts';
import type { JournalEntry } from './journal.ts';
import { recorded } from './ledger.ts';

export interface Begun {
  readonly entry: JournalEntry;
  /** The service's answer; undefined where an earlier run's job was found. */
  readonly record?: Values;
  readonly found: boolean;
}

/**
 * Begins a speech job, or finds the one that an earlier run began for the same request. `ready` is called before
 * anything is sent, and may refuse by throwing. `paid`: the same job, where it was paid for and delivered before.
 */
export async function beginSpeech(
  ports: JobPorts,
  op: AnyOperation,
  input: Values,
  request: PaidRequest,
  again: boolean,
  ready: (paid: JournalEntry | undefined) => Promise<void>,
  ctx: Context,
): Promise<Begun> {
  const print = requestDigest(ports, request);
  const known = ports.journal.find('speech', print);
  const before = known === undefined || again ? undefined : standingOf(ports, known);
  if (before === 'go-on' && known !== undefined) return { entry: known, found: true };
  await assertNoneActive(ports, ctx);
  await ready(known?.step === 'delivered' && !again ? known : undefined);
  const { entry } =
    before === 'send' && known !== undefined
      ? { entry: known }
      : ports.journal.beginOnce(print, entryFacts(ports, request), known);
  const claim = ports.journal.claim(entry);
  if ('heldBy' in claim) throw busy(entry, claim.heldBy);
  // Another process may have sent it meanwhile.
  if (ports.journal.read(entry)?.step !== 'begun') {
    claim.release();
    return beginSpeech(ports, op, input, request, false, ready, ctx);
  }
  using _ = atEnd(claim.release);
  // Both rows that make audio jobs answer alike; the input was checked against the row's schemas.
  const row = op as typeof audiobook;
  const result = await recorded(ports.engine, row, input as never, ctx, ports, entry);
  const now = ports.journal.read(entry) ?? entry;
  if (result.kind !== 'job') throw new TypeError('a service answers with a job');
  const job_id = jobIdOf(result.record);
  if (job_id === undefined) throw withoutId(now);
  if (now.job_id !== job_id) throw notWritten(now, job_id);
  return { entry: now, record: result.record, found: false };
}

/** Whether an earlier try can be continued, sent again, or neither. Throws where that is not known. */
function standingOf({ journal }: JobPorts, entry: JournalEntry): 'go-on' | 'send' | 'new' {
  switch (entry.step) {
    case 'accepted':
    case 'succeeded':
    case 'placing':
      return 'go-on';
    case 'begun':
      return 'send';
    case 'sent':
    case 'unknown': {
      const claim = journal.claim(entry);
      if ('heldBy' in claim) throw busy(entry, claim.heldBy);
      claim.release();
      throw inDoubt(entry);
    }
    default:
      return 'new';
  }
}

/** The service makes one audio job at a time: a second one is refused here, before its file is uploaded. */
async function assertNoneActive(ports: JobPorts, ctx: Context): Promise<void> {
  const { engine, journal } = ports;
  const running = journal.list('speech').filter((entry) => entry.step === 'accepted' && isOurs(ports, entry));
  for (const { id, job_id } of running) {
    if (job_id === undefined) continue;
    try {
      const { record } = await engine.call(jobStatus, { id: job_id }, ctx);
      const { phase, status } = readState(record);
      if (phase === 'succeeded' || phase === 'failed') continue;
      throw new Failure('conflict', `an audio job is ${status} and the service makes one at a time: ${id}`, {
        hint: `Wait for it with: pdftool jobs watch ${id}`,
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'conflict' || ctx.signal.aborted) throw error;
      // The state of the other job is unknown; the service refuses if it still runs.
    }
  }
}

function busy(entry: JournalEntry, pid: number): Failure {
  return new Failure('conflict', `another pdftool (process ${pid}) is sending this ${entry.operation} now`, {
    hint: `Watch it with: pdftool jobs watch ${entry.id}`,
  });
}

function inDoubt(entry: JournalEntry): Failure {
  const when = new Date(entry.updated).toISOString().replace(/\.\d+Z$/, 'Z');
  const message = `this ${entry.operation} was sent at ${when} and its answer was lost: the service may be working on it, and may have charged up to ${entry.credits ?? 0} credits`;
  return new Failure('ambiguous', `${message}; it was not sent again`, {
    charged: 'unknown',
    hint: say`See what was charged with ${command('account')}. To send it all the same, add ${setting('again')}.`,
  });
}

function notWritten({ operation }: JournalEntry, id: string): Failure {
  return new Failure('internal', `${operation}: the service has the job, and the journal cannot be written: ${id}`, {
    charged: 'yes',
    hint: `Make room on the disk, then: pdftool jobs watch ${id}`,
  });
}

function withoutId({ operation }: JournalEntry): Failure {
  return new Failure('ambiguous', `${operation}: the service took the job and named no id for it`, {
    charged: 'unknown',
    hint: 'It cannot be watched from here. See what was charged with: pdftool account',
  });
}
