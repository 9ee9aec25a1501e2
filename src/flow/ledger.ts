import { Failure } from '../contract/base/failure.ts';
import type { ByteSource, Context, Result } from '../contract/base/ports.ts';
import { command, say, setting } from '../contract/base/wording.ts';
import type { Engine } from '../contract/engine.ts';
import { type InputOf, type Operation, openValues, type ResultOf } from '../contract/operation.ts';
import { entryFacts, type JobFile, type JournalPorts, type PaidRequest, requestDigest } from './job-ports.ts';
import { jobIdOf } from './job-state.ts';
import type { Journal, JournalEntry, Patch } from './journal.ts';
import { callPrice } from './price.ts';

/** What the ledger needs from its caller. */
export interface LedgerPorts extends JournalPorts {
  /** Identifies a file by its content; undefined for one that is not on disk. */
  identify(source: ByteSource): JobFile | undefined;
  /** Warns the person. */
  warn(text: string): void;
  /** Refuse a call whose earlier try is in doubt, instead of warning: for callers without a person. */
  readonly refusesRepeats?: boolean;
}

/**
 * Decorates an engine with a journal of paid synchronous calls: each is written before it is sent, and again when it is
 * answered. Jobs have entries of their own.
 */
export function keepLedger(engine: Engine, ports: LedgerPorts): Engine {
  return {
    ...engine,
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      const { credits } = callPrice(op, input);
      if (op.replay !== 'never' || op.success !== 200 || credits === 0) return engine.call(op, input, ctx);
      const sources = Object.values(input).flat().filter(isSource);
      const files = sources.map((source) => ports.identify(source));
      const request = {
        kind: 'call',
        operation: op.name,
        files: files.filter((file) => file !== undefined),
        fields: openValues(op, input),
        credits,
      } as const;
      if (ports.refusesRepeats === true) refuseRepeat(ports, request);
      const entry = beginCall(ports, request);
      if (entry === undefined) return engine.call(op, input, ctx);
      return recorded(engine, op, input, ctx, ports, entry);
    },
  };
}

type CallPorts = Omit<LedgerPorts, 'identify'>;

function refuseRepeat(ports: CallPorts, request: PaidRequest): void {
  const before = ports.journal.find('call', requestDigest(ports, request));
  if (before === undefined || !isInDoubt(before)) return;
  throw new Failure('ambiguous', `${doubtIn(before)}; it was not sent again`, {
    hint: say`See what was charged with ${command('account')}; ${command(`jobs forget ${before.id}`)} ${setting('force')} allows it again.`,
  });
}

/** The entry of a paid call; undefined where none can be made. Warns where an earlier try of the call is in doubt. */
function beginCall(ports: CallPorts, request: PaidRequest): JournalEntry | undefined {
  const { journal, warn } = ports;
  const digest = requestDigest(ports, request);
  try {
    const before = journal.find('call', digest);
    if (before !== undefined && isInDoubt(before)) warn(doubtIn(before));
    return journal.begin(digest, entryFacts(ports, request));
  } catch (error) {
    // A container with a read-only home folder can still make calls; jobs need an entry, or they would be lost.
    if (!(error instanceof Failure)) throw error;
    warn(`${error.message}; this paid call is not written down`);
    return undefined;
  }
}

/** Records a paid call without a row (`pdftool api`): its progress is not known, so it counts as sent from the start. */
export async function recordRaw<T>(
  ports: CallPorts,
  operation: string,
  credits: number,
  work: () => Promise<T>,
): Promise<T> {
  const request = { kind: 'call', operation, files: [], fields: { call: ports.token() }, credits } as const;
  const entry = beginCall(ports, request);
  if (entry === undefined) return work();
  ports.journal.add(entry, { step: 'sent' });
  try {
    const result = await work();
    settle(ports.journal, entry, { step: 'answered', charged: 'yes' });
    return result;
  } catch (error) {
    if (error instanceof Failure) settle(ports.journal, entry, failed(error));
    throw error;
  }
}

/** Makes a paid call whose entry exists: marked before its last bytes leave, and settled by its answer. */
export async function recorded<O extends Operation>(
  engine: Engine,
  op: O,
  input: InputOf<O>,
  ctx: Context,
  { journal }: Pick<JournalPorts, 'journal'>,
  entry: JournalEntry,
): Promise<ResultOf<O>> {
  let sent = false;
  // If the process is killed before this line, the server cannot have understood the request: it may be sent again.
  const beforeLastBytes = () => {
    if (!sent) journal.add(entry, { step: 'sent' });
    sent = true;
  };
  try {
    const result = await engine.call(op, input, { ...ctx, beforeLastBytes });
    settle(journal, entry, settledBy(result));
    return result;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const left = journal.read(entry)?.step === 'sent' || error.status !== undefined;
    // Nothing was spent on a request that never reached the service.
    if (error.charged === 'no' && !left) journal.forget(entry);
    else settle(journal, entry, failed(error));
    throw error;
  }
}

/** Ends an entry. A full disk must neither cost the paid answer, nor hide why there is none. */
function settle(journal: Journal, entry: JournalEntry, patch: Patch): void {
  try {
    journal.add(entry, patch);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

function failed({ charged, message }: Failure): Patch {
  return { step: charged === 'no' ? 'refused' : 'unknown', charged, message };
}

function settledBy(result: Result): Patch {
  if (result.kind !== 'job') return { step: 'answered', charged: 'yes' };
  const job_id = jobIdOf(result.record);
  // Without an id nobody can ask for the job again.
  if (job_id === undefined) return { step: 'unknown', charged: 'unknown', message: 'taken without a job id' };
  return { step: 'accepted', charged: 'yes', job_id };
}

function isInDoubt({ step }: JournalEntry): boolean {
  return step === 'sent' || step === 'unknown';
}

function doubtIn({ operation, updated }: JournalEntry): string {
  const when = new Date(updated).toISOString().replace(/\.\d+Z$/, 'Z');
  return `the same ${operation} was sent at ${when} and its outcome is not known: this one may be charged a second time`;
}

function isSource(value: unknown): value is ByteSource {
  return typeof value === 'object' && value !== null && 'open' in value && 'name' in value;
}
