import { readFileSync } from 'node:fs';
import { Failure } from '../../contract/base/failure.ts';
import { isRecord } from '../../contract/base/present.ts';
import { say, setting } from '../../contract/base/wording.ts';
import { errnoOf, readFailure } from '../files/system/file-failure.ts';
import type { Environment } from '../folders/user-folders.ts';
import { CONFIG_KEYS, chooseProfile, openConfig } from './config.ts';
import { findKey, hasKeys } from './keys.ts';

type EngineChoice = 'auto' | 'local' | 'remote';

export interface SettingFlags {
  readonly local?: boolean | undefined;
  readonly remote?: boolean | undefined;
  readonly profile?: string | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
  readonly maxCredits?: number | undefined;
  /** A PEM file. */
  readonly caCert?: string | undefined;
}

/** Credits: three minutes of audio. */
const CONFIRM_CREDITS = 50;

export interface Settings {
  readonly engine: EngineChoice;
  readonly profile: string;
  /** The key as found, unchecked; not looked for when the engine is local. */
  readonly apiKey?: string | undefined;
  /** The source of the key, as messages call it. */
  readonly keySource?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly keyHeader?: 'bearer' | 'x-api-key' | undefined;
  readonly outputDir?: string | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
  readonly maxCredits?: number | undefined;
  /** Credits above which a person at a terminal is asked first. */
  readonly confirmCredits: number;
  /** The service's names of its workflows, where they differ from ours. */
  readonly workflowNames: Readonly<Record<string, string | undefined>>;
  /** A PEM file with authorities to trust beside the built-in ones. */
  readonly caCert?: string | undefined;
  readonly debug: boolean;
}

/** The settings of one invocation: flags, environment, project file, the person's configuration, default. */
export function readSettings(flags: SettingFlags, environment: Environment = process.env): Settings {
  const project = readProject();
  const config = openConfig(environment);
  const given = (name: string) => (environment[name] === '' ? undefined : environment[name]);
  const profile = chooseProfile(flags.profile ?? given('PDFTOOL_PROFILE') ?? project.profile, config);
  const configured = (key: string) => {
    const value = config.get(key, profile);
    return value === undefined ? undefined : String(value);
  };
  /** From the project file, else from the configuration; both were checked when read. */
  const chosen = (key: keyof Project) => project[key] ?? configured(key);
  const number = (key: keyof Project) => {
    const text = chosen(key);
    return text === undefined ? undefined : Number(text);
  };
  const engine =
    flagged(flags) ??
    engineOf(given('PDFTOOL_ENGINE'), 'PDFTOOL_ENGINE') ??
    engineOf(chosen('engine'), 'engine') ??
    'auto';
  const key = engine === 'local' ? undefined : findKey(profile, environment);
  return {
    engine,
    profile,
    apiKey: key?.key,
    keySource: key?.source,
    baseUrl: given('PDFTOOL_BASE_URL') ?? configured('base_url'),
    keyHeader: configured('key_header') === 'x-api-key' ? 'x-api-key' : undefined,
    outputDir: given('PDFTOOL_OUTPUT_DIR') ?? given('SERVICE_API_OUTPUT_DIR') ?? chosen('output_dir'),
    timeout: flags.timeout ?? number('timeout'),
    maxCredits: flags.maxCredits ?? creditsOf(given('PDFTOOL_MAX_CREDITS')) ?? number('max_credits'),
    confirmCredits: Number(configured('confirm_credits') ?? CONFIRM_CREDITS),
    workflowNames: {
      compress: configured('workflow_compress'),
      folder: configured('workflow_folder'),
      source_pack: configured('workflow_source_pack'),
      redaction: configured('workflow_redaction'),
    },
    caCert: flags.caCert ?? configured('ca_cert'),
    debug: given('PDFTOOL_DEBUG') !== undefined && given('PDFTOOL_DEBUG') !== '0',
  };
}

/** Whether a key or a base URL is set for any profile, or in the environment. */
export function isServiceConfigured(settings: Settings, environment: Environment = process.env): boolean {
  if (settings.apiKey !== undefined || settings.baseUrl !== undefined) return true;
  const isAddress = (key: string) => /(^|\.)base_url$/.test(key);
  return Object.keys(openConfig(environment).list()).some(isAddress) || hasKeys(environment);
}

function flagged({ local, remote }: SettingFlags): EngineChoice | undefined {
  if (local === true && remote === true) {
    throw new Failure('usage', say`${setting('local')} and ${setting('remote')} exclude each other`, {
      hint: 'Give one of them.',
    });
  }
  if (local === true) return 'local';
  return remote === true ? 'remote' : undefined;
}

function engineOf(value: unknown, from: string): EngineChoice | undefined {
  if (value === undefined || value === 'auto' || value === 'local' || value === 'remote') return value;
  throw new Failure('usage', `${from} is ${JSON.stringify(value)}, expected auto, local or remote`, {
    hint: `Set ${from} to one of them, or unset it.`,
  });
}

function creditsOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new Failure('usage', `PDFTOOL_MAX_CREDITS is ${JSON.stringify(value)}, expected a whole number`, {
    hint: 'Set it to a number of credits, or unset it.',
  });
}

const PROJECT = '.pdftool.json';
// A cloned repository must not be able to send somebody's documents and key to an address of its own.
const NEVER = /^(api_?key|base_?url|ca_?cert|key_?header)$/i;
/** The keys that a project file may set. */
const OF_PROJECT = ['engine', 'profile', 'output_dir', 'max_credits', 'timeout'] as const;

type Project = Readonly<Partial<Record<(typeof OF_PROJECT)[number], string>>>;

/** `.pdftool.json` in the current folder, its values checked and as text. Keys that are not known are left to newer versions. */
function readProject(): Project {
  const text = readIfThere();
  if (text === undefined) return {};
  const settings = parse(text);
  const secret = Object.keys(settings).find((key) => NEVER.test(key));
  if (secret !== undefined) {
    throw new Failure('usage', `${PROJECT} holds ${secret}, which a project file may not`, {
      hint: `Remove ${secret} from it; keys and base URLs come from the environment or your own configuration.`,
    });
  }
  const given = OF_PROJECT.filter((key) => settings[key] !== undefined);
  return Object.fromEntries(
    given.map((key) => {
      const value = settings[key];
      const parsed = CONFIG_KEYS[key]?.parse(
        typeof value === 'string' || typeof value === 'number' ? String(value) : '',
      );
      if (parsed !== undefined && 'value' in parsed) return [key, String(parsed.value)];
      throw new Failure('usage', `${PROJECT}: ${key} is ${JSON.stringify(value)}, expected ${parsed?.expected}`, {
        hint: `Correct ${key} in it.`,
      });
    }),
  );
}

function readIfThere(): string | undefined {
  try {
    return readFileSync(PROJECT, 'utf8');
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw readFailure(error, PROJECT);
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (cause) {
    throw new Failure('usage', `${PROJECT} is no valid JSON: ${cause instanceof Error ? cause.message : cause}`, {
      hint: 'Correct it, or remove it.',
      cause,
    });
  }
  throw new Failure('usage', `${PROJECT} holds no JSON object`, { hint: 'Correct it, or remove it.' });
}
