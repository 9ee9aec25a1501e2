// Owns how positionals and flags become the input of a row, with all that is wrong said at once. Opens no file.
import { Failure } from '../contract/failure.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { expandLists } from '../runtime/inputs.ts';
import type { Flags } from './flags.ts';
import { type AskedPages, readPages, takesPages } from './page-fields.ts';
import type { Options } from './program.ts';
import { flagOf, isBatchable, keyOf, positionalOf } from './row-command.ts';
import { parseSize, parseValue } from './values.ts';

/** What a line asks of one operation; its files are named and not yet opened. */
export interface Wish {
  /** Values of all fields but the files and pages. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Fields whose pages are known when the file is open. */
  readonly pages: Readonly<Record<string, AskedPages>>;
  /** Names of the files, in order; empty for an operation without files. */
  readonly files: readonly string[];
  readonly outDir: string | undefined;
  /** How many files are worked on at the same time. */
  readonly jobs: number;
  readonly skipExisting: boolean;
  readonly requireTarget: boolean;
  readonly passwords: { readonly file: string | undefined; readonly each: readonly string[] };
}

/** Throws one usage Failure that names everything that is wrong. */
export function readWish(op: AnyOperation, args: readonly string[], options: Options, flags: Flags): Wish {
  const issues: string[] = [];
  const values: Record<string, unknown> = {};
  const pages: Record<string, AskedPages> = {};
  const positional = positionalOf(op);
  const takesFiles = positional !== undefined && positional[1].kind !== 'text';
  const files = takesFiles ? inOrder(expandLists(args), options.sort, issues) : [];
  const outDir = typeof options.outDir === 'string' ? options.outDir : undefined;

  const skipExisting = options.skipExisting === true;
  const jobs = readJobs(options.jobs, outDir, issues);
  if (skipExisting && flags.force) issues.push('--skip-existing and --force exclude each other');
  if (takesFiles) issues.push(...arityIssues(op, files, outDir, flags));
  for (const [name, field] of Object.entries(op.input)) {
    if (field.kind === 'file' || field.kind === 'files') continue;
    // Read when all else is known to be right: see secret-fields.ts.
    if (field.kind === 'secret') continue;
    const given = givenText(op, name, args, options, issues);
    if (given === undefined) {
      if (field.required) issues.push(missing(op, name));
      continue;
    }
    const parsed = takesPages(field) ? readPages(String(given.value)) : parseValue(field, given.value);
    if ('issue' in parsed) issues.push(`${given.from}: ${parsed.issue}`);
    else if ('range' in parsed) pages[name] = { flag: given.from, range: parsed.range };
    else values[name] = parsed.value;
  }
  for (const names of op.exclusive ?? []) {
    const used = names.filter((name) => values[name] !== undefined || pages[name] !== undefined);
    if (used.length > 1) issues.push(`${used.map(flagOf).join(' and ')} exclude each other`);
  }
  if (issues.length > 0) throw new Failure('usage', issues.join('\n'), { hint: `Run pdftool ${op.name} --help.` });
  return {
    values: { ...defaultsOf(op, flags), ...values },
    pages,
    files,
    outDir,
    jobs,
    skipExisting,
    requireTarget: options.requireTarget === true,
    passwords: {
      file: typeof options.passwordFile === 'string' ? options.passwordFile : undefined,
      each: Array.isArray(options.passwordFor) ? options.passwordFor.map(String) : [],
    },
  };
}

/** With --json the service's own default holds: a record, where there is one. */
function defaultsOf(op: AnyOperation, flags: Flags): Record<string, string> {
  return flags.json && flags.output === undefined ? {} : { ...op.commandDefaults };
}

/** The text for a field: a positional, its flag, or its second spelling. */
function givenText(
  op: AnyOperation,
  name: string,
  args: readonly string[],
  options: Options,
  issues: string[],
): { value: string | boolean; from: string } | undefined {
  const field = op.input[name];
  if (name === positionalOf(op)?.[0]) {
    return args.length === 0 ? undefined : { value: args.join(' '), from: name.toUpperCase() };
  }
  const flag = flagOf(name);
  const value = options[keyOf(flag)];
  const spelt = field?.spelling === undefined ? undefined : options[keyOf(field.spelling)];
  if (typeof spelt === 'string') {
    if (value !== undefined) issues.push(`${flag} and --${field?.spelling} mean the same: give one of them`);
    const parsed = parseSize(spelt);
    if ('value' in parsed) return { value: String(parsed.value), from: `--${field?.spelling}` };
    issues.push(`--${field?.spelling}: ${parsed.issue}`);
    return undefined;
  }
  return typeof value === 'string' || typeof value === 'boolean' ? { value, from: flag } : undefined;
}

function missing(op: AnyOperation, name: string): string {
  const field = op.input[name];
  const what = name === positionalOf(op)?.[0] ? name.toUpperCase() : flagOf(name);
  const values = field?.kind === 'choice' ? `: one of ${field.values.join(', ')}` : '';
  return `${op.name} needs ${what}${values}`;
}

function arityIssues(op: AnyOperation, files: readonly string[], outDir: string | undefined, flags: Flags): string[] {
  if (files.includes('')) return ['expected the name of a file, found an empty word'];
  const field = positionalOf(op)?.[1];
  const found = files.length === 0 ? 'none' : files.length;
  if (field?.kind === 'files') {
    // How many at most is a limit of the service, which binds no local run.
    const { min } = field;
    return files.length < min ? [`${op.name} takes at least ${min} file${min === 1 ? '' : 's'}, found ${found}`] : [];
  }
  if (files.length === 0) return [`${op.name} takes a file, found none`];
  if (!isBatchable(op)) return [];
  if (outDir !== undefined && flags.output !== undefined) return ['-o and --out-dir exclude each other'];
  if (files.length === 1 || outDir !== undefined) return [];
  if (flags.output !== undefined) return [`-o names one output, and there are ${files.length} files: use --out-dir`];
  return writesFiles(op) ? [`${op.name} takes one file, or several with --out-dir; found ${found}`] : [];
}

/** Whether outputs go to files by default; records and printed text of several files can follow each other. */
function writesFiles(op: AnyOperation): boolean {
  return Object.values(op.outputs).some(
    (output) => output.kind === 'parts' || (output.kind === 'bytes' && output.printed !== true),
  );
}

/** More at once helps no machine and no service. */
const MOST_JOBS = 64;

function readJobs(given: unknown, outDir: string | undefined, issues: string[]): number {
  if (given === undefined) return 1;
  const jobs = typeof given === 'string' && /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (jobs < 1 || jobs > MOST_JOBS) {
    issues.push(`-j: expected a whole number from 1 to ${MOST_JOBS}, found ${String(given)}`);
    return 1;
  }
  if (jobs > 1 && outDir === undefined) issues.push('-j needs --out-dir: outputs of several files at once would mix');
  return jobs;
}

function inOrder(names: readonly string[], sort: unknown, issues: string[]): readonly string[] {
  if (sort === undefined || sort === 'given') return names;
  if (sort !== 'natural') {
    issues.push(`--sort: expected given or natural, found ${String(sort)}`);
    return names;
  }
  // The same order on every machine, whatever its language.
  const order = new Intl.Collator('en', { numeric: true });
  return [...names].sort((a, b) => order.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0));
}
