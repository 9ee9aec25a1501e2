import { byteAt } from '../../syntax/arrays.ts';

/** The first row, column and middle of the table of quality 50 (ITU T.81, table K.1), in zigzag order. */
const AT_50 = [16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22];

/** On the usual scale of 1 to 100; 100 where there is no table. */
export function jpegQuality(jpeg: Uint8Array): number {
  for (let at = 2; at + 4 < jpeg.length && jpeg[at] === 0xff; ) {
    const marker = byteAt(jpeg, at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = (byteAt(jpeg, at + 2) << 8) | byteAt(jpeg, at + 3);
    if (marker === 0xda) break;
    if (marker === 0xdb && jpeg[at + 4] === 0 && at + 5 + AT_50.length <= jpeg.length) {
      const scale = (AT_50.reduce((sum, usual, i) => sum + byteAt(jpeg, at + 5 + i) / usual, 0) / AT_50.length) * 100;
      return scale <= 100 ? (200 - scale) / 2 : 5000 / scale;
    }
    at += 2 + length;
  }
  return 100;
}
