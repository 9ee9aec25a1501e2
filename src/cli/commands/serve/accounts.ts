// The operator's commands for accounts of a server: keys, credits, and moving the data.

import { atLast } from '../../../contract/base/closing.ts';
import { Failure } from '../../../contract/base/failure.ts';
import { systemEntropy } from '../../../runtime/entropy.ts';
import { readTextFile } from '../../../runtime/files/stores/blobs.ts';
import { nodeVersion, readServeFlags, serveVariable } from '../../../runtime/settings/service-data.ts';
import type { OwnCall } from '../../line/call.ts';
import { textOf } from '../../line/flags.ts';
import { tell } from '../../run/show.ts';
import { serveFlags } from './options.ts';

export type AccountStore = Awaited<ReturnType<typeof storeOf>>;

export async function storeOf(call: OwnCall) {
  const { openAnyStore } = await import('../../../serve/data.ts');
  const { data, database: postgres } = serveFlags(call);
  return openAnyStore({ data, postgres, clock: call.clock }, nodeVersion);
}

export async function withStore(
  call: OwnCall,
  use: (call: OwnCall, store: AccountStore) => Promise<void>,
): Promise<number> {
  const store = await storeOf(call);
  await using _ = atLast(() => store.close());
  await use(call, store);
  return 0;
}

export async function createOne(call: OwnCall, store: AccountStore): Promise<void> {
  const { makeKey } = await operator();
  const { options, clock } = call;
  const kind = options.test === true ? 'test' : 'live';
  const asked = { kind, label: textOf(options, 'label') ?? null, account: textOf(options, 'account') } as const;
  const { id, key, account, label } = await makeKey(store, asked, systemEntropy, clock.now());
  tell(call, { ok: true, id, account, label, api_key: key });
  call.messages.note('the key is shown once');
}

export async function listAccounts(call: OwnCall, store: AccountStore): Promise<void> {
  const keys = await (await operator()).listKeys(store);
  if (call.flags.json) return tell(call, { ok: true, keys });
  if (keys.length === 0) call.messages.note('there is no key yet');
  for (const { id, account, label, revoked_at, credits } of keys) {
    const state = revoked_at === null ? `${credits.available} credits left, ${credits.used} used` : 'revoked';
    call.streams.out(`${id}  ${account}  ${state}${label === null ? '' : `  ${label}`}\n`);
  }
}

export async function revoke(call: OwnCall, store: AccountStore): Promise<void> {
  const { id } = await (await operator()).findApiKey(store, call.args[0] ?? '');
  tell(call, { ok: true, id, revoked: await store.revokeKey(id, call.clock.now()) });
}

export async function runGrant(call: OwnCall, store: AccountStore): Promise<void> {
  const [named = '', credits = ''] = call.args;
  const { grantCredits } = await operator();
  tell(call, { ok: true, ...(await grantCredits(store, named, credits, systemEntropy, call.clock.now())) });
}

function operator() {
  return import('../../../serve/service/operator.ts');
}

export async function runMigrate(call: OwnCall): Promise<number> {
  const { database } = serveFlags(call);
  if (database === undefined) {
    throw new Failure('usage', 'expected --database: what is in the data folder is brought up to date by itself');
  }
  const { migrate: bring } = await import('../../../serve/store/postgres/store.ts');
  const { from, to } = await bring(database, call.clock);
  tell(call, { ok: true, from, to });
  return 0;
}

/** Moves everything from a folder to a database and a bucket. */
export async function runMove(call: OwnCall): Promise<number> {
  const { from, to } = call.options;
  const [postgres, bucketAddress] = String(to ?? '')
    .split(',')
    .map((address) => address.trim());
  if (typeof from !== 'string' || postgres === undefined || bucketAddress === undefined) {
    throw new Failure('usage', 'expected --from FOLDER --to postgres://user@host/name,s3://bucket/prefix');
  }
  const { data, database, storageKey, storageToken } = readServeFlags({ data: from, database: postgres });
  const [{ move: carry }, { bucketOf }, { readServeSettings }] = await Promise.all([
    import('../../../serve/move.ts'),
    import('../../../serve/data.ts'),
    import('../../../serve/base/settings.ts'),
  ]);
  const file = `${data}/serve.json`;
  const settings = readServeSettings(await readTextFile(file), file, serveVariable);
  const bucket = bucketOf({ address: bucketAddress, key: storageKey, token: storageToken }, settings);
  const about = { clock: call.clock, nodeVersion, newId: systemEntropy.token() };
  tell(call, { ok: true, ...(await carry({ ...about, from: data, postgres: database ?? postgres, bucket })) });
  return 0;
}
