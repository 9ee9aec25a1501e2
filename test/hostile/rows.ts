// Attacks computed from the rows of the contract, so that a new operation is attacked by its row: hostile documents in its
// files, hostile values in each of its fields, and other methods and names at its path.
import type { Field } from '../../src/contract/field.ts';
import type { ServiceOperation } from '../../src/contract/operation.ts';

export interface Call {
  readonly name: string;
  readonly path: string;
  /** Makes the document, which takes some of them seconds; the second call gives the same one. */
  readonly make?: () => Buffer;
  readonly init: () => RequestInit;
}

const TINY = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF');
const LONG = 'x'.repeat(60_000);
const DIGITS = '1'.repeat(60_000);
const DEEP = `${'['.repeat(5_000)}1${']'.repeat(5_000)}`;

/** What no field of the kind takes, or takes only within bounds. */
const VALUES: Readonly<Record<Field['kind'], readonly string[]>> = {
  file: [],
  files: [],
  choice: ['__proto__', LONG],
  integer: ['1e308', '-9007199254740993'],
  size: ['1', '9'.repeat(400)],
  number: ['NaN', '1e999'],
  text: ['a\u0000b\ud800', LONG, DIGITS, '!1,'.repeat(20_000), '../../../../etc/passwd', '(a+)+$'.repeat(100)],
  flag: ['true\u0000', LONG],
  pages: ['1-999999999', DIGITS, '1,'.repeat(30_000)],
  ranges: ['[[1,999999999]]', DEEP],
  secret: ['\u0000', LONG],
  object: ['{"__proto__":{"a":1}}', DEEP],
};
/** In place of a part of a path, such as a job's id. */
const NAMES = ['..%2f..%2fetc%2fpasswd', '%00', '__proto__', 'n'.repeat(10_000)];

export const isFile = ({ kind }: Field) => kind === 'file' || kind === 'files';

/** Each document goes to one row that takes its type, by turns; to so many of them with more `rounds`. */
export function documentCalls(
  rows: readonly ServiceOperation[],
  documents: Readonly<Record<string, () => Buffer>>,
  type: string,
  rounds: number,
): Call[] {
  const fitting = rows.filter((op) =>
    Object.values(op.input).some((field) => 'types' in field && field.types.includes(type)),
  );
  return Object.entries(documents).flatMap(([name, makeAnew], index) => {
    const make = once(makeAnew);
    return fitting.slice(0, rounds).map((_, round): Call => {
      const op = fitting[(index + round) % fitting.length] as ServiceOperation; // a remainder is below the length
      return { name: `${op.name}: ${name}`, make, path: op.path, init: () => request(op, make(), {}) };
    });
  });
}

/** What is computed for one row alone. */
export function rowCalls(op: ServiceOperation): Call[] {
  const call = (what: string, path: string, init: () => RequestInit): Call => ({
    name: `${op.name}: ${what}`,
    path,
    init,
  });
  const fields = Object.entries(op.input).filter(([name]) => !op.path.includes(`:${name}`));
  const given = (name: string, text: string) => () => request(op, TINY, { [name]: text });
  return [
    ...fields.flatMap(([name, field]) =>
      VALUES[field.kind].map((text, index) =>
        call(`${name} of hostile value ${index + 1}`, op.path, given(name, text)),
      ),
    ),
    ...(op.body === 'none' ? [] : [call('a field it does not have', op.path, given('__proto__', LONG))]),
    ...(op.path.includes(':')
      ? NAMES.map((name, index) =>
          call(`hostile name ${index + 1}`, op.path.replace(/:\w+/, name), () => request(op, TINY, {})),
        )
      : []),
    call('another method', op.path, () => ({ method: 'DELETE' })),
  ];
}

function request(op: ServiceOperation, document: Buffer, given: Readonly<Record<string, string>>): RequestInit {
  const { method } = op;
  if (op.body === 'none') return { method };
  const texts = Object.entries(op.input).flatMap(([name, field]) =>
    field.required && !isFile(field) && !op.path.includes(`:${name}`) ? [[name, least(field)] as const] : [],
  );
  const fields = { ...Object.fromEntries(texts), ...given };
  if (op.body === 'json')
    return { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) };
  const body = new FormData();
  for (const [name, field] of Object.entries(op.input)) {
    const times = field.kind === 'files' ? field.min : field.kind === 'file' && field.required ? 1 : 0;
    for (let i = 0; i < times; i += 1) body.append(name, new Blob([new Uint8Array(document)]), 'a');
  }
  for (const [name, text] of Object.entries(fields)) body.append(name, text);
  return { method, body };
}

/** Something that a required field takes. */
export function least(field: Field): string {
  if (field.kind === 'choice') return String(field.values[0]);
  return field.kind === 'integer' ? '1' : 'x';
}

export function once(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
