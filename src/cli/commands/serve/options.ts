// Reads what the command line and the environment ask of a server.

import { Failure } from '../../../contract/base/failure.ts';
import { readServeFlags } from '../../../runtime/settings/service-data.ts';
import type { OwnCall } from '../../line/call.ts';
import { textOf } from '../../line/flags.ts';

export function serveFlags({ options }: OwnCall): ReturnType<typeof readServeFlags> {
  const names = ['host', 'port', 'data', 'keyFile', 'adminPort', 'database', 'storage'] as const;
  return readServeFlags(Object.fromEntries(names.map((name) => [name, textOf(options, name)])));
}

export function storageOf({
  storage,
  storageKey,
  storageToken,
  database,
}: Pick<ReturnType<typeof readServeFlags>, 'storage' | 'storageKey' | 'storageToken' | 'database'>) {
  if (storage === undefined) return undefined;
  if (database !== undefined) return { address: storage, key: storageKey, token: storageToken };
  throw new Failure('usage', '--storage is for servers that share a database of PostgreSQL', {
    hint: 'Name one with --database, or leave --storage out: everything is in the folder then.',
  });
}

export function portOf(flag: string, given: string): number {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (!(port <= 65_535)) throw new Failure('usage', `${flag}: expected a number up to 65535, found ${given}`);
  return port;
}
