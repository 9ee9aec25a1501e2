import { existsSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ownScriptPath } from './own-program.ts';

/** ok: fine. missing: not set up, perhaps on purpose. wrong: needs repair. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'missing' | 'wrong';
  readonly found: string;
}

/** Facts about the machine, each with whether it is sufficient and what it is for. */
export function describeMachine(): Finding[] {
  // The oldest version in package.json's engines; bin/pdftool.js refuses to start below it.
  const state = isNode(20, 19) ? 'ok' : 'wrong';
  return [
    { what: 'Node.js', state, found: `${process.versions.node} on ${process.platform} ${process.arch}` },
    describePackage('sharp', 'makes pictures smaller and puts them into PDFs'),
    isNode(22, 13)
      ? { what: 'database', state: 'ok', found: 'SQLite of Node.js; keeps the accounts of pdftool serve' }
      : { ...describePackage('libsql', 'keeps the accounts of pdftool serve'), what: 'database' },
  ];
}

function isNode(major: number, minor: number): boolean {
  const [current = 0, currentMinor = 0] = process.versions.node.split('.').map(Number);
  return current > major || (current === major && currentMinor >= minor);
}

/** Whether an optional package can be loaded: its native part may be missing although the package is installed. */
function describePackage(name: string, use: string): Finding {
  try {
    createRequire(ownPath())(name);
    return { what: name, state: 'ok', found: `${name} is installed; it ${use}` };
  } catch {
    // Whatever fails, the remedy is the same: to install the package again.
    return { what: name, state: 'missing', found: `none; ${name} ${use}: ${installCommand(name)}` };
  }
}

/** The command that installs a package where this program finds it: beside a local or a global install, or for npx. */
export function installCommand(name: string): string {
  const path = ownPath();
  const [, folder = ''] = /^(.*)[\\/]node_modules[\\/]pdftool[\\/]/.exec(path) ?? [];
  if (/[\\/]_npx[\\/]/.test(path)) return `npx -p pdftool -p ${name} pdftool`;
  return folder === '' || existsSync(`${folder}/package.json`) ? `npm install ${name}` : `npm install -g ${name}`;
}

/** The file that was started, behind links such as those of npm. */
function ownPath(): string {
  return realpathSync(ownScriptPath());
}

/** Permission bits of a file; undefined where there is none. Windows has no such bits: taken as private. */
export function modeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return process.platform === 'win32' ? 0o600 : stats.mode & 0o777;
}
