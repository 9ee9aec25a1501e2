import { describe, expect, it } from 'vitest';
import { ContentLexer } from '../../src/pdf/content/lexer.ts';
import { ContentScanner } from '../../src/pdf/content/scanner.ts';

const SIZE = '/W 40 /H 1 /BPC 8 /CS /G';
/** 40 bytes that look like the end of an image with text behind it. */
const TRAP = '0123456789 EI (hidden) Tj and more text.';
const END = '\nEI Q BT (shown) Tj ET                  ';

function lenient(content: string): string[] {
  const lexer = new ContentLexer(Buffer.from(content, 'latin1'));
  const words: string[] = [];
  for (let token = lexer.next(); token !== 'end'; token = lexer.next())
    if (token === 'operator') words.push(lexer.operator);
  return words;
}

function strict(content: string): string[] {
  const scanner = new ContentScanner(Buffer.from(content, 'latin1'));
  const words: string[] = [];
  for (let op = scanner.next(); op !== undefined; op = scanner.next()) words.push(op.name);
  return words;
}

describe('the end of an inline image', () => {
  it('is where the size says, and a strict reader refuses what others read otherwise', () => {
    const content = `q BI ${SIZE} ID ${TRAP}${END}`;
    expect(lenient(content)).toEqual(['q', 'EI', 'Q', 'BT', 'Tj', 'ET']);
    expect(() => strict(content)).toThrow(/end is not where its size says/);
  });

  it('is the first EI with text behind it where the size is wrong or not told', () => {
    for (const dict of ['/W 4000 /H 1 /BPC 8 /CS /G', '/W 40 /H 1 /BPC 8 /CS /Named', `${SIZE} /F /Fl`]) {
      const content = `q BI ${dict} ID ${'\xff EI\x01 '.repeat(6)}${END}`;
      expect(lenient(content), dict).toEqual(['q', 'EI', 'Q', 'BT', 'Tj', 'ET']);
    }
    expect(() => strict(`BI /W 4000 /H 1 /BPC 8 /CS /G ID ${TRAP}${END}`)).toThrow(/inline image/);
  });

  it('is the same for both readers where it is plain', () => {
    const content = `q BI /W 2 /H 2 /IM true /D [1 0] ID \x80\x40${END}BI ${SIZE} ID ${'\xa0'.repeat(40)}${END}`;
    expect(strict(content)).toEqual(lenient(content));
    expect(strict(content).filter((name) => name === 'EI')).toHaveLength(2);
  });

  it('does not swallow content behind a BI that begins no image', () => {
    expect(lenient('BI BT (a) Tj ET')).toEqual(['BI', 'BT', 'Tj', 'ET']);
    expect(lenient(`${'BI /A '.repeat(100_000)}BT ET`).slice(-2)).toEqual(['BT', 'ET']);
    expect(() => strict('BI BT (a) Tj ET')).toThrow(/inline image/);
  });
});

describe('a strict reader', () => {
  it.each(['(open', '<41', '[1 2', '[1 (a) Tj]', '[1 } 2] TJ'])('refuses %s', (content) => {
    expect(() => strict(`${content} `)).toThrow();
    expect(() => lenient(`${content} `)).not.toThrow();
  });
});
