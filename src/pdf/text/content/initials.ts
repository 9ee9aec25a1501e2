// Finds initials: capitals that begin a paragraph and are as high as two lines or more, whose baseline is that of the
// lowest of these lines. Each is read with the first of them, whose top is beside its own. In: the words of a page. Out:
// the same words, with initials joined to the word they begin. One pass over the words for each large capital.

import { median } from '../../syntax/arrays.ts';
import type { Word } from './page-content.ts';

const CAPITAL = /^["'“‘«(]?\p{Lu}$/u;
/** An initial is larger than its text by this factor. */
const LARGER = 1.7;
/** A page with more large capitals shows an alphabet or a poster. */
const MOST = 20;
/** Capitals and digits are as high as this share of the em. */
const HEIGHT = 0.7;
/** Farthest distance of the text from the initial, in em of the text. */
const REACH = 1.2;
/** Letters that are words; the text after them stands farther off than the rest of a word does, in em of the text. */
const WORDS = /[AIOÀEY]$/;
const WORD_GAP = 0.2;

export function joinInitials(words: readonly Word[]): readonly Word[] {
  const capitals = words.filter(({ text, hidden }) => CAPITAL.test(text) && hidden !== true);
  if (capitals.length === 0) return words;
  const usual = median(words.map(({ size }) => size)) ?? 0;
  const large = capitals.filter(({ size }) => size >= LARGER * usual);
  if (large.length === 0 || large.length > MOST) return words;
  const replaced = new Map<Word, Word | undefined>();
  for (const initial of large) {
    const first = firstWordBeside(initial, words);
    if (first === undefined) continue;
    if (WORDS.test(initial.text) && first.x0 - initial.x1 > WORD_GAP * first.size) {
      replaced.set(initial, { ...initial, y: first.y, size: first.size });
    } else {
      replaced.set(initial, undefined);
      replaced.set(first, { ...first, text: initial.text + first.text, x0: initial.x0 });
    }
  }
  return words.flatMap((word) => (replaced.has(word) ? (replaced.get(word) ?? []) : word));
}

/** The word that an initial begins; undefined where no text runs around the letter. */
function firstWordBeside(initial: Word, words: readonly Word[]): Word | undefined {
  const beside = words.filter(
    ({ x0, size }) => initial.size >= LARGER * size && x0 > initial.x1 - 0.5 * size && x0 < initial.x1 + REACH * size,
  );
  const top = initial.y - HEIGHT * initial.size;
  const first = beside.find(
    ({ y, size, text }) => Math.abs(y - HEIGHT * size - top) < 0.6 * size && /^\p{L}/u.test(text),
  );
  const last = beside.find(({ y, size }) => Math.abs(y - initial.y) < 0.4 * size);
  return first !== undefined && last !== undefined && last.y > first.y + 0.8 * first.size ? first : undefined;
}
