import { Failure } from '../../contract/base/failure.ts';
import { field, operationNamed, say, setting, type Wording } from '../../contract/base/wording.ts';
import type { Engine } from '../../contract/engine.ts';
import { type AnyOperation, wordsOf } from '../../contract/operation.ts';
import { isServiceConfigured, type Settings } from '../../runtime/settings/settings.ts';
import type { Invocation } from '../line/call.ts';
import { loadLocal } from './local.ts';
import type { RemoteHooks } from './remote.ts';

interface Choice {
  readonly name: Engine['name'];
  /** Why this engine was chosen, where it is not obvious. */
  readonly note?: string;
  load(): Promise<Engine>;
}

/** `--local` and `--remote` come first, then the settings; `auto` is remote where a key and a base URL are set. */
export function chooseEngine(settings: Settings, hooks: RemoteHooks = {}, verbose = false): Choice {
  if (settings.engine === 'remote') return { name: 'remote', load: () => loadRemote(settings, hooks) };
  if (settings.engine === 'local') return { name: 'local', load: loadLocal };
  const missing = settings.apiKey === undefined ? 'API key' : settings.baseUrl === undefined ? 'base URL' : undefined;
  if (missing === undefined) return { name: 'remote', load: () => loadRemote(settings, hooks) };
  // People who never configured a service need no note that it is not used.
  const explains = verbose || isServiceConfigured(settings);
  const note = `running on this machine: no ${missing} is set`;
  return { name: 'local', ...(explains ? { note } : {}), load: loadLocal };
}

/** Throws where the engine cannot run the operation, and names the other one: there is no silent fallback. */
export function assertRuns(engine: Engine, op: AnyOperation): void {
  const why = engine.refuses(op);
  if (why === undefined) return;
  const hint =
    op.disabled !== undefined
      ? 'Neither engine has it.'
      : engine.name === 'local'
        ? say`The remote engine has it: run ${operationNamed(op.name)} ${setting('remote')}, with an API key and a base URL.`
        : say`The local engine has it: run ${operationNamed(op.name)} ${setting('local')}.`;
  throw new Failure('unavailable', `${wordsOf(op)} cannot run on the ${engine.name} engine: ${why}`, { hint });
}

/** Throws where an option is given that the service does not know: it would charge for something else. */
export function assertSent(engine: Engine, op: AnyOperation, given: readonly string[]): void {
  const extensions = given.filter((name) => op.input[name]?.extension === true);
  if (engine.name === 'local' || extensions.length === 0) return;
  const [first = '', ...others] = extensions;
  const names = others.reduce<Wording>((names, name) => say`${names}, ${field(name)}`, say`${field(first)}`);
  throw new Failure('usage', say`${names}: the service does not have it; nothing was sent`, {
    hint: say`Add ${setting('local')}, or leave it out.`,
  });
}

/** `--debug` lines go to standard error. */
export function remoteHooks(
  { streams, messages, version }: Pick<Invocation, 'streams' | 'messages' | 'version'>,
  debug: boolean,
): RemoteHooks {
  const trace = debug ? (line: string) => streams.err(`${line}\n`) : undefined;
  return { trace, version, warn: (text) => messages.warn(text) };
}

async function loadRemote(settings: Settings, hooks: RemoteHooks): Promise<Engine> {
  const { createGuardedRemote } = await import('./remote.ts');
  return createGuardedRemote(settings, hooks);
}
