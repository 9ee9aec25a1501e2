import { account } from '../../contract/operations/service/account.ts';
import type { Settings } from '../../runtime/settings/settings.ts';
import { type OwnCall, recordContext } from '../line/call.ts';
import { remoteHooks } from './engines.ts';
import { remoteSettings } from './remote.ts';

/** The account record for these settings. Throws what the remote engine throws. */
export async function readAccount(settings: Settings, call: OwnCall): Promise<Record<string, unknown>> {
  const { createRemoteEngine } = await import('../../remote/entry.ts');
  const engine = createRemoteEngine(remoteSettings(settings, remoteHooks(call, call.flags.debug)));
  return (await engine.call(account, {}, recordContext(call))).record;
}
