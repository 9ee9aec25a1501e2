// Decides whether the text layer of a page is unreadable: fonts without a usable encoding map glyphs to arbitrary
// characters, which a reader or a voice would take for words. In: the words of a page. Out: a verdict, in one pass. It
// tests three properties of text in any language, each as a share of the page, so that a formula, a table or a line of
// another script changes nothing. Measured by test/bench/unreadable.mjs.

import { RTL } from '../fonts/characters.ts';
import { listAt } from '../syntax/arrays.ts';
import type { PageContent, Word } from './content/page-content.ts';

/** Fewer visible characters allow no verdict on a page. */
const LEAST_CHARACTERS = 40;
/** Readable text has no meaningless characters (controls, private use, unassigned), and few signs. */
const MOST_MEANINGLESS = 0.15;
const MOST_SIGNS = 0.25;
/** Share of characters in words with signs between their letters; 0.07 on the strangest readable page. */
const MOST_BROKEN = 0.15;
/**
 * Eight letters are half to three quarters of any text in Latin script, 0.47 of code, and a third of codes taken for
 * letters. Variables and short names, such as `x` and `dim`, tell nothing, unless many of them have accents, as codes above
 * 127 do. Fewer letters allow no verdict: a list of part numbers is as strange.
 */
const COMMON = /[eaionrst]/g;
const LEAST_COMMON = 0.42;
const LEAST_LETTERS = 100;
const MOST_ACCENTS = 0.1;
/**
 * The share of common letters in long words is at least 0.48 on readable pages, and at most 0.42 where codes are taken for
 * letters. Long words hold a third or more of the characters of program code.
 */
const LONG_WORDS = /(?<![\p{L}\p{N}])\p{L}{4,}(?![\p{L}\p{N}])/gu;
const CLEARLY_COMMON = 0.45;
const FEWEST_IN_WORDS = 30;
const MOSTLY_WORDS = 0.3;

/** Text without a meaningless character. */
const USUAL = /^[ -~\u00a1-\u024f\u2010-\u2027\u2030-\u205e]*$/;
const MEANINGLESS = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu;
const SIGN = '[!"#$%*;<=>?[\\]^`{|}~\\u00a1-\\u00b6\\u00b8-\\u00bf×÷]';
const SIGNS = new RegExp(SIGN, 'g');
const BROKEN = new RegExp(`\\p{L}${SIGN}+\\p{L}`, 'u');

export function isUnreadable(texts: readonly string[]): boolean {
  const text = texts.join(' ');
  // Leaders and drawn lines repeat one sign, which counts once.
  const all = text.replace(/(\S)\1{19,}/gu, '$1').replace(/\s/g, '');
  if (all.length < LEAST_CHARACTERS) return false;
  if (!USUAL.test(all) && count(all, MEANINGLESS) > MOST_MEANINGLESS * all.length) return true;
  const words = latinOf((text.match(LONG_WORDS) ?? []).join(''));
  // Code, addresses and forms are full of signs, but their words are those of a language.
  if (words.length > Math.max(FEWEST_IN_WORDS, MOSTLY_WORDS * all.length) && commonIn(words) > CLEARLY_COMMON)
    return false;
  if (count(all, SIGNS) > MOST_SIGNS * all.length) return true;
  const broken = texts.filter((word) => BROKEN.test(word) && !RTL.test(word));
  if (broken.join('').length > MOST_BROKEN * all.length) return true;
  const letters = latinOf(all);
  if (letters.length < all.length / 2 && letters.length < count(all, /\p{L}/gu) / 2) return false;
  const hasAccents = count(all, /(?![a-z])\p{Script=Latin}/giu) > MOST_ACCENTS * letters.length;
  const telling = hasAccents ? letters : words;
  return telling.length >= LEAST_LETTERS && commonIn(telling) < LEAST_COMMON;
}

/** The share of common letters. */
function commonIn(letters: string): number {
  return count(letters, COMMON) / letters.length;
}

/** Its letters of Latin script, in small letters without accents. */
function latinOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]+/g, '');
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
  return LONE_SIGN.test(text) || (LATIN_SIGN.test(text) && SIGN_FONT.test(face.name));
}

/** The words of a page in the order of the file. */
export function wordTexts({ words, turned }: Pick<PageContent, 'words' | 'turned'>): string[] {
  return [...words, ...turned.flatMap((part) => part.words)].map(({ text }) => text);
}

function count(text: string, characters: RegExp): number {
  return text.match(characters)?.length ?? 0;
}
