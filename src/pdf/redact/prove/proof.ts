import { grown, meets, type Rect } from '../../page/geometry.ts';
import { type BoxesByPage, type PageSpace, toUserSpace } from '../../page/space.ts';
import type { Findings } from '../content/page-edit.ts';
import { hasLetters, ownReadings, pdfjsReading, SOME } from '../find/readings.ts';
import type { Tools } from '../output/plain-copy.ts';
import { markInside, textOf } from '../probe/marked-characters.ts';
import { closing, drawn } from '../probe/page-probe.ts';
import { isPlain, sizeAt } from '../probe/pixels.ts';
import type { Secrets } from '../words/secrets.ts';
import { sweepOutput } from './sweep.ts';

export interface Claim {
  readonly bytes: Uint8Array;
  readonly pages: number;
  readonly spaces: readonly PageSpace[];
  /** By page, from 0, as they are displayed. */
  readonly regions: BoxesByPage;
  readonly findings: readonly Findings[];
  readonly pictures: ReadonlySet<number>;
  /** The findings of our own reader in the output, page by page. */
  readonly read: readonly Findings[];
  /** The output with its fields drawn on its pages, where it has any: other readers see no text in fields. */
  readonly flat: Uint8Array | undefined;
}

export interface Verdict {
  /** Failing pages, from 0, with the reader that found something. */
  readonly pages: ReadonlyMap<number, string>;
  /** Why the document as a whole does not pass. */
  readonly whole: string | undefined;
}

const DPI = 110;

/** Searches an output, without the boxes over its regions, for anything that should be gone. */
export async function judge(
  claim: Claim,
  secrets: Secrets,
  { openProbe, yieldNow }: Pick<Tools, 'openProbe' | 'yieldNow'>,
): Promise<Verdict> {
  const { bytes, pages, regions } = claim;
  const failing = new Map<number, string>();
  const note = (page: number, by: string) => {
    if (!failing.has(page)) failing.set(page, by);
  };
  const swept = await sweepOutput(bytes, secrets);
  for (const page of swept.pages) note(page, 'the search of its objects');
  if (swept.elsewhere) return { pages: failing, whole: 'something that was removed is still in it, outside its pages' };
  if (swept.pageCount !== pages) return { pages: failing, whole: 'it has another number of pages than the source' };
  await yieldNow();
  return closing(await openProbe(bytes), async (probe) => {
    const texts = await probe.texts();
    if (texts.length !== pages) return { pages: failing, whole: 'pdf.js finds another number of pages in it' };
    for (const [page, pieces] of texts.entries())
      if (secrets.isIn(textOf(pdfjsReading(pieces).characters))) note(page, 'pdf.js');
    for (const [page, { letters }] of claim.read.entries())
      if (ownReadings(letters).some((reading) => secrets.isIn(textOf(reading.characters)))) note(page, 'pdftool');
    if (claim.flat !== undefined && (await readsSecret(claim.flat, secrets, openProbe)))
      return { pages: failing, whole: 'a field shows something that was removed' };
    if (probe.pages !== pages) return { pages: failing, whole: 'PDFium finds another number of pages in it' };
    for (let page = 0; page < pages; page++) {
      await yieldNow();
      const boxes = regions.get(page) ?? [];
      const characters = await probe.characters(page);
      if (secrets.isIn(textOf(characters))) note(page, 'PDFium');
      const pdfjs = pdfjsReading(texts[page] ?? []).characters;
      if (!hasLetters(characters) && hasLetters(pdfjs, SOME))
        note(page, 'PDFium, which reads no text where pdf.js does');
      if (boxes.length === 0) continue;
      if (!hasLetters(pdfjs) && hasLetters(characters, SOME))
        note(page, 'pdf.js, which reads no text where PDFium does');
      const space = claim.spaces[page]!;
      const places = boxes.map((box) => core(toUserSpace(box, space)));
      if (markInside(characters, places).some(({ inside, text }) => inside && text.trim() !== ''))
        note(page, 'PDFium, which sees a character in a region');
      if (claim.pictures.has(page)) continue;
      const crossing = claim.findings[page]?.crossing ?? [];
      const plain = boxes.filter((box) => !crossing.some((rect) => meets(grown(rect, 1), toUserSpace(box, space))));
      if (plain.length === 0) continue;
      const drawing = await drawn(probe, page, sizeAt(space, DPI));
      if (plain.some((box) => !isPlain(drawing, box))) note(page, 'its drawing, which is not plain in a region');
    }
    return { pages: failing, whole: undefined };
  });
}

async function readsSecret(bytes: Uint8Array, secrets: Secrets, openProbe: Tools['openProbe']): Promise<boolean> {
  return closing(await openProbe(bytes), async (probe) => {
    const texts = (await probe.texts()).map((pieces) => textOf(pdfjsReading(pieces).characters));
    for (let page = 0; page < probe.pages; page++) texts.push(textOf(await probe.characters(page)));
    return texts.some((text) => secrets.isIn(text));
  });
}

/** The middle of a region: neighbours may reach over its edges. */
function core({ x0, y0, x1, y1 }: Rect): Rect {
  const [dx, dy] = [Math.min(1.5, (x1 - x0) * 0.2), Math.min(1, (y1 - y0) * 0.2)];
  return { x0: x0 + dx, y0: y0 + dy, x1: x1 - dx, y1: y1 - dy };
}
