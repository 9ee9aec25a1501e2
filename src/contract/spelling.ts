import { FAMILIES } from './operation.ts';
import type { Spelling } from './wording.ts';

/** What the command line calls it: `--margin`, `--format png`, `pdftool ocr`. */
export const asCommandLine: Spelling = (named) => {
  if ('operation' in named) return `pdftool ${wordsOfOperation(named.operation)}`;
  if ('command' in named) return `pdftool ${named.command}`;
  const { value } = named;
  const flag = 'field' in named ? flagOf(named.field) : named.setting === 'output' ? '-o' : flagOf(named.setting);
  return value === undefined || value === true ? flag : `${flag} ${value}`;
};

/** A password is given in a file, whose option is named after it. */
function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}${name.endsWith('password') ? '-file' : ''}`;
}

/** `bookmarks-show` is the verb `show` of the command `bookmarks`. */
function wordsOfOperation(name: string): string {
  const family = Object.keys(FAMILIES).find((each) => name.startsWith(`${each}-`));
  return family === undefined ? name : `${family} ${name.slice(family.length + 1)}`;
}

/** `images-to-pdf`, `target_bytes` and `password-file` as names of JavaScript: imagesToPdf, targetBytes, passwordFile. */
export function camelCase(name: string): string {
  return name.replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase());
}
