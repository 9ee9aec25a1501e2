import type { Rect } from '../../page/geometry.ts';
import { type Box, toDisplayed, toUserSpace } from '../../page/space.ts';
import { hiddenPlaces, isHidden } from '../find/hidden-text.ts';
import type { BuiltPages } from '../output/build-document.ts';
import { markInside, wordsOutside } from '../probe/marked-characters.ts';
import { type Drawing, drawn, type PageProbe } from '../probe/page-probe.ts';
import { hasContrast, sizeAt } from '../probe/pixels.ts';
import { type Secrets, VisibleText } from '../words/secrets.ts';

export interface Copies {
  /** Words that are to be seen outside of the regions. */
  readonly visible: VisibleText;
  /** How many of them there are. */
  readonly count: number;
  /** Places, by page from 0, of words that are there and not seen: they go with those in the regions. */
  readonly erase: ReadonlyMap<number, readonly Rect[]>;
}

const DPI = 144;

/** Looks for words of the regions outside of them: what a person can see there was left on purpose; nothing else was. */
export async function findCopies(
  plain: BuiltPages,
  probe: PageProbe,
  regions: ReadonlyMap<number, readonly Box[]>,
  secrets: Secrets,
  { turn }: { turn(): Promise<void> },
): Promise<Copies> {
  const visible = new VisibleText();
  const erase = new Map<number, Rect[]>();
  let count = 0;
  for (let page = 0; page < probe.pages; page++) {
    await turn();
    const space = plain.spaces[page]!;
    const places = (regions.get(page) ?? []).map((box) => toUserSpace(box, space));
    const characters = markInside(await probe.characters(page), places);
    const words = wordsOutside(characters).filter(({ text }) => secrets.isIn(text));
    if (words.length === 0) continue;
    const hidden = hiddenPlaces(plain.findings[page]!);
    let drawing: Drawing | undefined;
    for (const { text, box } of words) {
      const shown = toDisplayed(box, space);
      let seen = shown !== undefined && !isHidden(box, hidden);
      if (seen && shown !== undefined) {
        drawing ??= await drawn(probe, page, sizeAt(space, DPI));
        seen = hasContrast(drawing, shown);
      }
      if (seen) {
        visible.add(text);
        count++;
      } else erase.set(page, [...(erase.get(page) ?? []), box]);
    }
  }
  return { visible, count, erase };
}
