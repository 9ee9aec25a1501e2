// Keys are never printed, logged or taken from a flag.

import { Failure } from '../../../contract/base/failure.ts';
import { readAll } from '../../../runtime/files/inputs/read-all.ts';
import { openConfig } from '../../../runtime/settings/config.ts';
import { keysPath, removeKey, storeKey } from '../../../runtime/settings/keys.ts';
import { readSettings } from '../../../runtime/settings/settings.ts';
import { readSecret } from '../../../runtime/terminal/prompt.ts';
import { readAccount } from '../../engines/read-account.ts';
import type { OwnCall } from '../../line/call.ts';
import { textOf } from '../../line/flags.ts';
import { tell } from '../../run/show.ts';

const LONGEST_KEY = 4096;

export async function run(call: OwnCall): Promise<number> {
  switch (call.subcommand) {
    case 'login':
      return login(call);
    case 'logout':
      return logout(call);
    default:
      return status(call);
  }
}

async function login(call: OwnCall): Promise<number> {
  const { options, flags, messages } = call;
  const { checkKey, kindOf, maskKey, parseBaseUrl } = await import('../../../remote/entry.ts');
  const settings = readSettings({ ...flags, local: false, remote: true });
  const given = textOf(options, 'baseUrl');
  const baseUrl = given ?? settings.baseUrl;
  if (given !== undefined) parseBaseUrl(given);
  const verify = options.verify !== false;
  if (verify && baseUrl === undefined) {
    throw new Failure('usage', 'no base URL is configured, so the key cannot be checked', {
      hint: 'Add --base-url https://…, or store it unchecked with --no-verify.',
    });
  }
  const key = checkKey(await readToken(call));
  const record = verify ? await readAccount({ ...settings, baseUrl, apiKey: key }, call) : undefined;
  if (given !== undefined) await openConfig().set('base_url', given, settings.profile);
  const path = await storeKey(settings.profile, key);
  if (settings.keySource !== undefined && !settings.keySource.startsWith(path)) {
    messages.warn(`${settings.keySource} is set and comes before the stored key`);
  }
  tell(call, {
    ok: true,
    profile: settings.profile,
    key: maskKey(key),
    kind: kindOf(key),
    stored_in: path,
    verified: verify,
    credits_remaining: record?.credits_remaining,
  });
  return 0;
}

async function readToken({ options, streams, signal }: OwnCall): Promise<string> {
  if (options.withToken === true) return (await readAll('-', LONGEST_KEY, signal)).toString('utf8').trim();
  return (await readSecret('API key (it is not shown): ', streams, signal)).trim();
}

async function logout(call: OwnCall): Promise<number> {
  const settings = readSettings({ ...call.flags, local: true, remote: false });
  const removed = await removeKey(settings.profile);
  if (!removed) call.messages.note(`there is no stored key for profile ${settings.profile}`);
  tell(call, { ok: true, profile: settings.profile, removed, file: keysPath() });
  return 0;
}

async function status(call: OwnCall): Promise<number> {
  const settings = readSettings({ ...call.flags, local: false, remote: true });
  const { checkKey, kindOf, maskKey } = await import('../../../remote/entry.ts');
  const key = checkKey(settings.apiKey);
  const known = {
    profile: settings.profile,
    key: maskKey(key),
    kind: kindOf(key),
    source: settings.keySource,
    base_url: settings.baseUrl,
  };
  if (call.options.offline === true || settings.baseUrl === undefined) {
    tell(call, { ok: true, ...known });
    return 0;
  }
  try {
    const { credits_remaining, free_tier_resets_at } = await readAccount(settings, call);
    tell(call, { ok: true, ...known, credits_remaining, free_tier_resets_at });
    return 0;
  } catch (error) {
    // The local settings are printed even so; with --json only the failure, which is the one value.
    if (error instanceof Failure && !call.flags.json) tell(call, known);
    throw error;
  }
}
