// Reads boxes and matrices.
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Value } from '../syntax/values.ts';
import { asMatrix, type Matrix, type Rect } from './geometry.ts';

/** A rectangle (ISO 32000-1, 7.9.5), its corners in any order; undefined where a side is no number. */
export function rectOf(file: PdfFile, value: Value | undefined): Rect | undefined {
  const list = file.resolve(value);
  if (!Array.isArray(list) || list.length < 4) return undefined;
  const [a, b, c, d] = list.map((item) => file.resolve(item));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return undefined;
  return { x0: Math.min(a, c), y0: Math.min(b, d), x1: Math.max(a, c), y1: Math.max(b, d) };
}

/** Undefined where the value is not a list of six finite numbers. */
export function matrixOf(file: PdfFile, value: Value | undefined): Matrix | undefined {
  const list = file.resolve(value);
  return Array.isArray(list) ? asMatrix(list.map((item) => file.resolve(item))) : undefined;
}
