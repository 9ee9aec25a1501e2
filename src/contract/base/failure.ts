import type { ByteSource } from './ports.ts';
import { present } from './present.ts';
import { asFields, type Spelling, spelled, type Wording } from './wording.ts';

/** exit: the process's exit code (CLI.md section 5). status: the HTTP status that serve answers with, where it has one. */
export const FAILURES = {
  internal: { exit: 1, status: 500 },
  usage: { exit: 2, status: 400 },
  unauthenticated: { exit: 4, status: 401 },
  forbidden: { exit: 4, status: 403 },
  out_of_credits: { exit: 5, status: 402 },
  over_max_credits: { exit: 5, status: 402 },
  refused: { exit: 6, status: 400 },
  not_found: { exit: 6, status: 404 },
  conflict: { exit: 6, status: 409 },
  too_large: { exit: 6, status: 413 },
  unprocessable: { exit: 6, status: 422 },
  password: { exit: 7, status: 422 },
  pending: { exit: 8, status: 409 },
  output_exists: { exit: 10, status: 409 },
  rate_limited: { exit: 20, status: 429 },
  network: { exit: 20, status: 502 },
  server: { exit: 20, status: 502 },
  ambiguous: { exit: 21, status: 502 },
  partial: { exit: 22, status: 422 },
  job_failed: { exit: 23, status: 422 },
  unavailable: { exit: 24, status: 501 },
  interrupted: { exit: 130, status: 499 },
  terminated: { exit: 143, status: 499 },
} as const satisfies Record<string, { exit: number; status: number }>;

export type FailureCode = keyof typeof FAILURES;

/**
 * The kind of input that was refused: `error.kind` beside the codes that exit 6 and 7. truncated: fewer bytes came than
 * announced. A PDF that was cut short before is `damaged`.
 */
export type FailureKind =
  | 'empty'
  | 'not-pdf'
  | 'damaged'
  | 'no-pages'
  | 'encrypted'
  | 'unsupported'
  | 'limit'
  | 'bad-image'
  | 'truncated'
  | 'no-text';

/** Whether the failed call was charged. `unknown`: a charged request whose answer was lost; it is not sent again. */
export type Charged = 'no' | 'yes' | 'unknown';

interface FailureDetails {
  /** The next step for the reader: one sentence. */
  hint?: Wording | undefined;
  cause?: unknown;
  charged?: Charged;
  kind?: FailureKind | undefined;
  status?: number | undefined;
  /** The service's `_meta`, unknown keys kept. */
  meta?: Record<string, unknown> | undefined;
  /** Milliseconds that the service asks to wait. */
  retryAfter?: number | undefined;
  /** The part of an incomplete answer that arrived; it may have been paid for. */
  remains?: ByteSource | undefined;
  /** A part of the damaged input can be saved, where the caller wants that (`Context.salvage`). */
  salvageable?: boolean;
}

/** A failure with a code from the table. The message says what was expected and what was found, and names file, page or limit. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** The message; `message` is the same with the names that requests have. */
  readonly wording: Wording;
  readonly hint: Wording | undefined;
  readonly charged: Charged;
  readonly kind: FailureKind | undefined;
  readonly status: number | undefined;
  readonly meta: Record<string, unknown> | undefined;
  readonly retryAfter: number | undefined;
  readonly remains: ByteSource | undefined;
  readonly salvageable: boolean;

  constructor(code: FailureCode, wording: Wording, details: FailureDetails = {}) {
    super(spelled(wording, asFields), details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.wording = wording;
    this.hint = details.hint;
    this.charged = details.charged ?? 'no';
    this.kind = details.kind;
    this.status = details.status;
    this.meta = details.meta;
    this.retryAfter = details.retryAfter;
    this.remains = details.remains;
    this.salvageable = details.salvageable ?? false;
  }

  get exit(): number {
    return FAILURES[this.code].exit;
  }

  /** The same failure with other words or facts. */
  with({ wording = this.wording, ...facts }: FailureDetails & { wording?: Wording }): Failure {
    return new Failure(this.code, wording, { ...this, cause: this.cause, ...facts });
  }
}

/** The failure record of `--json`: `{"ok":false,"error":{...}}`, keys without a value left out. */
export function failureRecord(
  failure: Failure,
  spelling: Spelling,
): { ok: false; error: Record<string, unknown>; _meta?: object } {
  const { code, charged, kind, status, meta } = failure;
  const message = spelled(failure.wording, spelling);
  const hint = failure.hint === undefined ? undefined : spelled(failure.hint, spelling);
  const error = present({ code, message, hint, charged, kind, status });
  return meta === undefined ? { ok: false, error } : { ok: false, error, _meta: meta };
}
