import { type Command, Option } from 'commander';
import { Failure } from '../../contract/base/failure.ts';
import type { Parsed } from '../../contract/field-text.ts';
import type { Completion } from '../../derive/shape.ts';
import type { SettingFlags } from '../../runtime/settings/settings.ts';
import { hint } from './hints.ts';

/** Options of one command as commander read them, by camelCase key. */
export type Options = Readonly<Record<string, unknown>>;

/** The text of an option; undefined where it was not given. */
export function textOf(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of an option that may be repeated. */
export function textsOf(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export interface Flags extends SettingFlags {
  readonly json: boolean;
  /** `-o`: a file, a folder, or `-` for standard output. */
  readonly output?: string | undefined;
  readonly force: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
  readonly progress: boolean;
  readonly plan: boolean;
}

/** Declared on the program itself, these options are accepted before and after the name of the command. */
export function addFlags(program: Command): void {
  const add = (flags: string, summary: string, completes?: Completion) => {
    const option = new Option(flags, summary);
    program.addOption(completes === undefined ? option : hint(option, completes));
  };
  add('-o, --output <name>', 'Where the result goes; - is standard output', { kind: 'files', extensions: [] });
  add('-f, --force', 'Replace an output that exists');
  add('--local', 'Run on this machine; opens no connection');
  add('--remote', 'Run on the service');
  add('--json', 'Print one JSON value, for programs');
  add('-q, --quiet', 'Show only errors');
  add('-v, --verbose', 'Show each step');
  add('--debug', 'Show details for bug reports; secrets are masked');
  add('--plan', 'Show what would be done, sent and charged; do nothing');
  add('--max-credits <n>', 'Refuse what would cost more');
  add('--timeout <time>', 'Give up on the service after this long, such as 30s');
  add('--ca-cert <file>', 'Trust the authorities in this PEM file too', { kind: 'files', extensions: ['pem', 'crt'] });
  add('--profile <name>', 'Key and address to use', { kind: 'asked', what: 'profiles' });
  add('--no-progress', 'Draw no progress');
  add('--no-color', 'Use no colour');
}

/** Reads the global options. Throws a usage Failure naming every wrong flag. */
export function readFlags(given: Readonly<Record<string, unknown>>): Flags {
  const issues: string[] = [];
  const text = (name: string) => textOf(given, name);
  const read = (flag: string, value: string | undefined, parse: (text: string) => number | string) => {
    if (value === undefined) return undefined;
    const parsed = parse(value);
    if (typeof parsed === 'number') return parsed;
    issues.push(`${flag}: ${parsed}`);
    return undefined;
  };
  const flags: Flags = {
    json: given.json === true,
    output: text('output'),
    force: given.force === true,
    local: given.local === true,
    remote: given.remote === true,
    quiet: given.quiet === true,
    verbose: given.verbose === true || given.debug === true,
    debug: given.debug === true,
    plan: given.plan === true,
    progress: given.progress !== false,
    profile: text('profile'),
    caCert: text('caCert'),
    timeout: read('--timeout', text('timeout'), (value) => {
      const parsed = parseDuration(value);
      return 'issue' in parsed ? parsed.issue : Number(parsed.value);
    }),
    maxCredits: read('--max-credits', text('maxCredits'), (value) =>
      /^\d{1,9}$/.test(value) ? Number(value) : `expected a whole number of credits, found ${value}`,
    ),
  };
  if (issues.length > 0) throw new Failure('usage', issues.join('\n'));
  if (flags.output === '') throw new Failure('usage', '-o: expected a name, found nothing');
  return flags;
}

/** `30` (seconds), `500ms`, `30s`, `10m`, `2h`, in milliseconds. */
export function parseDuration(text: string): Parsed {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?$/.exec(text.trim());
  const unit = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }[match?.[2] ?? 's'];
  const value = match === null || unit === undefined ? 0 : Math.round(Number(match[1]) * unit);
  if (value > 0 && Number.isSafeInteger(value)) return { value };
  return { issue: `expected a duration such as 30s or 10m, found ${text}` };
}
