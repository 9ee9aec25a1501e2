import { centreOf, holds, type Rect } from '../page/geometry.ts';
import { type Box, type BoxesByPage, toDisplayed, toUserSpace } from '../page/space.ts';
import type { Readers } from './find/readers.ts';
import type { Character } from './probe/page-probe.ts';

/** Extends regions to the end of their lines, so that their width does not reveal the text. */
export async function toLineEnds(regions: BoxesByPage, { plain, probe }: Readers): Promise<BoxesByPage> {
  const longer = new Map<number, Box[]>();
  for (const [page, boxes] of regions) {
    const space = plain.spaces[page]!;
    const characters = await probe.characters(page);
    const made = boxes.map((box) => {
      const rect = toUserSpace(box, space);
      return toDisplayed(lineEnd(rect, characters), space) ?? box;
    });
    longer.set(page, made);
  }
  return longer;
}

function lineEnd(rect: Rect, characters: readonly Character[]): Rect {
  let { x1 } = rect;
  let [y0, y1] = [rect.y0, rect.y1];
  // The last character of the region, then on to the end of its line.
  const from = characters.findLastIndex(({ box, generated }) => !generated && holds(rect, centreOf(box)));
  if (from < 0) return rect;
  for (let i = from; i < characters.length; i++) {
    const { text, box, generated } = characters[i]!;
    if (/[\r\n]/.test(text)) break;
    if (generated || text.trim() === '') continue;
    const middle = (box.y0 + box.y1) / 2;
    if (middle < rect.y0 - 2 || middle > rect.y1 + 2) break;
    x1 = Math.max(x1, box.x1);
    [y0, y1] = [Math.min(y0, box.y0), Math.max(y1, box.y1)];
  }
  return { x0: rect.x0, y0, x1, y1 };
}
