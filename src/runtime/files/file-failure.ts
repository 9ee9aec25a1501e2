import { Failure } from '../../contract/failure.ts';
import { say, setting } from '../../contract/wording.ts';

/** The code of a system error, such as ENOENT; undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Why `name` cannot be read. */
export function readFailure(error: unknown, name: string): Failure {
  const cause = error;
  switch (errnoOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new Failure('not_found', `${name}: there is no such file`, {
        hint: 'Check the name and the folder.',
        cause,
      });
    case 'EACCES':
    case 'EPERM':
      return new Failure('refused', `${name} cannot be read: permission denied`, {
        hint: 'Ask its owner for read access, or copy it to where you may read it.',
        cause,
      });
    case 'EISDIR':
      return folderGiven(name, cause);
    case 'ELOOP':
      return new Failure('refused', `${name} cannot be read: its links lead in a circle`, { hint: HINT_LINKS, cause });
    default:
      return new Failure('internal', `${name} cannot be read: ${reason(error)}`, { hint: HINT_DISK, cause });
  }
}

export function folderGiven(name: string, cause?: unknown): Failure {
  return new Failure('refused', `${name} is a folder, expected a file`, {
    hint: `Name the files in it, such as ${name.replace(/\/+$/, '')}/*.pdf.`,
    cause,
  });
}

/** Why `name` (an output, or the folder that is to hold it) cannot be written. */
export function writeFailure(error: unknown, name: string): Failure {
  if (error instanceof Failure) return error;
  const cause = error;
  switch (errnoOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new Failure('internal', `${name} cannot be written: no space left on the disk`, {
        hint: say`Nothing was left behind. Free some space, or choose another place with ${setting('output')}.`,
        cause,
      });
    case 'ENOENT':
    case 'ENOTDIR':
      return new Failure('usage', `${name} cannot be written: its folder does not exist`, {
        hint: say`Make the folder first, or choose another place with ${setting('output')}.`,
        cause,
      });
    case 'EACCES':
    case 'EPERM':
      return new Failure('usage', `${name} cannot be written: permission denied`, { hint: HINT_PLACE, cause });
    case 'EROFS':
      return new Failure('usage', `${name} cannot be written: the disk is read-only`, { hint: HINT_PLACE, cause });
    case 'ELOOP':
      return new Failure('usage', `${name} cannot be written: its links lead in a circle`, { hint: HINT_PLACE, cause });
    case 'ENAMETOOLONG':
      return new Failure('usage', `${name} cannot be written: the name is too long`, { hint: HINT_PLACE, cause });
    case 'EEXIST':
      return outputExists(name);
    default:
      return new Failure('internal', `${name} cannot be written: ${reason(error)}`, { hint: HINT_DISK, cause });
  }
}

/** The output exists and must not be replaced. */
export function outputExists(name: string): Failure {
  return new Failure('output_exists', `${name} exists already`, {
    hint: say`Choose another name with ${setting('output')}, or replace it with ${setting('force')}.`,
  });
}

const HINT_DISK = 'Check the disk and try again.';
const HINT_LINKS = 'See where it points to with ls -l.';
const HINT_PLACE = say`Choose another place with ${setting('output')}.`;

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `EIO: i/o error, write` -> `i/o error`: the call's name helps nobody.
  return /^[A-Z0-9]+: ([^,]+)/.exec(error.message)?.[1] ?? error.message;
}
