import { expect, test } from 'vitest';
import { findInk } from '../../src/pdf/shrink/layers/ink.ts';

test('a hairline beside a bold stroke is ink, a soft shadow is none', () => {
  const [width, height] = [240, 240];
  const pixels = new Uint8Array(width * height).fill(240);
  const put = (x: number, y: number, value: number) => {
    pixels[y * width + x] = value;
  };
  for (let y = 40; y < 200; y++) for (let x = 40; x < 52; x++) put(x, y, 20);
  // The bar of an e: two pixels, not half as dark as ink.
  for (let x = 52; x < 90; x++) for (const y of [100, 101]) put(x, y, 165);
  // A shadow, as dark but broad.
  for (let y = 130; y < 190; y++) for (let x = 70; x < 130; x++) put(x, y, 165);
  const { mask } = findInk({ pixels, width, height }, 300);
  expect(mask[120 * width + 45]).toBe(1);
  expect(mask[100 * width + 70]).toBe(1);
  expect(mask[101 * width + 70]).toBe(1);
  expect(mask[160 * width + 100]).toBe(0);
  expect(mask[60 * width + 200]).toBe(0);
});
