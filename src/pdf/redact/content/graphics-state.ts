import type { GlyphFont } from '../../fonts/glyph-font.ts';
import { apply, boundsOf, IDENTITY, type Matrix, multiply, type Rect } from '../../page/geometry.ts';
import type { Unreadable } from '../../syntax/damage.ts';
import type { UsedFont } from './font-registry.ts';

/** What an area is filled with: patterns may draw anything. */
export type Paint = 'plain' | 'smooth' | 'pattern';

interface State {
  ctm: Matrix;
  /** Nothing is painted outside of it; a box around the clipping path. */
  clip: Rect;
  font: UsedFont | undefined;
  size: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
  mode: number;
  lineWidth: number;
  fill: Paint;
  stroke: Paint;
  /** What is painted lets through what is below, or is mixed with it. */
  translucent: boolean;
}

const MOST_SAVED = 4096;

/** The graphics state as far as it says where things are drawn (ISO 32000-1, 8.4). */
export class GraphicsState {
  private current: State;
  private readonly saved: State[] = [];
  /** Text and line matrices. */
  text: Matrix = IDENTITY;
  line: Matrix = IDENTITY;
  /** How far the line was moved by gaps that grew, in text space: what is shown is there, and was not. */
  drift = 0;

  constructor(ctm: Matrix, clip: Rect, from?: GraphicsState) {
    this.current = {
      font: undefined,
      size: 0,
      charSpacing: 0,
      wordSpacing: 0,
      scale: 1,
      leading: 0,
      rise: 0,
      mode: 0,
      lineWidth: 1,
      fill: 'plain',
      stroke: 'plain',
      translucent: false,
      ...from?.current,
      ctm,
      clip,
    };
  }

  get now(): State {
    return this.current;
  }
  get depth(): number {
    return this.saved.length;
  }

  /** False where so much is saved that it must be an attack. */
  save(): boolean {
    if (this.saved.length >= MOST_SAVED) return false;
    this.saved.push({ ...this.current });
    return true;
  }
  restore(): void {
    this.current = this.saved.pop() ?? this.current;
  }

  transform(matrix: Matrix): void {
    this.current.ctm = multiply(matrix, this.current.ctm);
  }

  clipTo({ x0, y0, x1, y1 }: Rect): void {
    const { clip } = this.current;
    this.current.clip = {
      x0: Math.max(clip.x0, x0),
      y0: Math.max(clip.y0, y0),
      x1: Math.min(clip.x1, x1),
      y1: Math.min(clip.y1, y1),
    };
  }

  setTextMatrix(matrix: Matrix): void {
    this.text = this.line = matrix;
    this.drift = 0;
  }
  moveLine(x: number, y: number): void {
    this.text = this.line = multiply([1, 0, 0, 1, x, y], this.line);
    this.drift = 0;
  }
  nextLine(): void {
    this.moveLine(0, -this.current.leading);
  }
  /** Moves on along the line, in units of text space. */
  advance(x: number): void {
    this.text = multiply([1, 0, 0, 1, x, 0], this.text);
  }

  /** Text space, at the place of the next glyph, to the page. */
  textToPage(): Matrix {
    return multiply(this.text, this.current.ctm);
  }

  /** The box of something that has a box in the current space. */
  place(box: Rect): Rect {
    const { ctm } = this.current;
    const corners = [
      apply(ctm, box.x0, box.y0),
      apply(ctm, box.x1, box.y0),
      apply(ctm, box.x1, box.y1),
      apply(ctm, box.x0, box.y1),
    ];
    return boundsOf(corners);
  }
}

export function isPlaceable(glyphs: GlyphFont | Unreadable): glyphs is GlyphFont {
  return 'codes' in glyphs;
}
