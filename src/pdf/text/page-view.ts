import type { PdfFile } from '../read/pdf-file.ts';
import type { Dict } from '../syntax/values.ts';
import type { Matrix } from './content/drawing.ts';

export interface View {
  readonly width: number;
  readonly height: number;
  readonly transform: Matrix;
}

type Area = readonly [x0: number, y0: number, x1: number, y1: number];

/** A side that lies further out is a mistake, in points. */
const FAR = 1e12;
const LETTER: Area = [0, 0, 612, 792];
/** Clockwise quarter turns as the first four numbers of a matrix; y counts down. */
const TURNS: readonly (readonly [number, number, number, number])[] = [
  [1, 0, 0, -1],
  [0, 1, 1, 0],
  [-1, 0, 0, 1],
  [0, -1, -1, 0],
];

/** `page`: with what it inherits. */
export function viewOf(file: PdfFile, page: Dict, rotate: number): View {
  const media = areaOf(file, page, 'MediaBox') ?? LETTER;
  const [x0, y0, x1, y1] = common(areaOf(file, page, 'CropBox') ?? media, media) ?? media;
  const unit = file.resolve(page.get('UserUnit'));
  const scale = typeof unit === 'number' && unit > 0 ? unit : 1;
  const quarters = rotate % 90 === 0 ? (((rotate / 90) % 4) + 4) % 4 : 0;
  const [a, b, c, d] = TURNS[quarters]!;
  const [wide, high] = quarters % 2 === 0 ? [x1 - x0, y1 - y0] : [y1 - y0, x1 - x0];
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return {
    width: wide * scale,
    height: high * scale,
    transform: [
      a * scale,
      b * scale,
      c * scale,
      d * scale,
      scale * (wide / 2 - a * x - c * y),
      scale * (high / 2 - b * x - d * y),
    ],
  };
}

function areaOf(file: PdfFile, page: Dict, key: string): Area | undefined {
  const list = file.resolve(page.get(key));
  if (!Array.isArray(list) || list.length !== 4) return undefined;
  const [a, b, c, d] = list.map((item) => file.resolve(item));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return undefined;
  const area: Area = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return area[2] > area[0] && area[3] > area[1] && area.every((side) => Math.abs(side) < FAR) ? area : undefined;
}

function common(a: Area, b: Area): Area | undefined {
  const area: Area = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  return area[2] > area[0] && area[3] > area[1] ? area : undefined;
}
