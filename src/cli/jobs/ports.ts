import { Failure } from '../../contract/base/failure.ts';
import type { Engine } from '../../contract/engine.ts';
import type { JobPorts } from '../../flow/job-ports.ts';
import { readSettings, type Settings } from '../../runtime/settings/settings.ts';
import { remoteHooks } from '../engines/engines.ts';
import { openJournalPorts } from '../engines/journal.ts';
import { createGuardedRemote, type RemoteParts, remoteSettings } from '../engines/remote.ts';
import type { OwnCall } from '../line/call.ts';

/** `engine`: with limits and budget. Throws where the address or key cannot be used. */
export async function openJobPorts({ settings, hooks }: RemoteParts, engine: Engine): Promise<JobPorts> {
  const { checkKey, createTransfers, parseBaseUrl } = await import('../../remote/entry.ts');
  parseBaseUrl(settings.baseUrl);
  checkKey(settings.apiKey);
  return { ...openJournalPorts(settings), engine, transfers: createTransfers(remoteSettings(settings, hooks)) };
}

/** For a command that is no operation; always on the service. `--timeout` bounds the wait, not single calls. */
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
