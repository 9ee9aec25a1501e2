import type { Spelling } from './base/wording.ts';
import { wordsOf } from './operation.ts';

/** The command line's spelling: `--margin`, `--format png`, `pdftool ocr`. */
export const asCommandLine: Spelling = (named) => {
  if ('operation' in named) return `pdftool ${wordsOf({ name: named.operation })}`;
  if ('command' in named) return `pdftool ${named.command}`;
  const { value } = named;
  const flag = 'field' in named ? flagOf(named.field) : named.setting === 'output' ? '-o' : flagOf(named.setting);
  return value === undefined || value === true ? flag : `${flag} ${value}`;
};

/** The option of a password names a file. */
function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}${name.endsWith('password') ? '-file' : ''}`;
}

/** `images-to-pdf`, `target_bytes`, `password-file` in camelCase: imagesToPdf, targetBytes, passwordFile. */
export function camelCase(name: string): string {
  return name.replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase());
}
