import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { inSixteenSteps } from '../../src/pdf/shrink/pictures/mask-steps.ts';

const [WIDTH, HEIGHT] = [301, 120];

/** What a drawing of strokes covers, blurred by so much. */
async function maskOf(strokes: string, blur: number) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%"/>${strokes}</svg>`;
  const image = sharp(Buffer.from(svg)).toColourspace('b-w').removeAlpha();
  const pixels = await (blur > 0 ? image.blur(blur) : image).extractChannel(0).raw().toBuffer();
  return { pixels, width: WIDTH, height: HEIGHT, channels: 1 } as const;
}

const pen =
  '<g fill="none" stroke="#fff" stroke-width="3"><path d="M10 60C60 10 80 110 130 60S200 10 240 90"/><path d="M20 90L280 30"/></g>';
const card = '<rect x="40" y="30" width="200" height="60" fill="#fff"/>';

describe('a soft mask', () => {
  test.each([
    ['the strokes of a pen', pen, 0],
    ['strokes with soft edges', pen, 0.8],
    ['a card with sharp edges', card, 0],
  ])('of %s comes in sixteen steps, each pixel within half of one', async (_, strokes, blur) => {
    const mask = await maskOf(strokes, blur);
    expect(new Set(mask.pixels).size).toBeGreaterThan(blur > 0 ? 100 : 1);
    const rows = inSixteenSteps(mask);
    const stride = Math.ceil(WIDTH / 2);
    expect(rows?.length).toBe(stride * HEIGHT);
    const off = [...mask.pixels].map((value, at) => {
      const byte = rows?.[Math.floor(at / WIDTH) * stride + ((at % WIDTH) >> 1)] ?? Number.NaN;
      return Math.abs(value - 17 * ((at % WIDTH) % 2 === 0 ? byte >> 4 : byte & 15));
    });
    expect(Math.max(...off)).toBeLessThanOrEqual(8);
  });

  test.each([
    ['a shadow', card, 12],
    ['an even shade', '<rect x="40" y="30" width="200" height="60" fill="#888"/>', 0],
  ])('of %s stays as fine as it is', async (_, strokes, blur) => {
    expect(inSixteenSteps(await maskOf(strokes, blur))).toBeUndefined();
  });
});
