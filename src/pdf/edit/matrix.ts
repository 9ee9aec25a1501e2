import { type Matrix, multiply } from '../geometry.ts';
import type { View } from '../text/page-view.ts';

/** From a page's own coordinates to points from the bottom left of the page as it is shown. */
export function uprightOf({ transform, height }: View): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform;
  return [a, -b, c, -d, e, height - f];
}

/** The inverse of a matrix that is known to have one, such as that of a page as it is shown. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const det = a * d - b * c;
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det];
}

export function shift(x: number, y: number): Matrix {
  return [1, 0, 0, 1, x, y];
}

export function scaling(factor: number): Matrix {
  return [factor, 0, 0, factor, 0, 0];
}

/** Degrees counter-clockwise. */
export function turning(degrees: number): Matrix {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, 0, 0];
}

/** The first one first. */
export function inTurn(first: Matrix, ...others: readonly Matrix[]): Matrix {
  return others.reduce(multiply, first);
}

/** Numbers as operands: no exponent, no more digits than show. */
export function operands(numbers: readonly number[]): string {
  return numbers.map(decimal).join(' ');
}

export function decimal(value: number): string {
  const text = value.toFixed(5).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}
