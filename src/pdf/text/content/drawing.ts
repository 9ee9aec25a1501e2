import { NO_FACE, type PlacedFace } from '../../fonts/faces.ts';
import type { Glyph } from '../../fonts/font-reader.ts';
import { boundsOf, IDENTITY, type Matrix, multiply, quadOf, type Rect } from '../../page/geometry.ts';
import { ActualText } from './actual-text.ts';
import { type FieldLine, withFields } from './field-words.ts';
import { BLACK, type PackedColour, WHITE } from './fill-colour.ts';
import { partingRules } from './joined-rules.ts';
import { OP } from './operators.ts';
import {
  ARTIFACT,
  type Direction,
  FIRST_FIELD,
  NONE,
  type PageContent,
  type TextBox,
  turn,
  turnBack,
  turnBox,
  type Word,
} from './page-content.ts';
import { addPath, isDot } from './page-rules.ts';
import { uprightWords } from './upright-words.ts';
import { WordMaker } from './word-maker.ts';

interface GraphicsState {
  ctm: Matrix;
  face: PlacedFace;
  size: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
  /** How text is drawn (9.3.6): 3 without ink, 7 as a clip alone. */
  mode: number;
  fill: PackedColour;
  stroke: PackedColour;
  lineWidth: number;
}

const UNIT: Rect = { x0: 0, y0: 0, x1: 1, y1: 1 };
/** A page of more pictures is made of them. */
const MOST_PICTURES = 1_000;

/** Words, rules and areas of a page, collected from its content. `base`: user space to points from the top left. */
export class Drawing {
  private readonly makers = ([0, 1, 2, 3] as const).map(() => new WordMaker());
  private readonly rules: TextBox[] = [];
  /** White lines, which are visible on shaded areas only. */
  private readonly white: TextBox[] = [];
  private readonly fills: TextBox[] = [];
  private readonly dots: TextBox[] = [];
  private readonly pictures: TextBox[] = [];
  private readonly fields: FieldLine[] = [];
  private fieldCount = 0;
  private readonly marks: number[] = [];
  private readonly stack: GraphicsState[] = [];
  private readonly width: number;
  private readonly height: number;
  private mark = NONE;
  private actual: ActualText | undefined;
  private text: Matrix = IDENTITY;
  private x = 0;
  private y = 0;
  private lineX = 0;
  private lineY = 0;
  readonly state: GraphicsState;

  constructor(base: Matrix, width: number, height: number) {
    this.width = width;
    this.height = height;
    this.state = {
      ctm: base,
      face: NO_FACE,
      size: 0,
      charSpacing: 0,
      wordSpacing: 0,
      scale: 1,
      leading: 0,
      rise: 0,
      mode: 0,
      fill: BLACK,
      stroke: BLACK,
      lineWidth: 1,
    };
  }

  save(matrix?: Matrix): void {
    this.stack.push({ ...this.state });
    if (matrix !== undefined) this.transform(matrix);
  }
  restore(): void {
    const saved = this.stack.pop();
    if (saved !== undefined) Object.assign(this.state, saved);
  }
  get depth(): number {
    return this.stack.length;
  }
  transform(matrix: Matrix): void {
    this.state.ctm = multiply(matrix, this.state.ctm);
  }

  setFont(face: PlacedFace, size: number): void {
    this.state.face = face;
    this.state.size = size;
  }
  setTextMatrix(matrix: Matrix = IDENTITY): void {
    this.text = matrix;
    this.x = this.y = this.lineX = this.lineY = 0;
  }
  moveText(dx: number, dy: number): void {
    this.x = this.lineX += dx;
    this.y = this.lineY += dy;
  }
  nextLine(): void {
    this.moveText(0, this.state.leading);
  }

  /** `id`: the marked content's number, if any. `actual`: its replacement text. */
  openMark(tag: string, id?: number, actual?: string): void {
    if (actual !== undefined) this.actual ??= new ActualText(actual, this.marks.length);
    this.marks.push(this.mark);
    if (this.mark !== ARTIFACT && this.mark > FIRST_FIELD)
      this.mark = tag === 'Artifact' ? ARTIFACT : (id ?? this.mark);
  }
  closeMark(): void {
    this.mark = this.marks.pop() ?? NONE;
    if (this.actual !== undefined && this.marks.length <= this.actual.depth) this.endActual();
  }
  private endActual(): void {
    this.actual?.end();
    this.actual = undefined;
  }

  /** `data`: verbs and coordinates as in page-rules.ts. */
  path(operator: number, data: ArrayLike<number> | null | undefined): void {
    if (this.mark <= FIRST_FIELD) return;
    const { ctm, lineWidth, fill, stroke } = this.state;
    const isWhite = stroke === WHITE && (operator === OP.stroke || operator === OP.closeStroke);
    const rules = isWhite ? this.white : this.rules;
    addPath(operator, data, ctm, lineWidth, fill === WHITE, rules, this.fills, this.dots);
  }

  /** A picture fills the unit square of the current space. */
  picture(): void {
    if (this.pictures.length >= MOST_PICTURES) return;
    const box = boundsOf(quadOf(UNIT, this.state.ctm));
    this.pictures.push(box);
    if (isDot(box)) this.dots.push(box);
  }

  /** Begins the next form field. Its words get a mark of their own, and its frame gives no rules: it separates no cells. */
  beginField(): void {
    this.endActual();
    this.marks.length = 0;
    this.mark = FIRST_FIELD - this.fieldCount++;
  }

  /** Puts lines of text into a rectangle in user space, from its top down. */
  field(lines: readonly string[], { x0, y0, x1, y1 }: Rect): void {
    const { ctm } = this.state;
    const height = (y1 - y0) / lines.length;
    for (const [i, text] of lines.entries()) {
      const top = y1 - i * height;
      const box = boundsOf(quadOf({ x0, y0: top - height, x1, y1: top }, ctm));
      if (text.trim() !== '') this.fields.push({ text: text.trim(), ...box });
    }
  }

  /** Shows glyphs; a number moves the next one back by so many thousandths of the size. */
  show(glyphs: readonly (Glyph | number)[]): void {
    const { face, size, scale } = this.state;
    const [a, b, c, d, e, f] = multiply(this.text, this.state.ctm);
    const sign = size * scale < 0 ? -1 : 1;
    const alongX = face.vertical ? -c : a * sign;
    const alongY = face.vertical ? -d : b * sign;
    const along = Math.hypot(alongX, alongY) * (face.vertical ? 1 : Math.abs(scale));
    const em = Math.hypot(c, d) * Math.abs(size) * face.em;
    if (!(along > 0) || !(em > 0)) return;
    const direction: Direction = Math.abs(alongX) >= Math.abs(alongY) ? (alongX >= 0 ? 0 : 2) : alongY >= 0 ? 1 : 3;
    const tilted = Math.min(Math.abs(alongX), Math.abs(alongY)) > 0.05 * Math.max(Math.abs(alongX), Math.abs(alongY));
    const { x } = this;
    const ty = this.y + this.state.rise;
    const [u, v] = turn(a * x + c * ty + e, b * x + d * ty + f, direction, this.width, this.height);
    const maker = this.makers[direction];
    if (maker === undefined) return;
    const { mark } = this;
    const style = {
      face,
      size: em,
      y: face.vertical ? v + 0.35 * em : v,
      mark,
      tilted,
      colour: this.state.fill,
      hidden: this.state.mode % 4 === 3 && !face.procedures,
    };
    if (this.actual === undefined) maker.begin(style);
    const advance = showAll(this.actual?.holding(maker, style) ?? maker, glyphs, this.state, u, along, sign);
    if (face.vertical) this.y -= advance;
    else this.x += advance * scale * sign;
  }

  finish(): PageContent {
    this.endActual();
    const seen = this.white.filter((line) => this.fills.some((fill) => meet(line, fill)));
    const drawn = {
      rules: [...this.rules, ...seen],
      fills: this.fills,
      dots: this.dots,
      fields: this.fields,
      pictures: this.pictures,
    };
    return assemble(this.makers, drawn, this.width, this.height);
  }
}

/** The em above the baseline. */
function bodyOf({ x0, x1, y, size }: Word): TextBox {
  return { x0, x1, y0: y - size, y1: y };
}

function meet(a: TextBox, b: TextBox): boolean {
  return a.x0 < b.x1 + 1 && a.x1 > b.x0 - 1 && a.y0 < b.y1 + 1 && a.y1 > b.y0 - 1;
}

/** Shows glyphs from `u` on, along the line or down it, and returns the distance the pen moved. */
function showAll(
  maker: Pick<WordMaker, 'glyph'>,
  glyphs: readonly (Glyph | number)[],
  { face, size, charSpacing, wordSpacing }: GraphicsState,
  u: number,
  along: number,
  sign: number,
): number {
  const { vertical, verticalAdvance } = face;
  const unit = face.unit * Math.abs(size);
  const thousandth = ((vertical ? 1 : -1) * Math.abs(size)) / 1000;
  let advance = 0;
  for (const glyph of glyphs) {
    if (typeof glyph === 'number') {
      advance += glyph * thousandth;
      continue;
    }
    const drawn = (vertical ? -(glyph.vmetric?.[0] ?? -verticalAdvance) : glyph.width) * unit;
    const step = drawn + charSpacing * sign + (glyph.isSpace ? wordSpacing * sign : 0);
    maker.glyph(glyph.unicode, u + advance * along, u + (advance + drawn) * along, u + (advance + step) * along);
    advance += step;
  }
  return advance;
}

interface Drawn {
  readonly rules: readonly TextBox[];
  readonly fills: readonly TextBox[];
  readonly dots: readonly TextBox[];
  readonly fields: readonly FieldLine[];
  readonly pictures: readonly TextBox[];
}

/** Turns the page so that most of its text runs from left to right. */
function assemble(makers: WordMaker[], drawn: Drawn, width: number, height: number): PageContent {
  const [along = [], down = [], ...others] = makers.map((maker) => maker.finish());
  const upright = uprightWords(along, width);
  const all = upright === undefined ? [along, down, ...others] : [upright.along, [...down, ...upright.down], ...others];
  const amounts = all.map((words) => words.reduce((sum, word) => sum + word.text.length, 0));
  const main = amounts.indexOf(Math.max(...amounts)) as Direction;
  const sideways = main === 1 || main === 3;
  const size = sideways ? { width: height, height: width } : { width, height };
  let [outside, hidden] = [0, 0];
  const face = (box: TextBox) => (main === 0 ? box : turnBox(box, main, width, height));
  // A page without visible words has its text in invisible ones, whatever is under them.
  const pictures = all.some((part) => part.some((word) => word.hidden !== true)) ? drawn.pictures.map(face) : undefined;
  const isSeen = (word: Word, { x0, y0, x1, y1 }: TextBox) => {
    if (x1 <= -2 || x0 >= size.width + 2 || y1 <= -2 || y0 >= size.height + 2) outside++;
    else if (word.hidden === true && pictures?.some((box) => meet(box, { x0, y0, x1, y1 })) === false) hidden++;
    else return true;
    return false;
  };
  const words = (all[main] ?? []).filter((word) => isSeen(word, bodyOf(word)));
  const turned = all.flatMap((words, direction) => {
    if (direction === main || words.length === 0) return [];
    const from = direction as Direction;
    const place = (box: TextBox) => turnBox(turnBack(box, from, width, height), main, width, height);
    const seen = words.filter((word) => isSeen(word, place(bodyOf(word))));
    return seen.length === 0 ? [] : [{ words: seen, place }];
  });
  const fields = drawn.fields.map((field) => ({ ...field, ...face(field) }));
  const shown = withFields(words, fields, NO_FACE);
  const bullets = bulletsOf(drawn.dots.map(face), words);
  const moved = new Set(bullets.map(({ sign }) => sign));
  const [rules, fills] = [partingRules(drawn.rules.map(face), size), drawn.fills.map(face)];
  return {
    ...size,
    direction: main,
    words:
      bullets.length === 0 ? shown : [...shown.filter((word) => !moved.has(word)), ...bullets.map(({ word }) => word)],
    turned,
    rules,
    fills,
    leftOut: { outside, hidden },
  };
}

/** More dots than this are a drawing. */
const MOST = 400;
/** Farthest distance of a bullet from its text, its greatest width, and how far other text is from a drawn one, in em. */
const [REACH, WIDEST, ALONE] = [2.5, 0.7, 6];

const SIGN = /^[–•◦▪▫■□●○‣⁃◆◇►▶★➔-➾]$/u;
/** LibreOffice sets bullets in letters smaller than this share of those of the text, on a baseline of their own. */
const SMALLER = 0.7;

interface Bullet {
  readonly word: Word;
  /** The sign that it replaces. */
  readonly sign?: Word;
}

/** Bullets for dots and small signs at the beginning of lines. */
function bulletsOf(drawn: readonly TextBox[], words: readonly Word[]): Bullet[] {
  const signs = words.filter(({ text }) => SIGN.test(text));
  const dots: (TextBox & { sign?: Word })[] = [...drawn, ...signs.map((sign) => ({ ...bodyOf(sign), sign }))];
  if (dots.length === 0 || dots.length > MOST) return [];
  // A bullet may be drawn in several layers.
  const marked = new Set<Word>();
  return dots.flatMap(({ sign, ...dot }) => {
    const height = sign === undefined ? (dot.y0 + dot.y1) / 2 : sign.y - 0.35 * sign.size;
    const line = words.filter((word) => word !== sign && Math.abs(word.y - 0.3 * word.size - height) < 0.3 * word.size);
    const right = line.filter((word) => word.x0 > dot.x1 && word.x0 - dot.x1 < REACH * word.size);
    const first = right.sort((a, b) => a.x0 - b.x0)[0];
    if (first === undefined || marked.has(first) || dot.x1 - dot.x0 > WIDEST * first.size) return [];
    if (line.some((word) => word.x0 < dot.x1 && dot.x0 - word.x1 < (sign === undefined ? ALONE : 1) * word.size))
      return [];
    if (sign !== undefined && sign.size > SMALLER * first.size) return [];
    marked.add(first);
    const { y, size, face, colour } = first;
    const { text, mark } = sign ?? { text: '•', mark: NONE };
    const word = { text, x0: dot.x0, x1: dot.x1, y, size, face, colour, mark, spaced: false };
    return sign === undefined ? { word } : { word, sign };
  });
}
