import type { Character } from '../probe/page-probe.ts';

/**
 * Text as people see it: the one place that decides which spellings are equal. The key of a text is folded: no
 * invisible characters, no differences of case, accents, ligatures, width or quotes, no spaces, line ends or hyphens.
 * Each unit of the key maps to its character. A term is searched in the key; `isJoined` then judges what stood between
 * its letters. Linear in the text for each term.
 */
export interface SeenText {
  readonly key: string;
  /** For each UTF-16 unit of the key, the index of its character. */
  readonly from: readonly number[];
}

/** Zero-width and control characters, and the Arabic tatweel. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u0001\u0003-\u0008\u000e-\u001f\u007f\u0640]/gu;
/** Diacritics of alphabets and their spacing forms; vowel signs of other scripts are letters. */
const ACCENTS =
  /(?![\u3099\u309a])(?=[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Latin}])\p{Mn}|[\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8-\u02dd]/gu;
/** PDFium gives the hyphen at the end of a line as U+0002 or U+FFFE. */
const HYPHEN = /[-\u00ad\u0002\u2010-\u2015\u2212\u00ac\ufe58\ufe63\uff0d\ufffe]/;
const HYPHENS = new RegExp(HYPHEN, 'g');
const IDEOGRAPH = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/;
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Folds a text for comparison, keeping spaces and hyphens. */
export function folded(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.replaceAll('`', "'").toLowerCase();
  return (
    text
      .replace(UNSEEN, '')
      .replace(ACCENTS, '')
      .normalize('NFKD')
      .replace(ACCENTS, '')
      .normalize('NFC')
      .replace(UNSEEN, '')
      .replace(/[\u2018\u2019\u201a\u201b\u02bc\u2032]/g, "'")
      .replace(/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"')
      // Upper case first: it unites both forms of sigma, dotless i and sharp s.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('\u0307', '')
  );
}

export function seenText(characters: readonly Pick<Character, 'text'>[]): SeenText {
  let key = '';
  const from: number[] = [];
  for (const [i, { text }] of characters.entries()) {
    const letters = folded(text).replace(HYPHENS, '').replace(/\s/g, '');
    for (let unit = 0; unit < letters.length; unit++) from.push(i);
    key += letters;
  }
  return { key, from };
}

export interface Term {
  readonly key: string;
  /** Key offsets before which the term has a space or a hyphen. */
  readonly gaps: ReadonlySet<number>;
}

/** The keys of a term: right-to-left words are stored in visual order in some files. */
export function termsOf(term: string): Term[] {
  let key = '';
  const gaps = new Set<number>();
  // Input may be decomposed.
  for (const sign of term.trim().normalize('NFC')) {
    const letters = folded(sign);
    if (HYPHEN.test(sign) || letters.trim() === '') gaps.add(key.length);
    else key += letters;
  }
  if (key === '') return [];
  const plain = { key, gaps };
  if (!RIGHT_TO_LEFT.test(key)) return [plain];
  const reversed = [...key].reverse().join('');
  return [plain, { key: reversed, gaps: new Set([...gaps].map((at) => key.length - at)) }];
}

/** Occurrences of a term in a text, as ranges of characters. */
export function* findTerm(
  term: Term,
  { key, from }: SeenText,
  characters: readonly Seen[],
): Iterable<readonly [start: number, end: number]> {
  for (let at = key.indexOf(term.key); at >= 0; at = key.indexOf(term.key, at + 1)) {
    const places = from.slice(at, at + term.key.length);
    const [first, last] = [places[0], places.at(-1)];
    if (first !== undefined && last !== undefined && isJoined(term, places, characters)) yield [first, last + 1];
  }
}

/** A character of a page, or of a string, which has no place. */
export type Seen = Pick<Character, 'text' | 'generated'> & Partial<Pick<Character, 'box' | 'size'>>;

/** Letter-spacing counts as even when its gaps differ by less than this part of the font size. */
const EVEN = 0.18;
/** A gap from this part of the font size separates table cells. */
const CELL = 0.7;
/** Least length of numbers that may be written in groups. */
const LEAST_FIGURES = 6;

/** Whether the text between the letters of a match may occur within the term. */
function isJoined({ key, gaps }: Term, places: readonly number[], characters: readonly Seen[]): boolean {
  const isNumber = /^\d+$/.test(key) && key.length >= LEAST_FIGURES;
  const inner: (readonly [number, number])[] = [];
  let spaced = 0;
  for (let i = 1; i < places.length; i++) {
    const [before, after] = [places[i - 1], places[i]];
    if (before === undefined || after === undefined || before === after || gaps.has(i)) continue;
    inner.push([before, after]);
    if (after === before + 1) continue;
    const between = characters
      .slice(before + 1, after)
      .map(({ text }) => text)
      .join('');
    if (between.replace(UNSEEN, '').replace(ACCENTS, '') === '' || isNumber) continue;
    const [left, right] = [characters[before]?.text ?? '', characters[after]?.text ?? ''];
    const isDivided = HYPHEN.test(between) && !(/\d$/.test(left) && /^\d/.test(right));
    const isBroken = /[\r\n]/.test(between);
    // Ideographs break anywhere; a wide gap separates cells or marks removed text.
    const isDense = isBroken || (gapBetween(characters[before], characters[after]) ?? 0) < CELL;
    if (isDivided || (isDense && IDEOGRAPH.test(left) && IDEOGRAPH.test(right))) continue;
    // Narrow cells break words without a hyphen; accept it if the parts form a whole word.
    if (isBroken && isWholeWord(places, characters)) continue;
    if (isBroken) return false;
    if (isNarrow(characters[before], characters[after])) continue;
    spaced++;
  }
  return spaced === 0 || isEven(inner, characters, spaced);
}

/** Shorter words arise by chance from the end of one line and the start of the next. */
const LEAST_BROKEN = 4;

function isWholeWord(places: readonly number[], characters: readonly Seen[]): boolean {
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const around = [characters[first - 1], characters[last + 1]];
  const letters = places.map((at) => characters[at]?.text ?? '').join('');
  return (
    places.length >= LEAST_BROKEN &&
    !/\d/.test(letters) &&
    !around.some((next) => /[\p{L}\p{N}]/u.test(next?.text ?? ''))
  );
}

/** A narrower gap, as a part of the font size, is no space. */
const NARROW = 0.13;

function isNarrow(before: Seen | undefined, after: Seen | undefined): boolean {
  const gap = gapBetween(before, after);
  return gap !== undefined && gap > -1 && gap < NARROW;
}

/** The gap between two letters as a part of the font size; undefined without positions. */
function gapBetween(before: Seen | undefined, after: Seen | undefined): number | undefined {
  if (before?.box === undefined || after?.box === undefined || !before.size) return undefined;
  const [a, b] = [before.box, after.box];
  const across = Math.max(b.x0 - a.x1, a.x0 - b.x1);
  const down = Math.max(b.y0 - a.y1, a.y0 - b.y1);
  return Math.max(across, down) / before.size;
}

/** Whether a word is evenly letter-spaced. */
function isEven(inner: readonly (readonly [number, number])[], characters: readonly Seen[], spaced: number): boolean {
  const gaps = inner.map(([before, after]) => gapBetween(characters[before], characters[after]));
  if (gaps.some((gap) => gap === undefined)) return spaced === inner.length && inner.length > 1;
  const known = gaps.filter((gap) => gap !== undefined);
  if (known.length === 1) return (known[0] ?? 1) < 2 * EVEN;
  return Math.max(...known) - Math.min(...known) < EVEN;
}

/** The text for kinds and expressions, which see case and punctuation: hyphenated words joined, line ends as spaces. */
export function searchableText(characters: readonly Seen[]): {
  readonly text: string;
  readonly from: readonly number[];
} {
  let text = '';
  let divided = false;
  const from: number[] = [];
  for (const [i, { text: raw, generated }] of characters.entries()) {
    if (raw === ' ' && generated && isNarrow(characters[i - 1], characters[i + 1])) continue;
    const isHyphen = /[\u00ad\u0002\ufffe]/.test(raw);
    const isEnd = raw === '\n' || raw === '\r';
    const plain =
      isHyphen || raw === '\r' || (divided && isEnd) ? '' : isEnd ? ' ' : raw.replace(UNSEEN, '').normalize('NFKC');
    if (raw !== '\r') divided = isHyphen;
    for (let unit = 0; unit < plain.length; unit++) from.push(i);
    text += plain;
  }
  return { text, from };
}

/** A string of the document in the form that is searched. */
export function stringAsSeen(text: string): Seen[] {
  return [...text].map((sign) => ({ text: sign, generated: false }));
}
