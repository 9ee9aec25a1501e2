import { fileURLToPath } from 'node:url';
import { entryAt } from '../../contract/base/present.ts';
import { readTextFile } from '../files/stores/blobs.ts';

const kept = new Map<string, Promise<string | undefined>>();

/** A file of the web page of `serve`, which the build puts beside the program; undefined where it is not there. */
export function readPageFile(name: string): Promise<string | undefined> {
  return entryAt(kept, name, () => readTextFile(fileURLToPath(new URL(`./page/${name}`, import.meta.url))));
}
