// Files of packages that are installed beside this program, or that its user has added: WebAssembly modules, mostly.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packagesFolder } from './user-folders.ts';

/** Fails with MODULE_NOT_FOUND where the package is not installed. */
export async function packageFile(path: string): Promise<Uint8Array> {
  return readFile(packagePath(path));
}

/** The same, synchronously. */
export function readPackageFile(path: string): Uint8Array {
  return readFileSync(packagePath(path));
}

/** The path of a file of a package; added packages come first. Throws where there is none. */
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

/** The module of an optional package: the one that `doctor --install` added, else the one beside this program. */
export async function importPackage(name: string): Promise<unknown> {
  const added = join(packagesFolder().path, 'node_modules', name);
  if (!existsSync(added)) return import(name);
  const manifest = JSON.parse(readFileSync(join(added, 'package.json'), 'utf8')) as Manifest;
  return import(pathToFileURL(join(added, entryOf(manifest))).href);
}

interface Manifest {
  readonly main?: string;
  readonly exports?: Exports;
}
type Exports = string | { readonly [condition: string]: Exports };

/** What an import of a package loads, by its conditions for Node. */
function entryOf({ exports, main = 'index.js' }: Manifest): string {
  let entry = typeof exports === 'object' ? (exports['.'] ?? exports) : exports;
  while (typeof entry === 'object') entry = entry.node ?? entry.import ?? entry.default;
  return entry ?? main;
}

/** Evaluates a package's CommonJS module and returns its exports. */
export function packageModule(path: string): unknown {
  return createRequire(import.meta.url)(packagePath(path));
}
