// The equivalents of what was clicked: a pdftool command and a curl command.
import type { Field } from '../contract/field.ts';
import { type ServiceOperation, wordsOf } from '../contract/operation.ts';
import { workflowCreate, workflowFinalize } from '../contract/operations/service/workflow.ts';
import { takesPages } from '../contract/page-fields.ts';
import { asCommandLine } from '../contract/spelling.ts';
import { fileFields } from './rows.ts';

/** The form state: a text per field, true for a flag, or names of files. */
export type Typed = Readonly<Record<string, string | true | readonly string[] | undefined>>;

/** Quotes a word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function commandLine(op: ServiceOperation, names: readonly string[], typed: Typed): string {
  const options: string[] = [];
  const last: string[] = [];
  const [main, ...others] = fileFields(op);
  for (const [name, field] of Object.entries(op.input)) {
    const value = typed[name];
    if (name === main || value === undefined || value === '') continue;
    const flag = asCommandLine({ field: name });
    if (others.includes(name)) for (const file of value as readonly string[]) options.push(flag, quoted(file));
    else if (field.kind === 'secret') options.push(field.ofFile ? '--password-file' : flag, 'password.txt');
    else if (field.kind === 'text' && field.last === true && field.grammar === undefined)
      last.push(quoted(String(value)));
    else options.push(...optionWords(flag, field, value));
  }
  return ['pdftool', wordsOf(op), ...names.map(quoted), ...last, ...options].join(' ');
}

function optionWords(flag: string, field: Field, value: NonNullable<Typed[string]>): string[] {
  if (field.kind === 'flag') return field.default === true ? [flag.replace('--', '--no-')] : [flag];
  // A value that begins with a dash would be parsed as an option.
  const text = String(value);
  return text.startsWith('-') ? [`${flag}=${quoted(text)}`] : [flag, quoted(text)];
}

const KEY = '-H "Authorization: Bearer $PDFTOOL_API_KEY"';

/** An inspection is a job: created, its file uploaded to the returned address, then finalized. */
export function inspectionLines([name = 'in.pdf']: readonly string[], options: object, origin: string): string {
  const asked = JSON.stringify({ workflow: 'redaction', maxCredits: 1, options });
  const file = quoted(name);
  const member = (path: string) => `$(jq -r ${path} <job.json)`;
  const finalize = workflowFinalize.path.replace(':uploadId', member('.uploadId'));
  return [
    `jq -n --argjson bytes $(wc -c <${file}) ${quoted(`${asked} + {inputBytes: $bytes}`)} |`,
    `  curl -f ${KEY} --json @- -o job.json ${quoted(`${origin}${workflowCreate.path}`)} &&`,
    `curl -fT ${file} -o /dev/null "${member('.upload.session_uri')}" &&`,
    `curl -f ${KEY} -X POST "${origin}${finalize}"`,
  ].join('\n');
}

/** `values`: the texts to send, by field. Files and secrets are given by name. */
export function curlLine(
  op: ServiceOperation,
  names: readonly string[],
  values: Readonly<Record<string, string>>,
  typed: Typed,
  origin: string,
): string {
  const [main, ...others] = fileFields(op);
  // A request takes one document, unless its row takes several.
  const sent = op.input[main ?? '']?.kind === 'files' ? names : names.slice(0, 1);
  const files = [
    ...sent.map((name) => [main, name] as const),
    ...others.flatMap((field) => ((typed[field] ?? []) as readonly string[]).map((name) => [field, name] as const)),
  ];
  const form = [
    ...files.map(([field, name]) => quoted(`${field}=@${name}`)),
    ...Object.entries(values).map(([name, value]) =>
      op.input[name]?.kind === 'secret' ? quoted(`${name}=<password.txt`) : quoted(`${name}=${value}`),
    ),
  ];
  return ['curl -fOJ', KEY, ...form.map((part) => `-F ${part}`), quoted(`${origin}${op.path}`)].join(' ');
}

/** Whether the field takes typed pages, so that marks on thumbnails can fill it in. */
export function isPages(field: Field): boolean {
  return takesPages(field) || (field.kind === 'text' && field.grammar === 'range');
}

/** The first page field of a row. */
export function pagesField(op: ServiceOperation): string | undefined {
  return Object.entries(op.input).find(([, field]) => isPages(field))?.[0];
}

/** The label of a field: its option's name as words. */
export function labelOf(name: string): string {
  return name.replaceAll(/[-_]/g, ' ');
}
