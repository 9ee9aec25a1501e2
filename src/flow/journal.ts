import * as v from 'valibot';
import { Failure } from '../contract/base/failure.ts';
import type { Clock, Values } from '../contract/base/ports.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

/** Append-only files of lines, shared by many processes; each call is on disk when it returns. */
export interface JournalStore {
  /** False where the name is taken. */
  create(name: string, line: Values): boolean;
  /** False where the file is gone. `brief`: a line that need not survive a power cut. */
  append(name: string, line: Values, brief?: boolean): boolean;
  read(name: string): readonly Values[] | undefined;
  names(): readonly string[];
  remove(name: string): boolean;
  me(): Holder;
  isAlive(holder: Holder): boolean;
}

/**
 * How far an entry came. begun: nothing that counts was sent. sent: the last bytes were about to leave, and no answer
 * was recorded. created, uploaded, finalizing: of a workflow. accepted: the service has the job. placing: its result is
 * about to get its name. delivered, answered: all is done. refused: the service or a check refused it, and nothing was
 * charged. unknown: it may have been charged. failed, gone: the job ended without a result, or the service forgot it.
 */
const STEPS = [
  'begun',
  'sent',
  'created',
  'uploaded',
  'finalizing',
  'accepted',
  'succeeded',
  'placing',
  'delivered',
  'answered',
  'refused',
  'unknown',
  'failed',
  'gone',
] as const;

const text = v.optional(v.string());
const number = v.optional(v.number());

const ENTRY = v.looseObject({
  kind: v.picklist(['call', 'speech', 'workflow']),
  /** The row's name; for a workflow that of its own command. */
  operation: v.string(),
  step: v.picklist(STEPS),
  /** Milliseconds since the epoch. */
  begun: v.number(),
  updated: v.number(),
  /** Base URL and profile: jobs of one service mean nothing to another. */
  service: v.string(),
  profile: v.string(),
  files: v.array(
    v.looseObject({ name: v.string(), path: text, bytes: v.number(), sha256: text, fingerprint: v.string() }),
  ),
  fields: v.record(v.string(), v.unknown()),
  /** The price, or the most it can be. */
  credits: number,
  charged: v.optional(v.picklist(['no', 'yes', 'unknown'])),
  message: text,
  output: v.optional(v.looseObject({ path: v.string(), force: v.boolean() })),
  /** Idempotency-Key. */
  key: text,
  upload_id: text,
  job_id: text,
  session_uri: text,
  /** When the session was made. */
  session_at: number,
  /** The service's own word. */
  status: text,
  error_code: v.optional(v.nullable(v.string())),
  error_message: v.optional(v.nullable(v.string())),
  /** What was put in place, or was about to be. */
  result: v.optional(v.looseObject({ path: v.string(), bytes: v.number(), sha256: v.string() })),
});

export type EntryFacts = Omit<v.InferOutput<typeof ENTRY>, 'updated' | 'begun' | 'step'>;
export type JournalEntry = v.InferOutput<typeof ENTRY> & {
  readonly name: string;
  /** What people type: the name without its kind. */
  readonly id: string;
};
export type Patch = Partial<Omit<v.InferOutput<typeof ENTRY>, 'kind' | 'begun' | 'updated'>>;

export interface Journal {
  /** Makes an entry. Two processes that do so at once with the same digest get two entries. */
  begin(print: string, facts: EntryFacts): JournalEntry;
  /**
   * Makes the entry that follows `known`, the newest of this print that was found. Of two processes that do so at once
   * one makes it, and the other is given what that one made.
   */
  beginOnce(
    print: string,
    facts: EntryFacts,
    known: JournalEntry | undefined,
  ): { readonly entry: JournalEntry; readonly mine: boolean };
  /** The newest entry of this kind and digest. */
  find(kind: JournalEntry['kind'], print: string): JournalEntry | undefined;
  /** The entry as it is now. */
  read(entry: Pick<JournalEntry, 'name'>): JournalEntry | undefined;
  /** Adds to an entry and returns it; an entry that was removed meanwhile stays removed. */
  add(entry: JournalEntry, patch: Patch): JournalEntry;
  /** All entries of these kinds, oldest first. */
  list(...kinds: readonly JournalEntry['kind'][]): JournalEntry[];
  /** The entry of an id: ours, the beginning of ours, or the service's. Throws where it means several. */
  lookUp(id: string): JournalEntry | undefined;
  forget(entry: JournalEntry): boolean;
  /** Makes this process the only one that works on an entry; else the process id of the other. */
  claim(entry: JournalEntry): { readonly release: () => void } | { readonly heldBy: number };
}

/** Whether there is something left to do or to learn. */
export function isOpen({ step }: Pick<JournalEntry, 'step'>): boolean {
  return !['delivered', 'answered', 'refused', 'failed', 'gone'].includes(step);
}

/** `token`: makes an unguessable token. */
export function openJournal(store: JournalStore, clock: Pick<Clock, 'now'>, token: () => string): Journal {
  const read = (name: string) => fold(name, store.read(name) ?? []);
  // Claims need not survive a power cut: no process does.
  const claimed = (name: string, line: Values) => store.append(name, line, true);
  /** Numbers of the entries whose names begin so, newest first. */
  const numbersOf = (start: string) => {
    const numbers = store.names().flatMap((name) => (name.startsWith(start) ? [Number(name.slice(start.length))] : []));
    return numbers.sort((a, b) => b - a);
  };
  const make = (name: string, facts: EntryFacts) => {
    const now = clock.now();
    return store.create(name, { ...facts, step: 'begun', begun: now, at: now });
  };
  return {
    begin(print, facts) {
      // Starts at the newest: each taken name that is tried costs a sync of the disk.
      const start = `${facts.kind}-${short(print)}-`;
      const [newest = 0] = numbersOf(start);
      for (let number = newest + 1; ; number += 1) {
        const name = `${start}${number}`;
        if (make(name, facts)) return must(read(name), name);
      }
    },
    beginOnce(print, facts, known) {
      const newest = known?.name.slice(known.name.lastIndexOf('-') + 1) ?? 0;
      for (let number = Number(newest) + 1; ; number += 1) {
        const name = `${facts.kind}-${short(print)}-${number}`;
        if (make(name, facts)) return { entry: must(read(name), name), mine: true };
        const theirs = read(name);
        if (theirs !== undefined) return { entry: theirs, mine: false };
      }
    },
    find(kind, print) {
      const start = `${kind}-${short(print)}-`;
      for (const number of numbersOf(start)) {
        const entry = read(`${start}${number}`);
        if (entry !== undefined) return entry;
      }
      return undefined;
    },
    read: ({ name }) => read(name),
    add(entry, patch) {
      store.append(entry.name, { at: clock.now(), ...patch });
      return read(entry.name) ?? { ...entry, ...patch };
    },
    list(...kinds) {
      const names = store.names().filter((name) => kinds.some((kind) => name.startsWith(`${kind}-`)));
      const entries = names.map(read).filter((entry) => entry !== undefined);
      return entries.sort((a, b) => a.begun - b.begun || (a.name < b.name ? -1 : 1));
    },
    lookUp(id) {
      const entries = this.list('speech', 'workflow', 'call');
      const exact = entries.filter((entry) => entry.id === id || entry.job_id === id || entry.upload_id === id);
      const matches = exact.length > 0 ? exact : entries.filter((entry) => id !== '' && entry.id.startsWith(id));
      if (matches.length < 2) return matches[0];
      throw new Failure('usage', `${id} may mean ${matches.map((entry) => entry.id).join(' or ')}`, {
        hint: 'Give more of it; pdftool jobs list shows them.',
      });
    },
    forget: ({ name }) => store.remove(name),
    claim({ name }) {
      const mine = token();
      claimed(name, { claim: mine, ...store.me() });
      // All processes see the lines in one order: the first claim that stands holds the entry.
      const first = standing(store.read(name) ?? []).find(({ holder }) => store.isAlive(holder));
      const release = () => void claimed(name, { release: mine });
      if (first === undefined || first.claim === mine) return { release };
      release();
      return { heldBy: first.holder.pid };
    },
  };
}

/** The process that works on an entry now. */
function standing(lines: readonly Values[]): { claim: string; holder: Holder }[] {
  const released = new Set(lines.map(({ release }) => release));
  return lines.flatMap(({ claim, pid, host, since }) =>
    typeof claim === 'string' &&
    !released.has(claim) &&
    typeof pid === 'number' &&
    typeof host === 'string' &&
    typeof since === 'number'
      ? [{ claim, holder: { pid, host, since } }]
      : [],
  );
}

function fold(name: string, lines: readonly Values[]): JournalEntry | undefined {
  const facts = lines.filter((line) => !('claim' in line) && !('release' in line));
  const { at, ...whole }: Values = Object.assign({}, ...facts);
  const parsed = v.safeParse(ENTRY, { ...whole, updated: at });
  return parsed.success ? { ...parsed.output, name, id: name.replace(/^[a-z]+-/, '') } : undefined;
}

function short(print: string): string {
  return print.slice(0, 10);
}

function must(entry: JournalEntry | undefined, name: string): JournalEntry {
  if (entry === undefined) throw new TypeError(`${name} cannot be read back`);
  return entry;
}
