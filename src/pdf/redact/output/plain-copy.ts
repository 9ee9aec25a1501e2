import { openPdf } from '../../file/open.ts';
import { memorySource } from '../../file/read/memory-source.ts';
import { readPages } from '../../file/read/page-tree.ts';
import type { Source } from '../../file/read/source.ts';
import type { DecodePicture } from '../content/picture-editor.ts';
import { closing, drawn, type OpenProbe } from '../probe/page-probe.ts';
import { type Built, buildDocument, NOTHING, type Overlay } from './build-document.ts';

export interface Tools {
  readonly openProbe: OpenProbe;
  /** Yields to other tasks; throws on abort. */
  yieldNow(): Promise<void>;
  progress(phase: string, done: number, total: number): void;
}

export async function openBytes(bytes: Uint8Array, name: string): Promise<Source> {
  const file = await openPdf(memorySource(bytes, name));
  return { file, tree: readPages(file), scanned: false };
}

/** A flattened copy: the document as displayed, and nothing else. */
export function plainCopy(
  source: Source,
  { openProbe, yieldNow, progress }: Tools,
  overlays: ReadonlyMap<number, Overlay> = new Map(),
): Promise<Built> {
  const pages = source.tree.pages.length;
  return buildDocument(source, { ...NOTHING, raw: true, overlays }, decodedBy(openProbe), async (page) => {
    progress('read', page, pages);
    await yieldNow();
  });
}

export function decodedBy(openProbe: OpenProbe): DecodePicture {
  return async (document, width, height) =>
    closing(await openProbe(document), (probe) => drawn(probe, 0, { width, height }));
}
