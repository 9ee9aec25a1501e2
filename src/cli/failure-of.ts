// Owns turning whatever was thrown into a Failure. Knows no surface.
import { Failure } from '../contract/failure.ts';

/** After a stop the reason is the stop, whatever was thrown on the way out. */
export function failureOf(error: unknown, signal: AbortSignal): Failure {
  const { reason } = signal;
  if (signal.aborted && reason instanceof Failure) {
    // An engine may know more of the stop than its reason: what was sent, and whether it may have been charged.
    return error instanceof Failure && error.code === reason.code ? error : reason;
  }
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Failure('internal', `unexpected: ${message}`, { cause: error });
}
