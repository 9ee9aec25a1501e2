// Decides whether the text layer of a page is unreadable: fonts without a usable encoding map glyphs to arbitrary
// characters, which a reader or a voice would take for words. In: the words of a page. Out: a verdict, in one pass. It
// tests three properties of text in any language, each as a share of the page, so that a formula, a table or a line of
// another script changes nothing. Measured by test/bench/unreadable.mjs.

import { RTL } from '../fonts/characters.ts';
import { listAt } from '../syntax/arrays.ts';
import type { PageContent, Word } from './content/page-content.ts';

/** Fewer visible characters allow no verdict on a page. */
const LEAST_CHARACTERS = 40;
/** Readable text has no meaningless characters (controls, private use, unassigned), and few signs: code has 0.16. */
const MOST_MEANINGLESS = 0.15;
const MOST_SIGNS = 0.25;
/** Share of characters in words with signs between their letters; 0.07 on the strangest readable page. */
const MOST_BROKEN = 0.15;
/**
 * Eight letters are half to three quarters of any text in Latin script, 0.47 of code, and a third of codes taken for
 * letters. Fewer letters allow no verdict: a list of part numbers is as strange.
 */
const COMMON = Uint8Array.from({ length: 128 }, (_, code) => Number('eaionrst'.includes(String.fromCharCode(code))));
const LEAST_COMMON = 0.42;
const LEAST_LETTERS = 100;

/** Text without a meaningless character. */
const USUAL = /^[ -~\u00a1-\u024f\u2010-\u2027\u2030-\u205e]*$/;
const MEANINGLESS = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu;
const SIGN = '[!"#$%*;<=>?[\\]^`{|}~\\u00a1-\\u00b6\\u00b8-\\u00bf×÷]';
const SIGNS = new RegExp(SIGN, 'g');
const HAS_SIGN = new RegExp(SIGN);
const BROKEN = new RegExp(`\\p{L}${SIGN}+\\p{L}`, 'u');

export function isUnreadable(texts: readonly string[]): boolean {
  const all = texts.join('');
  if (all.length < LEAST_CHARACTERS) return false;
  if (
    (!USUAL.test(all) && count(all, MEANINGLESS) > MOST_MEANINGLESS * all.length) ||
    count(all, SIGNS) > MOST_SIGNS * all.length
  )
    return true;
  const broken = texts.filter((text) => HAS_SIGN.test(text) && BROKEN.test(text) && !RTL.test(text));
  if (broken.join('').length > MOST_BROKEN * all.length) return true;
  const [latin, common] = lettersIn(all.normalize('NFD'));
  if (latin < LEAST_LETTERS) return false;
  if (latin < all.length / 2 && latin < count(all, /\p{L}/gu) / 2) return false;
  return common < LEAST_COMMON * latin;
}

/** How many letters are Latin, whatever accents follow them, and how many of those are common. */
function lettersIn(text: string): [number, number] {
  let [latin, common] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i) | 0x20;
    if (letter < 0x61 || letter > 0x7a) continue;
    latin++;
    common += COMMON[letter] ?? 0;
  }
  return [latin, common];
}

/** Half-width katakana, as which symbol fonts name 0xB2 and the like, and the character of an unknown code. */
const LONE_SIGN = /^[\uff61-\uff9f\ufffd]$/;
/** Fonts of signs, whose maps give the letters that type them: v for a bullet. */
const SIGN_FONT = /Wingdings|Webdings|Dingbats|Bullet|TypographicSymbols|Pi(?:One|Two|Three|Four|\d)?$/;
const LATIN_SIGN = /^[!-\xff†‡]$/;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Turns a lone sign without a meaning into a bullet where it begins a Latin line and a word follows. */
export function mendBullets({ words }: Pick<PageContent, 'words'>): void {
  if (!words.some(isLoneSign)) return;
  const text = words.map((word) => (isLoneSign(word) ? '' : word.text)).join('');
  if (count(text, /[a-z]/gi) < LEAST_CHARACTERS || EAST_ASIAN.test(text)) return;
  const lines = new Map<number, Word[]>();
  for (const word of words) listAt(lines, Math.round(word.y)).push(word);
  for (const line of lines.values()) {
    line.sort((a, b) => a.x0 - b.x0);
    for (const [at, word] of line.entries()) {
      if (!isLoneSign(word)) continue;
      // Columns of a page or table begin lines of their own.
      const before = line[at - 1];
      if (before !== undefined && word.x0 - before.x1 < 2 * word.size) continue;
      // An unknown sign before a number or a variable may be a minus.
      if (/[\uff61-\uff9f]/.test(word.text) || /^\p{L}{2}|^[AI]$/u.test(line[at + 1]?.text ?? '')) word.text = '•';
    }
  }
}

function isLoneSign({ text, face }: Word): boolean {
  return text.length === 1 && (LONE_SIGN.test(text) || (LATIN_SIGN.test(text) && SIGN_FONT.test(face.name)));
}

/** The words of a page in the order of the file. */
export function wordTexts({ words, turned }: Pick<PageContent, 'words' | 'turned'>): string[] {
  return [...words, ...turned.flatMap((part) => part.words)].map(({ text }) => text);
}

function count(text: string, characters: RegExp): number {
  return text.match(characters)?.length ?? 0;
}
