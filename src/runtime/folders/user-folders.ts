// Folders of this person, by the XDG Base Directory specification, which says to ignore relative paths.
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

interface UserFolder {
  /** Whether or not there is such a folder. */
  readonly path: string;
  /** It is named pdftool, and nobody else uses it. */
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

/** `own` names the folder itself. `xdg`, `windows` and `home` name the one above it, in that order of preference. */
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
