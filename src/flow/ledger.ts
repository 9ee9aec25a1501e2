// Owns the spend ledger: every paid request is written down before it is sent, and again when it is answered.
import { Failure } from '../contract/failure.ts';
import { type InputOf, type Operation, openValues, type ResultOf } from '../contract/operation.ts';
import type { ByteSource, Context, Engine, RandomAccess, Result } from '../contract/ports.ts';
import { type Ask, announcing, type Desk, factsOf, type JobFile, printOf } from './desk.ts';
import { jobIdOf } from './job-state.ts';
import type { Entry, Journal, Patch } from './journal.ts';
import { priceOf } from './price.ts';

/** What the ledger cannot find out itself. */
export interface LedgerPorts {
  /** Identifies a file by what it holds; undefined for one that is not on disk. */
  identify(source: ByteSource): JobFile | undefined;
  /** Something the person should know. */
  warn(text: string): void;
}

/** The engine, with every paid synchronous call in the journal. Jobs have entries of their own. */
export function keepLedger(engine: Engine, desk: Omit<Desk, 'courier' | 'engine'>, ports: LedgerPorts): Engine {
  const full: Desk = { ...desk, engine, courier: noCourier };
  const told = telling(engine);
  return {
    name: engine.name,
    refuses: (op) => engine.refuses(op),
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      const { credits } = priceOf(op, input);
      if (op.replay !== 'never' || op.success !== 200 || credits === 0) return told.call(op, input, ctx);
      const files = sourcesIn(input).map((source) => ports.identify(source));
      const ask = {
        kind: 'call',
        operation: op.name,
        files: files.filter((file) => file !== undefined),
        fields: openValues(op, input),
        credits,
      } as const;
      const entry = beginCall(full, ask, ports.warn);
      if (entry === undefined) return engine.call(op, input, ctx);
      return recorded(told, op, input, ctx, full, entry);
    },
  };
}

/** The entry of a paid call; undefined where none can be made. The same call in doubt is warned of. */
function beginCall(desk: Desk, ask: Ask, warn: LedgerPorts['warn']): Entry | undefined {
  const print = printOf(desk, ask);
  try {
    const before = desk.journal.find('call', print);
    if (before !== undefined && isInDoubt(before)) warn(doubtIn(before));
    return desk.journal.begin(print, factsOf(desk, ask));
  } catch (error) {
    // A read-only home folder must not keep a container from working; jobs, which would be lost, do insist.
    if (!(error instanceof Failure)) throw error;
    warn(`${error.message}; this paid call is not written down`);
    return undefined;
  }
}

/** A paid call that no row stands for (`pdftool api`): what left of it is not known, so it counts as sent from the start. */
export async function recordRaw<T>(
  desk: Omit<Desk, 'courier' | 'engine'>,
  operation: string,
  credits: number,
  ports: Pick<LedgerPorts, 'warn'>,
  work: () => Promise<T>,
): Promise<T> {
  const ask = { kind: 'call', operation, files: [], fields: { call: desk.token() }, credits } as const;
  const entry = beginCall({ ...desk, engine: noEngine, courier: noCourier }, ask, ports.warn);
  if (entry === undefined) return work();
  desk.journal.add(entry, { step: 'sent' });
  try {
    const result = await work();
    settle(desk.journal, entry, { step: 'answered', charged: 'yes' });
    return result;
  } catch (error) {
    if (error instanceof Failure) settle(desk.journal, entry, failed(error));
    throw error;
  }
}

/** Who wants to know when the last bytes of a source leave. Checks read a source too, and are no sending of it. */
const listeners = new WeakMap<ByteSource, () => void>();

/** The engine, innermost: only what it reads is sent. */
function telling(engine: Engine): Engine {
  const told = (value: unknown): unknown => {
    if (!isSource(value) || !isRandomAccess(value)) return value;
    const listener = listeners.get(value);
    return listener === undefined ? value : announcing(value, listener);
  };
  return {
    name: engine.name,
    refuses: (op) => engine.refuses(op),
    call: (op, input, ctx) => {
      const entries = Object.entries(input).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(told) : told(value),
      ]);
      // Sources are replaced by others that have the same bytes.
      return engine.call(op, Object.fromEntries(entries) as typeof input, ctx);
    },
  };
}

/** One paid call whose entry exists: marked before its last bytes leave, and settled by its answer. */
export async function recorded<O extends Operation>(
  engine: Engine,
  op: O,
  input: InputOf<O>,
  ctx: Context,
  { journal }: Pick<Desk, 'journal'>,
  entry: Entry,
): Promise<ResultOf<O>> {
  const last = sourcesIn(input).filter(isRandomAccess).at(-1);
  // A request is complete when its last bytes have left, which come after its files: killed before this line is
  // written, it cannot have been understood, so it may be sent again.
  if (last !== undefined) listeners.set(last, () => void journal.add(entry, { step: 'sent' }));
  try {
    const result = await engine.call(op, input, ctx);
    settle(journal, entry, settledBy(result));
    return result;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const left = journal.read(entry)?.step === 'sent' || error.status !== undefined;
    // What never reached the service is no spending.
    if (error.charged === 'no' && !left) journal.forget(entry);
    else settle(journal, entry, failed(error));
    throw error;
  }
}

/** A disk that is full by now must not cost the answer that was paid for, nor hide why there is none. */
function settle(journal: Journal, entry: Entry, patch: Patch): void {
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
  // Nobody can ask what became of it.
  if (job_id === undefined) return { step: 'unknown', charged: 'unknown', message: 'taken without a job id' };
  return { step: 'accepted', charged: 'yes', job_id };
}

function isInDoubt({ step }: Entry): boolean {
  return step === 'sent' || step === 'unknown';
}

function doubtIn({ operation, updated }: Entry): string {
  const when = new Date(updated).toISOString().replace(/\.\d+Z$/, 'Z');
  return `the same ${operation} was sent at ${when} and its outcome is not known: this one may be charged a second time`;
}

function sourcesIn(input: object): ByteSource[] {
  return Object.values(input).flat().filter(isSource);
}

function isSource(value: unknown): value is ByteSource {
  return typeof value === 'object' && value !== null && 'open' in value && 'name' in value;
}

function isRandomAccess(source: ByteSource): source is RandomAccess {
  return source.read !== undefined && source.size !== undefined;
}

const noCourier = {
  fetch: () => Promise.reject(new TypeError('a paid call has no result address')),
  upload: () => Promise.reject(new TypeError('a paid call has no upload address')),
};

const noEngine: Engine = {
  name: 'remote',
  refuses: () => 'a raw call has no engine',
  call: () => Promise.reject(new TypeError('a raw call has no engine')),
};
