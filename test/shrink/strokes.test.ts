import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { keepsStrokes } from '../../src/pdf/shrink/layers/strokes.ts';

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

/** In two tones. */
function inLayers(pixels: Uint8Array) {
  const mask = pixels.map((value) => Number(value < 150));
  return { mask, pixels: mask.map((ink) => (ink === 1 ? 60 : 244)) };
}

const keeps = async (before: readonly string[], after: readonly string[]) =>
  keepsStrokes({ pixels: await seen(...before), width: WIDTH, height: HEIGHT }, inLayers(await seen(...after)), DPI);

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
    const after = inLayers(await seen(whole));
    expect(keepsStrokes({ pixels: before, width: WIDTH, height: HEIGHT }, after, DPI)).toBe(true);
  });
  test('may stay in a ground that is fine enough, and not in one that is too coarse', async () => {
    const before = await seen(whole);
    const mask = new Uint8Array(before.length);
    const page = { pixels: before, width: WIDTH, height: HEIGHT };
    const blurred = (sigma: number) =>
      sharp(before, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
        .blur(sigma)
        .toColourspace('b-w')
        .raw()
        .toBuffer();
    expect(keepsStrokes(page, { pixels: await blurred(0.5), mask }, DPI)).toBe(true);
    expect(keepsStrokes(page, { pixels: await blurred(6), mask }, DPI)).toBe(false);
  });
});
