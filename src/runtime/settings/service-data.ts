import { join, resolve } from 'node:path';
import { Failure } from '../../contract/base/failure.ts';
import { readNow } from '../files/system/file-source.ts';
import { type Environment, stateFolder } from '../folders/user-folders.ts';

export interface ServeFlags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly data?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly adminPort?: string | undefined;
  /** The address of a database. */
  readonly database?: string | undefined;
  /** The address of a bucket. */
  readonly storage?: string | undefined;
}

/** Flags, then the environment, then the defaults. The port is text as it was given. */
export function readServeFlags(
  flags: ServeFlags,
  environment: Environment = process.env,
): ServeFlags & {
  host: string;
  port: string;
  data: string;
  storageKey: string | undefined;
  storageToken: string | undefined;
} {
  const given = (name: string) => serveVariable(name, environment);
  const keyFile = flags.keyFile ?? given('PDFTOOL_SERVE_KEY_FILE');
  return {
    host: flags.host ?? given('PDFTOOL_SERVE_HOST') ?? '127.0.0.1',
    port: flags.port ?? given('PDFTOOL_SERVE_PORT') ?? '8787',
    data: resolve(flags.data ?? given('PDFTOOL_SERVE_DATA') ?? join(stateFolder(environment).path, 'serve')),
    adminPort: flags.adminPort ?? given('PDFTOOL_SERVE_ADMIN_PORT'),
    database: databaseOf(flags.database ?? given('PDFTOOL_SERVE_DATABASE'), given('PDFTOOL_SERVE_DATABASE_FILE')),
    storage: flags.storage ?? given('PDFTOOL_SERVE_STORAGE'),
    ...storageKeyOf(given),
    keyFile: keyFile === undefined ? undefined : resolve(keyFile),
  };
}

/** The address itself, or the content of the file with the address. */
function databaseOf(address: string | undefined, file: string | undefined): string | undefined {
  const database = address ?? (file === undefined ? undefined : readNow(file).trim());
  if (database === undefined || /^postgres(ql)?:\/\//.test(database)) return database;
  throw new Failure('usage', 'expected a database such as postgres://user@host/name', {
    hint: 'Its password can stand in PGPASSWORD, or all of the address in the file of PDFTOOL_SERVE_DATABASE_FILE.',
  });
}

/** An access key as ID:SECRET, and the session token of a temporary one. */
function storageKeyOf(given: (name: string) => string | undefined): {
  storageKey: string | undefined;
  storageToken: string | undefined;
} {
  const file = given('PDFTOOL_SERVE_STORAGE_KEY_FILE');
  if (file !== undefined) return { storageKey: readNow(file).trim(), storageToken: undefined };
  const [id, secret] = [given('AWS_ACCESS_KEY_ID'), given('AWS_SECRET_ACCESS_KEY')];
  const storageKey = id === undefined || secret === undefined ? undefined : `${id}:${secret}`;
  return { storageKey, storageToken: given('AWS_SESSION_TOKEN') };
}

/** A variable of the environment; an empty one counts as none. */
export function serveVariable(name: string, environment: Environment = process.env): string | undefined {
  return environment[name] === '' ? undefined : environment[name];
}

export const nodeVersion: string = process.versions.node;
