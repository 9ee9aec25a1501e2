// Owns the spend ledger: every paid request is written down before it is sent, and again when it is answered.
import { Failure } from '../contract/failure.ts';
import type { InputOf, Operation, ResultOf } from '../contract/operation.ts';
import type { ByteSource, Context, Engine, RandomAccess, Result } from '../contract/ports.ts';
import { announcing, beginEntry, type Desk, type JobFile, printOf } from './desk.ts';
import { jobIdOf } from './job-state.ts';
import type { Entry } from './journal.ts';
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
  return {
    name: engine.name,
    refuses: (op) => engine.refuses(op),
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      const { credits } = priceOf(op, input);
      if (op.replay !== 'never' || op.success !== 200 || credits === 0) return engine.call(op, input, ctx);
      const files = sourcesIn(input).map((source) => ports.identify(source));
      const ask = {
        kind: 'call',
        operation: op.name,
        files: files.filter((file) => file !== undefined),
        fields: fieldsIn(input),
        credits,
      } as const;
      const print = printOf(full, ask);
      let entry: Entry | undefined;
      try {
        const before = desk.journal.find('call', print);
        if (before !== undefined && isInDoubt(before)) ports.warn(doubtIn(before));
        entry = beginEntry(full, ask, print);
      } catch (error) {
        // A read-only home folder must not keep a container from working; jobs, which would be lost, do insist.
        if (!(error instanceof Failure)) throw error;
        ports.warn(`${error.message}; this paid call is not written down`);
        return engine.call(op, input, ctx);
      }
      return recorded(engine, op, input, ctx, full, entry);
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
  const last = lastSource(input);
  // A request is complete when its last bytes have left, which come after its files: killed before this line is
  // written, it cannot have been understood, so it may be sent again.
  const onLast = () => void journal.add(entry, { step: 'sent' });
  try {
    // Only a source is replaced, by one that has the same bytes.
    const result = await engine.call(op, withSource(input, last, onLast) as InputOf<O>, ctx);
    journal.add(entry, settledBy(result));
    return result;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { charged, message } = error;
    journal.add(entry, { step: charged === 'no' ? 'refused' : 'unknown', charged, message });
    throw error;
  }
}

function settledBy(result: Result) {
  if (result.kind !== 'job') return { step: 'answered', charged: 'yes' } as const;
  const job_id = jobIdOf(result.record);
  return { step: 'accepted', charged: 'yes', ...(job_id === undefined ? {} : { job_id }) } as const;
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

function fieldsIn(input: object): Record<string, unknown> {
  const values = Object.entries(input).filter(([, value]) => ![value].flat().some(isSource) && value !== undefined);
  return Object.fromEntries(values);
}

function lastSource(input: object): RandomAccess | undefined {
  return sourcesIn(input).filter(isRandomAccess).at(-1);
}

function withSource(input: object, last: RandomAccess | undefined, onLast: () => void): object {
  if (last === undefined) return input;
  const told = announcing(last, onLast);
  // The last one: a file that is named twice is sent twice.
  let left = sourcesIn(input).filter((source) => source === last).length;
  const replaced = (value: unknown): unknown => (value === last && --left === 0 ? told : value);
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, Array.isArray(value) ? value.map(replaced) : replaced(value)]),
  );
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
