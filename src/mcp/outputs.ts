/** Places the outputs of calls: under a free name, inside the folders of the server. */
import { Failure } from '../contract/base/failure.ts';
import { EXTENSIONS, JSON_TYPE, TEXT, typeNamed } from '../contract/media.ts';
import type { Workspace } from '../runtime/files/outputs/workspace.ts';
import type { OutputPlace } from '../runtime/files/sandbox.ts';
import { outputExists } from '../runtime/files/system/file-failure.ts';
import type { ResultPlacement } from '../runtime/rows/place-result.ts';

/** A requested name is free when work begins; where it is taken meanwhile, the output gets the next free one. */
export function placementAt(place: OutputPlace, workspace: Workspace, signal: AbortSignal): ResultPlacement {
  const parts = typeNamed(place.name) === 'application/zip' ? 'archive' : 'folder';
  return { to: { kind: 'held', place }, parts, workspace, signal, hash: true };
}

/** Throws before any work where an output cannot have the requested name. */
export function refuseName(place: OutputPlace, mediaTypes: readonly string[] = []): void {
  const types = mediaTypes.filter((type) => type in EXTENSIONS);
  if (types.length > 0 && !types.some((type) => type === typeNamed(place.name))) {
    const endings = types.flatMap((type) => EXTENSIONS[type] ?? []).map((extension) => `.${extension}`);
    throw new Failure('usage', `${place.name}: expected a name that ends in ${endings.join(' or ')}`);
  }
  const target = place.target(place.name);
  if (place.isTaken(place.name) && target.replaces === undefined) throw outputExists(target.name);
}

/** Whether a file of this type is readable as text. */
export function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === TEXT || mediaType === JSON_TYPE || /ndjson$/.test(mediaType);
}
