// Owns putting together what flows of jobs need: journal, engine, courier. Loaded only for jobs.
import { Failure } from '../contract/failure.ts';
import type { Engine } from '../contract/ports.ts';
import type { Desk } from '../flow/desk.ts';
import { readSettings, type Settings } from '../runtime/settings.ts';
import { openBooks } from './books.ts';
import type { OwnCall } from './commands/table.ts';
import { createGuardedRemote, remoteSettings, type Surroundings } from './remote.ts';

/** `engine`: behind limits and budget, as every command has it. Throws where address or key cannot be used. */
export async function openDesk(settings: Settings, surroundings: Surroundings, engine: Engine): Promise<Desk> {
  const { checkKey, createCourier, parseBaseUrl } = await import('../remote/entry.ts');
  parseBaseUrl(settings.baseUrl);
  checkKey(settings.apiKey);
  return { ...openBooks(settings), engine, courier: createCourier(remoteSettings(settings, surroundings)) };
}

/** The desk of a command that is no operation; always the service's. `--timeout` bounds the wait, not a single call. */
export async function openOwnDesk(call: OwnCall): Promise<{ desk: Desk; settings: Settings }> {
  const { flags, streams, voice, version } = call;
  if (flags.local) {
    throw new Failure('unavailable', 'jobs run on the service, not on this machine', { hint: 'Leave --local out.' });
  }
  const settings = readSettings({ ...flags, remote: true, timeout: undefined });
  const trace = flags.debug || settings.debug ? (line: string) => streams.err(`${line}\n`) : undefined;
  const surroundings = { version, trace, warn: (text: string) => voice.warn(text) };
  const bounded = { ...settings, timeout: undefined };
  const engine = await createGuardedRemote(bounded, surroundings);
  return { desk: await openDesk(bounded, surroundings, engine), settings };
}
