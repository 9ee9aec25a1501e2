import type { OpenPages, OtherEyes, PageCharacter } from '../../../contract/base/ports.ts';

export type Character = PageCharacter;
export type PageProbe = OpenPages;
export type OpenProbe = OtherEyes['open'];

export interface RgbDrawing {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Draws a page. @throws where the drawing has another size or number of channels. */
export async function drawn(
  probe: PageProbe,
  page: number,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<RgbDrawing> {
  const { channels, pixels } = await probe.draw(page, width, height);
  if (channels !== 3 || pixels.length !== width * height * 3)
    throw new Error('a page was drawn in another size or format than requested');
  return { width, height, rgb: pixels };
}

/** What `work` makes of something that is closed afterwards. */
export async function closing<R extends { close(): void }, T>(
  resource: R,
  work: (resource: R) => Promise<T>,
): Promise<T> {
  try {
    return await work(resource);
  } finally {
    resource.close();
  }
}
