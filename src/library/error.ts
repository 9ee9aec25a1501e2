import { type Charged, FAILURES, type Failure, type FailureCode, type FailureKind } from '../contract/failure.ts';
import { spelled } from '../contract/wording.ts';
import { asProperties } from './spelling.ts';

/** All that functions of the library throw. Codes, kinds and exit codes are those of the command line. */
export class PdftoolError extends Error {
  readonly code: FailureCode;
  /** The next step, as a sentence. */
  readonly hint: string | undefined;
  /** Whether a failed call was charged; `unknown`: its answer was lost, and it must not be repeated unseen. */
  readonly charged: Charged;
  /** The exit code that the command line would have ended with. */
  readonly exitCode: number;
  readonly kind: FailureKind | undefined;
  /** The HTTP status that the service answered with. */
  readonly status: number | undefined;

  constructor(failure: Failure) {
    const { code, wording, hint, charged, kind, status, cause } = failure;
    super(spelled(wording, asProperties), cause === undefined ? undefined : { cause });
    this.name = 'PdftoolError';
    this.code = code;
    this.hint = hint === undefined ? undefined : spelled(hint, asProperties);
    this.charged = charged;
    this.exitCode = FAILURES[code].exit;
    this.kind = kind;
    this.status = status;
  }
}
