import bidiFactory from 'bidi-js';
import { CJK, RTL } from '../../fonts/characters.ts';
import { lastOf, least, pairs, runsOf } from '../../syntax/arrays.ts';
import type { Word } from '../content/page-content.ts';
import { addSpan, NO_SPANS, type Span, spanOf } from './spans.ts';

/** A gap of this share of the em is a space where the file has none. */
const SPACE = 0.15;
/** The same between words that are set alike but shown one by one: kerning does not part those. */
const SPACE_SET_ALIKE = 0.11;
/** In scripts without spaces only a gap this wide means something. */
const SPACE_IN_CJK = 0.6;
/** Word processors set ideographs a quarter of an em apart from letters and digits. */
const SPACE_BESIDE_CJK = 0.2;
const WESTERN = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d]/u;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Words with a space in the file whose baselines differ by less, in em, stand beside each other: one is not raised. */
const LEVEL = 0.15;
/**
 * Words that overlap by more than this, in em of the larger, are drawn over each other: overfull cells, or text drawn
 * twice. The small A of the logo of LaTeX overlaps its L by 0.36.
 */
const OVERDRAWN = 0.5;
/** Ideographic punctuation fills half of its square, so the next character may be up to an em closer. */
const OVERDRAWN_IN_CJK = 1.1;

/** An exponent stands at its base, this close in em. */
const FARTHEST_POWER = 0.4;

interface Bidi {
  getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl'): unknown;
  getReorderSegments(text: string, levels: unknown): [number, number][];
}
let bidi: Bidi | undefined;

/** The text, in reading order, of words on one line that are given from left to right. */
export function lineText(words: readonly Word[]): string {
  return readWords(words).text;
}

/** The same with the parts of it that are set apart. Those of right-to-left text are not told. */
export function readWords(line: readonly Word[]): { readonly text: string; readonly spans: readonly Span[] } {
  const words = line.some(({ text }) => MARKS.test(text)) ? withMarks(line) : line;
  let text = '';
  let before: Word | undefined;
  const spans: Span[] = [];
  // Where the words of a link begin, and how many spans stand before it.
  let [linkAt, linkSpans] = [0, 0];
  const endLink = (url: string | undefined) => {
    const linked = text.slice(linkAt);
    const written = url === undefined ? linked : linkTo(url, linked);
    if (written === linked) return;
    text = text.slice(0, linkAt) + written;
    spans.push(...spans.splice(linkSpans).map((span) => ({ ...span, from: span.from + 1, to: span.to + 1 })));
  };
  const inner = spacedOut(words);
  for (const [i, word] of words.entries()) {
    const isNewLink = before?.link !== word.link;
    if (isNewLink) endLink(before?.link);
    if (before !== undefined && !inner.has(word) && isSpace(before, word)) text += ' ';
    if (isNewLink) [linkAt, linkSpans] = [text.length, spans.length];
    const power = isPower(word, before);
    const written = power ? superscript(word.text) : word.text;
    const span = spanOf(word, text.length, written.length, power || isReference(word, before ?? words[i + 1]));
    if (span !== undefined) addSpan(spans, span, linkSpans);
    text += written;
    before = word;
  }
  endLink(before?.link);
  return RTL.test(text) ? { text: logicalOrder(text), spans: NO_SPANS } : { text, spans };
}

const MARKS = /^[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+$/;

/** Marks of right-to-left text with a height of their own stand at the start of their letter: they are put behind it. */
function withMarks(line: readonly Word[]): Word[] {
  const words: Word[] = [];
  let marks: Word | undefined;
  for (const word of line) {
    if (MARKS.test(word.text)) {
      if (marks !== undefined) words.push(marks);
      marks = word;
      continue;
    }
    const isAt = marks !== undefined && Math.abs(word.x0 - marks.x0) < MARK_AT * word.size && RTL.test(word.text);
    if (marks !== undefined && !isAt) words.push(marks);
    words.push(marks !== undefined && isAt ? { ...word, text: word.text.replace(/^./su, `$&${marks.text}`) } : word);
    marks = undefined;
  }
  if (marks !== undefined) words.push(marks);
  return words;
}

const LETTER = /^[\p{Lu}\p{Ll}]$/u;
/** In em. */
const MARK_AT = 0.1;
const NONE_SPACED: ReadonlySet<Word> = new Set();
/** The fewest letters, and in em: the widest gap between words, between letters, and how much the latter gaps differ. */
const SPACED_OUT = { letters: 4, apart: 1.5, close: 0.5, uneven: 0.13 };

/** The letters of spaced-out words, such as `M E M O`, but for the first of each word. */
function spacedOut(words: readonly Word[]): ReadonlySet<Word> {
  const { letters, apart, close, uneven } = SPACED_OUT;
  if (words.length < letters || !words.some(({ text }) => LETTER.test(text))) return NONE_SPACED;
  const inner = new Set<Word>();
  const runs = runsOf(words, (word, run) => {
    const last = lastOf(run);
    const areLetters = LETTER.test(word.text) && LETTER.test(last.text);
    return areLetters && word.size === last.size && word.x0 - last.x1 < apart * word.size;
  });
  for (const run of runs) {
    if (run.length < letters || isAlphabet(run.map(({ text }) => text).join(''))) continue;
    const usual = least(pairs(run).map(([before, { x0 }]) => x0 - before.x1));
    const inWords = pairs(run).filter(([before, { x0 }]) => x0 - before.x1 < usual + uneven * before.size);
    if (usual > close * run[0].size || inWords.length < run.length / 2) continue;
    for (const [, word] of inWords) inner.add(word);
  }
  return inner;
}

/** Whether letters are a sample of an alphabet: in its order, or in both cases. */
function isAlphabet(letters: string): boolean {
  const codes = [...letters].map((letter) => letter.charCodeAt(0));
  const areNext = codes.some(
    (code, i) => i > 1 && code === (codes[i - 1] ?? 0) + 1 && code === (codes[i - 2] ?? 0) + 2,
  );
  return areNext || /\p{Ll}\p{Lu}\p{Ll}/u.test(letters);
}

const REFERENCE = /^(?:\d{1,3}|[*∗†‡§¶]{1,3})$/;

/** A number or sign that is small and raised beside its neighbour. */
export function isReference(word: Word | undefined, beside: Word | undefined): boolean {
  return word !== undefined && beside !== undefined && isRaised(word, beside) && REFERENCE.test(word.text);
}

function isRaised({ size, y }: Word, beside: Word): boolean {
  const rise = (beside.y - y) / beside.size;
  return size <= 0.88 * beside.size && rise > 0.15 && rise < 0.7;
}

/** Smaller, raised digits behind a number or unit: as plain digits they would change it. */
function isPower(word: Word, before: Word | undefined): boolean {
  if (before === undefined || !isRaised(word, before) || !/^[-−–]?\d{1,3}$/.test(word.text)) return false;
  // A page number may stand farther away.
  return word.x0 - before.x1 < FARTHEST_POWER * before.size && /(\d|(^|[\s\d])[kcdm]?m)\)?$/.test(before.text);
}

function superscript(text: string): string {
  return text.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? digit).replace(/^[-−–]/, '⁻');
}

function linkTo(url: string, text: string): string {
  const bare = (address: string) =>
    address.replace(/^[([]?(https?:\/\/|mailto:)?(www\.)?/i, '').replace(/[/.,;:)\]]+$/, '');
  // An address broken over two lines links from each.
  if (bare(url).includes(bare(text)) || /[[\]<>]/.test(text) || RTL.test(text)) return text;
  return `[${text}](${url.replaceAll(' ', '%20').replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/** Whether a space is between two words of a line. */
export function isSpace(before: Word, word: Word): boolean {
  const gap = word.x0 - before.x1;
  const size = Math.min(before.size, word.size);
  const cjk = isCjk(before.text.at(-1)) || isCjk(word.text[0]);
  if (gap < (cjk ? -OVERDRAWN_IN_CJK * size : -OVERDRAWN * Math.max(before.size, word.size))) return true;
  const level = word.hidden === true || Math.abs(before.y - word.y) < LEVEL * size;
  // The boxes of recognised words may overlap, and each has its own baseline.
  if (word.spaced && gap > (word.hidden === true ? -OVERDRAWN : -0.1) * size && level)
    return !(isCjk(before.text.at(-1)) && gap < 0.1 * size);
  const isAlike = before.face === word.face && before.size === word.size;
  return gap > (cjk ? spaceInCjk(before, word) : isAlike ? SPACE_SET_ALIKE : SPACE) * size;
}

function spaceInCjk(before: Word, word: Word): number {
  const [end = '', first = ''] = [before.text.at(-1), word.text[0]];
  return WESTERN.test(isCjk(end) ? first : end) && IDEOGRAPH.test(isCjk(end) ? end : first)
    ? SPACE_BESIDE_CJK
    : SPACE_IN_CJK;
}

function isCjk(character: string | undefined): boolean {
  return character !== undefined && character > '\u2e7f' && CJK.test(character);
}

/** Converts display order to reading order, by the bidirectional algorithm over the whole line. */
function logicalOrder(visual: string): string {
  // The package's own declarations describe its inner modules, not the factory it exports.
  bidi ??= (bidiFactory as unknown as () => Bidi)();
  // The line is reversed to the reading order of right-to-left text; left-to-right runs are then turned back.
  const levels = bidi.getEmbeddingLevels(visual, direction(visual));
  const characters = [...visual].length === visual.length ? visual.split('') : [...visual];
  if (characters.length !== visual.length) return characters.reverse().join('');
  for (const [start, end] of bidi.getReorderSegments(visual, levels)) {
    const run = characters.slice(start, end + 1).reverse();
    characters.splice(start, run.length, ...run);
  }
  const text = characters.join('').replace(/(\p{M}+)(\P{M})/gu, reattach);
  return direction(visual) === 'rtl' ? text.replace(MISTURNED, (bracket) => mirrored(bracket)) : text;
}

/** A closing bracket that stands where one opens, or the other way round. */
const MISTURNED = /(?<=^|\s)[)\]}»](?=\S)|(?<=\S)[([{«](?=[\s.,:;،؛]|$)/g;

/** Right-to-left text has mirrored brackets. Some files say which character each is, others which form is drawn. */
function mirrored(bracket: string): string {
  return '()[]{}«»'['()[]{}«»'.indexOf(bracket) ^ 1] ?? bracket;
}

/** Marks are drawn behind their letter; reversed, they come before it. */
function reattach(all: string, marks: string, letter: string): string {
  return RTL.test(marks) ? letter + [...marks].reverse().join('') : all;
}

function direction(text: string): 'rtl' | 'ltr' {
  let [rtl, ltr] = [0, 0];
  for (const character of text) {
    if (RTL.test(character)) rtl++;
    else if (/\p{L}/u.test(character)) ltr++;
  }
  return rtl >= ltr ? 'rtl' : 'ltr';
}
