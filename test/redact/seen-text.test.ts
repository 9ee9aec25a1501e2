// Spellings that people see as one word.
import { describe, expect, it } from 'vitest';
import { termHits } from '../../src/pdf/redact/find/page-search.ts';
import { type Seen, stringAsSeen } from '../../src/pdf/redact/words/seen-text.ts';

const isFound = (term: string, text: string) => termHits([term], stringAsSeen(text)).length > 0;

/** Letters of 10 points, each so many points from the one before; spaces are those that a reader put there. */
function setApart(words: readonly string[], gap: number, between: number): Seen[] {
  const seen: Seen[] = [];
  let x = 0;
  for (const word of words) {
    for (const [i, text] of [...word].entries()) {
      if (i > 0 && gap > 1.5) seen.push({ text: ' ', generated: true });
      seen.push({ text, generated: false, size: 10, box: { x0: x, x1: x + 5, y0: 0, y1: 7 } });
      x += 5 + gap;
    }
    seen.push({ text: ' ', generated: true });
    x += between;
  }
  return seen;
}

describe('a word is found', () => {
  it.each([
    ['with a soft hyphen', 'Quorlax', 'Quor\u00adlax'],
    ['with zero-width characters', 'Quorlax', 'Qu\u200bor\u2060lax\ufeff'],
    ['with ligatures', 'office', 'o\ufb03ce'],
    ['with accents made of two', 'Ren\u00e9', 'Rene\u0301'],
    ['with spacing accents', 'Ren\u00e9', 'Ren\u00b4e'],
    ['without its accents', 'Rene', 'Ren\u00e9'],
    ['in full width', 'Quorlax 12', '\uff31\uff55\uff4f\uff52\uff4c\uff41\uff58\u300012'],
    ['in Arabic presentation forms', '\u0645\u062d\u0645\u062f', '\ufee3\ufea4\ufee4\ufeaa'],
    ['in the order of the page, from right to left', '\u0645\u062d\u0645\u062f', '\u062f\u0645\u062d\u0645'],
    ['with a long Arabic joint', '\u0645\u062d\u0645\u062f', '\u0645\u0640\u0640\u062d\u0645\u062f'],
    ['hyphenated over two lines', 'Quorlax', 'Quor-\nlax'],
    ['broken over two lines without a hyphen', 'Quorlax', 'was Quor\nlax, and'],
    ['hyphenated as PDFium gives it', 'Quorlax', 'Quor\u0002lax'],
    ['over two lines', 'Jane Doe', 'Jane\r\nDoe'],
    ['with any spaces', 'Jane Doe', 'Jane \u00a0 Doe'],
    ['with other quotes', "O'Neill", 'O\u2019Neill'],
    ['spaced out', 'Quorlax', 'Q u o r l a x'],
    ['in groups of figures', '4111111111111111', '4111 1111 1111 1111'],
    ['with control characters', 'Quorlax', 'Quor\u0006lax'],
    ['in other capitals', 'stra\u00dfe', 'STRASSE'],
    ['in Chinese, over two lines', '\u5317\u4eac\u5e02', '\u5317\u4eac\n\u5e02'],
  ])('%s', (_, term, text) => expect(isFound(term, text)).toBe(true));

  it('with letters set apart, and not across two words', () => {
    expect(termHits(['Quorlax'], setApart(['Quorlax', 'stays'], 2, 6))).toHaveLength(1);
    expect(termHits(['Quorlax'], setApart(['Quorlax', 'stays'], 6, 12))).toHaveLength(1);
    expect(termHits(['the'], setApart(['at', 'her'], 0, 3))).toHaveLength(0);
  });

  it.each([
    ['two words', 'the', 'at he'],
    ['the end of one line and the start of the next', 'the', 'at\nhe'],
    ['parts of words on two lines', 'these', 'over the\nsecond'],
    ['figures of a range', '2019', '20-19'],
  ])('not in %s', (_, term, text) => expect(isFound(term, text)).toBe(false));
});
