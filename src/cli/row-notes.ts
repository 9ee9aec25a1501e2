import { EXTENSIONS } from '../contract/media.ts';
import { type AnyOperation, isOffered, type Limits, type Output } from '../contract/operation.ts';
import type { Note } from '../derive/shape.ts';
import { count, formatSize } from '../runtime/terminal/units.ts';

export function notesOf(op: AnyOperation): Note[] {
  return [
    { title: 'Result:', lines: resultOf(op) },
    { title: 'Engines and cost:', lines: [enginesOf(op), costOf(op)] },
    { title: 'Limits of the service:', lines: op.local === true || op.disabled === undefined ? limitsOf(op) : [] },
  ].filter(({ lines }) => lines.length > 0);
}

function resultOf(op: AnyOperation): string[] {
  const outputs = Object.entries(op.outputs);
  if (outputs.length === 1) return outputs.map(([, output]) => `${describe(output)}.`);
  const all = new Set(outputs.map(([, output]) => describe(output)));
  // Formats that differ in their extension alone share one line.
  if (all.size === 1) return [...all].map((text) => `${text}.`);
  const flag = op.outputBy === undefined ? '' : `--${op.outputBy.replaceAll('_', '-')} `;
  return outputs.map(([name, output]) => `${flag}${name}: ${describe(output)}.`);
}

function describe(output: Output): string {
  if (output.kind === 'job') return 'Starts a job';
  if (output.kind === 'record') {
    const what = output.text ?? (output.document === true ? 'JSON' : 'a record');
    return `Prints ${what}; -o puts it into a file`;
  }
  const stem = 'fixed' in output.stem ? output.stem.fixed : `FILE${output.stem.suffix}`;
  if (output.kind === 'parts') return `Writes the folder ${stem}, or what -o names; one ZIP if that ends in .zip`;
  if (output.printed === true) return 'Prints text; -o puts it into a file';
  return `Writes ${stem}.${EXTENSIONS[output.mediaType]?.[0] ?? 'bin'}, or what -o names`;
}

function enginesOf(op: AnyOperation): string {
  if (!isOffered(op)) return 'Only on this machine.';
  if (op.disabled !== undefined) return `Nowhere for now: ${op.disabled}.`;
  const service = op.extension === true ? 'a service that is a pdftool serve' : 'the service';
  return op.local === true ? `On this machine and on ${service}.` : `Only on ${service}: ${op.local}.`;
}

function costOf(op: AnyOperation): string {
  if (!isOffered(op)) return 'Free.';
  const { cost } = op;
  if ('credits' in cost) {
    if (cost.credits === 0) return 'Free.';
    return `On the service ${count(cost.credits, 'credit')}, charged when the output is made; nothing on this machine.`;
  }
  if ('reserves' in cost) return 'On the service the budget of --max-credits, reserved when the job is made.';
  const by = Object.entries(cost.creditsPerMinuteBy ?? {}).map(([format, credits]) => ` (${format}: ${credits})`);
  return `On the service ${count(cost.creditsPerMinute, 'credit')} a minute${by.join('')}.`;
}

/** The limits of the service, a sentence each. */
function limitsOf({ limits = {}, input }: AnyOperation): string[] {
  const files = Object.values(input).flatMap((field) => {
    if (field.kind !== 'files') return [];
    return field.max === undefined ? [] : [`${field.min} to ${field.max} files`];
  });
  const texts = Object.entries(input).flatMap(([name, field]) =>
    field.kind === 'text' && field.maxLength !== undefined ? [`${count(field.maxLength, 'character')} of ${name}`] : [],
  );
  const notes = [...files, ...words(limits), ...(texts.length > 0 && limits.characters !== undefined ? [] : texts)];
  const when = (limits.when ?? []).map((bound) => {
    const needs = Object.entries(bound.requires ?? {}).map(([name, value]) => `needs --${name} ${value}`);
    return `With ${bound.field.replaceAll('_', '-')} ${bound.value}: ${[...needs, ...words(bound)].join(', ')}.`;
  });
  const first = notes.join(', ');
  return [...(first === '' ? [] : [`${first.charAt(0).toUpperCase()}${first.slice(1)}.`]), ...when];
}

function words(limits: Omit<Limits, 'when'> & { readonly derivativeBytes?: number }): string[] {
  const { inputBytes, outputBytes, pages, segments, characters, minutes, activeJobs, derivativeBytes } = limits;
  const amounts: [number | undefined, (amount: number) => string][] = [
    [inputBytes, (bytes) => `${formatSize(bytes)} of input`],
    [outputBytes, (bytes) => `${formatSize(bytes)} of output`],
    [derivativeBytes, (bytes) => `${formatSize(bytes)} of text before packing`],
    [pages, (amount) => count(amount, 'page')],
    [segments, (amount) => count(amount, 'segment')],
    [characters, (amount) => count(amount, 'character')],
    [minutes, (amount) => count(amount, 'minute')],
    [activeJobs, (amount) => `${count(amount, 'job')} at a time`],
  ];
  return amounts.flatMap(([amount, say]) => (amount === undefined ? [] : [say(amount)]));
}
