import { Failure } from '../../contract/base/failure.ts';
import { spelled } from '../../contract/base/wording.ts';
import type { FileField, FilesField } from '../../contract/field.ts';
import { choiceIssues, parseSize, parseValue } from '../../contract/field-text.ts';
import { formatByName } from '../../contract/format-by-name.ts';
import { type AnyOperation, type Output, outputOf, positionalOf, wordsOf } from '../../contract/operation.ts';
import { type PagesGiven, takesPages } from '../../contract/page-fields.ts';
import { parsePageField } from '../../contract/page-range.ts';
import { asCommandLine } from '../../contract/spelling.ts';
import { expandList, readText, refuseStdinTwice } from '../../runtime/files/inputs/inputs.ts';
import { isFolder } from '../../runtime/files/system/folder.ts';
import type { PasswordSources } from '../../runtime/terminal/passwords.ts';
import { type Flags, type Options, textOf, textsOf } from './flags.ts';
import { expandFolder, type FileOfFolder, folderFor, isWanted } from './folder-words.ts';
import { type FollowOptions, readFollowOptions } from './grammar.ts';
import { type LineWords, readWords } from './line-words.ts';
import { flagOf, isBatchable, offersSalvage, optionKey, trailingField } from './row-command.ts';

/** A parsed command line of one operation. Its files are named but not opened. */
export interface RunPlan {
  readonly op: AnyOperation;
  readonly flags: Flags;
  /** Values of all fields except files and pages. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Page ranges by field; the pages they select are known when the file is open. */
  readonly pages: Readonly<Record<string, PagesGiven>>;
  /** Names of the files, in order; empty for an operation without files. */
  readonly files: readonly string[];
  /** For names from a list: the list and line, such as `list.txt, line 3`. */
  readonly listed: Readonly<Record<string, string>>;
  /** For files of a folder: their subfolder, which is kept for the output below `outDir`. */
  readonly below: Readonly<Record<string, string>>;
  /** Files named by options, by field, such as the picture of a stamp. */
  readonly others: Readonly<Record<string, string>>;
  /** The field that takes the files; undefined for an operation without files. */
  readonly fileField: { readonly name: string; readonly field: FileField<boolean> | FilesField } | undefined;
  readonly output: Output;
  /** `--out-dir`: records go to files too. */
  readonly outDir: string | undefined;
  /** The folder of outputs without a name; left out, the current folder. */
  readonly folder: string | undefined;
  readonly jobs: number;
  readonly skipExisting: boolean;
  readonly requireTarget: boolean;
  /** `--salvage`: where readers disagree on a damaged file, use the likeliest reading. */
  readonly salvage: boolean;
  readonly keepConformance: boolean;
  /** Whether the command takes `--salvage`. */
  readonly canSalvage: boolean;
  readonly passwords: PasswordSources;
  /** Options for a job on the service. */
  readonly job: FollowOptions & {
    readonly detach: boolean;
    readonly again: boolean;
    /** Do not ask before costly calls. */
    readonly yes: boolean;
  };
}

/** Reads a line into a plan. `outputDir`: the setting. Throws one usage Failure that lists everything wrong. */
export async function readPlan(
  op: AnyOperation,
  words: readonly string[],
  given: Options,
  flags: Flags,
  outputDir: string | undefined,
  signal: AbortSignal,
): Promise<RunPlan> {
  const issues: string[] = [];
  const fileField = fileFieldOf(op);
  const line = readWords(op, words, given, issues);
  const { args, options, ranges } = line;
  const lone = args.length === 1 && fileField?.field.kind === 'file' && isFolder(args[0] ?? '') ? args[0] : undefined;
  const outDir = outDirOf(op, options, flags, lone, outputDir);
  // `-o` names the output folder where a folder is worked on.
  const isFolderName = outDir !== undefined && options.outDir === undefined;
  const named = inOrder(await namesOf(line, fileField, outDir, signal), options.sort, issues);
  const files = named.map(({ name }) => name);
  refuseStdinTwice([...files, ...args.flatMap((word) => (word === '@-' ? ['-'] : []))]);
  const jobs = readJobs(options.jobs, outDir, issues);
  const skipExisting = options.skipExisting === true;
  if (skipExisting && flags.force) issues.push('--skip-existing and --force exclude each other');
  if (fileField !== undefined) issues.push(...arityIssues(op, files, outDir, isFolderName ? undefined : flags.output));
  const { values, pages, others } = await readFields(op, line, fileField?.name, signal, issues);
  if (ranges !== undefined) values[ranges.name] = named.map(({ range = '' }) => range).join(';');
  const byName = formatByName(op, values, flags.output);
  if ('issue' in byName) issues.push(spelled(byName.issue, asCommandLine));
  else Object.assign(values, byName.values);
  const isGiven = (name: string) => [values, pages, others].some((read) => read[name] !== undefined);
  // A person at a terminal may still be asked for a secret.
  const isAsked = op.needsOneOf?.some((name) => op.input[name]?.kind === 'secret') === true;
  issues.push(...choiceIssues(isAsked ? { ...op, needsOneOf: [] } : op, isGiven, flagOf));
  if (issues.length > 0) throw new Failure('usage', issues.join('\n'), { hint: `Run pdftool ${wordsOf(op)} --help.` });
  const all = { ...(flags.json && flags.output === undefined ? {} : op.commandDefaults), ...values };
  return {
    op,
    flags: isFolderName ? { ...flags, output: undefined } : flags,
    values: all,
    pages,
    files,
    listed: Object.fromEntries(named.flatMap(({ name, listed }) => (listed === undefined ? [] : [[name, listed]]))),
    below: Object.fromEntries(named.flatMap(({ name, below }) => (below ? [[name, below]] : []))),
    others,
    fileField,
    output: outputOf(op, all).output,
    outDir,
    folder: outDir ?? outputDir,
    jobs,
    skipExisting,
    requireTarget: options.requireTarget === true,
    salvage: options.salvage === true,
    keepConformance: options.keepConformance === true,
    canSalvage: offersSalvage(op),
    passwords: { file: textOf(options, 'passwordFile'), byFile: textsOf(options, 'passwordFor') },
    job: {
      ...readFollowOptions(options, { soon: false, draw: options.wait !== true }),
      detach: options.detach === true,
      again: options.again === true,
      yes: options.yes === true,
    },
  };
}

/** The files of a line: lists and folders are replaced by what they hold. */
async function namesOf(
  { args, options, ranges }: LineWords,
  fileField: RunPlan['fileField'],
  outDir: string | undefined,
  signal: AbortSignal,
): Promise<WithRange[]> {
  if (fileField === undefined) return [];
  const { field } = fileField;
  const folders = { field, outDir, recursive: options.recursive === true, lone: args.length === 1 };
  const named: WithRange[] = [];
  for (const [at, word] of args.entries()) {
    for (const file of (await expandList(word, signal)).flatMap((listed) => expandFolder(listed, folders))) {
      named.push({ ...file, range: ranges?.byWord[at] });
    }
  }
  return named;
}

interface FieldValues {
  readonly values: Record<string, unknown>;
  readonly pages: Record<string, PagesGiven>;
  readonly others: Record<string, string>;
}

/** The values of all fields except positional files and secrets, which are read last (secret-fields.ts). */
async function readFields(
  op: AnyOperation,
  { args, options, ranges }: LineWords,
  fileField: string | undefined,
  signal: AbortSignal,
  issues: string[],
): Promise<FieldValues> {
  const read: FieldValues = { values: {}, pages: {}, others: {} };
  for (const [name, field] of Object.entries(op.input)) {
    if (name === fileField || field.kind === 'files' || field.kind === 'secret') continue;
    const given = givenText(op, name, args, options, issues);
    if (name === ranges?.name) continue;
    if (given === undefined) {
      if (field.required) issues.push(missing(op, name));
      continue;
    }
    if (field.kind === 'file') {
      read.others[name] = String(given.value);
      continue;
    }
    if (field.kind === 'text' && field.fromFile && typeof given.value === 'string' && /^@./.test(given.value)) {
      given.value = await readText(given.value.slice(1), signal);
    }
    const parsed = takesPages(field) ? parsePageField(String(given.value)) : parseValue(field, given.value);
    const byFile = op.input[`${name}_file`] === undefined ? '' : `; a file is given with ${flagOf(`${name}_file`)}`;
    if ('issue' in parsed) issues.push(`${given.from}: ${parsed.issue}${byFile}`);
    else if ('range' in parsed) read.pages[name] = { flag: given.from, range: parsed.range };
    else read.values[name] = parsed.value;
  }
  return read;
}

function fileFieldOf(op: AnyOperation): RunPlan['fileField'] {
  const [name, field] = positionalOf(op) ?? [];
  return name !== undefined && (field?.kind === 'file' || field?.kind === 'files') ? { name, field } : undefined;
}

/** The text for a field: a positional word, its flag, or its second spelling. */
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
  const value = givenFor(flag, options);
  const respelled = field?.spelling === undefined ? undefined : options[optionKey(field.spelling)];
  if (typeof respelled === 'string') {
    if (value !== undefined) issues.push(`${flag} and --${field?.spelling} mean the same: give one of them`);
    const parsed = parseSize(respelled);
    if ('value' in parsed) return { value: String(parsed.value), from: `--${field?.spelling}` };
    issues.push(`--${field?.spelling}: ${parsed.issue}`);
    return undefined;
  }
  return typeof value === 'string' || typeof value === 'boolean' ? { value, from: flag } : undefined;
}

/** The value that commander parsed for a flag; `--no-anchors` sets `anchors` to false. */
function givenFor(flag: string, options: Options): unknown {
  if (!flag.startsWith('--no-')) return options[optionKey(flag)];
  return options[optionKey(flag.slice('--no-'.length))] === false ? true : undefined;
}

function missing(op: AnyOperation, name: string): string {
  const field = op.input[name];
  const isWord = name === positionalOf(op)?.[0] || name === trailingField(op)?.[0];
  const what = isWord ? name.toUpperCase() : flagOf(name);
  const values = field?.kind === 'choice' ? `: one of ${field.values.join(', ')}` : '';
  return `${wordsOf(op)} needs ${what}${values}`;
}

function arityIssues(
  op: AnyOperation,
  files: readonly string[],
  outDir: string | undefined,
  named: string | undefined,
): string[] {
  if (files.includes('')) return ['expected the name of a file, found an empty word'];
  const field = positionalOf(op)?.[1];
  const count = files.length === 0 ? 'none' : files.length;
  if (field?.kind === 'files') {
    // The largest number is a limit of the service, which does not bind local runs.
    const { min } = field;
    if (files.length < min) return [`${wordsOf(op)} takes at least ${min} file${min === 1 ? '' : 's'}, found ${count}`];
    return [];
  }
  if (files.length === 0) return [`${wordsOf(op)} takes a file, found none`];
  if (!isBatchable(op)) return [];
  if (outDir !== undefined && named !== undefined) return ['-o and --out-dir exclude each other'];
  const behind = files.flatMap((file) => behindOption(op, file));
  if (behind.length > 0) return behind;
  if (files.length === 1 || outDir !== undefined) return [];
  if (named !== undefined) return [`-o names one output, and there are ${files.length} files: use --out-dir`];
  return writesFiles(op) ? [`${wordsOf(op)} takes one file, or several with --out-dir; found ${count}`] : [];
}

/** The option for a file that no positional takes: values of a form, the picture of a stamp. */
function behindOption(op: AnyOperation, file: string): string[] {
  const fields = Object.entries(op.input).filter(([, field]) => field.kind === 'file' && isWanted(file, field.types));
  const [[name] = [], ...others] = fields;
  if (name === undefined || name === positionalOf(op)?.[0] || others.length > 0) return [];
  return [`${file} is given with ${flagOf(name)}: ${flagOf(name)} ${file}`];
}

/** Whether outputs go to files by default; records and printed text of several files can follow each other. */
function writesFiles(op: AnyOperation): boolean {
  return Object.values(op.outputs).some(
    (output) => output.kind === 'parts' || (output.kind === 'bytes' && output.printed !== true),
  );
}

/** More files in parallel help neither a machine nor a service. */
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

/** The output folder: `--out-dir`; for a folder that is worked on also `-o`, or a name made from its own. */
function outDirOf(
  op: AnyOperation,
  options: Options,
  flags: Flags,
  folder: string | undefined,
  parent: string | undefined,
): string | undefined {
  if (typeof options.outDir === 'string') return options.outDir;
  if (folder === undefined || !isBatchable(op) || /^-$|\.\w{2,5}$/.test(flags.output ?? '')) return undefined;
  if (flags.output !== undefined) return flags.output;
  const [output] = Object.values(op.outputs);
  return output !== undefined && writesFiles(op) ? folderFor(folder, output, parent) : undefined;
}

/** A file with the page range behind its word, which all files of one list or folder share. */
interface WithRange extends FileOfFolder {
  readonly range: string | undefined;
}

function inOrder(names: readonly WithRange[], sort: unknown, issues: string[]): readonly WithRange[] {
  if (sort === undefined || sort === 'given') return names;
  if (sort !== 'natural') {
    issues.push(`--sort: expected given or natural, found ${String(sort)}`);
    return names;
  }
  // The same order on every machine, whatever its language.
  const order = new Intl.Collator('en', { numeric: true });
  return [...names].sort(({ name: a }, { name: b }) => order.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0));
}
