// Replaces folders on the command line by the files in them; outputs keep the subfolders below another folder.
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Failure } from '../../contract/base/failure.ts';
import type { FileField, FilesField } from '../../contract/field.ts';
import { ANY, EXTENSIONS } from '../../contract/media.ts';
import type { Output } from '../../contract/operation.ts';
import type { NamedFile } from '../../runtime/files/inputs/inputs.ts';
import { isFolder, listFiles } from '../../runtime/files/system/folder.ts';
import { count } from '../../runtime/terminal/units.ts';

/** A file of a folder. `below`: its subfolder, with / between names; empty for a file directly in it. */
export interface FileOfFolder extends NamedFile {
  readonly below?: string;
}

interface Wanted {
  readonly field: Pick<FileField<boolean> | FilesField, 'types'>;
  readonly recursive: boolean;
  /** Where outputs go: files in it are no inputs. */
  readonly outDir: string | undefined;
  /** It is the only name. Errors in one of several names are reported later, with the others. */
  readonly lone: boolean;
}

/** The file itself, or the matching files of a folder, 2 before 10. Throws where there are none. */
export function expandFolder(file: NamedFile, { field, recursive, outDir, lone }: Wanted): FileOfFolder[] {
  if (file.name === '-' || !isFolder(file.name)) return [file];
  const folder = file.name.replace(/(?<=.)[/\\]+$/, '');
  const all = (listFiles(folder) ?? []).filter(
    (path) => isWanted(path, field.types) && !isOutput(join(folder, path), folder, outDir),
  );
  const files = recursive ? all : all.filter((path) => !path.includes('/'));
  if (files.length === 0 && !lone) return [file];
  if (files.length === 0) throw nothingIn(file.name, field.types, all.length);
  const order = new Intl.Collator('en', { numeric: true });
  return files
    .sort((a, b) => order.compare(a, b) || (a < b ? -1 : 1))
    .map((path) => ({ name: join(folder, path), below: dirname(path) === '.' ? '' : dirname(path) }));
}

export function isWanted(path: string, types: readonly string[]): boolean {
  if (types.includes(ANY)) return true;
  const endings = types.flatMap((type) => EXTENSIONS[type] ?? []);
  return endings.some((ending) => path.toLowerCase().endsWith(`.${ending}`));
}

/** Whether a file lies in the output folder: a second run over the folder around it would take it for an input. */
function isOutput(path: string, folder: string, outDir: string | undefined): boolean {
  if (outDir === undefined || resolve(outDir) === resolve(folder)) return false;
  return !relative(resolve(outDir), resolve(path)).startsWith('..');
}

function nothingIn(name: string, types: readonly string[], below: number): Failure {
  const kinds = types.flatMap((type) => EXTENSIONS[type]?.[0]?.toUpperCase() ?? []);
  const what = types.includes(ANY) || kinds.length === 0 ? 'file' : kinds.join(' or ');
  const hint =
    below > 0 ? `There are ${count(below, 'file')} in folders below it: add --recursive.` : 'Name another one.';
  return new Failure('refused', `${name} is a folder, expected a file, or a folder with a ${what} in it`, { hint });
}

/** The default output folder of a folder: `reports-compressed` for `reports`. */
export function folderFor(name: string, output: Output, parent: string | undefined): string {
  const suffix =
    'stem' in output && 'suffix' in output.stem && output.stem.suffix !== '' ? output.stem.suffix : '-output';
  return join(parent ?? '', `${basename(resolve(name))}${suffix}`);
}
