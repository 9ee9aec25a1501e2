import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Dict } from '../syntax/values.ts';
import type { Rect } from './geometry.ts';
import { shownArea } from './view.ts';

/** A box on the displayed page: 0 to 1 of its width and height, from the top left, /Rotate applied. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** By page, from 0. */
export type BoxesByPage = ReadonlyMap<number, readonly Box[]>;

export interface PageSpace {
  /** The displayed part, in default user space: the crop box within the media box. */
  readonly shown: Rect;
  /** Degrees clockwise: 0, 90, 180 or 270. */
  readonly rotate: number;
  /** Points of the displayed page; /UserUnit is not applied. */
  readonly width: number;
  readonly height: number;
}

/** `page`: with inherited boxes. */
export function pageSpace(file: PdfFile, page: Dict, rotate: number): PageSpace {
  const shown = shownArea(file, page);
  const [wide, high] = [shown.x1 - shown.x0, shown.y1 - shown.y0];
  const [width, height] = rotate % 180 === 0 ? [wide, high] : [high, wide];
  return { shown, rotate, width, height };
}

export function toUserSpace({ x, y, w, h }: Box, { shown, rotate }: PageSpace): Rect {
  const [wide, high] = [shown.x1 - shown.x0, shown.y1 - shown.y0];
  // Fractions of the unrotated page, from its bottom left.
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

/** The inverse of `toUserSpace`, cut off at the edges of the page; undefined for a box outside it. */
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
