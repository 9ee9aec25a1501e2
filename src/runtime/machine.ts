import { statSync } from 'node:fs';

/** Facts about the machine, each with whether it will do. */
export function describeMachine(): { what: string; ok: boolean; found: string }[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  // The floor of package.json's engines; bin/pdftool.js refuses to start below it.
  const ok = major > 20 || (major === 20 && minor >= 19);
  return [{ what: 'Node.js', ok, found: `${process.versions.node} on ${process.platform} ${process.arch}` }];
}

/** Permission bits of a file; undefined where there is none. Windows has no such bits: taken as private. */
export function modeOf(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return process.platform === 'win32' ? 0o600 : found.mode & 0o777;
}
