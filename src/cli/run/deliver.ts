import { Failure } from '../../contract/failure.ts';
import type { Output } from '../../contract/operation.ts';
import type { ByteSource, PartsResult, RandomAccess, Result } from '../../contract/ports.ts';
import { asDraft, pathOfDraft } from '../../runtime/files/drafts.ts';
import { placeFile, placeFolder } from '../../runtime/files/place.ts';
import { pourInto } from '../../runtime/files/stream-target.ts';
import { fileTarget, type Target } from '../../runtime/files/target.ts';
import type { Workspace } from '../../runtime/folders/workspace.ts';
import type { Streams } from '../../runtime/terminal/streams.ts';
import { type Destination, draftParent, nameBeside } from './destination.ts';

/** One file that was written. */
export interface Delivered {
  readonly path: string;
  readonly bytes: number;
  readonly sha256?: string;
  readonly pages?: number;
  /** The files of a folder, in order. */
  readonly files?: readonly Delivered[];
  /** Files that were written beside it. */
  readonly beside?: readonly Delivered[];
}

export interface Delivery {
  readonly workspace: Workspace;
  readonly streams: Streams;
  readonly signal: AbortSignal;
  /** Whether sha256 is wanted; it costs another read. */
  readonly hash: boolean;
  /** The output may be one part alone, where it is named as one. */
  readonly single?: boolean;
  /** Called when one file is complete, before it gets its name. */
  readonly placing?: (file: Delivered) => void;
}

type Files = Exclude<Result, { kind: 'record' | 'job' }>;

/** Puts the bytes of a result where they belong; undefined when that is standard output. */
export async function deliver(result: Files, to: Destination, delivery: Delivery): Promise<Delivered | undefined> {
  if (result.kind === 'parts' && to.kind === 'folder') return deliverFolder(result, to, delivery);
  const whole = result.kind === 'bytes' ? result.body : await wholeOf(result, to, delivery);
  if (to.kind === 'stdout') {
    await delivery.streams.pour(whole, delivery.signal);
    return undefined;
  }
  const pages = result.kind === 'bytes' ? result.pages : sum(result.parts.map((part) => part.pages));
  const main = await deliverFile(whole, pages, to, delivery);
  if (result.kind !== 'bytes' || result.beside === undefined || to.kind === 'folder') return main;
  const beside: Delivered[] = [];
  for (const { extension, body } of result.beside) {
    const name = nameBeside(to.name, extension);
    // chooseDestination has looked whether it is free.
    beside.push(
      await deliverFile(
        body,
        undefined,
        fileTarget(name, to.kind === 'stream' || to.replaces !== undefined, []),
        delivery,
      ),
    );
  }
  return { ...main, beside };
}

/** The parts as one file: an archive, or the only part where the output is named as one. */
async function wholeOf(result: PartsResult, to: Destination, delivery: Delivery): Promise<ByteSource> {
  if (delivery.single !== true) return result.archive ?? zip(result, to, delivery);
  const [only, ...others] = result.parts;
  if (only === undefined || others.length > 0) {
    const isPicture = result.parts.every(({ name }) => /\.(png|jpe?g|webp)$/i.test(name));
    throw severalParts(result.parts.length, isPicture ? 'pictures' : 'files');
  }
  return only.body;
}

/** Throws where it is known before the work that there will be several parts. */
export function assertOnePart(output: Output, { pages, ranges }: Readonly<Record<string, unknown>>): void {
  if (output.kind !== 'parts') return;
  if (output.single === 'any' && Array.isArray(pages) && pages.length > 1) throw severalParts(pages.length);
  if (output.single !== 'ranges' || (Array.isArray(ranges) && ranges.length === 1)) return;
  throw new Failure('usage', 'one file takes one range of pages', {
    hint: 'Give one, such as --ranges 1-3; or name a folder or a .zip with -o; or take pages with: pdftool pages take',
  });
}

function severalParts(count: number, what = 'pictures'): Failure {
  return new Failure('usage', `${count} ${what} cannot be one file`, {
    hint: 'Choose one, such as with --pages or --name, or name a folder or a .zip with -o.',
  });
}

/** Puts text, such as a record, into a file. */
export async function deliverText(text: string, to: Target, delivery: Delivery): Promise<Delivered> {
  const draft = delivery.workspace.temp({ parent: draftParent(to), name: to.name }).create('text');
  draft.write(Buffer.from(text));
  return deliverFile(draft.finish(), undefined, to, delivery);
}

async function deliverFile(
  body: ByteSource,
  pages: number | undefined,
  to: Target,
  delivery: Delivery,
): Promise<Delivered> {
  if (to.kind === 'folder') throw new TypeError('one file cannot be a folder');
  const draft = await onDisk(body, to, delivery);
  const told = await describe(to.name, draft, pages, delivery);
  delivery.placing?.(told);
  if (to.kind === 'stream') await pourInto(to, draft, delivery.streams, delivery.signal);
  else await placeFile(pathOfDraft(draft), to);
  return told;
}

async function deliverFolder(
  result: PartsResult,
  to: Target & { kind: 'folder' },
  delivery: Delivery,
): Promise<Delivered> {
  const files: Delivered[] = [];
  const drafts: { path: string; name: string }[] = [];
  for (const { name, body, pages } of result.parts) {
    const draft = await onDisk(body, to, delivery);
    files.push(await describe(`${to.name}/${name}`, draft, pages, delivery));
    drafts.push({ path: pathOfDraft(draft), name });
  }
  await placeFolder(drafts, to, delivery.workspace.scratch(draftParent(to)));
  const pages = sum(files.map((file) => file.pages));
  const bytes = files.reduce((total, file) => total + file.bytes, 0);
  return { path: to.name, bytes, ...(pages === undefined ? {} : { pages }), files };
}

async function zip(result: PartsResult, to: Destination, delivery: Delivery): Promise<RandomAccess> {
  const { writeZip } = await import('../../runtime/files/zip.ts');
  const entries = [];
  for (const { name, body } of result.parts) entries.push({ name, body: await onDisk(body, to, delivery) });
  const name = to.kind === 'stdout' ? 'standard output' : to.name;
  const draft = delivery.workspace.temp({ parent: draftParent(to), name }).create('archive.zip');
  await writeZip(entries, draft, delivery.signal);
  return draft.finish();
}

function onDisk(body: ByteSource, to: Destination, { workspace, signal }: Delivery): Promise<RandomAccess> {
  const name = to.kind === 'stdout' ? 'standard output' : to.name;
  return asDraft(body, 'body', () => workspace.temp({ parent: draftParent(to), name }), signal);
}

async function describe(
  path: string,
  draft: RandomAccess,
  pages: number | undefined,
  delivery: Delivery,
): Promise<Delivered> {
  const told = { path, bytes: draft.size, ...(pages === undefined ? {} : { pages }) };
  if (!delivery.hash) return told;
  const { sha256 } = await import('../../runtime/files/hash.ts');
  return { ...told, sha256: await sha256(draft, delivery.signal) };
}

/** Undefined where one of them is not known. */
function sum(amounts: readonly (number | undefined)[]): number | undefined {
  let total = 0;
  for (const amount of amounts) {
    if (amount === undefined) return undefined;
    total += amount;
  }
  return total;
}
