import { Failure } from '../../../contract/base/failure.ts';
import { field, say } from '../../../contract/base/wording.ts';
import { type Colour, parseColour } from '../../content/colour.ts';
import { decimal, operands } from '../../content/operands.ts';
import { type Box, type PageSpace, toUserSpace } from '../../page/space.ts';
import type { Overlay } from './build-document.ts';

export interface Style {
  readonly fill: Colour;
  readonly label: string | undefined;
}

const FONT = 'CutLabel';
/** Helvetica in ems: mean letter width and cap height. */
const WIDE = 0.6;
const HIGH = 0.72;

/** @throws Failure `usage` */
export function styleOf(fill: string | undefined, label: string | undefined): Style {
  const colour = parseColour(fill ?? 'black');
  if (colour === undefined)
    throw new Failure('usage', say`${field('fill')}: expected black, white, gray or #rrggbb, found '${fill ?? ''}'`);
  if (label !== undefined && !/^[ -~\u00a1-\u00ff]{1,60}$/.test(label))
    throw new Failure('usage', say`${field('label')}: expected 1 to 60 characters of Latin text`);
  return { fill: colour, label };
}

export function overlayOf(boxes: readonly Box[], { fill, label }: Style): Overlay {
  const content = (space: PageSpace) =>
    boxes
      .map((box) => {
        const { x0, y0, x1, y1 } = toUserSpace(box, space);
        return `q ${operands(fill)} rg ${operands([x0, y0, x1 - x0, y1 - y0])} re f Q\n${label === undefined ? '' : written(label, box, space, fill)}`;
      })
      .join('');
  return label === undefined ? { content } : { content, font: FONT };
}

function written(label: string, box: Box, space: PageSpace, fill: Style['fill']): string {
  const [wide, high] = [box.w * space.width, box.h * space.height];
  const size = Math.min(high * 0.8, wide / (label.length * WIDE));
  if (size < 1) return '';
  const { x0, y0, x1, y1 } = toUserSpace(box, space);
  // The bottom left corner on the displayed page.
  const [x, y] = { 0: [x0, y0], 90: [x1, y0], 180: [x1, y1], 270: [x0, y1] }[space.rotate] ?? [x0, y0];
  const angle = (space.rotate * Math.PI) / 180;
  const [cos, sin] = [Math.round(Math.cos(angle)), Math.round(Math.sin(angle))];
  const [right, up] = [Math.max(0, (wide - label.length * WIDE * size) / 2), (high - HIGH * size) / 2];
  const at = [cos, sin, -sin, cos, (x ?? 0) + cos * right - sin * up, (y ?? 0) + sin * right + cos * up];
  const dark = 0.3 * fill[0] + 0.59 * fill[1] + 0.11 * fill[2] < 0.5;
  const escaped = label.replace(/[\\()]/g, '\\$&');
  return `q ${dark ? 1 : 0} g BT /${FONT} ${decimal(size)} Tf ${operands(at)} Tm (${escaped}) Tj ET Q\n`;
}
