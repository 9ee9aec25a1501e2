import { Failure } from '../../contract/base/failure.ts';
import type { Values } from '../../contract/base/ports.ts';
import { isRecord } from '../../contract/base/present.ts';
import { type JsonStore, openJsonStore } from '../folders/json-store.ts';
import { configFolder, type Environment } from '../folders/user-folders.ts';

interface ConfigKey {
  readonly summary: string;
  /** Stored for each profile, so that keys and base URLs stay together. */
  readonly perProfile?: true;
  /** Parses a value; on failure returns what was expected, as a sentence. */
  parse(text: string): { value: unknown } | { expected: string };
}

const name = (text: string) =>
  /^[\w.-]{1,64}$/.test(text) ? { value: text } : { expected: 'letters, digits, . _ or -' };
const anyText = (text: string) => (text === '' ? { expected: 'some text' } : { value: text });
const oneOf =
  (...values: string[]) =>
  (text: string) =>
    values.includes(text) ? { value: text } : { expected: `one of ${values.join(', ')}` };
const whole = (text: string) => (/^\d{1,9}$/.test(text) ? { value: Number(text) } : { expected: 'a whole number' });

/** Everything that `config set` accepts. API keys are stored apart: see keys.ts. */
export const CONFIG_KEYS: Readonly<Record<string, ConfigKey>> = {
  engine: { summary: 'auto, local or remote', parse: oneOf('auto', 'local', 'remote') },
  profile: { summary: 'The profile used when none is named', parse: name },
  max_credits: { summary: 'Refuse what would cost more', parse: whole },
  confirm_credits: { summary: 'At a terminal, ask before a job that costs more', parse: whole },
  timeout: { summary: 'Milliseconds after which a call to the service ends', parse: whole },
  output_dir: { summary: 'Folder for outputs with a name of ours', parse: anyText },
  base_url: { summary: 'Address of the service', perProfile: true, parse: anyText },
  key_header: { summary: 'bearer or x-api-key', perProfile: true, parse: oneOf('bearer', 'x-api-key') },
  ca_cert: { summary: 'PEM file with authorities to trust beside the built-in ones', perProfile: true, parse: anyText },
  // SERVICE.md names source_pack alone; these are for services with other names for the rest.
  workflow_compress: { summary: "The service's name of workflow compress", perProfile: true, parse: name },
  workflow_folder: { summary: "The service's name of workflow folder", perProfile: true, parse: name },
  workflow_source_pack: { summary: "The service's name of workflow source-pack", perProfile: true, parse: name },
  workflow_redaction: { summary: "The service's name of redact's workflow", perProfile: true, parse: name },
};

export const DEFAULT_PROFILE = 'default';

/** The profile to use: the one named, else the configured one, else `default`. Throws for an invalid name. */
export function chooseProfile(named: string | undefined, config: Config): string {
  const profile = named ?? config.get('profile', DEFAULT_PROFILE) ?? DEFAULT_PROFILE;
  if (typeof profile === 'string' && 'value' in name(profile)) return profile;
  throw new Failure('usage', `'${String(profile)}' cannot name a profile: expected letters, digits, . _ or -`);
}

export interface Config {
  readonly path: string;
  /** The value of a key, for a profile where it is kept per profile. Throws where the file is damaged. */
  get(key: string, profile: string): unknown;
  /** Every key that has a value: `base_url` of a profile named work as `profiles.work.base_url`. */
  list(): Readonly<Record<string, unknown>>;
  set(key: string, text: string, profile: string): Promise<void>;
  /** Returns whether there was a value. */
  unset(key: string, profile: string): Promise<boolean>;
}

export function openConfig(environment: Environment = process.env): Config {
  const folder = configFolder(environment);
  const store = openJsonStore(folder.path, 'config', folder.ours);
  return {
    path: store.path,
    get: (key, profile) => checkedGet(store, key, profile),
    list: () => flatten(store.read()),
    async set(key, text, profile) {
      const parsed = keyOf(key).parse(text);
      if ('expected' in parsed) throw new Failure('usage', `${key}: expected ${parsed.expected}, found '${text}'`);
      await store.update((values) => withValue(values, key, profile, parsed.value));
    },
    async unset(key, profile) {
      keyOf(key);
      let had = false;
      await store.update((values) => {
        had = valueIn(values, key, profile) !== undefined;
        return withValue(values, key, profile, undefined);
      });
      return had;
    },
  };
}

function keyOf(key: string): ConfigKey {
  const known = Object.hasOwn(CONFIG_KEYS, key) ? CONFIG_KEYS[key] : undefined;
  if (known !== undefined) return known;
  const hint = /key/i.test(key)
    ? 'API keys are kept apart and never given on a command line: pdftool auth login'
    : `There are ${Object.keys(CONFIG_KEYS).join(', ')}.`;
  throw new Failure('usage', `there is no setting named ${key}`, { hint });
}

/** A value, checked: the file may have been edited by hand. */
function checkedGet(store: JsonStore, key: string, profile: string): unknown {
  const value = valueIn(store.read(), key, profile);
  if (value === undefined) return undefined;
  const parsed =
    typeof value === 'string' || typeof value === 'number'
      ? keyOf(key).parse(String(value))
      : { expected: 'text or a number' };
  if ('value' in parsed) return parsed.value;
  throw new Failure('usage', `${store.path}: ${key}: expected ${parsed.expected}`, {
    hint: `Set it again: pdftool config set ${key} …`,
  });
}

function valueIn(values: Values, key: string, profile: string): unknown {
  const holder = keyOf(key).perProfile === true ? object(object(values.profiles)[profile]) : values;
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function withValue(values: Values, key: string, profile: string, value: unknown): Values {
  if (keyOf(key).perProfile !== true) return { ...values, [key]: value };
  const profiles = object(values.profiles);
  return { ...values, profiles: { ...profiles, [profile]: { ...object(profiles[profile]), [key]: value } } };
}

function flatten(values: Values, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      isRecord(value) ? Object.entries(flatten(value, `${prefix}${key}.`)) : [[`${prefix}${key}`, value]],
    ),
  );
}

function object(value: unknown): Values {
  return isRecord(value) ? value : {};
}
