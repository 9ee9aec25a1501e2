import type { Rect } from '../geometry.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Dict } from '../syntax/values.ts';

/** A box on a page as it is displayed: 0 to 1 of its width and height, from the top left, /Rotate applied. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Where a page is on its paper. */
export interface PageSpace {
  /** What is displayed, in default user space: the crop box within the media box. */
  readonly shown: Rect;
  /** Degrees clockwise: 0, 90, 180 or 270. */
  readonly rotate: number;
  /** Points of the displayed page; /UserUnit is not applied. */
  readonly width: number;
  readonly height: number;
}

const LETTER: Rect = { x0: 0, y0: 0, x1: 612, y1: 792 };
/** A side that lies further out is a mistake, in points. */
const FAR = 1e7;

/** `page`: with what it inherits. */
export function pageSpace(file: PdfFile, page: Dict, rotate: number): PageSpace {
  const media = areaOf(file, page, 'MediaBox') ?? LETTER;
  const shown = common(areaOf(file, page, 'CropBox') ?? media, media) ?? media;
  const [wide, high] = [shown.x1 - shown.x0, shown.y1 - shown.y0];
  const [width, height] = rotate % 180 === 0 ? [wide, high] : [high, wide];
  return { shown, rotate, width, height };
}

function areaOf(file: PdfFile, page: Dict, key: string): Rect | undefined {
  const list = file.resolve(page.get(key));
  if (!Array.isArray(list) || list.length < 4) return undefined;
  const [a, b, c, d] = list.map((item) => file.resolve(item));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return undefined;
  const area = { x0: Math.min(a, c), y0: Math.min(b, d), x1: Math.max(a, c), y1: Math.max(b, d) };
  const sane = Object.values(area).every((side) => Math.abs(side) < FAR);
  return sane && area.x1 > area.x0 && area.y1 > area.y0 ? area : undefined;
}

function common(a: Rect, b: Rect): Rect | undefined {
  const area = {
    x0: Math.max(a.x0, b.x0),
    y0: Math.max(a.y0, b.y0),
    x1: Math.min(a.x1, b.x1),
    y1: Math.min(a.y1, b.y1),
  };
  return area.x1 > area.x0 && area.y1 > area.y0 ? area : undefined;
}

/** A box of the displayed page in default user space. */
export function toUserSpace({ x, y, w, h }: Box, { shown, rotate }: PageSpace): Rect {
  const [wide, high] = [shown.x1 - shown.x0, shown.y1 - shown.y0];
  // Fractions of the page before it is turned, from its bottom left.
  const [left, bottom, right, top] =
    rotate === 90
      ? [y, x, y + h, x + w]
      : rotate === 180
        ? [1 - x - w, y, 1 - x, y + h]
        : rotate === 270
          ? [1 - y - h, 1 - x - w, 1 - y, 1 - x]
          : [x, 1 - y - h, x + w, 1 - y];
  return {
    x0: shown.x0 + left * wide,
    y0: shown.y0 + bottom * high,
    x1: shown.x0 + right * wide,
    y1: shown.y0 + top * high,
  };
}

/** The inverse of `toUserSpace`, cut off at the edges of the page; undefined for a box beside it. */
export function toDisplayed(rect: Rect, { shown, rotate }: PageSpace): Box | undefined {
  const [wide, high] = [shown.x1 - shown.x0, shown.y1 - shown.y0];
  const fraction = (value: number, from: number, size: number) => Math.min(1, Math.max(0, (value - from) / size));
  const left = fraction(rect.x0, shown.x0, wide);
  const right = fraction(rect.x1, shown.x0, wide);
  const bottom = fraction(rect.y0, shown.y0, high);
  const top = fraction(rect.y1, shown.y0, high);
  const [w, h] = rotate % 180 === 0 ? [right - left, top - bottom] : [top - bottom, right - left];
  if (!(w > 0 && h > 0)) return undefined;
  if (rotate === 90) return { x: bottom, y: left, w, h };
  if (rotate === 180) return { x: 1 - right, y: bottom, w, h };
  if (rotate === 270) return { x: 1 - top, y: 1 - right, w, h };
  return { x: left, y: 1 - top, w, h };
}
