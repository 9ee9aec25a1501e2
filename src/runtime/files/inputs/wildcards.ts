import { readdirSync } from 'node:fs';

/**
 * The names that `*` and `?` in the last part of a name stand for, where the shell leaves them to the program: on Windows,
 * where no name holds either. Letters match whatever their case, and hidden files only a pattern that begins with a dot.
 * Undefined where there are none; elsewhere the shell has done it.
 */
export function expandWildcards(word: string, system: string = process.platform): string[] | undefined {
  const [, folder = '', pattern = ''] = /^(.*[/\\:])?([^/\\]*)$/s.exec(word) ?? [];
  if (system !== 'win32' || !/[*?]/.test(pattern)) return undefined;
  const source = pattern.replace(/[^*?]/g, (letter) => letter.replace(/[\\^$.|+()[\]{}]/, '\\$&'));
  const wanted = new RegExp(`^${source.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'is');
  const names = listed(folder).filter((name) => wanted.test(name) && name.startsWith('.') === pattern.startsWith('.'));
  return names.length === 0 ? undefined : names.sort().map((name) => folder + name);
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder === '' ? '.' : folder);
  } catch {
    // Opening the name itself tells what is wrong.
    return [];
  }
}
