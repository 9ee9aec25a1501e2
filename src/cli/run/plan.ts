import { Failure } from '../../contract/failure.ts';
import type { FileField, FilesField } from '../../contract/field.ts';
import { type AnyOperation, type Output, outputOf, wordsOf } from '../../contract/operation.ts';
import { isFolder } from '../../runtime/files/folder.ts';
import { expandLists, readText } from '../../runtime/files/inputs.ts';
import type { PasswordSources } from '../../runtime/terminal/passwords.ts';
import { type FollowOptions, readFollowOptions } from '../commands/grammar.ts';
import type { Flags, Options } from '../flags.ts';
import { flagOf, isBatchable, keyOf, lastOf, positionalOf } from '../row-command.ts';
import { type FileOfFolder, filesOf, folderFor, isWanted } from './folder-words.ts';
import { readWords } from './line-words.ts';
import { type PagesGiven, readPages, takesPages } from './page-fields.ts';
import { parseSize, parseValue } from './values.ts';

/** All that a line asks of one operation, read once. Its files are named and not yet opened. */
export interface RunPlan {
  readonly op: AnyOperation;
  readonly flags: Flags;
  /** Values of all fields but the files and pages. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Page ranges, by their fields: which pages they mean is known when the file is open. */
  readonly pages: Readonly<Record<string, PagesGiven>>;
  /** Names of the files, in order; empty for an operation without files. */
  readonly files: readonly string[];
  /** Names that stand in a list of names, with the list and the line. */
  readonly listed: Readonly<Record<string, string>>;
  /** Of files of a folder, where in it they lie: their outputs lie so below the folder for outputs. */
  readonly below: Readonly<Record<string, string>>;
  /** Files that options name, by their fields, such as the picture of a stamp. */
  readonly others: Readonly<Record<string, string>>;
  /** The field that takes the files; undefined for an operation without files. */
  readonly fileField: { readonly name: string; readonly field: FileField<boolean> | FilesField } | undefined;
  /** The output that the values ask for. */
  readonly output: Output;
  /** `--out-dir`: records go to files too. */
  readonly outDir: string | undefined;
  /** Where outputs go whose name is ours; the current folder where it is left out. */
  readonly folder: string | undefined;
  /** How many files are worked on at the same time. */
  readonly jobs: number;
  readonly skipExisting: boolean;
  readonly requireTarget: boolean;
  /** Of damaged files what is likeliest is taken where readers disagree. */
  readonly salvage: boolean;
  readonly passwords: PasswordSources;
  /** What is asked of a job on the service. */
  readonly job: FollowOptions & {
    readonly detach: boolean;
    readonly again: boolean;
    /** Nobody is asked before what costs much. */
    readonly yes: boolean;
  };
}

/** `outputDir`: the setting. Throws one usage Failure that names everything that is wrong. */
export function readPlan(
  op: AnyOperation,
  words: readonly string[],
  given: Options,
  flags: Flags,
  outputDir: string | undefined,
): RunPlan {
  const issues: string[] = [];
  const values: Record<string, unknown> = {};
  const pages: Record<string, PagesGiven> = {};
  const others: Record<string, string> = {};
  const fileField = fileFieldOf(op);
  const { args, options, ranges } = readWords(op, words, given, issues);
  const lone = args.length === 1 && fileField?.field.kind === 'file' && isFolder(args[0] ?? '') ? args[0] : undefined;
  const outDir = outDirOf(op, options, flags, lone, outputDir);
  // The name that is given for what is made of a folder is that of a folder.
  const isOurs = outDir !== undefined && options.outDir === undefined;
  const wanted = {
    field: fileField?.field ?? { types: [] },
    recursive: options.recursive === true,
    outDir,
    lone: args.length === 1,
  };
  const named =
    fileField === undefined
      ? []
      : args.flatMap((arg, at) =>
          expandLists([arg])
            .flatMap((each) => filesOf(each, wanted))
            .map((each) => ({ ...each, range: ranges?.byWord[at] })),
        );
  const sorted = inOrder(named, options.sort, issues);
  const files = sorted.map(({ name }) => name);
  if (ranges !== undefined) values[ranges.name] = sorted.map(({ range = '' }) => range).join(';');
  const skipExisting = options.skipExisting === true;
  const jobs = readJobs(options.jobs, outDir, issues);
  if (skipExisting && flags.force) issues.push('--skip-existing and --force exclude each other');
  if (fileField !== undefined) issues.push(...arityIssues(op, files, outDir, isOurs ? undefined : flags.output));
  for (const [name, field] of Object.entries(op.input)) {
    // Secrets are read when all else is known to be right: see secret-fields.ts.
    if (name === fileField?.name || field.kind === 'files' || field.kind === 'secret') continue;
    const given = givenText(op, name, args, options, issues);
    if (name === ranges?.name) continue;
    if (given === undefined) {
      if (field.required) issues.push(missing(op, name));
      continue;
    }
    if (field.kind === 'file') {
      others[name] = String(given.value);
      continue;
    }
    if (field.kind === 'text' && field.fromFile && typeof given.value === 'string' && /^@./.test(given.value)) {
      given.value = readText(given.value.slice(1));
    }
    const parsed = takesPages(field) ? readPages(String(given.value)) : parseValue(field, given.value);
    const byFile = op.input[`${name}_file`] === undefined ? '' : `; a file is given with ${flagOf(`${name}_file`)}`;
    if ('issue' in parsed) issues.push(`${given.from}: ${parsed.issue}${byFile}`);
    else if ('range' in parsed) pages[name] = { flag: given.from, range: parsed.range };
    else values[name] = parsed.value;
  }
  Object.assign(values, formatByName(op, values, flags.output, issues));
  for (const names of op.exclusive ?? []) {
    const used = names.filter((name) => [values, pages, others].some((each) => each[name] !== undefined));
    if (used.length > 1) issues.push(`${used.map(flagOf).join(' and ')} exclude each other`);
  }
  // Of secrets it is known later which there are.
  const oneOf = op.needsOneOf ?? [];
  const isOpen = oneOf.every((name) => op.input[name]?.kind !== 'secret');
  if (
    oneOf.length > 0 &&
    isOpen &&
    !oneOf.some((name) => [values, pages, others].some((each) => each[name] !== undefined))
  ) {
    issues.push(`${wordsOf(op)} needs one of ${oneOf.map(flagOf).join(', ')}`);
  }
  if (issues.length > 0) throw new Failure('usage', issues.join('\n'), { hint: `Run pdftool ${wordsOf(op)} --help.` });
  const all = { ...defaultsOf(op, flags), ...values };
  return {
    op,
    flags: isOurs ? { ...flags, output: undefined } : flags,
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
    passwords: {
      file: typeof options.passwordFile === 'string' ? options.passwordFile : undefined,
      each: Array.isArray(options.passwordFor) ? options.passwordFor.map(String) : [],
    },
    job: {
      ...readFollowOptions(options, { soon: false, draw: options.wait !== true }),
      detach: options.detach === true,
      again: options.again === true,
      yes: options.yes === true,
    },
  };
}

function fileFieldOf(op: AnyOperation): RunPlan['fileField'] {
  const [name, field] = positionalOf(op) ?? [];
  return name !== undefined && (field?.kind === 'file' || field?.kind === 'files') ? { name, field } : undefined;
}

/** Endings of files of sound and film, of which each row writes some. */
const MEDIA_NAME = /\.(mp3|m4b|m4a|mp4|m4v|wav|aac|flac|ogg|opus|webm|mov)$/i;

/** Of what speaks: the name of the output says its format, and must not say another one. */
function formatByName(
  op: AnyOperation,
  { output_format: given }: Readonly<Record<string, unknown>>,
  output: string | undefined,
  issues: string[],
): Record<string, unknown> {
  const field = op.group === 'speech' ? op.input.output_format : undefined;
  const named = MEDIA_NAME.exec(output ?? '')?.[1]?.toLowerCase();
  if (field === undefined || named === undefined) return {};
  const values = field.kind === 'choice' ? field.values : field.kind === 'text' ? (field.seen ?? []) : [];
  if (!values.includes(named)) {
    issues.push(`-o ${output}: ${op.name} writes ${values.map((value) => `.${value}`).join(', ')}`);
  } else if (given !== undefined && given !== named) {
    issues.push(`-o ${output} and --output-format ${String(given)} contradict each other: give one of them`);
  }
  // What is made without a word is not asked for by one: the request is the same as without -o, and found to be so.
  return named === usualFormat(op) ? {} : { output_format: named };
}

function usualFormat(op: AnyOperation): string | undefined {
  const [output] = Object.values(op.outputs);
  const usual = op.input.output_format?.default;
  return typeof usual === 'string' ? usual : output?.kind === 'job' ? output.extension : undefined;
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
  const value = givenFor(flag, options);
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

/** What commander found for a flag; of `--no-anchors` it says that `anchors` is false. */
function givenFor(flag: string, options: Options): unknown {
  if (!flag.startsWith('--no-')) return options[keyOf(flag)];
  return options[keyOf(flag.slice('--no-'.length))] === false ? true : undefined;
}

function missing(op: AnyOperation, name: string): string {
  const field = op.input[name];
  const isWord = name === positionalOf(op)?.[0] || name === lastOf(op)?.[0];
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
  const found = files.length === 0 ? 'none' : files.length;
  if (field?.kind === 'files') {
    // How many at most is a limit of the service, which binds no local run.
    const { min } = field;
    return files.length < min
      ? [`${wordsOf(op)} takes at least ${min} file${min === 1 ? '' : 's'}, found ${found}`]
      : [];
  }
  if (files.length === 0) return [`${wordsOf(op)} takes a file, found none`];
  if (!isBatchable(op)) return [];
  if (outDir !== undefined && named !== undefined) return ['-o and --out-dir exclude each other'];
  const behind = files.flatMap((file) => behindOption(op, file));
  if (behind.length > 0) return behind;
  if (files.length === 1 || outDir !== undefined) return [];
  if (named !== undefined) return [`-o names one output, and there are ${files.length} files: use --out-dir`];
  return writesFiles(op) ? [`${wordsOf(op)} takes one file, or several with --out-dir; found ${found}`] : [];
}

/** What to say of a file that only an option takes: values of a form, the picture of a stamp. */
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

/** The folder for outputs: the one that is named; of a folder that is worked on, also the one that -o names, or one of ours. */
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

/** A file as it is named, and the range of its pages that stands behind it: files of a list or a folder share it. */
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
