import { grown, meets, type Rect } from '../../page/geometry.ts';
import { type Box, type PageSpace, toUserSpace } from '../../page/space.ts';
import { markInside } from '../content/marked-characters.ts';
import type { Findings } from '../content/page-edit.ts';
import { type Drawing, drawn } from '../find/page-probe.ts';
import { hasLetters, pdfjsReading, type Reading } from '../find/readings.ts';
import type { Tools } from '../plain-copy.ts';
import type { Secrets } from './secrets.ts';
import { sweep } from './sweep.ts';

export interface Claim {
  readonly bytes: Uint8Array;
  readonly pages: number;
  readonly spaces: readonly PageSpace[];
  /** By page, from 0, as they are displayed. */
  readonly regions: ReadonlyMap<number, readonly Box[]>;
  readonly findings: readonly Findings[];
  /** Pages that are pictures. */
  readonly pictures: ReadonlySet<number>;
  /** The output with its fields drawn on its pages, where it has any: other readers see no text in fields. */
  readonly flat: Uint8Array | undefined;
}

export interface Verdict {
  /** Pages, from 0, on which something was found, and by whom. */
  readonly pages: ReadonlyMap<number, string>;
  /** Why the document as a whole does not pass. */
  readonly whole: string | undefined;
}

const DPI = 110;
/** Difference of a channel that is still the same colour: pictures are smoothed. */
const SAME = 12;
/** The part of a region's pixels that neighbours may reach into. */
const MOST_STRAY = 0.1;

/** Looks at an output, without the boxes over its regions, for anything that should be gone. */
export async function judge(
  claim: Claim,
  secrets: Secrets,
  { openProbe, turn }: Pick<Tools, 'openProbe' | 'turn'>,
): Promise<Verdict> {
  const { bytes, pages, regions } = claim;
  const found = new Map<number, string>();
  const note = (page: number, by: string) => {
    if (!found.has(page)) found.set(page, by);
  };
  const swept = await sweep(bytes, secrets);
  for (const page of swept.pages) note(page, 'the search of its objects');
  if (swept.elsewhere) return { pages: found, whole: 'something that was removed is still in it, outside its pages' };
  if (swept.pageCount !== pages) return { pages: found, whole: 'it has another number of pages than the source' };
  await turn();
  const probe = await openProbe(bytes);
  try {
    const texts = await probe.texts();
    if (texts.length !== pages) return { pages: found, whole: 'pdf.js finds another number of pages in it' };
    for (const [page, pieces] of texts.entries()) if (secrets.isIn(textOf(pdfjsReading(pieces)))) note(page, 'pdf.js');
    if (claim.flat !== undefined && (await readsSecret(claim.flat, secrets, openProbe)))
      return { pages: found, whole: 'a field shows something that was removed' };
    if (probe.pages !== pages) return { pages: found, whole: 'PDFium finds another number of pages in it' };
    for (let page = 0; page < pages; page++) {
      await turn();
      const boxes = regions.get(page) ?? [];
      const characters = await probe.characters(page);
      if (secrets.isIn(characters.map(({ text }) => text).join(''))) note(page, 'PDFium');
      if (!hasLetters(characters) && hasLetters(pdfjsReading(texts[page] ?? []).characters, 3))
        note(page, 'PDFium, which reads no text where pdf.js does');
      if (boxes.length === 0) continue;
      const space = claim.spaces[page]!;
      const places = boxes.map((box) => core(toUserSpace(box, space)));
      if (markInside(characters, places).some(({ inside, text }) => inside && text.trim() !== ''))
        note(page, 'PDFium, which sees a character in a region');
      if (claim.pictures.has(page)) continue;
      const crossing = claim.findings[page]?.crossing ?? [];
      const plain = boxes.filter((box) => !crossing.some((each) => meets(grown(each, 1), toUserSpace(box, space))));
      if (plain.length === 0) continue;
      const drawing = await drawn(probe, page, sizeAt(space, DPI));
      if (plain.some((box) => !isPlain(drawing, box))) note(page, 'its drawing, which is not plain in a region');
    }
  } finally {
    probe.close();
  }
  return { pages: found, whole: undefined };
}

async function readsSecret(bytes: Uint8Array, secrets: Secrets, openProbe: Tools['openProbe']): Promise<boolean> {
  const probe = await openProbe(bytes);
  try {
    const texts = (await probe.texts()).map((pieces) => textOf(pdfjsReading(pieces)));
    for (let page = 0; page < probe.pages; page++)
      texts.push((await probe.characters(page)).map(({ text }) => text).join(''));
    return texts.some((text) => secrets.isIn(text));
  } finally {
    probe.close();
  }
}

function textOf({ characters }: Reading): string {
  return characters.map(({ text }) => text).join('');
}

/** The middle of a region: at its edges neighbours may stand. */
function core({ x0, y0, x1, y1 }: Rect): Rect {
  const [dx, dy] = [Math.min(1.5, (x1 - x0) * 0.2), Math.min(1, (y1 - y0) * 0.2)];
  return { x0: x0 + dx, y0: y0 + dy, x1: x1 - dx, y1: y1 - dy };
}

export function sizeAt({ width, height }: PageSpace, dpi: number): { width: number; height: number } {
  const scale = Math.min(dpi / 72, Math.sqrt(16_000_000 / (width * height)));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

interface Area {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** Whole pixels inside a box. */
function inside({ width, height }: Drawing, { x, y, w, h }: Box): Area {
  return {
    x0: Math.max(0, Math.ceil(x * width) + 1),
    x1: Math.min(width, Math.floor((x + w) * width) - 1),
    y0: Math.max(0, Math.ceil(y * height) + 1),
    y1: Math.min(height, Math.floor((y + h) * height) - 1),
  };
}

/** Whether nearly all pixels in a box have one colour. */
export function isPlain(drawing: Drawing, box: Box, mostStray = MOST_STRAY): boolean {
  const { x0, x1, y0, y1 } = inside(drawing, box);
  const counts = new Map<number, number>();
  let total = 0;
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) {
      const at = (y * drawing.width + x) * 3;
      const key = (drawing.rgb[at]! >> 3) * 1024 + (drawing.rgb[at + 1]! >> 3) * 32 + (drawing.rgb[at + 2]! >> 3);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      total++;
    }
  return total === 0 || Math.max(...counts.values()) >= total * (1 - mostStray);
}

/** The part of a box's pixels that have its colour. */
export function filledPart(drawing: Drawing, box: Box, [r, g, b]: readonly [number, number, number]): number {
  const { x0, x1, y0, y1 } = inside(drawing, box);
  let [same, total] = [0, 0];
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) {
      const at = (y * drawing.width + x) * 3;
      const off = [r, g, b].some((value, channel) => Math.abs(drawing.rgb[at + channel]! - value * 255) > SAME);
      if (!off) same++;
      total++;
    }
  return total === 0 ? 1 : same / total;
}
