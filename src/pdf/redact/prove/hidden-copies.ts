import type { Rect } from '../../page/geometry.ts';
import { type Box, toDisplayed, toUserSpace } from '../../page/space.ts';
import { hiddenPlaces, isHidden } from '../find/hidden-text.ts';
import type { BuiltPages } from '../output/build-document.ts';
import { markInside, type WordOutside, wordsOutside } from '../probe/marked-characters.ts';
import { drawn, type PageProbe } from '../probe/page-probe.ts';
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
    const hits = hitsIn(wordsOutside(characters), secrets);
    if (hits.length === 0) continue;
    const hidden = hiddenPlaces(plain.findings[page]!);
    const drawing = await drawn(probe, page, sizeAt(space, DPI));
    const isSeen = ({ box }: WordOutside) => {
      const shown = toDisplayed(box, space);
      return shown !== undefined && !isHidden(box, hidden) && hasContrast(drawing, shown);
    };
    for (const words of hits) {
      const unseen = words.filter((word) => !isSeen(word));
      if (unseen.length > 0) erase.set(page, [...(erase.get(page) ?? []), ...unseen.map(({ box }) => box)]);
      else {
        visible.add(words.map(({ text }) => text).join(' '));
        count++;
      }
    }
  }
  return { visible, count, erase };
}

/** A text of the regions stands in at most so many words elsewhere. */
const MOST_WORDS = 8;

/** Words of the regions, and runs of words that have a text of the regions only together. */
function hitsIn(words: readonly WordOutside[], secrets: Secrets): WordOutside[][] {
  const isHit = (run: readonly WordOutside[]) => secrets.isIn(run.map(({ text }) => text).join(' '));
  if (!isHit(words)) return [];
  return words.flatMap((word, at) => {
    if (isHit([word])) return [[word]];
    const run = [word];
    for (const next of words.slice(at + 1, at + MOST_WORDS)) {
      if (isHit([next])) break;
      run.push(next);
      // A run that begins later may be enough.
      if (isHit(run)) return isHit(run.slice(1)) ? [] : [run];
    }
    return [];
  });
}
