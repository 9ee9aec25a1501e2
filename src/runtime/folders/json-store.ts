import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../contract/base/failure.ts';
import type { Values } from '../../contract/base/ports.ts';
import { isRecord } from '../../contract/base/present.ts';
import { errnoOf } from '../files/system/file-failure.ts';

export interface JsonStore {
  readonly path: string;
  /** The content of the file, read once; empty where there is no file. Throws a usage Failure where it is damaged. */
  read(): Values;
  /** Applies `change` to the newest content and writes the result. A damaged file is left as it is. */
  update(change: (values: Values) => Values): Promise<void>;
}

/** `ours`: whether only this program uses the folder, so that its mode may be set. */
export function openJsonStore(folder: string, name: string, ours: boolean): JsonStore {
  const path = join(folder, `${name}.json`);
  let known: Values | undefined;
  return {
    path,
    read: () => (known ??= readObject(path)),
    async update(change) {
      known = undefined;
      makeFolder(folder, ours);
      // Loaded before the lock is taken: it takes a tenth of a second, the rest takes milliseconds.
      const [{ default: Conf }, { withLock }] = await Promise.all([import('conf'), import('./lock.ts')]);
      await withLock(join(folder, `.${name}.lock`), (assertHeld) => {
        const values = change(readObject(path));
        // conf's own defaults: mode 0666, a suffix to the folder, dots in keys as paths, damaged files replaced by nothing.
        const conf = new Conf<Record<string, unknown>>({
          projectName: 'pdftool',
          projectSuffix: '',
          cwd: folder,
          configName: name,
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
          clearInvalidConfig: false,
          serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
        });
        assertHeld();
        conf.store = { ...values };
      });
    },
  };
}

function readObject(path: string): Values {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = errnoOf(error);
    // A folder that may not be searched belongs to somebody else (sudo -u keeps HOME), so it has nothing of this person.
    if (code === 'ENOENT' || code === 'ENOTDIR' || (code === 'EACCES' && !existsSync(path))) return {};
    throw new Failure('usage', `${path} cannot be read (${String(code)})`, {
      hint: 'Check its owner and mode.',
      cause: error,
    });
  }
  const hint = 'Correct it or move it away; pdftool leaves it as it is.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const where = cause instanceof Error ? (/position (\d+)/.exec(cause.message)?.[1] ?? '') : '';
    const line = where === '' ? '' : `, line ${text.slice(0, Number(where)).split('\n').length}`;
    // The parser's own message quotes the file, which may hold a key.
    throw new Failure('usage', `${path} is damaged: it is no JSON${line}`, { hint });
  }
  if (isRecord(value)) return value;
  throw new Failure('usage', `${path} is damaged: expected a JSON object`, { hint });
}

function makeFolder(folder: string, ours: boolean): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (ours && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  } catch (cause) {
    throw new Failure('usage', `${folder} cannot be made or made private`, {
      hint: 'Set PDFTOOL_CONFIG_DIR to another folder.',
      cause,
    });
  }
}
