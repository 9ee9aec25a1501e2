// Folders of this person, by the XDG Base Directory specification, which says to ignore relative paths.
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where configuration and keys lie. `ours`: a folder named pdftool, which nobody else uses. */
export function configFolder(environment: Environment = process.env): { path: string; ours: boolean } {
  const given = environment.PDFTOOL_CONFIG_DIR;
  if (given !== undefined && given !== '') return { path: given, ours: false };
  const xdg = environment.XDG_CONFIG_HOME;
  if (xdg?.startsWith('/')) return { path: join(xdg, 'pdftool'), ours: true };
  const appData = process.platform === 'win32' ? environment.APPDATA : undefined;
  return { path: join(appData ?? join(homedir(), '.config'), 'pdftool'), ours: true };
}

/** Where the journal of jobs lies, whether or not it is there. `ours`: named pdftool, which nobody else uses. */
export function stateFolder(environment: Environment = process.env): { path: string; ours: boolean } {
  const given = environment.PDFTOOL_STATE_DIR;
  if (given !== undefined && given !== '') return { path: given, ours: false };
  const xdg = environment.XDG_STATE_HOME;
  if (xdg?.startsWith('/')) return { path: join(xdg, 'pdftool'), ours: true };
  const local = process.platform === 'win32' ? environment.LOCALAPPDATA : undefined;
  return { path: join(local ?? join(homedir(), '.local', 'state'), 'pdftool'), ours: true };
}

/** Where this person keeps what can be made again, whether or not it is there. */
export function cacheFolder(environment: Environment = process.env): string {
  const given = environment.PDFTOOL_CACHE_DIR;
  if (given) return given;
  const xdg = environment.XDG_CACHE_HOME;
  if (xdg?.startsWith('/')) return join(xdg, 'pdftool');
  const local = process.platform === 'win32' ? environment.LOCALAPPDATA : undefined;
  return join(local ?? join(homedir(), '.cache'), 'pdftool');
}
