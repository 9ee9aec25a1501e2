// Files of packages that are installed beside this program, or that its user has added: WebAssembly modules, mostly.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packagesFolder } from './user-folders.ts';

/** Fails with MODULE_NOT_FOUND where the package is not installed. */
export async function packageFile(path: string): Promise<Uint8Array> {
  return readFile(packagePath(path));
}

/** The same, synchronously. */
export function readPackageFile(path: string): Uint8Array {
  return readFileSync(packagePath(path));
}

/** Where a file of a package lies, added ones first. Throws where there is none. */
function packagePath(path: string): string {
  const added = join(packagesFolder().path, 'node_modules', path);
  return existsSync(added) ? added : createRequire(import.meta.url).resolve(path);
}

/** Names of the packages of a scope that are added or installed, such as `eng` of `@tesseract.js-data`. */
export function packagesOf(scope: string): string[] {
  const folders = [packagesFolder().path, ...installed()].map((folder) => join(folder, 'node_modules', scope));
  return [...new Set(folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : [])))].sort();
}

/** Folders in which Node looks for packages of this program. */
function installed(): string[] {
  const paths = createRequire(import.meta.url).resolve.paths('x') ?? [];
  return paths.flatMap((path) => (path.endsWith('node_modules') ? [path.slice(0, -'node_modules'.length)] : []));
}

/** A package's CommonJS module, evaluated. */
export function packageModule(path: string): unknown {
  return createRequire(import.meta.url)(packagePath(path));
}
