// Owns putting the remote engine together: settings, machine, limits, budget. Loaded only when a remote call is made.
import { Failure } from '../contract/failure.ts';
import { info } from '../contract/operations/pages.ts';
import type { Engine } from '../contract/ports.ts';
import { limitSpending } from '../flow/budget.ts';
import type { Probe } from '../flow/checks.ts';
import { guard } from '../flow/guard.ts';
import type { RemoteSettings } from '../remote/settings.ts';
import { systemEntropy } from '../runtime/entropy.ts';
import { readAuthorities, readProxies } from '../runtime/network.ts';
import type { Settings } from '../runtime/settings.ts';

/** What the remote engine is told beside the settings. */
export interface Surroundings {
  /** Takes the lines of --debug. */
  readonly trace?: ((line: string) => void) | undefined;
  /** Of this program, for the service's logs. */
  readonly version?: (() => string) | undefined;
}

/** What the remote engine is told. */
export function remoteSettings(settings: Settings, { trace, version }: Surroundings = {}): RemoteSettings {
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
export async function createGuardedRemote(settings: Settings, surroundings: Surroundings = {}): Promise<Engine> {
  const { createRemoteEngine } = await import('../remote/entry.ts');
  const engine = createRemoteEngine(remoteSettings(settings, surroundings));
  const { maxCredits } = settings;
  return guard(maxCredits === undefined ? engine : limitSpending(engine, maxCredits), localProbe);
}

/** Pages as the local engine counts them, which is loaded where a limit asks for them. */
export const localProbe: Probe = {
  async countPages(source, ctx) {
    const { createLocalEngine } = await import('../local/engine.ts');
    try {
      const { record } = await createLocalEngine().call(info, { file: source }, ctx);
      return typeof record.page_count === 'number' ? record.page_count : undefined;
    } catch (error) {
      if (error instanceof Failure && !ctx.signal.aborted) return undefined;
      throw error;
    }
  },
};
