import { fstatSync, unlinkSync } from 'node:fs';
import { Failure } from '../../../contract/base/failure.ts';
import { pathOfDraft } from '../outputs/drafts.ts';
import type { Workspace } from '../outputs/workspace.ts';
import type { Opened } from '../system/descriptors.ts';
import { readFailure } from '../system/file-failure.ts';
import { refuseDevice, STDIN_NAME } from './read-all.ts';

/** Copies standard input to a file. `unnamed`: the file is unlinked, so that nothing is left however the run ends. */
export async function spoolStdin(workspace: Workspace, signal: AbortSignal, unnamed = false): Promise<Opened> {
  if (process.stdin.isTTY) {
    throw new Failure('usage', 'standard input (-) is a terminal, expected a file or a pipe', {
      hint: 'Pipe a file into it, such as: pdftool … - < file.pdf',
    });
  }
  refuseDevice(STDIN_NAME, fstatSync(0));
  return spool(process.stdin, STDIN_NAME, workspace, signal, unnamed);
}

/** Bytes that a caller provides; `destroy` ends a silent stream. */
export type ByteStream = AsyncIterable<Uint8Array> & { destroy?(): unknown };

/** Copies a body to a file. `name`: what messages call it. */
export async function spool(
  stream: ByteStream,
  name: string,
  workspace: Workspace,
  signal: AbortSignal,
  unnamed: boolean,
): Promise<Opened> {
  const draft = workspace.temp({ name: `the temporary copy of ${name}` }).create('spooled');
  // Ctrl-C must not wait for a pipe that is open and silent.
  const stop = () => void stream.destroy?.();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream) draft.write(chunk);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof Failure ? error : readFailure(error, name);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  const path = pathOfDraft(draft.finish());
  const opened = workspace.descriptors.open(path, name);
  // Windows cannot unlink an open file.
  if (unnamed && process.platform !== 'win32') unlinkSync(path);
  return opened;
}
