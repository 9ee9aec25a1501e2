import { pushAll } from '../../syntax/arrays.ts';
import { OP } from './operators.ts';
import type { TextBox } from './page-content.ts';

const STROKED: ReadonlySet<number> = new Set([
  OP.stroke,
  OP.closeStroke,
  OP.fillStroke,
  OP.eoFillStroke,
  OP.closeFillStroke,
  OP.closeEOFillStroke,
]);
const FILLED: ReadonlySet<number> = new Set([OP.fill, OP.eoFill, OP.fillStroke, OP.eoFillStroke]);

/** A line is at most this thick and at least this long, in points. */
const THICK = 3;
const LONG = 5;
/** Longer paths are drawings, not tables. */
const MOST = 4_000;
/** The number of coordinates behind each verb in pdf.js's DrawOPS (move, line, curve, quadratic, close). */
const COORDINATES = [2, 2, 6, 4, 0];

/**
 * Adds the rules and areas of one path. `data`: verbs and coordinates as pdf.js packs them; empty for an empty path.
 * `lineWidth`: in units of `ctm`.
 */
export function addPath(
  operator: number,
  data: ArrayLike<number> | null | undefined,
  ctm: readonly number[],
  lineWidth: number,
  white: boolean,
  rules: TextBox[],
  fills: TextBox[],
  dots: TextBox[],
): void {
  if (data === null || data === undefined || data.length === undefined || data.length > MOST) return;
  const stroked = STROKED.has(operator);
  if (!stroked && !(FILLED.has(operator) && !white)) return;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = ctm;
  const reach = (lineWidth * Math.hypot(a, b)) / 2;
  let [startX, startY, fromX, fromY] = [0, 0, 0, 0];
  let area = nothing();
  let straight = true;
  let edges: TextBox[] = [];
  const endArea = () => {
    if (!stroked && area.x1 >= area.x0) {
      const thin = Math.min(area.x1 - area.x0, area.y1 - area.y0) <= THICK;
      // Borders are also drawn as the area between two rectangles: one outline with more than four edges.
      if (!thin && edges.length > 5) pushAll(rules, edges);
      else {
        if (isDot(area)) dots.push(area);
        if (thin || straight) addFill(area, rules, fills);
      }
    } else if (!straight && isDot(area)) dots.push(area);
    area = nothing();
    straight = true;
    edges = [];
  };
  const lineTo = (x: number, y: number) => {
    if (!stroked) addLine(fromX, fromY, x, y, edges);
    // A line that is wider than long is a rule across itself.
    else if (Math.hypot(x - fromX, y - fromY) > THICK || reach < LONG) addLine(fromX, fromY, x, y, rules);
    else if (y === fromY) addLine(x, y - reach, x, y + reach, rules);
    else if (x === fromX) addLine(x - reach, y, x + reach, y, rules);
    if (Math.abs(x - fromX) > 1 && Math.abs(y - fromY) > 1) straight = false;
  };
  for (let i = 0; i < data.length; ) {
    const verb = data[i] ?? 0;
    const count = COORDINATES[verb];
    if (count === undefined) return;
    if (verb === 4) {
      lineTo(startX, startY);
      [fromX, fromY] = [startX, startY];
    } else {
      const px = data[i + count - 1] ?? 0;
      const py = data[i + count] ?? 0;
      const [x, y] = [a * px + c * py + e, b * px + d * py + f];
      if (verb === 0) {
        endArea();
        startX = x;
        startY = y;
      } else if (verb === 1) lineTo(x, y);
      else straight = false;
      fromX = x;
      fromY = y;
      area = { x0: Math.min(area.x0, x), y0: Math.min(area.y0, y), x1: Math.max(area.x1, x), y1: Math.max(area.y1, y) };
    }
    i += count + 1;
  }
  endArea();
}

function nothing(): TextBox {
  return { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
}

/** As wide as high and no larger than a letter of a slide: perhaps a bullet. */
export function isDot({ x0, y0, x1, y1 }: TextBox): boolean {
  const [wide, high] = [x1 - x0, y1 - y0];
  return wide > 1.5 && wide < 24 && Math.abs(wide - high) < 0.15 * wide;
}

function addLine(x0: number, y0: number, x1: number, y1: number, rules: TextBox[]): void {
  const [dx, dy] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  if (Math.max(dx, dy) < LONG || Math.min(dx, dy) > 1) return;
  rules.push({ x0: Math.min(x0, x1), y0: Math.min(y0, y1), x1: Math.max(x0, x1), y1: Math.max(y0, y1) });
}

function addFill(area: TextBox, rules: TextBox[], fills: TextBox[]): void {
  const [wide, high] = [area.x1 - area.x0, area.y1 - area.y0];
  if (Math.min(wide, high) <= THICK) {
    if (Math.max(wide, high) >= LONG) rules.push(area);
  } else if (wide > 12 && high > 6) fills.push(area);
}
