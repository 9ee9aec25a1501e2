import { Failure, type FailureCode } from '../../../contract/base/failure.ts';
import { say, setting, type Wording } from '../../../contract/base/wording.ts';

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
    case 'EBUSY':
      return new Failure('refused', `${name} cannot be read: another program has locked it`, {
        hint: 'Close it there, then try again.',
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
  const errno = errnoOf(error) ?? '';
  if (errno === 'EEXIST') return outputExists(name);
  const known = NOT_WRITTEN.find(([errnos]) => errnos.split(' ').includes(errno));
  const [, code, why, hint] = known ?? ['', 'internal', reason(error), HINT_DISK];
  return new Failure(code, `${name} cannot be written: ${why}`, { hint, cause: error });
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
const HINT_HELD = say`Close it there, or choose another place with ${setting('output')}.`;
const HINT_FOLDER = say`Make the folder first, or choose another place with ${setting('output')}.`;
const HINT_SPACE = say`Nothing was left behind. Free some space, or choose another place with ${setting('output')}.`;

const NOT_WRITTEN: readonly (readonly [errnos: string, code: FailureCode, why: string, hint: Wording])[] = [
  ['ENOSPC EDQUOT', 'internal', 'no space left on the disk', HINT_SPACE],
  ['ENOENT ENOTDIR', 'usage', 'its folder does not exist', HINT_FOLDER],
  ['EACCES EPERM', 'usage', 'permission denied', HINT_PLACE],
  ['EBUSY ETXTBSY', 'usage', 'another program has it open', HINT_HELD],
  ['EROFS', 'usage', 'the disk is read-only', HINT_PLACE],
  ['ELOOP', 'usage', 'its links lead in a circle', HINT_PLACE],
  ['ENAMETOOLONG', 'usage', 'the name is too long', HINT_PLACE],
];

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `EIO: i/o error, write` -> `i/o error`: the call's name helps nobody.
  return /^[A-Z0-9]+: ([^,]+)/.exec(error.message)?.[1] ?? error.message;
}
