import { readFileSync } from 'node:fs';
import { Failure } from '../../contract/base/failure.ts';
import { errnoOf } from '../files/system/file-failure.ts';
import { type JsonStore, openJsonStore } from '../folders/json-store.ts';
import { configFolder, type Environment } from '../folders/user-folders.ts';

export interface FoundKey {
  readonly key: string;
  /** The variable or file that the key comes from, as messages call it. */
  readonly source: string;
}

/** The key to use: PDFTOOL_API_KEY, SERVICE_API_KEY, the file of PDFTOOL_API_KEY_FILE, the profile's stored key. */
export function findKey(profile: string, environment: Environment = process.env): FoundKey | undefined {
  for (const name of ['PDFTOOL_API_KEY', 'SERVICE_API_KEY']) {
    const key = environment[name];
    if (key !== undefined && key !== '') return { key, source: name };
  }
  const file = environment.PDFTOOL_API_KEY_FILE;
  if (file !== undefined && file !== '') return { key: readKeyFile(file), source: `PDFTOOL_API_KEY_FILE (${file})` };
  const store = openKeys(environment);
  const key = store.read()[profile];
  return typeof key === 'string' && key !== '' ? { key, source: `${store.path}, profile ${profile}` } : undefined;
}

/** Keeps a key for a profile. The caller has checked its form. */
export async function storeKey(profile: string, key: string, environment: Environment = process.env): Promise<string> {
  const store = openKeys(environment);
  await store.update((values) => ({ ...values, [profile]: key }));
  return store.path;
}

/** Removes a profile's stored key; returns whether there was one. */
export async function removeKey(profile: string, environment: Environment = process.env): Promise<boolean> {
  const store = openKeys(environment);
  if (store.read()[profile] === undefined) return false;
  await store.update((values) => ({ ...values, [profile]: undefined }));
  return true;
}

/** Whether a key is stored for any profile. */
export function hasKeys(environment: Environment = process.env): boolean {
  return Object.values(openKeys(environment).read()).some((key) => typeof key === 'string' && key !== '');
}

/** The file of the stored keys, whether or not it is there. */
export function keysPath(environment: Environment = process.env): string {
  return openKeys(environment).path;
}

function openKeys(environment: Environment): JsonStore {
  const folder = configFolder(environment);
  return openJsonStore(folder.path, 'keys', folder.ours);
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new Failure('unauthenticated', `PDFTOOL_API_KEY_FILE: ${path} cannot be read (${errnoOf(cause)})`, {
      hint: 'Check its name and mode, or unset the variable.',
      cause,
    });
  }
}
