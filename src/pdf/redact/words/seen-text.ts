import type { Character } from '../probe/page-probe.ts';

/**
 * Words as people see them: the one place that says which spellings are the same.
 *
 * In: the characters of a page in the order of one reader, or a string of the document. Out: a key without what nobody sees
 * (soft hyphens, zero-width and direction marks), without differences of shape (ligatures, presentation forms, full width,
 * capitals, accents, kinds of quotes), and without spaces, line ends and hyphens. Each unit of the key knows the character
 * it comes from. A term is looked for in the key; what stood between its letters is judged afterwards (`isJoined`).
 * The cost is linear in the text for each term.
 */
export interface SeenText {
  readonly key: string;
  /** For each UTF-16 unit of the key, the index of its character. */
  readonly from: readonly number[];
}

/**
 * Characters without any width, such as soft hyphens, joiners, marks of direction and most control characters; and what
 * only widens Arabic words.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u0001\u0003-\u0008\u000e-\u001f\u007f\u0640]/gu;
/** Marks over and under letters of alphabets, and their spacing forms. The vowel signs of other scripts are letters. */
const ACCENTS =
  /(?![\u3099\u309a])(?=[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Latin}])\p{Mn}|[\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8-\u02dd]/gu;
/** PDFium gives the hyphen at the end of a line as U+0002 or U+FFFE. */
const HYPHEN = /[-\u00ad\u0002\u2010-\u2015\u2212\u00ac\ufe58\ufe63\uff0d\ufffe]/;
const HYPHENS = new RegExp(HYPHEN, 'g');
const IDEOGRAPH = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/;
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** The letters of a text as they are compared, with its spaces and hyphens. */
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

/** A term ready to be looked for. */
export interface Term {
  readonly key: string;
  /** Offsets of the key before which the term has a space or a hyphen. */
  readonly gaps: ReadonlySet<number>;
}

/** The spellings under which a term is looked for: right-to-left words stand in some files in the order of the page. */
export function termsOf(term: string): Term[] {
  let key = '';
  const gaps = new Set<number>();
  // Some keyboards and file systems give letters in pieces.
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

/** Places of a term in a text, as indexes of the first character and of the one after the last. */
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

/** A character of a page, or a piece of a string that has no place. */
export type Seen = Pick<Character, 'text' | 'generated'> & Partial<Pick<Character, 'box' | 'size'>>;

/** The part of the font's size by which gaps between letters that are set apart differ. */
const EVEN = 0.18;
/** A gap of this part of the font's size stands between cells of a table. */
const CELL = 0.7;
/** Figures that are written in groups. */
const LEAST_FIGURES = 6;

/** Whether what stands between the letters of a match may stand within the term. */
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
    // Lines of ideographs end anywhere; a wide gap on a line is one between cells, or where something was taken out.
    const isDense = isBroken || (gapBetween(characters[before], characters[after]) ?? 0) < CELL;
    if (isDivided || (isDense && IDEOGRAPH.test(left) && IDEOGRAPH.test(right))) continue;
    // Narrow cells break words without a hyphen; the parts of a whole word are that word.
    if (isBroken && isWholeWord(places, characters)) continue;
    if (isBroken) return false;
    if (isNarrow(characters[before], characters[after])) continue;
    spaced++;
  }
  return spaced === 0 || isEven(inner, characters, spaced);
}

/** Shorter words are made by the end of one line and the start of the next too often. */
const LEAST_BROKEN = 4;

function isWholeWord(places: readonly number[], characters: readonly Seen[]): boolean {
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const around = [characters[first - 1], characters[last + 1]];
  const said = places.map((at) => characters[at]?.text ?? '').join('');
  return (
    places.length >= LEAST_BROKEN && !/\d/.test(said) && !around.some((next) => /[\p{L}\p{N}]/u.test(next?.text ?? ''))
  );
}

/** Gaps below this part of the font's size are no spaces. */
const NARROW = 0.13;

function isNarrow(before: Seen | undefined, after: Seen | undefined): boolean {
  const gap = gapBetween(before, after);
  return gap !== undefined && gap > -1 && gap < NARROW;
}

/** The gap between two letters as a part of the font's size; undefined where they stand on no line. */
function gapBetween(before: Seen | undefined, after: Seen | undefined): number | undefined {
  if (before?.box === undefined || after?.box === undefined || !before.size) return undefined;
  const [a, b] = [before.box, after.box];
  const across = Math.max(b.x0 - a.x1, a.x0 - b.x1);
  const down = Math.max(b.y0 - a.y1, a.y0 - b.y1);
  return Math.max(across, down) / before.size;
}

/** Whether the letters of a word are set apart evenly: the spaces between them are none. */
function isEven(inner: readonly (readonly [number, number])[], characters: readonly Seen[], spaced: number): boolean {
  const gaps = inner.map(([before, after]) => gapBetween(characters[before], characters[after]));
  if (gaps.some((gap) => gap === undefined)) return spaced === inner.length && inner.length > 1;
  const known = gaps.filter((gap) => gap !== undefined);
  if (known.length === 1) return (known[0] ?? 1) < 2 * EVEN;
  return Math.max(...known) - Math.min(...known) < EVEN;
}

/** The text for kinds and expressions, which see capitals and signs: in one piece, divided words joined. */
export function plainText(characters: readonly Seen[]): { readonly text: string; readonly from: readonly number[] } {
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

/** A string of the document as it is searched. */
export function stringAsSeen(text: string): Seen[] {
  return [...text].map((sign) => ({ text: sign, generated: false }));
}
