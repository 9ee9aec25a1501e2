import { type Charged, FAILURES, type Failure, type FailureCode, type FailureKind } from '../contract/base/failure.ts';
import { command, type NamedThing, type Spelling, spelled } from '../contract/base/wording.ts';
import { asCommandLine, camelCase } from '../contract/spelling.ts';

/** The error that functions of the library throw. Codes, kinds and exit codes are those of the command line. */
export class PdftoolError extends Error {
  readonly code: FailureCode;
  readonly hint: string | undefined;
  /** Whether a failed call was charged; `unknown`: its answer was lost, and repeating it may cost twice. */
  readonly charged: Charged;
  /** The exit code of the command line for this failure. */
  readonly exitCode: number;
  readonly kind: FailureKind | undefined;
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

/** Property names that do not follow from a row's or setting's own name. */
const SETTINGS: Readonly<Record<string, string>> = {
  remote: "with engine: 'remote'",
  local: "with engine: 'local'",
  'password-file': 'password',
};

/** The library's spelling: `margin`, `format: "png"`, `imagesToPdf()`. */
const asProperties: Spelling = (named: NamedThing) => {
  if ('command' in named) return asCommandLine(command(named.command));
  if ('operation' in named) return `${camelCase(named.operation)}()`;
  const name = 'field' in named ? camelCase(named.field) : (SETTINGS[named.setting] ?? camelCase(named.setting));
  return named.value === undefined ? name : `${name}: ${JSON.stringify(named.value)}`;
};
