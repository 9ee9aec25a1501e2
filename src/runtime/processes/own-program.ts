/**
 * Finds this program's own script, to start it again: the command that is running, or the package that a caller of the
 * library has installed. A script of another program is never started: it would run the caller's program again.
 */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Failure } from '../../contract/base/failure.ts';
import { ifPossible } from '../files/system/if-possible.ts';

const NAME = 'pdftool.js';

let known: string | undefined;

/** bin/pdftool.js of this package. Throws a Failure where it cannot be found. */
export function ownScriptPath(): string {
  const path = ownScriptIfFound();
  if (path !== undefined) return path;
  const message = 'the program of pdftool is not there, which works on documents in processes of its own';
  throw new Failure('unavailable', message, {
    hint: 'A bundler must leave pdftool out of the bundle: mark it as external, and install it beside the bundle.',
  });
}

function ownScriptIfFound(): string | undefined {
  known ??= beside() ?? started() ?? installed();
  return known;
}

/** The flags of Node that this program was started with; those of a program that calls the library are not for us. */
export function ownFlags(): readonly string[] {
  return isRunning() ? process.execArgv : [];
}

export function ownVersion(): string {
  const { version } = createRequire(here())(join(dirname(ownScriptPath()), '..', 'package.json'));
  return String(version);
}

/** Whether this process is the command itself, and not a program that calls the library. */
export function isRunning(): boolean {
  const path = ownScriptIfFound();
  return path !== undefined && realpathOf(process.argv[1] ?? '') === realpathOf(path);
}

/** The address of this code; a bundler that makes ES modules of CommonJS leaves it without one. */
function here(): string {
  try {
    return import.meta.url;
  } catch {
    // import.meta.url is undefined there, or no word of the language.
    return pathToFileURL(join(process.cwd(), NAME)).href;
  }
}

/** Beside the folder that this code was built into. */
function beside(): string | undefined {
  const path = fileURLToPath(new URL(`../bin/${NAME}`, here()));
  return existsSync(path) ? path : undefined;
}

function started(): string | undefined {
  const [, script = ''] = process.argv;
  return basename(realpathOf(script)) === NAME ? script : undefined;
}

/** The package, as the code around this finds it: where this was bundled into another program. */
function installed(): string | undefined {
  const path = ifPossible(() => createRequire(here()).resolve('pdftool/package.json'));
  return path === undefined ? undefined : join(dirname(path), 'bin', NAME);
}

/** A path that leads nowhere is compared as it is. */
function realpathOf(path: string): string {
  return ifPossible(() => realpathSync(path)) ?? path;
}
