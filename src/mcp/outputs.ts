/** How results get onto the disk: under a name that is free, inside the folders of the server, whole or not at all. */
import { Failure } from '../contract/failure.ts';
import { EXTENSIONS, JSON_TYPE, TEXT } from '../contract/media.ts';
import type { ByteSource, PartsResult, RandomAccess } from '../contract/ports.ts';
import { asDraft, pathOfDraft } from '../runtime/files/drafts.ts';
import { outputExists } from '../runtime/files/file-failure.ts';
import { sha256 } from '../runtime/files/hash.ts';
import { placeFile, placeFolder } from '../runtime/files/place.ts';
import type { Workspace } from '../runtime/folders/workspace.ts';
import type { OutputPlace } from '../runtime/processes/sandbox.ts';
import type { Placed } from './tool.ts';

/** Where one call puts what it makes. */
export interface Delivery {
  readonly place: OutputPlace;
  /** The call named the output: then another name is not looked for. */
  readonly named: boolean;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

/** `report.pdf`, `report-2.pdf`, …: names that are tried where nobody has named one. */
const MOST_NAMES = 10_000;

/** Throws where the output cannot get its name, before any work is done. */
export function refuseTaken(
  { place, named }: Pick<Delivery, 'place' | 'named'>,
  mediaTypes: readonly string[] = [],
): void {
  const types = mediaTypes.filter((type) => type in EXTENSIONS);
  if (named && types.length > 0 && !types.some((type) => hasType(place.name, type))) throw wrongName(place.name, types);
  const target = place.target(place.name);
  if (named && place.isTaken(place.name) && target.replaces === undefined) throw taken(target.name);
}

/** Puts one file in place. */
export async function placeBytes(
  body: ByteSource,
  { mediaType, pages }: { mediaType: string; pages?: number | undefined },
  delivery: Delivery,
): Promise<Placed> {
  const { place, signal } = delivery;
  const draft = await onDisk(body, delivery);
  const sum = await sha256(draft, signal);
  signal.throwIfAborted();
  for (const name of namesFor(nameOf(place.name, mediaType))) {
    const target = place.target(name);
    if (place.isTaken(name) && target.replaces === undefined) continue;
    try {
      await placeFile(pathOfDraft(draft), target);
      const counted = pages === undefined ? {} : { pages };
      return { path: target.name, bytes: draft.size, sha256: sum, mediaType, ...counted };
    } catch (error) {
      // Taken since it was looked at.
      if (!(error instanceof Failure) || error.code !== 'output_exists') throw error;
    }
  }
  throw taken(place.target(place.name).name);
}

/** Puts text, such as a record that is too long for an answer, in place. */
export async function placeText(text: string, mediaType: string, delivery: Delivery): Promise<Placed> {
  const draft = delivery.workspace
    .temp({ parent: delivery.place.folder.path, name: delivery.place.name })
    .create('text');
  draft.write(Buffer.from(text));
  return placeBytes(draft.finish(), { mediaType }, delivery);
}

/** Puts parts in place as one folder, or as one archive where the name ends in .zip. */
export async function placeParts(result: PartsResult, delivery: Delivery): Promise<{ path: string; files: Placed[] }> {
  const { place, workspace, signal } = delivery;
  if (/\.zip$/i.test(place.name)) return placeArchive(result, delivery);
  const [only] = result.parts;
  if (only !== undefined && result.parts.length === 1 && isFileName(place.name)) {
    const file = await placeBytes(only.body, { mediaType: typeNamed(only.name), pages: only.pages }, delivery);
    return { path: file.path, files: [file] };
  }
  // Several files under the name of one: their folder is called so, without the ending.
  const folder = isFileName(place.name) ? place.name.replace(/\.[^.]*$/, '') : place.name;
  const files: (Omit<Placed, 'path'> & { name: string })[] = [];
  const drafts: { path: string; name: string }[] = [];
  for (const { name, body, pages } of result.parts) {
    const draft = await onDisk(body, delivery, name);
    const counted = pages === undefined ? {} : { pages };
    files.push({
      name,
      bytes: draft.size,
      sha256: await sha256(draft, signal),
      mediaType: typeNamed(name),
      ...counted,
    });
    drafts.push({ path: pathOfDraft(draft), name });
  }
  signal.throwIfAborted();
  for (const name of namesFor(folder)) {
    if (place.isTaken(name)) continue;
    const { path, name: shown } = place.target(name);
    try {
      await placeFolder(drafts, { kind: 'folder', path, name: shown }, workspace.scratch(place.folder.path));
      return { path: shown, files: files.map(({ name: file, ...rest }) => ({ path: `${shown}/${file}`, ...rest })) };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'output_exists') throw error;
    }
  }
  throw taken(place.target(place.name).name);
}

async function placeArchive(result: PartsResult, delivery: Delivery): Promise<{ path: string; files: Placed[] }> {
  const { writeZip } = await import('../runtime/files/zip.ts');
  const { workspace, place, signal } = delivery;
  const entries = [];
  for (const { name, body } of result.parts) entries.push({ name, body: await onDisk(body, delivery, name) });
  const draft = workspace.temp({ parent: place.folder.path, name: place.name }).create('archive.zip');
  await writeZip(entries, draft, signal);
  const file = await placeBytes(draft.finish(), { mediaType: EXTENSION_TYPES.zip ?? '' }, delivery);
  return { path: file.path, files: [file] };
}

/** A name that was asked for is free when work begins; where it is taken meanwhile, what was made is not thrown away. */
function* namesFor(wanted: string): Generator<string> {
  yield wanted;
  const [, stem = wanted, extension = ''] = /^(.+?)(\.[^.]*)?$/.exec(wanted) ?? [];
  for (let number = 2; number < MOST_NAMES; number += 1) yield `${stem}-${number}${extension}`;
}

/** What a document says must not become a script or a setting because a call names it so. */
function nameOf(name: string, mediaType: string): string {
  const extension = EXTENSIONS[mediaType]?.[0];
  return extension === undefined || hasType(name, mediaType) ? name : `${name}.${extension}`;
}

function onDisk(body: ByteSource, { workspace, place, signal }: Delivery, name = 'body'): Promise<RandomAccess> {
  return asDraft(body, name, () => workspace.temp({ parent: place.folder.path, name: place.name }), signal);
}

const EXTENSION_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(EXTENSIONS).flatMap(([type, extensions]) => extensions.map((extension) => [extension, type])),
);

/** The media type that a name stands for. */
export function typeNamed(name: string): string {
  return EXTENSION_TYPES[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

/** Whether a name is that of one file, by its ending. */
function isFileName(name: string): boolean {
  return (/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '') in EXTENSION_TYPES;
}

/** Whether a file of this type is text that can be read as it is. */
export function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === TEXT || mediaType === JSON_TYPE || /ndjson$/.test(mediaType);
}

function hasType(name: string, mediaType: string): boolean {
  return EXTENSIONS[mediaType]?.some((extension) => name.toLowerCase().endsWith(`.${extension}`)) === true;
}

function wrongName(name: string, types: readonly string[]): Failure {
  const endings = types.flatMap((type) => EXTENSIONS[type] ?? []).map((extension) => `.${extension}`);
  return new Failure('usage', `${name}: expected a name that ends in ${endings.join(' or ')}`);
}

function taken(name: string): Failure {
  return outputExists(name);
}
