import { firstError } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import { spelled } from '../../contract/base/wording.ts';
import { asCommandLine } from '../../contract/spelling.ts';
import { installCommand } from '../../runtime/processes/machine.ts';

/**
 * Turns whatever was thrown into a Failure; a hint to install a package names our command for that. After a stop the
 * failure is the stop, whatever was thrown on the way out.
 */
export function failureOf(error: unknown, signal: AbortSignal): Failure {
  const failure = anyFailureOf(firstError(error), signal);
  if (failure.hint === undefined) return failure;
  const written = spelled(failure.hint, asCommandLine);
  const hint = written.replace(/npm install -g ([@\w/-]+)/g, (_, name: string) => installCommand(name));
  return hint === written ? failure : failure.with({ hint });
}

function anyFailureOf(error: unknown, signal: AbortSignal): Failure {
  const { reason } = signal;
  if (signal.aborted && reason instanceof Failure) {
    // An engine may know more of the stop than its reason: what was sent, and whether it may have been charged.
    return error instanceof Failure && error.code === reason.code ? error : reason;
  }
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd') {
    return new Failure('usage', 'the current folder does not exist any more', {
      hint: 'Go to another one.',
      cause: error,
    });
  }
  const missing = missingPackage(error);
  if (missing === undefined) return new Failure('internal', `unexpected: ${message}`, { cause: error });
  return new Failure('unavailable', `${missing} is not installed, and this needs it`, {
    hint: 'Install pdftool again with its dependencies: npm install -g pdftool.',
    cause: error,
  });
}

/** The package that could not be loaded; a missing file of ours is a defect. */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (error.code !== 'MODULE_NOT_FOUND' && error.code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return /^Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?'/.exec(error.message)?.[1];
}
