import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, outputExists, writeFailure } from '../system/file-failure.ts';
import { renameHeld } from '../system/rename.ts';
import { sync, syncFolder } from '../system/sync.ts';
import { type Scratch, wholeFolderOf } from './scratch.ts';
import type { Target } from './target.ts';

/** Puts one draft in place. Nothing that exists is replaced unless the target says so. */
export async function placeFile(draft: string, target: Target & { kind: 'file' }): Promise<void> {
  try {
    await sync([draft]);
    if (target.replaces === undefined) await linkNew(draft, target.path);
    else {
      // The replaced file's mode: a private file must not become readable by all.
      if (target.replaces.mode !== undefined) chmodSync(draft, target.replaces.mode);
      await renameHeld(draft, target.path);
    }
    syncFolder(dirname(target.path));
  } catch (error) {
    throw writeFailure(error, target.name);
  }
}

/** Puts drafts in place as one folder: it appears whole, by one rename. */
export async function placeFolder(
  drafts: readonly { readonly path: string; readonly name: string }[],
  target: Target & { kind: 'folder' },
  scratch: Scratch,
): Promise<void> {
  try {
    const paths = drafts.map((draft) => draft.path);
    await sync(paths);
    const whole = wholeFolderOf(paths) ?? gathered(drafts, scratch);
    syncFolder(whole);
    if (target.replaces !== undefined) {
      // A private folder stays private.
      chmodSync(whole, target.replaces.mode);
      if (target.replaces.isEmpty) rmdirSync(target.path);
      else await renameHeld(target.path, scratch.path('replaced-folder'));
    }
    await renameHeld(whole, target.path);
    syncFolder(dirname(target.path));
  } catch (error) {
    // Another process made and filled the folder meanwhile.
    throw errnoOf(error) === 'ENOTEMPTY' ? outputExists(target.name) : writeFailure(error, target.name);
  }
}

function gathered(drafts: readonly { readonly path: string; readonly name: string }[], scratch: Scratch): string {
  const whole = scratch.wholeFolder();
  // Drafts stay open until the call ends, and Windows renames no folder in which a file is open: there they are copied.
  const put = process.platform === 'win32' ? copyFileSync : renameSync;
  for (const { path, name } of drafts) put(path, join(whole, name));
  return whole;
}

/** Gives a draft its name, and throws where the name is taken. A check before a rename could not promise that. */
async function linkNew(draft: string, path: string): Promise<void> {
  try {
    linkSync(draft, path);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
    // A file system without hard links: the name is taken by an empty file of ours, which the rename replaces.
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY));
    try {
      await renameHeld(draft, path);
    } catch (renameError) {
      unlinkSync(path);
      throw renameError;
    }
  }
}
