// The shown part of a page, and the page as it is displayed: turned by /Rotate and scaled by /UserUnit.
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Dict } from '../syntax/values.ts';
import { rectOf } from './boxes.ts';
import { commonArea, type Matrix, type Rect } from './geometry.ts';

/** A page as it is displayed, in points. */
export interface View {
  readonly width: number;
  readonly height: number;
  /** From the page's user space to points from the top left of the displayed page. */
  readonly transform: Matrix;
}

/** Boxes with a side further out than this many points (3.5 km, 700 times the limit in ISO 32000-1, C.2) are damaged. */
const FAR = 1e7;
/** The size of a page whose media box is missing or empty, as in PDFium and pdf.js. */
const LETTER: Rect = { x0: 0, y0: 0, x1: 612, y1: 792 };
/** Clockwise quarter turns as the first four numbers of a matrix; y counts down. */
const UPRIGHT = [1, 0, 0, -1] as const;
const TURNS = [UPRIGHT, [0, 1, 1, 0], [-1, 0, 0, 1], [0, -1, -1, 0]] as const;

/** The crop box cut by the media box (ISO 32000-1, 14.11.2), or the latter. `page`: with inherited boxes. */
export function shownArea(file: PdfFile, page: Dict): Rect {
  const media = mediaBox(file, page) ?? LETTER;
  return commonArea(areaOf(file, page, 'CropBox') ?? media, media) ?? media;
}

/** The media box; undefined where the page has none that is usable. */
export function mediaBox(file: PdfFile, page: Dict): Rect | undefined {
  return areaOf(file, page, 'MediaBox');
}

/** `page`: with inherited boxes. */
export function viewOf(file: PdfFile, page: Dict, rotate: number): View {
  const { x0, y0, x1, y1 } = shownArea(file, page);
  const scale = unitOf(file, page);
  const quarters = rotate % 90 === 0 ? (((rotate / 90) % 4) + 4) % 4 : 0;
  const [a, b, c, d] = TURNS[quarters] ?? UPRIGHT;
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

/** From a page's user space to points from the bottom left of the displayed page. */
export function uprightOf({ transform: [a, b, c, d, e, f], height }: View): Matrix {
  return [a, -b, c, -d, e, height - f];
}

/** Points per unit of user space: /UserUnit, which is not inherited. */
export function unitOf(file: PdfFile, page: Dict): number {
  const unit = file.resolve(page.get('UserUnit'));
  return typeof unit === 'number' && unit > 0 ? unit : 1;
}

function areaOf(file: PdfFile, page: Dict, key: string): Rect | undefined {
  const area = rectOf(file, page.get(key));
  if (area === undefined || !(area.x1 > area.x0 && area.y1 > area.y0)) return undefined;
  return Object.values(area).every((side) => Math.abs(side) < FAR) ? area : undefined;
}
