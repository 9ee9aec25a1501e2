// Pages that lie on their side or their head are noticed before they are read, which takes far longer that way.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { seemsTurned, turnedPicture } from '../../src/ocr/place.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');

it.each([
  ['lorem-ipsum.pdf', 1],
  ['guide.pdf', 8],
])('%s, page %d, seems turned only where it is', (name, page) => {
  const args = ['-r', '300', '-gray', '-singlefile', '-f', String(page), '-l', String(page), resolve(FIXTURES, name)];
  const picture = execFileSync('pdftoppm', args, { maxBuffer: 1 << 28 });
  const [header = '', width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(picture.toString('latin1', 0, 40)) ?? [];
  const upright = { width: Number(width), height: Number(height), pixels: picture.subarray(header.length), dpi: 300 };
  expect([0, 1, 2, 3].map((quarters) => seemsTurned(turnedPicture(upright, quarters)))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});
