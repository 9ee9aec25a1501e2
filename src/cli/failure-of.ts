// Owns turning whatever was thrown into a Failure. Knows no surface.
import { Failure } from '../contract/failure.ts';

/** After a stop the reason is the stop, whatever was thrown on the way out. */
export function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted && signal.reason instanceof Failure) return signal.reason;
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Failure('internal', `unexpected: ${message}`, { cause: error });
}
