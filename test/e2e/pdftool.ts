// Owns how tests run the built program, in a folder of their own. Knows no command.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa, type Options } from 'execa';

export const PROGRAM = resolve(import.meta.dirname, '../../bin/pdftool.js');

/** An environment in which no setting of the person who runs the tests is left. */
export const CLEAN = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  LANG: 'C.UTF-8',
  TMPDIR: process.env.TMPDIR ?? tmpdir(),
};

/** Runs pdftool and gives back whatever it did; standard input is empty unless an option says otherwise. */
export function pdftool<const O extends Options>(args: readonly string[], options?: O) {
  return execa(process.execPath, [PROGRAM, ...args], {
    reject: false,
    stdin: 'ignore',
    extendEnv: false,
    stripFinalNewline: false,
    env: CLEAN,
    ...options,
  } as const);
}

export interface Folder extends Disposable {
  readonly path: string;
  /** Names in it, hidden ones too. */
  list(): string[];
  at(name: string): string;
}

/** A folder that goes away with the test: `using here = folder()`. */
export function folder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'pdftool-test-'));
  return {
    path,
    list: () => readdirSync(path).sort(),
    at: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
