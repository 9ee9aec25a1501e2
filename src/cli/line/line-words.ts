// Reads words that are neither files nor options: a page range as the last word, and `--pages` behind each file.
import type { AnyOperation } from '../../contract/operation.ts';
import { rangeIssue } from '../../contract/page-range.ts';
import type { Options } from './flags.ts';
import { flagOf, optionKey, trailingField } from './row-command.ts';

/** Marks a range behind a file: the parser keeps the order of words, but not of options among them. No word has a NUL. */
const MARK = '\0';

/** The field whose ranges stand behind files, one behind each. */
function rangesField(op: AnyOperation): string | undefined {
  return Object.entries(op.input).find(([, field]) => field.kind === 'text' && field.grammar === 'ranges')?.[0];
}

/** Gives a number to every flag that may stand without one: it would take the next file for its value. */
export function completeFlags(argv: readonly string[], op: AnyOperation): readonly string[] {
  const alone = new Map<string, number>();
  for (const [name, field] of Object.entries(op.input)) {
    if (field.kind === 'integer' && field.alone !== undefined) alone.set(flagOf(name), field.alone);
  }
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.map((word, i) => {
    const number = i < end ? alone.get(word) : undefined;
    return number === undefined || /^[+-]?\d+$/.test(argv[i + 1] ?? '') ? word : `${word}=${number}`;
  });
}

/** Turns each `--pages 1-3` into a marked word in its place among the files. */
export function markRanges(argv: readonly string[], op: AnyOperation): readonly string[] {
  const name = rangesField(op);
  if (name === undefined) return argv;
  const flag = flagOf(name);
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    const next = argv[i + 1];
    if (i < end && word === flag && next !== undefined && i + 1 < end) {
      words.push(MARK + next);
      i += 1;
    } else if (i < end && word.startsWith(`${flag}=`)) words.push(MARK + word.slice(flag.length + 1));
    else words.push(word);
  }
  return words;
}

export interface LineWords {
  /** Files, or the text of the operation. */
  readonly args: readonly string[];
  readonly options: Options;
  /** The field of the ranges behind files, and the range of each word that has one. */
  readonly ranges: { readonly name: string; readonly byWord: readonly (string | undefined)[] } | undefined;
}

/** Separates page ranges from the words of a line. */
export function readWords(op: AnyOperation, words: readonly string[], options: Options, issues: string[]): LineWords {
  const last = trailingField(op);
  if (last !== undefined) {
    const [name, { required }] = last;
    const key = optionKey(flagOf(name));
    const word = words.at(-1);
    const isLast = words.length > 1 && word !== undefined && (required || rangeIssue(word) === undefined);
    if (options[key] !== undefined || !isLast) return { args: words, options, ranges: undefined };
    return { args: words.slice(0, -1), options: { ...options, [key]: word }, ranges: undefined };
  }
  const name = rangesField(op);
  if (name === undefined) return { args: words, options, ranges: undefined };
  const args: string[] = [];
  const byWord: (string | undefined)[] = [];
  for (const word of words) {
    if (!word.startsWith(MARK)) {
      args.push(word);
      continue;
    }
    const text = word.slice(MARK.length);
    const flag = `${flagOf(name)} ${text}`;
    const at = args.length - 1;
    const issue = rangeIssue(text);
    if (issue !== undefined) issues.push(`${flagOf(name)}: ${issue}`);
    else if (at < 0) issues.push(`${flag} stands before the first file: it belongs to the file before it`);
    else if (byWord[at] !== undefined) issues.push(`${args[at]} has two ranges: write ${byWord[at]},${text}`);
    byWord[at] = text;
  }
  return { args, options, ranges: byWord.length === 0 ? undefined : { name, byWord } };
}
