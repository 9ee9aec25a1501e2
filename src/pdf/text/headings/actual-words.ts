// Replaces words by the /ActualText of the structure elements around them (ISO 32000-1, 14.9.4): names with raised letters,
// titles with spaced letters, and bullets whose font does not say which they are.
import { cleanText, RTL } from '../../fonts/characters.ts';
import { greatest, lastOf, listAt, runsOf } from '../../syntax/arrays.ts';
import type { Word } from '../content/page-content.ts';

/** The /ActualText of an element. `element`: its object number. */
export interface Actual {
  readonly element: number;
  readonly text: string;
}

/** Most characters that replace one. More is a description of a drawing. */
const MOST_FOR_ONE = 8;
const SAYS = /[\p{L}\p{N}]/gu;

/** The words of a page, in which those of an element are replaced by its text. */
export function actualWords(words: readonly Word[], actualOf: (mark: number) => Actual | undefined): readonly Word[] {
  const elements = new Map<number, Actual>();
  const inside = new Map<number, Word[]>();
  let mark: number | undefined;
  let actual: Actual | undefined;
  for (const word of words) {
    if (word.mark !== mark) actual = word.mark < 0 ? undefined : actualOf(word.mark);
    mark = word.mark;
    if (actual === undefined) continue;
    elements.set(actual.element, actual);
    listAt(inside, actual.element).push(word);
  }
  const gone = new Set<Word>();
  for (const [element, { text }] of elements)
    for (const word of replaced(inside.get(element) ?? [], text)) gone.add(word);
  return gone.size === 0 ? words : words.filter((word) => !gone.has(word));
}

/** A word, and where the text has its letters. */
interface Placed {
  readonly word: Word;
  readonly from: number;
  readonly to: number;
}

/**
 * Writes `actual` into the words that it stands for, and returns those that are left over. The tags of a file may be
 * wrong, and must not hide what a page shows: the letters of the words must all be in it, in their order.
 */
function replaced(words: readonly Word[], actual: string): readonly Word[] {
  const text = cleanText(actual.replace(/\s+/g, ' ')).trim();
  const shown = words.map((word) => word.text).join(' ');
  const small = text.toLowerCase();
  if (text === '' || text === '\u00ad' || text === shown || small.length !== text.length) return [];
  if (text.length > MOST_FOR_ONE * shown.length || RTL.test(text)) return [];
  const placed: Placed[] = [];
  let at = 0;
  for (const word of words) {
    const letters = word.text.toLowerCase().match(SAYS) ?? [];
    const found = letters.map((letter) => {
      const index = small.indexOf(letter, at);
      at = index < 0 ? Infinity : index + letter.length;
      return index;
    });
    if (at === Infinity) return [];
    const [from] = found;
    if (from !== undefined) placed.push({ word, from, to: at });
  }
  const [symbol] = words;
  if (placed.length === 0 && symbol !== undefined) placed.push({ word: symbol, from: 0, to: text.length });
  const gapOf = (before: Placed, next: Placed) => text.slice(before.to, next.from).indexOf(' ');
  const runs = runsOf(placed, (next, run) => gapOf(lastOf(run), next) < 0 && isBeside(next.word, run[0].word));
  let from = 0;
  for (const [i, run] of runs.entries()) {
    const [{ word }] = run;
    const [last, next] = [lastOf(run), runs[i + 1]?.[0]];
    const gap = next === undefined ? 0 : gapOf(last, next);
    const to = next === undefined ? text.length : gap < 0 ? next.from : last.to + gap;
    // The end of a line still cuts the word that goes on in the next one.
    const hyphen = gap < 0 ? (/[-\u2010]$/.exec(last.word.text)?.[0] ?? '') : '';
    word.text = `${text.slice(from, to).trim()}${hyphen}`;
    word.x1 = greatest(run.map((each) => each.word.x1));
    from = to;
  }
  const kept = new Set(runs.map(([{ word }]) => word));
  return words.filter((word) => !kept.has(word));
}

function isBeside(a: Word, b: Word): boolean {
  return Math.abs(a.y - b.y) < 0.5 * b.size;
}
