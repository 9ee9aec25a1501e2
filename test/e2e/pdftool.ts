import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';

export const PROGRAM = resolve(import.meta.dirname, '../../bin/pdftool.js');

/** An environment in which no setting of the person who runs the tests is left. */
export const CLEAN = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  LANG: 'C.UTF-8',
  TMPDIR: process.env.TMPDIR ?? tmpdir(),
  XDG_CONFIG_HOME: join(tmpdir(), 'pdftool-no-configuration'),
  XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'pdftool-test-state-')),
};
process.once('exit', () => rmSync(CLEAN.XDG_STATE_HOME, { recursive: true, force: true }));

interface Where {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs pdftool and gives back whatever it did. Standard input is empty. */
export async function pdftool(args: readonly string[], { cwd, env = CLEAN }: Where = {}) {
  const run = await execa(process.execPath, [PROGRAM, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    stripFinalNewline: false,
  });
  return { exitCode: run.exitCode, stdout: run.stdout, stderr: run.stderr };
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
