// Folders of this person, by the XDG Base Directory specification, which says to ignore relative paths.
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

interface UserFolder {
  /** The folder may not exist yet. */
  readonly path: string;
  /** Whether it is named pdftool, so that no other program uses it. */
  readonly ours: boolean;
}

/** Configuration and keys. */
export const configFolder = folder('PDFTOOL_CONFIG_DIR', 'XDG_CONFIG_HOME', 'APPDATA', '.config');
/** The journal of jobs and paid calls. */
export const stateFolder = folder('PDFTOOL_STATE_DIR', 'XDG_STATE_HOME', 'LOCALAPPDATA', '.local/state');
/** What can be made again. */
export const cacheFolder = folder('PDFTOOL_CACHE_DIR', 'XDG_CACHE_HOME', 'LOCALAPPDATA', '.cache');
/** Packages that npm has put there for this program (`doctor --install`, `ocr languages add`). */
export const packagesFolder = folder('PDFTOOL_PACKAGES_DIR', 'XDG_DATA_HOME', 'LOCALAPPDATA', '.local/share');

/** `override` names the folder itself. `xdg`, `windows` and `home` name its parent, in this order of preference. */
function folder(override: string, xdg: string, windows: string, home: string) {
  return (environment: Environment = process.env): UserFolder => {
    const given = environment[override];
    if (given) return { path: given, ours: false };
    const standard = environment[xdg];
    const system = process.platform === 'win32' ? environment[windows] : undefined;
    const above = standard?.startsWith('/') ? standard : (system ?? join(homedir(), home));
    return { path: join(above, 'pdftool'), ours: true };
  };
}
