import type { Engine } from '../../contract/engine.ts';
import { limitSpending } from '../../flow/budget.ts';
import { guard } from '../../flow/checks.ts';
import { keepLedger } from '../../flow/ledger.ts';
import type { RemoteSettings } from '../../remote/settings.ts';
import { systemEntropy } from '../../runtime/entropy.ts';
import { readAuthorities, readProxies } from '../../runtime/settings/network.ts';
import type { Settings } from '../../runtime/settings/settings.ts';
import { identify, openJournalPorts } from './journal.ts';
import { localProbe } from './local.ts';

/** What the remote engine calls back. */
export interface RemoteHooks {
  /** Takes the lines of --debug. */
  readonly trace?: ((line: string) => void) | undefined;
  /** Takes warnings about paid calls. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Refuse a paid call whose earlier try is in doubt, instead of warning: for callers without a person. */
  readonly refusesRepeats?: boolean;
  /** Version of this program, for the User-Agent. */
  readonly version?: (() => string) | undefined;
}

/** What a job on the service needs besides the engine. */
export interface RemoteParts {
  readonly settings: Settings;
  readonly hooks: RemoteHooks;
}

/** The settings of the remote engine. */
export function remoteSettings(settings: Settings, { trace, version }: RemoteHooks = {}): RemoteSettings {
  const { baseUrl, apiKey, keyHeader, timeout, caCert } = settings;
  return {
    baseUrl,
    apiKey,
    keyHeader,
    timeouts: timeout === undefined ? undefined : { total: timeout },
    ca: readAuthorities(caCert),
    proxy: readProxies(),
    entropy: systemEntropy,
    trace,
    userAgent: version === undefined ? undefined : `pdftool/${version()}`,
  };
}

/** The remote engine behind the service's limits and the budget of this run. */
export async function createGuardedRemote(settings: Settings, hooks: RemoteHooks = {}): Promise<Engine> {
  const { createRemoteEngine } = await import('../../remote/entry.ts');
  const { warn = () => {}, refusesRepeats = false } = hooks;
  const remote = createRemoteEngine(remoteSettings(settings, hooks));
  const engine = keepLedger(remote, { ...openJournalPorts(settings), identify, warn, refusesRepeats });
  const { maxCredits } = settings;
  return guard(maxCredits === undefined ? engine : limitSpending(engine, maxCredits, localProbe), localProbe);
}
