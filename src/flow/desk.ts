// Owns what every flow of jobs is given: engine, courier, journal, and the entry that both sides write. Knows no command.
import type { ByteSource, Courier, Engine, RandomAccess } from '../contract/ports.ts';
import type { Entry, Facts, Journal } from './journal.ts';

export interface Desk {
  readonly engine: Engine;
  readonly courier: Courier;
  readonly journal: Journal;
  /** Base URL and profile, as entries have them. */
  readonly service: string;
  readonly profile: string;
  /** At least 0, below 1. */
  readonly fraction: () => number;
  /** Nobody can guess it. */
  readonly token: () => string;
  /** SHA-256 of a text. */
  readonly digest: (text: string) => string;
}

/** A file as it is when a job begins. */
export interface JobFile {
  readonly source: RandomAccess;
  /** Absolute; undefined where it was read from standard input. */
  readonly path?: string | undefined;
  readonly fingerprint: string;
  /** Where all of it was read. */
  readonly sha256?: string | undefined;
  /** Whether it still is the file it was. */
  readonly isUnchanged: () => boolean;
}

export interface Ask {
  readonly kind: Entry['kind'];
  readonly operation: string;
  readonly files: readonly JobFile[];
  /** Everything else that is asked for. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly credits: number;
  readonly output?: { readonly path: string; readonly force: boolean } | undefined;
  readonly key?: string | undefined;
}

/** The same question, asked of the same service about the same bytes in the same place, has the same print. */
export function printOf(desk: Desk, { kind, operation, files, fields }: Ask): string {
  const { service, profile, digest } = desk;
  const given = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return digest(
    JSON.stringify([
      service,
      profile,
      kind,
      operation,
      given,
      files.map(({ path, fingerprint }) => [path, fingerprint]),
    ]),
  );
}

/** What an entry begins with. */
export function factsOf(desk: Desk, ask: Ask): Facts {
  const { kind, operation, files, fields, credits, output, key } = ask;
  return {
    kind,
    operation,
    service: desk.service,
    profile: desk.profile,
    files: files.map(({ source, path, fingerprint, sha256 }) => ({
      name: source.name,
      ...(path === undefined ? {} : { path }),
      bytes: source.size,
      fingerprint,
      ...(sha256 === undefined ? {} : { sha256 }),
    })),
    fields: { ...fields },
    credits,
    ...(output === undefined ? {} : { output }),
    ...(key === undefined ? {} : { key }),
  };
}

/** Larger files are sent from two buffers that take turns, which matters for them and not for audio. */
const READ_AT_ONCE = 64 * 1024 * 1024;

/** The source, telling once before its last byte is handed out; of a large file, before its last two pieces. */
export function announcing(source: RandomAccess, onLast: () => void): ByteSource & { readonly size: number } {
  const { name, size, mediaType } = source;
  let told = false;
  const reached = (end: number) => {
    if (told || end < size) return;
    told = true;
    onLast();
  };
  return {
    name,
    size,
    ...(mediaType === undefined ? {} : { mediaType }),
    async *open(signal) {
      let end = 0;
      for await (const chunk of source.open(signal)) {
        end += chunk.length;
        if (end < size) yield chunk;
        else {
          // All that went before has left when the last byte is asked for.
          if (chunk.length > 1) yield chunk.subarray(0, -1);
          reached(end);
          yield chunk.subarray(-1);
        }
      }
    },
    ...(size <= READ_AT_ONCE
      ? {}
      : {
          read(into: Uint8Array, position: number) {
            const got = source.read(into, position);
            reached(position + got);
            return got;
          },
          async readAside(into: Uint8Array, position: number) {
            const got = (await source.readAside?.(into, position)) ?? source.read(into, position);
            reached(position + got);
            return got;
          },
        }),
  };
}
