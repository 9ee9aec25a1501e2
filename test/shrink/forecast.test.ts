import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { forecast } from '../../src/pdf/shrink/flate/forecast.ts';
import { predictRows } from '../../src/pdf/shrink/flate/predict.ts';
import { similarity } from '../../src/pdf/shrink/layers/ssim.ts';

const [WIDTH, HEIGHT] = [900, 1200];

/** Numerical Recipes' generator: the same bytes each time. */
function noise(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

const gradient = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => ((i % WIDTH) + Math.floor(i / WIDTH)) & 255);
const page = noise(WIDTH * HEIGHT, 3).map((byte, i) => (i > WIDTH * 300 && i < WIDTH * 420 ? byte : 255));
const lines = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
  Math.floor(i / WIDTH) % 30 < 8 ? (i * 37) & 64 : 255,
);

describe('a forecast of deflating', () => {
  const images: readonly (readonly [string, Uint8Array])[] = [
    ['noise', noise(WIDTH * HEIGHT, 1)],
    ['a gradient', gradient],
    ['a page with one picture', page],
    ['lines of text', lines],
  ];

  test.each(images)('of %s is never more than it comes to', (_, bytes) => {
    const said = forecast(bytes, undefined);
    expect(said).toBeDefined();
    expect(said?.atLeast).toBeLessThanOrEqual(deflateSync(bytes, { level: 9, memLevel: 9 }).length);
  });

  test.each(images)('of %s ends at a limit, and says the same about it', (_, bytes) => {
    const rows = { columns: WIDTH, colors: 1, bits: 8, count: HEIGHT };
    const whole = forecast(bytes, rows);
    const bytesOfIt = whole?.atLeast ?? 0;
    expect(forecast(bytes, rows, bytesOfIt / 2)?.atLeast).toBeGreaterThanOrEqual(bytesOfIt / 2);
    expect(forecast(bytes, rows, bytesOfIt * 1.01)).toEqual(whole);
  });

  test('says that noise will not shrink by half, so that it need not be tried', () => {
    const bytes = noise(WIDTH * HEIGHT, 1);
    expect(forecast(bytes, undefined)?.atLeast).toBeGreaterThan(bytes.length / 2);
  });

  const smooth = noise(WIDTH * HEIGHT, 5).map(
    (byte, i) => 124 + 100 * Math.sin((i % WIDTH) / 97 + Math.floor(i / WIDTH) * 0.037) + (byte & 3),
  );
  test.each([['a smooth picture', smooth, true] as const, ['noise', noise(WIDTH * HEIGHT, 2), false] as const])(
    'knows whether row filters help %s',
    (_, bytes, help) => {
      const rows = { columns: WIDTH, colors: 1, bits: 8, count: HEIGHT };
      const filtered = deflateSync(predictRows(bytes, rows) ?? bytes, { level: 9 }).length;
      expect(filtered < deflateSync(bytes, { level: 9 }).length).toBe(help);
      expect(forecast(bytes, rows)?.predicted).toBe(help);
    },
  );

  test('is not made of a few bytes', () => {
    expect(forecast(noise(10_000, 1), undefined)).toBeUndefined();
  });
});

/** The definition, block by block. */
function likeness(a: Uint8Array, b: Uint8Array, width: number, height: number): number {
  const found: number[] = [];
  for (let y = 0; y + 8 <= height; y += 4)
    for (let x = 0; x + 8 <= width; x += 4) {
      const block = (of: Uint8Array) =>
        Array.from({ length: 64 }, (_, i) => of[(y + (i >> 3)) * width + x + (i & 7)] ?? 0);
      const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;
      const [p, q] = [block(a), block(b)];
      const [mp, mq] = [mean(p), mean(q)];
      const vp = mean(p.map((each) => (each - mp) ** 2));
      const vq = mean(q.map((each) => (each - mq) ** 2));
      const cov = mean(p.map((each, i) => (each - mp) * ((q[i] ?? 0) - mq)));
      const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
      found.push(((2 * mp * mq + c1) * (2 * cov + c2)) / ((mp ** 2 + mq ** 2 + c1) * (vp + vq + c2)));
    }
  return found.length === 0 ? 1 : found.reduce((sum, each) => sum + each, 0) / found.length;
}

describe('likeness', () => {
  test.each([
    [64, 48],
    [67, 45],
    [8, 8],
    [7, 40],
  ])('of pictures of %i by %i is what the definition says', (width, height) => {
    const a = gradient.subarray(0, width * height);
    const b = a.map((byte, i) => byte ^ ((noise(width * height, 9)[i] ?? 0) & 15));
    expect(similarity(a, b, width, height, 1)).toBeCloseTo(likeness(a, b, width, height), 9);
  });
});
