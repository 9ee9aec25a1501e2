/**
 * Puts what an operation made where it belongs, for the command line, tools of agents and workers of serve alike. A file
 * is complete on the disk before it gets its name, and replaces another one only where its destination allows that.
 */

import { closeSync, openSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { atEnd } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, BytesResult, PartsResult, RandomAccess, Result, Temp } from '../../contract/base/ports.ts';
import { field, say, setting } from '../../contract/base/wording.ts';
import { EXTENSIONS, typeNamed, ZIP } from '../../contract/media.ts';
import { asDraft, pathOfDraft } from '../files/outputs/drafts.ts';
import { placeFile, placeFolder } from '../files/outputs/place.ts';
import { fileTarget, type Target } from '../files/outputs/target.ts';
import type { Workspace } from '../files/outputs/workspace.ts';
import type { OutputPlace } from '../files/sandbox.ts';
import { outputExists, writeFailure } from '../files/system/file-failure.ts';
import type { Streams } from '../terminal/streams.ts';

type Destination =
  | { readonly kind: 'stdout' }
  | Target
  /** A name in a folder that is held open. Where it is taken, the first free one of `a.pdf`, `a-2.pdf`, `a-3.pdf` … */
  | { readonly kind: 'held'; readonly place: OutputPlace };

/** Where a result goes, and how it is written. */
export interface ResultPlacement {
  readonly to: Destination;
  /** Several parts become a folder or one archive; single: the only part becomes the file. */
  readonly parts: 'folder' | 'archive' | 'single';
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Whether SHA-256 is wanted; it costs another read. */
  readonly hash: boolean;
  /** Writes to standard output and to devices. */
  readonly pour?: Streams['pour'];
  /** The file need not survive a loss of power. */
  readonly brief?: boolean;
  /** Where other outputs go, by the fields that name them. */
  readonly also?: ReadonlyMap<string, Target>;
  /** Told of a file that is complete, before it gets its name; may refuse it by throwing. */
  readonly placing?: (file: WrittenFile, draft: RandomAccess) => void | Promise<void>;
}

export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
  readonly pages?: number;
  readonly sha256?: string;
  /** The files of a folder, in order. */
  readonly files?: readonly WrittenFile[];
  /** Files that were written beside it. */
  readonly beside?: readonly WrittenFile[];
}

/** Undefined where the bytes went to standard output. */
export async function placeResult(
  result: BytesResult | PartsResult,
  placement: ResultPlacement,
): Promise<WrittenFile | undefined> {
  const { to } = placement;
  const main =
    result.kind === 'bytes' ? await placeFileOf(result.body, result, placement) : await placeParts(result, placement);
  if (main === undefined || result.kind !== 'bytes' || (to.kind !== 'file' && to.kind !== 'stream')) return main;
  if (result.beside === undefined) return main;
  const beside: WrittenFile[] = [];
  for (const { extension, body } of result.beside) {
    const replaces = to.kind === 'stream' || to.replaces !== undefined;
    const target = fileTarget(nameBeside(to.name, extension), replaces, []);
    const written = await placeFileOf(body, {}, { ...placement, to: target });
    if (written !== undefined) beside.push(written);
  }
  return { ...main, beside };
}

/** Places the other outputs that a result of any kind has, such as the report of a comparison. */
export async function placeOthers({ also }: Result, placement: ResultPlacement): Promise<void> {
  for (const { field: name, body, mediaType } of also ?? []) {
    const target = placement.also?.get(name);
    if (target !== undefined) await placeFileOf(body, { mediaType }, { ...placement, to: target, hash: false });
  }
}

/** Puts text, such as a record, into a file. */
export async function placeText(
  text: string,
  mediaType: string,
  placement: ResultPlacement,
): Promise<WrittenFile | undefined> {
  const draft = draftsFor(placement).create('text');
  draft.write(Buffer.from(text));
  return placeFileOf(draft.finish(), { mediaType }, placement);
}

/** Drafts beside the output that they are for, so that they can be linked into place. */
export function draftsFor({ to, parts, workspace }: Pick<ResultPlacement, 'to' | 'parts' | 'workspace'>): Temp {
  return workspace.temp({ parent: folderOf(to), name: nameOf(to), together: parts === 'folder' });
}

/** The name of a file beside another: book.mp3 and book.srt. */
export function nameBeside(name: string, extension: string): string {
  return join(dirname(name), `${parse(name).name}.${extension}`);
}

async function placeParts(result: PartsResult, placement: ResultPlacement): Promise<WrittenFile | undefined> {
  const { parts } = result;
  const { to } = placement;
  const isNamedAsFile = to.kind === 'held' && parts.length === 1 && typeNamed(to.place.name) !== undefined;
  if (placement.parts === 'folder' && !isNamedAsFile) return placeFolderOf(result, placement);
  if (placement.parts === 'archive') {
    const body = result.archive ?? (await zipped(result, placement));
    return placeFileOf(body, { pages: sum(parts.map(({ pages }) => pages)), mediaType: ZIP }, placement);
  }
  const [only] = parts;
  if (only === undefined || parts.length > 1) {
    const arePictures = parts.every(({ name }) => /\.(png|jpe?g|webp)$/i.test(name));
    throw severalParts(parts.length, arePictures ? 'pictures' : 'files');
  }
  return placeFileOf(only.body, { pages: only.pages, mediaType: typeNamed(only.name) }, placement);
}

export function severalParts(count: number, what: 'pictures' | 'files'): Failure {
  return new Failure('usage', `${count} ${what} cannot be one file`, {
    hint: say`Choose one, such as with ${field('pages')} or ${field('name')}, or name a folder or a .zip with ${setting('output')}.`,
  });
}

interface Facts {
  readonly pages?: number | undefined;
  readonly mediaType?: string | undefined;
}

async function placeFileOf(
  body: ByteSource,
  facts: Facts,
  placement: ResultPlacement,
): Promise<WrittenFile | undefined> {
  const { to, signal, pour, placing } = placement;
  if (to.kind === 'stdout') {
    await pour?.(body, signal);
    return undefined;
  }
  const draft = await onDisk(body, placement);
  const about = await describe(draft, facts.pages, placement);
  signal.throwIfAborted();
  for (const target of filesAt(to, facts.mediaType)) {
    const file = { path: target.name, ...about };
    await placing?.(file, draft);
    try {
      await putFile(draft, target, placement);
      return file;
    } catch (error) {
      if (!isTaken(error, to)) throw error;
    }
  }
  throw outputExists(nameOf(to));
}

async function putFile(draft: RandomAccess, target: Target, { brief, pour, signal }: ResultPlacement): Promise<void> {
  if (target.kind === 'folder') throw new TypeError('one file cannot be a folder');
  if (target.kind === 'file') {
    const path = pathOfDraft(draft);
    if (brief !== true) return placeFile(path, target);
    // Without waiting for the disk.
    return rename(path, target.path);
  }
  // Nothing can be linked into a device or a pipe: the bytes are complete on the disk before the first of them is sent.
  let descriptor: number;
  try {
    descriptor = openSync(target.path, 'w');
  } catch (error) {
    throw writeFailure(error, target.name);
  }
  using _ = atEnd(() => closeSync(descriptor));
  await pour?.(draft, signal, { descriptor, name: target.name });
}

async function placeFolderOf({ parts }: PartsResult, placement: ResultPlacement): Promise<WrittenFile> {
  const { to, workspace, signal } = placement;
  const files: (Omit<WrittenFile, 'path'> & { name: string })[] = [];
  const drafts: { path: string; name: string }[] = [];
  for (const { name, body, pages } of parts) {
    const draft = await onDisk(body, placement);
    files.push({ name, ...(await describe(draft, pages, placement)) });
    drafts.push({ path: pathOfDraft(draft), name });
  }
  signal.throwIfAborted();
  for (const target of foldersAt(to)) {
    try {
      await placeFolder(drafts, target, workspace.scratch(folderOf(to)));
      const pages = sum(files.map((file) => file.pages));
      return {
        path: target.name,
        bytes: files.reduce((total, file) => total + file.bytes, 0),
        ...(pages === undefined ? {} : { pages }),
        files: files.map(({ name, ...file }) => ({ path: `${target.name}/${name}`, ...file })),
      };
    } catch (error) {
      if (!isTaken(error, to)) throw error;
    }
  }
  throw outputExists(nameOf(to));
}

async function zipped({ parts }: PartsResult, placement: ResultPlacement): Promise<RandomAccess> {
  const { writeZip } = await import('../files/outputs/zip.ts');
  const entries = [];
  for (const { name, body } of parts) entries.push({ name, body: await onDisk(body, placement) });
  const draft = draftsFor(placement).create('archive.zip');
  await writeZip(entries, draft, placement.signal);
  return draft.finish();
}

function onDisk(body: ByteSource, placement: ResultPlacement): Promise<RandomAccess> {
  return asDraft(body, 'body', () => draftsFor({ ...placement, parts: 'single' }), placement.signal);
}

async function describe(draft: RandomAccess, pages: number | undefined, { hash, signal }: ResultPlacement) {
  const about = { bytes: draft.size, ...(pages === undefined ? {} : { pages }) };
  if (!hash) return about;
  const { sha256 } = await import('../files/system/hash.ts');
  return { ...about, sha256: await sha256(draft, signal) };
}

/** Places for a file: one, or in a held folder the name that is wanted and those that are tried after it. */
function* filesAt(to: Exclude<Destination, { kind: 'stdout' }>, mediaType: string | undefined): Generator<Target> {
  if (to.kind !== 'held') return yield to;
  const { place } = to;
  // Text of a document must not become a script or a settings file because a call gives it such a name.
  const [extension] = EXTENSIONS[mediaType ?? ''] ?? [];
  const fits = extension === undefined || typeNamed(place.name) === mediaType;
  for (const name of namesFrom(fits ? place.name : `${place.name}.${extension}`)) {
    const target = place.target(name);
    if (!place.isTaken(name) || target.replaces !== undefined) yield target;
  }
}

function* foldersAt(to: Destination): Generator<Target & { kind: 'folder' }> {
  if (to.kind === 'folder') return yield to;
  if (to.kind !== 'held') throw new TypeError('a folder cannot be one file');
  const { place } = to;
  // Several files under the name of one: their folder has that name without its extension.
  const wanted = typeNamed(place.name) === undefined ? place.name : parse(place.name).name;
  for (const name of namesFrom(wanted)) {
    const { path, name: shown } = place.target(name);
    if (!place.isTaken(name)) yield { kind: 'folder', path, name: shown };
  }
}

/** `report.pdf`, `report-2.pdf`, …: names that are tried where the first is taken. */
const MOST_NAMES = 10_000;

function* namesFrom(wanted: string): Generator<string> {
  yield wanted;
  const [, stem = wanted, extension = ''] = /^(.+?)(\.[^.]*)?$/.exec(wanted) ?? [];
  for (let number = 2; number < MOST_NAMES; number += 1) yield `${stem}-${number}${extension}`;
}

/** Whether a name in a held folder was taken since it was looked at: then the next one is tried. */
function isTaken(error: unknown, to: Destination): boolean {
  return to.kind === 'held' && error instanceof Failure && error.code === 'output_exists';
}

function folderOf(to: Destination): string | undefined {
  if (to.kind === 'held') return to.place.folder.path;
  return to.kind === 'file' || to.kind === 'folder' ? dirname(to.path) : undefined;
}

function nameOf(to: Destination): string {
  if (to.kind === 'held') return to.place.name;
  return to.kind === 'stdout' ? 'standard output' : to.name;
}

/** Undefined where one of them is not known. */
function sum(amounts: readonly (number | undefined)[]): number | undefined {
  return amounts.reduce(
    (total, amount) => (total === undefined || amount === undefined ? undefined : total + amount),
    0,
  );
}
