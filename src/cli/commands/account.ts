// Owns asking the service for the account, as auth and doctor do. Knows no command line.
import { account } from '../../contract/operations/service.ts';
import type { Context } from '../../contract/ports.ts';
import type { Settings } from '../../runtime/settings.ts';
import { remoteSettings } from '../remote.ts';
import type { OwnCall } from './table.ts';

/** The account record for these settings. Throws what the remote engine throws. */
export async function readAccount(settings: Settings, call: OwnCall): Promise<Record<string, unknown>> {
  const { streams, flags, signal, clock, voice, version } = call;
  const trace = flags.debug ? (line: string) => streams.err(`${line}\n`) : undefined;
  const ctx: Context = {
    signal,
    clock,
    temp: {
      create: () => {
        throw new TypeError('an account is a record and needs no file');
      },
    },
    progress: () => {},
    detail: flags.verbose ? (line) => voice.note(line) : () => {},
  };
  const { createRemoteEngine } = await import('../../remote/entry.ts');
  const { record } = await createRemoteEngine(remoteSettings(settings, { trace, version })).call(account, {}, ctx);
  return record;
}
