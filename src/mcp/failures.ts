import type { Failure } from '../contract/base/failure.ts';
import { present } from '../contract/base/present.ts';
import { asFields, type NamedThing, type Spelling, spelled, type Wording } from '../contract/base/wording.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations/all.ts';
import { asCommandLine } from '../contract/spelling.ts';
import { plain } from '../wire/plain.ts';
import { argumentOf } from './arguments.ts';

/** Settings of the command line that are arguments of tools. All others are set when the server is started. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  output: 'output',
  force: 'overwrite',
  'password-file': 'file_password',
};

/** A failure for an agent: it names arguments, not command line options. */
export function failureAnswer(failure: Failure): Record<string, unknown> {
  const { code, charged, kind, status } = failure;
  const error = {
    code,
    message: bounded(spelled(failure.wording, asArguments)),
    hint: hintFor(failure),
    charged,
    kind,
    status,
  };
  return { ok: false, error: present(error) };
}

/** The same as text, for clients that do not show structured content. */
export function failureText(failure: Failure): string {
  const lines = [bounded(spelled(failure.wording, asArguments)), hintFor(failure), CHARGED[failure.charged]];
  return lines.filter((line) => line !== undefined && line !== '').join('\n');
}

/** Lines of a message: each names one argument. */
const MOST_LINES = 8;

/** The message without control characters and with few lines: it may repeat what the call held. */
function bounded(message: string): string {
  const lines = message.split('\n');
  const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
  return [...lines.slice(0, MOST_LINES).map(plain), ...more].join('\n');
}

const CHARGED = {
  no: 'Nothing was charged.',
  yes: 'It was charged.',
  unknown: 'It may have been charged. Do not repeat it: ask account what was charged.',
} as const;

function hintFor({ code, hint, charged }: Failure): string | undefined {
  if (charged === 'unknown') return 'Ask account what was charged before anything is done again.';
  if (code === 'output_exists') return 'Name another output, or leave output out: then a free name is found.';
  if (hint === undefined) return undefined;
  return isForPerson(hint) ? `For a person: ${spelled(hint, asCommandLine)}` : spelled(hint, asArguments);
}

function isForPerson(hint: Wording): boolean {
  const forPerson = (part: string | NamedThing) =>
    typeof part !== 'string' && ('command' in part || ('setting' in part && ARGUMENTS[part.setting] === undefined));
  return typeof hint !== 'string' && hint.some(forPerson);
}

/** `margin`, `format=png`, `image_path`, `ocr_pdf`. */
const asArguments: Spelling = (named) => {
  if ('setting' in named) return ARGUMENTS[named.setting] ?? asFields(named);
  const rows: readonly AnyOperation[] = OPERATIONS;
  if ('operation' in named) {
    const row = rows.find(({ name }) => name === named.operation);
    return Object.keys(row?.tools ?? {})[0] ?? named.operation;
  }
  if ('command' in named) return asFields(named);
  const field = rows.map(({ input }) => input[named.field]).find((row) => row !== undefined);
  return asFields({ ...named, field: argumentOf(named.field, field) });
};
