import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Bits, emptyBits, setBit } from '../../src/pdf/shrink/layers/bits.ts';
import { findInk } from '../../src/pdf/shrink/layers/ink.ts';
import { findStrokes, keepsStrokes } from '../../src/pdf/shrink/layers/strokes.ts';

const [WIDTH, HEIGHT, DPI] = [120, 60, 300];
const whole = '<path d="M20 30 H40 A12 14 0 1 0 37 41" fill="none" stroke="#222" stroke-width="3"/>';
const withoutBar = '<path d="M40 30 A12 14 0 1 0 37 41" fill="none" stroke="#222" stroke-width="3"/>';
const apart =
  '<rect x="60" y="15" width="12" height="30" fill="#222"/><rect x="75" y="15" width="12" height="30" fill="#222"/>';
const together = '<rect x="60" y="15" width="27" height="30" fill="#222"/>';

/** As a lens sees it. */
async function seen(...drawn: string[]): Promise<Uint8Array> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${drawn.join('')}</svg>`;
  const picture = sharp(Buffer.from(svg)).flatten({ background: '#f4f4f4' }).blur(0.9).toColourspace('b-w');
  return new Uint8Array(await picture.raw().toBuffer());
}

/** Whether strokes of a page are kept above a ground, where what is dark in `inked` is ink. */
function isKept(before: Uint8Array, ground: Uint8Array, inked?: Uint8Array): boolean {
  const mask: Bits = emptyBits(WIDTH, HEIGHT);
  for (const [at, value] of inked?.entries() ?? []) if (value < 150) setBit(mask, at % WIDTH, Math.floor(at / WIDTH));
  const grey = { pixels: before, width: WIDTH, height: HEIGHT };
  const strokes = findStrokes(grey, { mask, cells: findInk(grey, DPI).cells }, DPI);
  return keepsStrokes(strokes, { at: (x, y) => ground[y * WIDTH + x] ?? 0 });
}

const PAPER = new Uint8Array(WIDTH * HEIGHT).fill(244);

const keeps = async (before: readonly string[], after: readonly string[]) =>
  isKept(await seen(...before), PAPER, await seen(...after));

describe('strokes of a page in layers', () => {
  test('are kept where letters become ink', async () => {
    expect(await keeps([whole, apart], [whole, apart])).toBe(true);
  });
  test('are lost where an e becomes a c', async () => {
    expect(await keeps([whole, apart], [withoutBar, apart])).toBe(false);
  });
  test('are lost where two of them grow together', async () => {
    expect(await keeps([whole, apart], [whole, together])).toBe(false);
  });
  test('are not seen in the grain of paper', async () => {
    const before = (await seen(whole)).map((value, i) => value - ((i * 7_919) % 13) + 6);
    expect(isKept(before, PAPER, await seen(whole))).toBe(true);
  });
  test('may stay in a ground that is fine enough, and not in one that is too coarse', async () => {
    const before = await seen(whole);
    const blurred = (sigma: number) =>
      sharp(before, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
        .blur(sigma)
        .toColourspace('b-w')
        .raw()
        .toBuffer();
    expect(isKept(before, await blurred(0.5))).toBe(true);
    expect(isKept(before, await blurred(6))).toBe(false);
  });
});
