// Lines to type for words of other programs.

import { LINES_OF_OTHER_WORDS as LINES } from '../contract/other-words.ts';
import { rangeIssue } from '../contract/page-range.ts';

const BY_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(LINES).flatMap(([line, words]) => words.split(', ').map((word) => [word, line] as const)),
);

/** All lines, for the test that each of them parses. */
export const OTHER_LINES: readonly string[] = Object.keys(LINES);

/** All words; none of them is a command here. */
export const OTHER_WORDS: readonly string[] = [...BY_WORD.keys()];

/** A name that needs no quoting in any shell. */
const PLAIN_NAME = /^[\w.+,@%/-]+$/;

/**
 * The line to type for a word of another program; undefined where it is unknown. `argv`: all that was typed. `family`:
 * the command before the word.
 */
export function lineFor(
  word: string,
  argv: readonly string[],
  commands: readonly string[],
  family?: string,
): string | undefined {
  const plain = word.toLowerCase().replace(/^-+/, '');
  const line = (family === undefined ? undefined : BY_WORD.get(`${family} ${plain}`)) ?? BY_WORD.get(plain);
  if (line === undefined || !commands.includes(line.split(' ', 1)[0] ?? '')) return undefined;
  const file = argv.find((word) => /\.pdf$/i.test(word) && PLAIN_NAME.test(word) && !word.startsWith('-'));
  const range = argv.find((word) => word !== file && /\d/.test(word) && rangeIssue(word) === undefined);
  const asked = range === undefined ? line : line.replace(/^(pages \w+ FILE) \S+$/, `$1 ${range}`);
  return `pdftool ${file === undefined ? asked : asked.replace('FILE', file)}`;
}

/** Options of other programs, by the command before them or `*`, with the option of the same meaning here. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  compress: { 'max-size': '--target 200KB', size: '--target 200KB', 'target-size': '--target 200KB' },
  encrypt: { password: '--user-password-file FILE', 'user-password': '--user-password-file FILE' },
  number: { bates: '--format A{page:6}', prefix: '--format A{page:6}' },
  '*': {
    password: '--password-file FILE',
    pw: '--password-file FILE',
    range: '--pages 1-3',
    'page-range': '--pages 1-3',
  },
};

/** Examples in the options above that are replaced by what was typed, where it is such a value. */
const TYPED: readonly (readonly [example: string, isSuch: (value: string) => boolean])[] = [
  ['200KB', (value) => /^\d+(\.\d+)?[kmg]?b?$/i.test(value)],
  ['1-3', (value) => rangeIssue(value) === undefined],
  ['A{', (value) => /^[a-z][\w-]*$/i.test(value)],
];

/** The option to type for one of another program, with the typed value; undefined where it is unknown. */
export function optionFor(word: string, command: string, argv: readonly string[]): string | undefined {
  const [name = '', behind] = word.replace(/^-+/, '').split('=');
  const option = OPTIONS[command]?.[name] ?? OPTIONS['*']?.[name];
  const typed = behind ?? argv[argv.indexOf(word) + 1] ?? '';
  const [example] = TYPED.find(([like, isSuch]) => option?.includes(like) && isSuch(typed)) ?? [];
  return example === undefined ? option : option?.replace(example, example === 'A{' ? `${typed}{` : typed);
}
