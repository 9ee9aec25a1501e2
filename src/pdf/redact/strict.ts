import type { Rect } from '../page/geometry.ts';
import { type Box, toDisplayed, toUserSpace } from '../page/space.ts';
import type { BuiltPages } from './output/build-document.ts';
import type { Character, PageProbe } from './probe/page-probe.ts';

/** Regions that reach to the end of their lines: then their width says nothing about what was in them. */
export async function toLineEnds(
  regions: ReadonlyMap<number, readonly Box[]>,
  plain: BuiltPages,
  probe: PageProbe,
): Promise<Map<number, Box[]>> {
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

/** The box with all that stands behind it on its lines. */
function lineEnd(rect: Rect, characters: readonly Character[]): Rect {
  let { x1 } = rect;
  let [y0, y1] = [rect.y0, rect.y1];
  const first = characters.findIndex((each) => !each.generated && centreIn(each, rect));
  if (first < 0) return rect;
  let from = first;
  // The last character of the region, then on to the end of its line.
  for (let i = first; i < characters.length; i++)
    if (!characters[i]!.generated && centreIn(characters[i]!, rect)) from = i;
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

function centreIn({ box }: Character, rect: Rect): boolean {
  const [x, y] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
  return x >= rect.x0 && x <= rect.x1 && y >= rect.y0 && y <= rect.y1;
}
