// Owns where the result of an operation goes: standard output or a target, by -o, --out-dir and the row. Writes nothing.
import { dirname, join, parse } from 'node:path';
import { Failure } from '../contract/failure.ts';
import { EXTENSIONS } from '../contract/media.ts';
import { type AnyOperation, type Output, outputOf } from '../contract/operation.ts';
import type { Streams } from '../runtime/streams.ts';
import { fileTarget, folderTarget, type InputIdentity, type Target } from '../runtime/target.ts';

export type Destination = { readonly kind: 'stdout' } | Target;

export interface Place {
  /** `-o` as given. */
  readonly output: string | undefined;
  /** Where outputs with a name of ours go; the current folder when left out. */
  readonly folder: string | undefined;
  /** --out-dir was given: records go to files too. */
  readonly toFiles: boolean;
  readonly force: boolean;
  readonly json: boolean;
}

/** Looks before any work is done: throws where the output exists, is a folder, or would garble a terminal. */
export function chooseDestination(
  op: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  firstFile: string | undefined,
  place: Place,
  inputs: readonly InputIdentity[],
  streams: Streams,
): Destination {
  const { output } = outputOf(op, input);
  const { output: given, force } = place;
  if (given === '-' || (given === undefined && !place.toFiles && isText(output))) {
    if (!isText(output)) assertNotTerminal(streams, output);
    if (place.json && isBytes(output)) {
      throw new Failure('usage', '--json and the result itself would both go to standard output', {
        hint: 'Name a file with -o.',
      });
    }
    return { kind: 'stdout' };
  }
  const name = outputName(op, input, firstFile, place);
  if (output.kind !== 'parts' || isZip(name) || (output.single === true && isPart(name, output.partTypes, op))) {
    return fileTarget(name, force, inputs);
  }
  return folderTarget(name, force);
}

/** The name of an output: as given, or one of ours. */
export function outputName(
  op: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  firstFile: string | undefined,
  { output, folder }: Pick<Place, 'output' | 'folder'>,
): string {
  return output ?? join(folder ?? '', defaultName(outputOf(op, input).output, firstFile, input));
}

/** The folder in which drafts for a destination are written, so that they can be linked into place. */
export function draftParent(destination: Destination): string | undefined {
  return destination.kind === 'file' || destination.kind === 'folder' ? dirname(destination.path) : undefined;
}

/** The name a person did not give: `merged.pdf`, `report-rotated.pdf`, `report-pages`; in the current folder. */
export function defaultName(
  output: Output,
  firstFile: string | undefined,
  input: Readonly<Record<string, unknown>> = {},
): string {
  if (output.kind === 'record') return `${stemOf(firstFile)}.${output.text === undefined ? 'json' : 'txt'}`;
  if (output.kind === 'job') {
    const { output_format: format } = input;
    return `${stemOf(firstFile)}.${typeof format === 'string' && /^[a-z0-9]{1,5}$/.test(format) ? format : output.extension}`;
  }
  const stem = 'fixed' in output.stem ? output.stem.fixed : `${stemOf(firstFile)}${output.stem.suffix}`;
  if (output.kind === 'parts') return stem;
  const extension = EXTENSIONS[output.mediaType]?.[0];
  return extension === undefined ? stem : `${stem}.${extension}`;
}

function stemOf(file: string | undefined): string {
  return file === undefined || file === '-' ? 'stdin' : parse(file).name;
}

/** Whether a name is that of one part. Throws where it is that of a part of another type than will be made. */
function isPart(name: string, types: readonly string[], op: AnyOperation): boolean {
  const extension = parse(name).ext.slice(1).toLowerCase();
  const type = Object.keys(EXTENSIONS).find((each) => EXTENSIONS[each]?.includes(extension));
  if (type === undefined) return false;
  if (types.includes(type)) return true;
  const made = types.map((each) => EXTENSIONS[each]?.[0]?.toUpperCase()).join(' or ');
  const hint = op.outputBy === undefined ? {} : { hint: `Name another file, or give --${op.outputBy}.` };
  throw new Failure('usage', `${name} would hold ${made}`, hint);
}

function isZip(name: string): boolean {
  return name.toLowerCase().endsWith('.zip');
}

function isText(output: Output): boolean {
  return output.kind === 'record' || (output.kind === 'bytes' && output.printed === true);
}

function isBytes(output: Output): boolean {
  return output.kind !== 'record';
}

function assertNotTerminal(streams: Streams, output: Output): void {
  if (!streams.outIsTerminal) return;
  throw new Failure('usage', `standard output is a terminal, and the result is ${output.mediaType}`, {
    hint: 'Name a file with -o, or send it into a pipe.',
  });
}
