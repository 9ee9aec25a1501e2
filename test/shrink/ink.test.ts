import { expect, test } from 'vitest';
import { hasBit } from '../../src/pdf/shrink/layers/bits.ts';
import { findInk, isPhotograph } from '../../src/pdf/shrink/layers/ink.ts';

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
  expect(hasBit(mask, 45, 120)).toBe(true);
  expect(hasBit(mask, 70, 100)).toBe(true);
  expect(hasBit(mask, 70, 101)).toBe(true);
  expect(hasBit(mask, 100, 160)).toBe(false);
  expect(hasBit(mask, 200, 60)).toBe(false);
});

test('a page is a photograph where one covers it, and not where it stands above a text', () => {
  const [width, height] = [1200, 1500];
  const pixels = new Uint8Array(width * height).fill(240);
  let state = 1;
  /** Hills and valleys of light, with the grain of a sensor. */
  const photograph = (x: number, y: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 128 + 90 * Math.sin(x / 37) * Math.cos(y / 29) + ((state >>> 24) - 128) / 8;
  };
  const paint = (to: number) => {
    for (let y = 0; y < to; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = photograph(x, y);
  };
  // Lines of letters: strokes of five pixels, dark on light.
  for (let y = 0; y < height; y++)
    for (let x = 100; x < 1100; x++) if (y % 60 < 30 && x % 20 < 5) pixels[y * width + x] = 25;
  expect(isPhotograph({ pixels, width, height }, 300)).toBe(false);
  paint(height / 2);
  expect(isPhotograph({ pixels, width, height }, 300)).toBe(false);
  paint(height);
  expect(isPhotograph({ pixels, width, height }, 300)).toBe(true);
  // Smaller than a band.
  expect(isPhotograph({ pixels: pixels.subarray(0, 8 * 8), width: 8, height: 8 }, 300)).toBe(false);
});
