import type { RandomAccess, Values } from '../contract/base/ports.ts';
import { present } from '../contract/base/present.ts';
import type { Engine, Transfers } from '../contract/engine.ts';
import type { EntryFacts, Journal, JournalEntry } from './journal.ts';

/** What flows with a journal need from their caller. */
export interface JournalPorts {
  readonly journal: Journal;
  /** Base URL and profile, as in journal entries. */
  readonly service: string;
  readonly profile: string;
  /** At least 0, below 1. */
  readonly fraction: () => number;
  /** Makes an unguessable token. */
  readonly token: () => string;
  /** SHA-256 of a text. */
  readonly digest: (text: string) => string;
}

/** What flows of jobs need from their caller. */
export interface JobPorts extends JournalPorts {
  readonly engine: Engine;
  readonly transfers: Transfers;
}

/** A file as it was when the job began. */
export interface JobFile {
  readonly source: RandomAccess;
  /** Absolute; undefined for standard input. */
  readonly path?: string | undefined;
  readonly fingerprint: string;
  /** Of the whole file, where all of it was read. */
  readonly sha256?: string | undefined;
  /** Whether the file is still the same. */
  readonly isUnchanged: () => boolean;
}

/** A job or a paid call as it stands in the journal. */
export interface PaidRequest {
  readonly kind: JournalEntry['kind'];
  readonly operation: string;
  readonly files: readonly JobFile[];
  /** All other fields of the request. */
  readonly fields: Values;
  /** Options that must not be in the journal, such as words to be redacted. */
  readonly unwritten?: Values | undefined;
  readonly credits: number;
  readonly output?: { readonly path: string; readonly force: boolean } | undefined;
  readonly key?: string | undefined;
}

/** Whether an entry is of this service and profile: jobs of another one mean nothing here. */
export function isOurs({ service, profile }: JournalPorts, entry: JournalEntry): boolean {
  return entry.service === service && entry.profile === profile;
}

/** A digest that is equal for equal requests: same service, bytes, paths and fields. */
export function requestDigest(ports: JournalPorts, request: PaidRequest): string {
  const { kind, operation, files, fields, unwritten } = request;
  const { service, profile, digest } = ports;
  const given = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const read = files.map(({ path, fingerprint }) => [path, fingerprint]);
  const left = unwritten === undefined ? [] : [unwritten];
  return digest(JSON.stringify([service, profile, kind, operation, given, read, ...left]));
}

/** The first line of a journal entry. */
export function entryFacts(ports: JournalPorts, request: PaidRequest): EntryFacts {
  const { kind, operation, files, fields, unwritten, credits, output, key } = request;
  return {
    kind,
    operation,
    service: ports.service,
    profile: ports.profile,
    files: files.map(({ source, path, fingerprint, sha256 }) =>
      present({ name: source.name, path, bytes: source.size, fingerprint, sha256 }),
    ),
    fields: { ...fields, ...(unwritten === undefined ? {} : { unwritten: Object.keys(unwritten) }) },
    credits,
    ...present({ output, key }),
  };
}
