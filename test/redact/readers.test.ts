import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pdfjsTexts } from '../../src/pdf/text/pdfjs/text-pieces.ts';

const GUIDE = 'test/fixtures/guide.pdf';

it('pdf.js reads the words of every page that pdftotext reads', async () => {
  const pieces = await pdfjsTexts(new Uint8Array(readFileSync(GUIDE)), new AbortController().signal);
  const ours = pieces.map((page) => page.map(({ text, ends }) => `${text}${ends ? '\n' : ''}`).join(''));
  const theirs = execFileSync('pdftotext', [GUIDE, '-'], { encoding: 'utf8' }).split('\f').slice(0, -1);
  expect(ours).toHaveLength(theirs.length);
  for (const [page, text] of theirs.entries()) {
    const words = text.match(/\p{L}{5,}/gu) ?? [];
    const missing = words.filter((word) => !ours[page]?.includes(word));
    expect(missing.length, `page ${page + 1}`).toBeLessThanOrEqual(words.length * 0.05);
  }
});
