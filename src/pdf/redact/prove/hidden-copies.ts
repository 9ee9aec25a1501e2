import type { Rect } from '../../page/geometry.ts';
import { type BoxesByPage, toDisplayed, toUserSpace } from '../../page/space.ts';
import { hiddenPlaces, isHidden } from '../find/hidden-text.ts';
import type { Readers } from '../find/readers.ts';
import type { Tools } from '../output/plain-copy.ts';
import { markInside, type WordOutside, wordsOutside } from '../probe/marked-characters.ts';
import { drawn } from '../probe/page-probe.ts';
import { hasContrast, sizeAt } from '../probe/pixels.ts';
import { type Secrets, VisibleText } from '../words/secrets.ts';

export interface Copies {
  /** Words of the regions that are visible outside of them. */
  readonly visible: VisibleText;
  readonly count: number;
  /** Invisible words, by page from 0, that are removed together with those in the regions. */
  readonly erase: ReadonlyMap<number, readonly Rect[]>;
}

const DPI = 144;

/** Looks for words of the regions outside of them: visible ones were left on purpose, invisible ones are erased. */
export async function findCopies(
  { plain, probe }: Readers,
  regions: BoxesByPage,
  secrets: Secrets,
  { yieldNow }: Pick<Tools, 'yieldNow'>,
): Promise<Copies> {
  const visible = new VisibleText();
  const erase = new Map<number, Rect[]>();
  let count = 0;
  for (let page = 0; page < probe.pages; page++) {
    await yieldNow();
    const space = plain.spaces[page]!;
    const places = (regions.get(page) ?? []).map((box) => toUserSpace(box, space));
    const characters = markInside(await probe.characters(page), places);
    const words = wordsOutside(characters);
    const runs = secrets.runsIn(words.map(({ text }) => text));
    if (runs.length === 0) continue;
    const hidden = hiddenPlaces(plain.findings[page]!);
    const drawing = await drawn(probe, page, sizeAt(space, DPI));
    const isSeen = ({ box }: WordOutside) => {
      const shown = toDisplayed(box, space);
      return shown !== undefined && !isHidden(box, hidden) && hasContrast(drawing, shown);
    };
    for (const [start, end] of runs) {
      const run = words.slice(start, end).map((word) => ({ word, seen: isSeen(word) }));
      const unseen = run.filter(({ seen }) => !seen).map(({ word }) => word.box);
      if (unseen.length > 0) erase.set(page, [...(erase.get(page) ?? []), ...unseen]);
      const shown = run.map(({ word, seen }) => (seen ? word.text : '\n')).join(' ');
      for (const part of shown.split('\n').filter((part) => part.trim() !== '')) {
        visible.add(part);
        count++;
      }
    }
  }
  return { visible, count, erase };
}
