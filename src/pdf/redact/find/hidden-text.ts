import { centreOf, contains, grown, holds, meets, type Rect } from '../../page/geometry.ts';
import type { Findings } from '../content/page-edit.ts';

type HiddenPlace = Findings['hidden'][number];

/** Points of a glyph's box that may stand out from its cover: the boxes are larger than the glyphs. */
const SLACK = 1.5;
/** More covers than a page of a document has; only the last ones are tested. */
const MOST_COVERS = 3_000;

/** Invisible text of a page: drawn invisibly, off the page, or covered later. */
export function hiddenPlaces({ hidden, shown, covers }: Findings): HiddenPlace[] {
  const places: HiddenPlace[] = [...hidden];
  const tops = covers.slice(-MOST_COVERS);
  for (const { box, at } of shown) {
    const over = tops.find((cover) => cover.at > at && contains(cover.box, box, SLACK));
    if (over !== undefined) places.push({ box, why: over.by });
  }
  return places;
}

export function isHidden(box: Rect, places: readonly HiddenPlace[]): boolean {
  return places.some((place) => meets(grown(box, -0.2), place.box) && holds(place.box, centreOf(box)));
}
