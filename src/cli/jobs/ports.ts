import type { Engine } from '../../contract/engine.ts';
import { Failure } from '../../contract/failure.ts';
import type { JobPorts } from '../../flow/job-ports.ts';
import { readSettings, type Settings } from '../../runtime/settings/settings.ts';
import type { OwnCall } from '../commands/call.ts';
import { remoteHooks } from '../engines.ts';
import { createGuardedRemote, type RemoteParts, remoteSettings } from '../remote.ts';
import { openJournalPorts } from './journal.ts';

/** `engine`: behind limits and budget, as every command has it. Throws where address or key cannot be used. */
export async function openJobPorts({ settings, hooks }: RemoteParts, engine: Engine): Promise<JobPorts> {
  const { checkKey, createCourier, parseBaseUrl } = await import('../../remote/entry.ts');
  parseBaseUrl(settings.baseUrl);
  checkKey(settings.apiKey);
  return { ...openJournalPorts(settings), engine, courier: createCourier(remoteSettings(settings, hooks)) };
}

/** For a command that is no operation; always the service's. `--timeout` bounds the wait, not a single call. */
export async function openOwnJobPorts(call: OwnCall): Promise<{ ports: JobPorts; settings: Settings }> {
  const { flags } = call;
  if (flags.local) {
    throw new Failure('unavailable', 'jobs run on the service, not on this machine', { hint: 'Leave --local out.' });
  }
  const settings = readSettings({ ...flags, remote: true, timeout: undefined });
  const hooks = remoteHooks(call, flags.debug || settings.debug);
  const bounded = { ...settings, timeout: undefined };
  const engine = await createGuardedRemote(bounded, hooks);
  return { ports: await openJobPorts({ settings: bounded, hooks }, engine), settings };
}
