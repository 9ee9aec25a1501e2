import type { Face } from '../../fonts/faces.ts';
import type { Rect } from '../../page/geometry.ts';
import type { PackedColour } from './fill-colour.ts';

/** Points; x to the right, y down, origin at the top left of the page as it is read. */
export type TextBox = { -readonly [Side in keyof Rect]: Rect[Side] };

/** Glyphs of one face and size that stand together on one baseline. `y`: the baseline; `size`: the em, in points. */
export interface Word {
  text: string;
  x0: number;
  x1: number;
  readonly y: number;
  readonly size: number;
  readonly face: Face;
  /** The number of the word's marked content, NONE or ARTIFACT; lower numbers for forms, which count on their own. */
  readonly mark: number;
  readonly colour: PackedColour;
  readonly spaced: boolean;
  /** It is drawn without ink. */
  hidden?: boolean;
  /** The address it links to, where links were asked for. */
  link?: string;
}

export const NONE = -1;
export const ARTIFACT = -2;
/** Mark of the words of the first form field; each other field has a lower number. */
export const FIRST_FIELD = -1e9;

/** Clockwise quarter turns from left-to-right text: 0 right, 1 down, 2 left, 3 up. */
export type Direction = 0 | 1 | 2 | 3;

/** How many words of a page were left out, since nobody sees them. */
export interface LeftOut {
  /** They stand outside of the page. */
  readonly outside: number;
  /** They are drawn without ink, and stand on no picture whose text they might be. */
  readonly hidden: number;
}

/** A page turned so that most of its text runs from left to right. */
export interface PageContent {
  /** The direction of most of its text on the displayed page. */
  readonly direction: Direction;
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
  /** Text in other directions, each in coordinates of its own; `place` maps a box to this page. */
  readonly turned: readonly { readonly words: readonly Word[]; place(box: TextBox): TextBox }[];
  /** Horizontal and vertical lines, each a thin box. */
  readonly rules: readonly TextBox[];
  readonly fills: readonly TextBox[];
  readonly leftOut: LeftOut;
  /** Tables that tags declare and that agree with the page. */
  readonly declared?: readonly DeclaredTable[];
  /** Pictures whose tags say what they show, where that was asked for. */
  readonly figures?: readonly Figure[];
}

export interface DeclaredCell {
  readonly words: readonly Word[];
  readonly colspan: number;
  readonly rowspan: number;
}

export interface Figure extends TextBox {
  readonly alt: string;
}

export type DeclaredTable = readonly (readonly DeclaredCell[])[];

export function boxOf(words: readonly Word[]): TextBox {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const word of words) {
    box.x0 = Math.min(box.x0, word.x0);
    box.x1 = Math.max(box.x1, word.x1);
    box.y0 = Math.min(box.y0, word.y - 0.75 * word.size);
    box.y1 = Math.max(box.y1, word.y + 0.25 * word.size);
  }
  return box;
}

export function around(boxes: readonly TextBox[]): TextBox {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    x0 = Math.min(x0, box.x0);
    y0 = Math.min(y0, box.y0);
    x1 = Math.max(x1, box.x1);
    y1 = Math.max(y1, box.y1);
  }
  return { x0, y0, x1, y1 };
}

export function centreIsIn({ x0, x1, y0, y1 }: TextBox, box: TextBox): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1;
}

/** Maps page coordinates (x right, y down) to those of text in a direction, on a page of the given size. */
export function turn(x: number, y: number, to: Direction, width: number, height: number): [number, number] {
  if (to === 0) return [x, y];
  if (to === 1) return [y, width - x];
  if (to === 2) return [width - x, height - y];
  return [height - y, x];
}

export function turnBox(box: TextBox, to: Direction, width: number, height: number): TextBox {
  const [ax, ay] = turn(box.x0, box.y0, to, width, height);
  const [bx, by] = turn(box.x1, box.y1, to, width, height);
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) };
}

/** The inverse of a turn, on the turned page. */
export function turnBack(box: TextBox, from: Direction, width: number, height: number): TextBox {
  const back: Direction = from === 1 ? 3 : from === 3 ? 1 : from;
  const sideways = from === 1 || from === 3;
  return turnBox(box, back, sideways ? height : width, sideways ? width : height);
}
