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

export interface RemoteHooks {
  readonly trace?: ((line: string) => void) | undefined;
  readonly warn?: ((text: string) => void) | undefined;
  /** Refuse a paid call whose earlier try is in doubt, instead of warning: for callers without a person. */
  readonly refusesRepeats?: boolean;
  readonly version?: (() => string) | undefined;
}

export interface RemoteParts {
  readonly settings: Settings;
  readonly hooks: RemoteHooks;
}

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

/** The remote engine, with the service's limits and this run's budget. */
export async function createGuardedRemote(settings: Settings, hooks: RemoteHooks = {}): Promise<Engine> {
  const { createRemoteEngine } = await import('../../remote/entry.ts');
  const { warn = () => {}, refusesRepeats = false } = hooks;
  const remote = createRemoteEngine(remoteSettings(settings, hooks));
  const engine = keepLedger(remote, { ...openJournalPorts(settings), identify, warn, refusesRepeats });
  const { maxCredits } = settings;
  return guard(maxCredits === undefined ? engine : limitSpending(engine, maxCredits, localProbe), localProbe);
}
