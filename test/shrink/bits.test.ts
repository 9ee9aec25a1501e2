import { expect, test } from 'vitest';
import {
  countSetBits,
  dilated,
  emptyBits,
  forEachBit,
  halved,
  hasBit,
  inverted,
  setBit,
  stencilOf,
  withoutSpecks,
} from '../../src/pdf/shrink/layers/bits.ts';

/** Beside what walks pixel by pixel, at a width that fills its words and at two that do not. */
test.each([64, 71, 5])('words of bits give what pixels give, %i pixels wide', (width) => {
  const height = 37;
  const bits = emptyBits(width, height);
  let state = width;
  for (let at = 0; at < width * height; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    if (state >>> 24 < 40) setBit(bits, at % width, Math.floor(at / width));
  }
  const has = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && hasBit(bits, x, y);
  const near = (x: number, y: number, reach: number) =>
    Array.from({ length: (2 * reach + 1) ** 2 }, (_, i) => i).some((i) =>
      has(x + (i % (2 * reach + 1)) - reach, y + Math.floor(i / (2 * reach + 1)) - reach),
    );
  const [two, other, whole, rows] = [dilated(bits, 2), inverted(bits), withoutSpecks(bits), stencilOf(bits)];
  const at: number[] = [];
  const [got, wanted]: [unknown[], unknown[]] = [[], []];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const is = has(x, y);
      const beside = has(x - 1, y) || has(x + 1, y) || has(x, y - 1) || has(x, y + 1);
      if (is) at.push(y * width + x);
      const bit = ((rows[y * ((width + 7) >> 3) + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      got.push([hasBit(two, x, y), hasBit(other, x, y), hasBit(whole, x, y), bit]);
      wanted.push([near(x, y, 2), !is, is && beside, Number(!is)]);
    }
  expect(got).toEqual(wanted);
  const visited: number[] = [];
  forEachBit(bits, (place) => visited.push(place));
  expect(visited).toEqual(at);
  expect([countSetBits(bits), countSetBits(other)]).toEqual([at.length, width * height - at.length]);
  const half = halved(bits);
  const four = [has(0, 0), has(1, 0), has(0, 1), has(1, 1)].filter(Boolean).length;
  expect([half.width, half.height, hasBit(half, 0, 0)]).toEqual([(width + 1) >> 1, 19, four >= 2]);
});
