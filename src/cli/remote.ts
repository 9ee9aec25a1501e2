import type { Engine } from '../contract/engine.ts';
import { Failure } from '../contract/failure.ts';
import { info } from '../contract/operations/pages.ts';
import { toJson } from '../contract/operations/text.ts';
import type { ByteSource, Context } from '../contract/ports.ts';
import { limitSpending } from '../flow/budget.ts';
import type { Probe } from '../flow/check.ts';
import { guard } from '../flow/checks.ts';
import { keepLedger } from '../flow/ledger.ts';
import type { RemoteSettings } from '../remote/settings.ts';
import { systemEntropy } from '../runtime/entropy.ts';
import { readAuthorities, readProxies } from '../runtime/settings/network.ts';
import type { Settings } from '../runtime/settings/settings.ts';
import { identify, openJournalPorts } from './jobs/journal.ts';

/** What the remote engine calls back. */
export interface RemoteHooks {
  /** Takes the lines of --debug. */
  readonly trace?: ((line: string) => void) | undefined;
  /** Takes what the person should know of paid calls. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Nobody is there to think over a warning: a paid call whose earlier try is in doubt is refused. */
  readonly refusesRepeats?: boolean;
  /** Of this program, for the service's logs. */
  readonly version?: (() => string) | undefined;
}

/** What a job on the service needs beside the engine. */
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
  const { createRemoteEngine } = await import('../remote/entry.ts');
  const { warn = () => {}, refusesRepeats = false } = hooks;
  const remote = createRemoteEngine(remoteSettings(settings, hooks));
  const engine = keepLedger(remote, { ...openJournalPorts(settings), identify, warn, refusesRepeats });
  const { maxCredits } = settings;
  return guard(maxCredits === undefined ? engine : limitSpending(engine, maxCredits, localProbe), localProbe);
}

/** Pages and their text as the local engine reads them, once for each file; it is loaded where a limit asks for them. */
export const localProbe: Probe = {
  countPages: once(async (source, ctx) => {
    const { createLocalEngine } = await import('../local/engine.ts');
    const { record } = await createLocalEngine().call(info, { file: source }, ctx);
    return typeof record.page_count === 'number' ? record.page_count : undefined;
  }),
  readPages: once(async (source, ctx) => {
    const { createLocalEngine } = await import('../local/engine.ts');
    const { record } = await createLocalEngine().call(toJson, { file: source }, ctx);
    return Array.isArray(record.pages)
      ? record.pages.map((page: { text?: unknown }) => String(page.text ?? ''))
      : undefined;
  }),
  async measureSpeech(op, input, ctx) {
    const { measureSpeech } = await import('../local/speech/spoken-job.ts');
    const quiet = { ...ctx, progress: () => {} };
    // Rows that are priced by the minute take these fields, checked by their schemas.
    return measureSpeech(op.name, input as unknown as Parameters<typeof measureSpeech>[1], quiet);
  },
};

type Look<T> = (source: ByteSource, ctx: Context) => Promise<T | undefined>;

/** Undefined for a file that cannot be read here (damaged, encrypted): then the service decides. */
function once<T>(look: Look<T>): Look<T> {
  const known = new WeakMap<ByteSource, T | undefined>();
  return async (source, ctx) => {
    if (known.has(source)) return known.get(source);
    const quiet = { ...ctx, progress: () => {} };
    const found = await look(source, quiet).catch((error: unknown) => {
      if (error instanceof Failure && !ctx.signal.aborted) return undefined;
      throw error;
    });
    known.set(source, found);
    return found;
  };
}
