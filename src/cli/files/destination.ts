import { join, parse } from 'node:path';
import { Failure } from '../../contract/base/failure.ts';
import { field, say, setting } from '../../contract/base/wording.ts';
import { ANY, EXTENSIONS, JSON_TYPE, MARKDOWN, NDJSON, TEXT, typeNamed } from '../../contract/media.ts';
import { type AnyOperation, type Output, wordsOf } from '../../contract/operation.ts';
import { fileTarget, folderTarget, type InputIdentity, type Target } from '../../runtime/files/outputs/target.ts';
import { nameBeside, type ResultPlacement, severalParts } from '../../runtime/rows/place-result.ts';
import type { Streams } from '../../runtime/terminal/streams.ts';
import type { Flags } from '../line/flags.ts';
import type { RunPlan } from '../line/plan.ts';

export type Destination = { readonly kind: 'stdout' } | Target;

/** The parts of a plan that decide where its result goes. */
export type DestinationRequest = Pick<RunPlan, 'op' | 'output' | 'values' | 'files' | 'below' | 'outDir' | 'folder'> & {
  readonly flags: Pick<Flags, 'output' | 'force' | 'json'>;
};

/**
 * Chooses where the result of a run goes, by -o, --out-dir and the row. Throws, before any work is done, where the
 * output exists, is a folder, or would garble a terminal.
 */
export function chooseDestination(
  plan: DestinationRequest,
  inputs: readonly InputIdentity[],
  streams: Pick<Streams, 'outIsTerminal'>,
): Destination {
  const { output, flags } = plan;
  if (flags.output === '-' || (flags.output === undefined && plan.outDir === undefined && isText(output))) {
    if (!isText(output)) assertNotTerminal(streams, output);
    if (besideOf(plan) !== undefined) {
      throw new Failure('usage', `${wordsOf(plan.op)}: a second file is to be written, and standard output is one`, {
        hint: 'Name a file with -o.',
      });
    }
    if (flags.json && output.kind !== 'record') {
      throw new Failure('usage', '--json and the result itself would both go to standard output', {
        hint: 'Name a file with -o.',
      });
    }
    return { kind: 'stdout' };
  }
  const name = outputName(plan);
  if (flags.output !== undefined) assertFits(flags.output, output);
  const second = besideOf(plan);
  if (second !== undefined) fileTarget(nameBeside(name, second), flags.force, inputs);
  if (
    output.kind !== 'parts' ||
    isZip(name) ||
    (output.single !== undefined && isPart(name, output.partTypes, plan.op))
  ) {
    return fileTarget(name, flags.force, inputs);
  }
  return folderTarget(name, flags.force);
}

/** The extension of a second file beside the output, such as srt. */
function besideOf({ output, values }: DestinationRequest): string | undefined {
  const extension = output.kind === 'job' && output.beside !== undefined ? values[output.beside] : undefined;
  return typeof extension === 'string' ? extension : undefined;
}

/** Where other outputs go, by the fields that name them. Throws where one of them is the output itself. */
export function chooseBeside(
  { op, values, flags }: Pick<DestinationRequest, 'op' | 'values' | 'flags'>,
  destination: Destination,
  inputs: readonly InputIdentity[],
): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  for (const [name, declared] of Object.entries(op.input)) {
    const value = values[name];
    if (declared.kind !== 'text' || declared.output !== true || typeof value !== 'string') continue;
    const target = fileTarget(value, flags.force, inputs);
    if (destination.kind === 'file' && target.kind === 'file' && target.path === destination.path) {
      throw new Failure('usage', say`${field(name)} and the output are one file: ${value}`, {
        hint: 'Name another file.',
      });
    }
    targets.set(name, target);
  }
  return targets;
}

/** How the parts of a result are written: a single one as it is, where the destination is a file. */
export function partsIn(
  { output }: Pick<DestinationRequest, 'output'>,
  destination: Destination,
): ResultPlacement['parts'] {
  if (destination.kind === 'folder') return 'folder';
  if (output.kind !== 'parts' || output.single === undefined) return 'archive';
  const takesOne = destination.kind === 'stdout' ? output.single === 'any' : !isZip(destination.name);
  return takesOne ? 'single' : 'archive';
}

/** Throws where it is known in advance that there will be several parts. */
export function assertOnePart(output: Output, { pages, ranges }: Readonly<Record<string, unknown>>): void {
  if (output.kind !== 'parts') return;
  if (output.single === 'any' && Array.isArray(pages) && pages.length > 1) throw severalParts(pages.length, 'pictures');
  if (output.single !== 'ranges' || (Array.isArray(ranges) && ranges.length === 1)) return;
  throw new Failure('usage', 'one file takes one range of pages', {
    hint: 'Give one, such as --ranges 1-3; or name a folder or a .zip with -o; or take pages with: pdftool pages take',
  });
}

/** The name of an output: as given, or made from that of the first file. */
export function outputName(plan: DestinationRequest): string {
  return plan.flags.output ?? join(plan.folder ?? '', defaultName(plan, plan.files[0]));
}

/** The default name of an output: `merged.pdf`, `report-rotated.pdf`, `report-pages`. */
export function defaultName(
  { output, values, below }: Pick<RunPlan, 'output' | 'values'> & Partial<Pick<RunPlan, 'below'>>,
  file: string | undefined,
): string {
  const name = nameFor(output, values, file);
  const folder = file === undefined ? undefined : below?.[file];
  return folder === undefined ? name : join(folder, name);
}

function nameFor(output: Output, values: RunPlan['values'], file: string | undefined): string {
  if (output.kind === 'record') return `${stemOf(file)}.${output.text === undefined ? 'json' : 'txt'}`;
  if (output.kind === 'job') {
    const { output_format: format } = values;
    return `${stemOf(file)}.${typeof format === 'string' && /^[a-z0-9]{1,5}$/.test(format) ? format : output.extension}`;
  }
  const stem = 'fixed' in output.stem ? output.stem.fixed : `${stemOf(file)}${output.stem.suffix}`;
  if (output.kind === 'parts') return stem;
  const extension = EXTENSIONS[output.mediaType]?.[0];
  return extension === undefined ? stem : `${stem}.${extension}`;
}

function stemOf(file: string | undefined): string {
  return file === undefined || file === '-' ? 'stdin' : parse(file).name;
}

function isZip(name: string): boolean {
  return name.toLowerCase().endsWith('.zip');
}

function isText(output: Output): boolean {
  return output.kind === 'record' || (output.kind === 'bytes' && output.printed === true);
}

/** Whether a name stands for one part. Throws where it stands for a file of a type that will not be made. */
function isPart(name: string, types: readonly string[], op: AnyOperation): boolean {
  // Parts of any type: every name with an extension is a file.
  if (types.includes(ANY)) return parse(name).ext !== '';
  const type = typeNamed(name);
  if (type === undefined) return false;
  if (types.includes(type)) return true;
  const made = types.map((mediaType) => EXTENSIONS[mediaType]?.[0]?.toUpperCase()).join(' or ');
  const hint = op.outputBy === undefined ? {} : { hint: `Name another file, or give --${op.outputBy}.` };
  throw new Failure('usage', `${name} would hold ${made}`, hint);
}

/** Text types: files of any of them may hold any text. */
const TEXTS: readonly string[] = [TEXT, MARKDOWN, JSON_TYPE, NDJSON];

/** Refuses an extension of another type than the result has; unknown extensions are accepted. */
function assertFits(name: string, output: Output): void {
  if (output.kind === 'parts' || output.kind === 'job') return;
  const named = typeNamed(name);
  const { mediaType } = output;
  if (named === undefined || named === mediaType || (TEXTS.includes(named) && TEXTS.includes(mediaType))) return;
  const [ending = 'bin'] = EXTENSIONS[mediaType] ?? [];
  throw new Failure('usage', say`${setting('output', name)}: the result is ${mediaType}, not ${named}`, {
    hint: `Name it ${name.slice(0, -parse(name).ext.length)}.${ending}.`,
  });
}

function assertNotTerminal(streams: Pick<Streams, 'outIsTerminal'>, output: Output): void {
  if (!streams.outIsTerminal) return;
  throw new Failure('usage', `standard output is a terminal, and the result is ${output.mediaType}`, {
    hint: 'Name a file with -o, or send it into a pipe.',
  });
}
