import type { GlyphFont } from '../../fonts/glyph-font.ts';
import {
  asMatrix,
  boundsOf,
  IDENTITY,
  intersection,
  type Matrix,
  multiply,
  quadOf,
  type Rect,
  UNIT,
} from '../../page/geometry.ts';
import { Unreadable } from '../../syntax/damage.ts';
import type { UsedFont } from './font-registry.ts';

/** What an area is filled with: patterns may draw anything. */
export type Paint = 'plain' | 'smooth' | 'pattern';

class State {
  ctm = IDENTITY;
  clip = UNIT;
  font: UsedFont | undefined;
  size = 0;
  charSpacing = 0;
  wordSpacing = 0;
  scale = 1;
  leading = 0;
  rise = 0;
  mode = 0;
  lineWidth = 1;
  fill: Paint = 'plain';
  stroke: Paint = 'plain';
  /** Painting blends with what is below. */
  translucent = false;
}

const MOST_SAVED = 4096;

/** The part of the graphics state that decides where things are drawn (ISO 32000-1, 8.4). */
export class GraphicsState {
  private current: State;
  private readonly saved: State[] = [];
  text: Matrix = IDENTITY;
  line: Matrix = IDENTITY;
  /** How far rounded gaps have moved the rest of the line, in text space. */
  drift = 0;

  constructor(ctm: Matrix, clip: Rect, from?: GraphicsState) {
    this.current = Object.assign(new State(), from?.current, { ctm, clip });
  }

  get now(): State {
    return this.current;
  }
  get depth(): number {
    return this.saved.length;
  }

  /** False once MOST_SAVED states are saved, which only an attack needs. */
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

  clipTo(box: Rect): void {
    this.current.clip = intersection(this.current.clip, box);
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

  /** The bounds on the page of a box in the current space. */
  place(box: Rect): Rect {
    return boundsOf(quadOf(box, this.current.ctm));
  }

  /** Applies an operator that only changes the state; false for all others. */
  take(operator: string, numbers: readonly number[]): boolean {
    if (!Object.hasOwn(OPERATORS, operator)) return false;
    OPERATORS[operator]?.(this, numbers);
    return true;
  }
}

const OPERATORS: Readonly<Record<string, (state: GraphicsState, numbers: readonly number[]) => void>> = {
  cm: (state, numbers) => state.transform(matrixFrom(numbers)),
  w: ({ now }, [width = 0]) => void (now.lineWidth = width),
  BT: (state) => state.setTextMatrix(IDENTITY),
  Tc: ({ now }, [spacing = 0]) => void (now.charSpacing = spacing),
  Tw: ({ now }, [spacing = 0]) => void (now.wordSpacing = spacing),
  Tz: ({ now }, [percent = 0]) => void (now.scale = percent / 100),
  TL: ({ now }, [leading = 0]) => void (now.leading = leading),
  Ts: ({ now }, [rise = 0]) => void (now.rise = rise),
  Tr: ({ now }, [mode = 0]) => void (now.mode = mode),
  Td: (state, [x = 0, y = 0]) => state.moveLine(x, y),
  TD: (state, [x = 0, y = 0]) => {
    state.now.leading = -y;
    state.moveLine(x, y);
  },
  Tm: (state, numbers) => state.setTextMatrix(matrixFrom(numbers)),
  'T*': (state) => state.nextLine(),
  ...fromNames(['g', 'rg', 'k'], ({ now }) => void (now.fill = 'plain')),
  ...fromNames(['G', 'RG', 'K'], ({ now }) => void (now.stroke = 'plain')),
};

function matrixFrom(numbers: readonly number[]): Matrix {
  const matrix = asMatrix(numbers);
  // Positions decide what is removed, so they are never guessed.
  if (matrix === undefined) throw new Unreadable('an invalid matrix');
  return matrix;
}

function fromNames(names: readonly string[], act: (state: GraphicsState) => void) {
  return Object.fromEntries(names.map((name) => [name, act]));
}

export function isPlaceable(glyphs: GlyphFont | Unreadable): glyphs is GlyphFont {
  return 'codes' in glyphs;
}
