import type { Engine } from '../contract/engine.ts';
import { Failure } from '../contract/failure.ts';
import { type AnyOperation, wordsOf } from '../contract/operation.ts';
import { isServiceConfigured, type Settings } from '../runtime/settings/settings.ts';
import type { Invocation } from './invocation.ts';
import type { RemoteHooks } from './remote.ts';

export interface Choice {
  readonly name: Engine['name'];
  /** Why this engine runs, as one short line, where the person may wonder. */
  readonly note?: string;
  /** Loads the engine; nothing of it is imported before. */
  load(): Promise<Engine>;
}

/** `--local` and `--remote` come first, then the settings; `auto` is remote where a key and a base URL are set. */
export function chooseEngine(settings: Settings, hooks: RemoteHooks = {}, verbose = false): Choice {
  if (settings.engine === 'remote') return { name: 'remote', load: () => loadRemote(settings, hooks) };
  if (settings.engine === 'local') return { name: 'local', load: loadLocal };
  const missing = settings.apiKey === undefined ? 'API key' : settings.baseUrl === undefined ? 'base URL' : undefined;
  if (missing === undefined) return { name: 'remote', load: () => loadRemote(settings, hooks) };
  // Nobody who never configured a service wonders why none is used.
  const isWondered = verbose || isServiceConfigured(settings);
  const note = `running on this machine: no ${missing} is set`;
  return { name: 'local', ...(isWondered ? { note } : {}), load: loadLocal };
}

/** Throws where the engine cannot run the operation, naming the other one. It never falls back by itself. */
export function assertRuns(engine: Engine, op: AnyOperation): void {
  const why = engine.refuses(op);
  if (why === undefined) return;
  const hint =
    op.disabled !== undefined
      ? 'Neither engine has it.'
      : engine.name === 'local'
        ? `The remote engine has it: run pdftool ${wordsOf(op)} --remote, with an API key and a base URL.`
        : `The local engine has it: run pdftool ${wordsOf(op)} --local.`;
  throw new Failure('unavailable', `${wordsOf(op)} cannot run on the ${engine.name} engine: ${why}`, { hint });
}

/** Throws where an option is given that only this machine knows: the service would be paid for something else. */
export function assertSent(engine: Engine, op: AnyOperation, given: readonly string[]): void {
  const own = given.filter((name) => op.input[name]?.extension === true);
  if (engine.name === 'local' || own.length === 0) return;
  const flags = own.map((name) => `--${name.replaceAll('_', '-')}`).join(', ');
  throw new Failure('usage', `${flags}: the service does not have it; nothing was sent`, {
    hint: 'Add --local, or leave it out.',
  });
}

/** Lines of --debug go to standard error, where they are wanted. */
export function remoteHooks(
  { streams, messages, version }: Pick<Invocation, 'streams' | 'messages' | 'version'>,
  debug: boolean,
): RemoteHooks {
  const trace = debug ? (line: string) => streams.err(`${line}\n`) : undefined;
  return { trace, version, warn: (text) => messages.warn(text) };
}

async function loadLocal(): Promise<Engine> {
  const { createLocalEngine } = await import('../local/engine.ts');
  return createLocalEngine();
}

async function loadRemote(settings: Settings, hooks: RemoteHooks): Promise<Engine> {
  const { createGuardedRemote } = await import('./remote.ts');
  return createGuardedRemote(settings, hooks);
}
