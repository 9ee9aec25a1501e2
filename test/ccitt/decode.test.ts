import { expect, it } from 'vitest';
import { decodeCcitt } from '../../src/pdf/images/ccitt/decode.ts';
import { faxed } from './faxed.ts';

const noise = (x: number, y: number) => (Math.imul(Math.imul(x + 1, 0x9e3779b1) ^ (y + 7), 0x85ebca6b) >>> 24) & 1;

type Picture = [name: string, columns: number, count: number, isWhite: (x: number, y: number) => boolean];
const lines = (x: number, y: number) => y % 20 > 2 && Math.hypot(x - 300, y - 100) % 50 > 4;
const PICTURES: Picture[] = [
  ['one pixel', 1, 1, () => false],
  ['white', 1_728, 40, () => true],
  ['black, longer than any one code', 5_300, 30, () => false],
  ['noise', 613, 100, (x, y) => noise(x, y) === 1],
  ['lines and circles', 613, 200, lines],
  ['lines, wide', 2_561, 60, lines],
];
const PARMS = [
  '/K -1',
  '/K -1 /EncodedByteAlign true',
  '/K -1 /BlackIs1 true',
  '/K -1 /EndOfBlock false',
  '/K 0',
  '/K 0 /EndOfLine true',
  '/K 0 /EncodedByteAlign true',
  '/K 0 /EncodedByteAlign true /EndOfLine true',
  '/K 4 /EndOfLine true',
];

function rowsOf([, columns, count, isWhite]: Picture): Uint8Array {
  const stride = (columns + 7) >> 3;
  // What pads a row to bytes is not coded: 1, as the decoder leaves it.
  const rows = new Uint8Array(stride * count).fill(0xff);
  for (let y = 0; y < count; y++)
    for (let x = 0; x < columns; x++) if (!isWhite(x, y)) rows[y * stride + (x >> 3)]! &= ~(0x80 >> (x & 7));
  return rows;
}

function formOf(columns: number, parms: string) {
  const is = (key: string) => parms.includes(`/${key} true`);
  const k = Number(/-?\d+/.exec(parms)?.[0]);
  return {
    columns,
    k,
    byteAlign: is('EncodedByteAlign'),
    endOfLine: is('EndOfLine'),
    blackIs1: is('BlackIs1'),
  };
}

it.each(PARMS)('what Ghostscript codes with %s comes back', (parms) => {
  for (const picture of PICTURES) {
    const [name, columns, count] = picture;
    const form = formOf(columns, parms);
    const wanted = rowsOf(picture);
    const found = decodeCcitt(faxed(wanted, columns, parms), form, count);
    expect(found?.length, name).toBe(((columns + 7) >> 3) * count);
    // The bits that pad are not looked at.
    const pad = 0xff << (7 - ((columns - 1) & 7));
    const stride = (columns + 7) >> 3;
    const differs = wanted.findIndex((byte, i) => {
      const mask = i % stride === stride - 1 ? pad & 0xff : 0xff;
      return ((byte ^ (found?.[i] ?? 0)) & mask) !== 0;
    });
    expect(differs, name).toBe(-1);
  }
});

it('gives nothing where a row is missing or a bit is wrong', () => {
  const picture: Picture = ['lines', 613, 200, lines];
  const form = formOf(613, '/K -1');
  const data = faxed(rowsOf(picture), 613, '/K -1');
  expect(decodeCcitt(data, form, 201)).toBeUndefined();
  expect(decodeCcitt(data.subarray(0, data.length / 2), form, 200)).toBeUndefined();
  expect(decodeCcitt(new Uint8Array(2_000), form, 200)).toBeUndefined();
  // Without ends of lines nothing says of which kind a row is.
  expect(decodeCcitt(faxed(rowsOf(picture), 613, '/K 4'), formOf(613, '/K 4'), 200)).toBeUndefined();
});
