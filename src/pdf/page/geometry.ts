/** a b c d e f of ISO 32000-1, 8.3.4. */
export type Matrix = readonly [number, number, number, number, number, number];

export interface Rect {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export type Quad = readonly [Point, Point, Point, Point];
export type Point = readonly [x: number, y: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** The square that a picture fills. */
export const UNIT: Rect = { x0: 0, y0: 0, x1: 1, y1: 1 };

/** The six numbers as a matrix; undefined where they are not six finite numbers. */
export function asMatrix(numbers: readonly unknown[]): Matrix | undefined {
  return isMatrix(numbers) ? numbers : undefined;
}

function isMatrix(numbers: readonly unknown[]): numbers is Matrix {
  return numbers.length === 6 && numbers.every(Number.isFinite);
}

/** `inner` first: `cm` is `multiply(operands, ctm)`. Indexed: iterators cost more than the arithmetic. */
export function multiply(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d] = [outer[0], outer[1], outer[2], outer[3]];
  return [
    inner[0] * a + inner[1] * c,
    inner[0] * b + inner[1] * d,
    inner[2] * a + inner[3] * c,
    inner[2] * b + inner[3] * d,
    inner[4] * a + inner[5] * c + outer[4],
    inner[4] * b + inner[5] * d + outer[5],
  ];
}

/** The product of the matrices, the first one applied first. */
export function inTurn(first: Matrix, ...others: readonly Matrix[]): Matrix {
  return others.reduce(multiply, first);
}

export function shift(x: number, y: number): Matrix {
  return [1, 0, 0, 1, x, y];
}

export function scaling(factor: number): Matrix {
  return [factor, 0, 0, factor, 0, 0];
}

/** A rotation, in degrees counter-clockwise. */
export function turning(degrees: number): Matrix {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, 0, 0];
}

/** Turns a box by whole quarters, counter-clockwise, back into the corner at the origin; `wide` and `high` are its sides then. */
export function quarterTurn(degrees: number, wide: number, high: number): Matrix {
  if (degrees === 90) return [0, 1, -1, 0, wide, 0];
  if (degrees === 180) return [-1, 0, 0, -1, wide, high];
  return degrees === 270 ? [0, -1, 1, 0, 0, high] : IDENTITY;
}

export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): Point {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** The inverse; undefined for a singular matrix. */
export function invert(matrix: Matrix): Matrix | undefined {
  const det = matrix[0] * matrix[3] - matrix[1] * matrix[2];
  return !Number.isFinite(det) || Math.abs(det) < 1e-18 ? undefined : inverse(matrix);
}

/** As `invert`, for a matrix that is known to have an inverse. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const det = a * d - b * c;
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det];
}

export function quadOf({ x0, y0, x1, y1 }: Rect, matrix: Matrix): Quad {
  return [apply(matrix, x0, y0), apply(matrix, x1, y0), apply(matrix, x1, y1), apply(matrix, x0, y1)];
}

export function boundsOf(points: readonly Point[]): Rect {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  }
  return { x0, y0, x1, y1 };
}

/** Whether two boxes meet; touching edges count. A box with NaN meets everything, since its place is unknown. */
export function meets(a: Rect, b: Rect): boolean {
  return !(a.x1 < b.x0 || b.x1 < a.x0 || a.y1 < b.y0 || b.y1 < a.y0);
}

export function contains(outer: Rect, inner: Rect, slack = 0): boolean {
  return (
    inner.x0 >= outer.x0 - slack &&
    inner.y0 >= outer.y0 - slack &&
    inner.x1 <= outer.x1 + slack &&
    inner.y1 <= outer.y1 + slack
  );
}

export function holds({ x0, y0, x1, y1 }: Rect, [x, y]: Point): boolean {
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

export function centreOf({ x0, y0, x1, y1 }: Rect): Point {
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

export function grown({ x0, y0, x1, y1 }: Rect, by: number): Rect {
  return { x0: x0 - by, y0: y0 - by, x1: x1 + by, y1: y1 + by };
}

/** The smallest box around two. */
export function around(a: Rect, b: Rect): Rect {
  return { x0: Math.min(a.x0, b.x0), y0: Math.min(a.y0, b.y0), x1: Math.max(a.x1, b.x1), y1: Math.max(a.y1, b.y1) };
}

/** The intersection of two boxes; inverted (x1 < x0 or y1 < y0) where they do not meet. */
export function intersection(a: Rect, b: Rect): Rect {
  return {
    x0: Math.max(a.x0, b.x0),
    y0: Math.max(a.y0, b.y0),
    x1: Math.min(a.x1, b.x1),
    y1: Math.min(a.y1, b.y1),
  };
}

/** The area that two boxes share; undefined where there is none. */
export function commonArea(a: Rect, b: Rect): Rect | undefined {
  const area = intersection(a, b);
  return area.x1 > area.x0 && area.y1 > area.y0 ? area : undefined;
}

/** The shares of the width and height of `box` that `over` covers. */
export function overlap(box: Rect, over: Rect): { readonly across: number; readonly down: number } {
  const part = (a0: number, a1: number, b0: number, b1: number) => {
    if (a1 <= a0) return a0 >= b0 && a0 <= b1 ? 1 : 0;
    return Math.max(0, Math.min(a1, b1) - Math.max(a0, b0)) / (a1 - a0);
  };
  return { across: part(box.x0, box.x1, over.x0, over.x1), down: part(box.y0, box.y1, over.y0, over.y1) };
}

/** Points of a grid inside a quad, by which the covered share of a tilted shape is estimated. */
const GRID = 8;

export function covered([a, b, , d]: Quad, box: Rect): number {
  let inside = 0;
  for (let i = 0; i < GRID; i++)
    for (let j = 0; j < GRID; j++) {
      const [u, v] = [(i + 0.5) / GRID, (j + 0.5) / GRID];
      const point: Point = [a[0] + (b[0] - a[0]) * u + (d[0] - a[0]) * v, a[1] + (b[1] - a[1]) * u + (d[1] - a[1]) * v];
      if (holds(box, point)) inside++;
    }
  return inside / (GRID * GRID);
}
