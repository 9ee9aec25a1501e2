import { Failure } from '../../../contract/base/failure.ts';
import { chooseProfile, openConfig } from '../../../runtime/settings/config.ts';
import type { OwnCall } from '../../line/call.ts';
import { tell } from '../../run/show.ts';

export async function run(call: OwnCall): Promise<number> {
  const { subcommand, args, flags, streams } = call;
  const [key = '', value = ''] = args;
  const config = openConfig();
  const profile = () => chooseProfile(flags.profile, config);
  switch (subcommand) {
    case 'path':
      if (flags.json) tell(call, { ok: true, path: config.path });
      else streams.out(`${config.path}\n`);
      return 0;
    case 'list': {
      const settings = config.list();
      if (flags.json) tell(call, { ok: true, settings });
      else for (const [name, setting] of Object.entries(settings)) streams.out(`${name}=${String(setting)}\n`);
      return 0;
    }
    case 'get': {
      const value = config.get(key, profile());
      if (value === undefined) {
        throw new Failure('not_found', `${key} is not set`, { hint: `Set it with: pdftool config set ${key} …` });
      }
      if (flags.json) tell(call, { ok: true, key, value: value });
      else streams.out(`${String(value)}\n`);
      return 0;
    }
    case 'set':
      if (key === 'base_url') (await import('../../../remote/entry.ts')).parseBaseUrl(value);
      await config.set(key, value, profile());
      if (flags.json) tell(call, { ok: true, key, value: config.get(key, profile()) });
      return 0;
    default: {
      const removed = await config.unset(key, profile());
      if (flags.json) tell(call, { ok: true, key, removed });
      return 0;
    }
  }
}
