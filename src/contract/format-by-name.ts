import type { Values } from './base/ports.ts';
import { field, say, setting, type Wording } from './base/wording.ts';
import { typeNamed } from './media.ts';
import type { AnyOperation } from './operation.ts';

/** Extensions of sound and video. */
const MEDIA_NAME = /\.(mp3|m4b|m4a|mp4|m4v|wav|aac|flac|ogg|opus|webm|mov)$/i;

/** The output format that the output's name implies, of sound or tables. It must not contradict a format that was given. */
export function formatByName(
  op: AnyOperation,
  values: Values,
  output: string | undefined,
): { readonly values: Values } | { readonly issue: Wording } {
  const { output_format: given } = values;
  if (op.input.format !== undefined && op.outputBy === 'format') return { values: kindByName(op, values, output) };
  const row = op.group === 'speech' ? op.input.output_format : undefined;
  const named = MEDIA_NAME.exec(output ?? '')?.[1]?.toLowerCase();
  if (row === undefined || named === undefined) return { values: {} };
  const formats = row.kind === 'choice' ? row.values : row.kind === 'text' ? (row.seen ?? []) : [];
  const name = setting('output', output);
  if (!formats.includes(named)) {
    return { issue: say`${name}: ${op.name} writes ${formats.map((format) => `.${format}`).join(', ')}` };
  }
  if (given !== undefined && given !== named) {
    return { issue: say`${name} and ${field('output_format', String(given))} contradict each other: give one of them` };
  }
  // The default format is left out, so that the request equals one without a name and an earlier job of it is found.
  return { values: named === usualFormat(op) ? {} : { output_format: named } };
}

/** The format whose output is of the type that the name stands for, where none was asked for: `-o figures.xlsx`. */
function kindByName(op: AnyOperation, { format }: Values, output: string | undefined): Values {
  const type = format === undefined && output !== undefined ? typeNamed(output) : undefined;
  const [named] =
    Object.entries(op.outputs).find(([, { kind, mediaType }]) => kind !== 'parts' && mediaType === type) ?? [];
  return named === undefined ? {} : { format: named };
}

function usualFormat(op: AnyOperation): string | undefined {
  const [output] = Object.values(op.outputs);
  const usual = op.input.output_format?.default;
  return typeof usual === 'string' ? usual : output?.kind === 'job' ? output.extension : undefined;
}
