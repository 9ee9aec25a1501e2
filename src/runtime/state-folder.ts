// Owns where this machine keeps what must outlive a run: jobs and paid calls. Knows nothing of what is written there.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './config.ts';

/** The folder, whether or not it is there. `ours`: named pdftool, which nobody else uses. */
export function stateFolder(environment: Environment = process.env): { path: string; ours: boolean } {
  const given = environment.PDFTOOL_STATE_DIR;
  if (given !== undefined && given !== '') return { path: given, ours: false };
  const xdg = environment.XDG_STATE_HOME;
  // The XDG specification: a relative path is to be ignored.
  if (xdg?.startsWith('/')) return { path: join(xdg, 'pdftool'), ours: true };
  const local = process.platform === 'win32' ? environment.LOCALAPPDATA : undefined;
  return { path: join(local ?? join(homedir(), '.local', 'state'), 'pdftool'), ours: true };
}
