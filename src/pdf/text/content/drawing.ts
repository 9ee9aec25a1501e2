import { faceOf, type PlacedFace } from '../fonts/faces.ts';
import { WordMaker } from '../layout/word-maker.ts';
import { bulletsOf } from '../lists/drawn-bullets.ts';
import { addPath } from '../tables/page-rules.ts';
import { BLACK, type Colour, WHITE } from './fill-colour.ts';
import { ARTIFACT, type Box, type Direction, NONE, type PageContent, turn, turnBack, turnBox } from './page-content.ts';
import { uprightWords } from './upright-words.ts';

export type Matrix = readonly number[];

export interface Glyph {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
  readonly vmetric?: readonly number[] | null;
}

interface GraphicsState {
  ctm: Matrix;
  face: PlacedFace;
  size: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
  fill: Colour;
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const NO_FACE = faceOf(null);

/** One page while it is drawn. `base` takes its coordinates to points from the top left. */
export class Drawing {
  private readonly makers = ([0, 1, 2, 3] as const).map(() => new WordMaker());
  private readonly rules: Box[] = [];
  private readonly fills: Box[] = [];
  private readonly dots: Box[] = [];
  private readonly marks: number[] = [];
  private readonly stack: GraphicsState[] = [];
  private readonly width: number;
  private readonly height: number;
  private mark = NONE;
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
      fill: BLACK,
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
  /** How many states are saved; restored to again where a form leaves more behind. */
  get depth(): number {
    return this.stack.length;
  }
  transform(matrix: Matrix): void {
    this.state.ctm = multiply(this.state.ctm, matrix);
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

  /** `id`: the number of marked content, where it has one. */
  openMark(tag: string, id?: number): void {
    this.marks.push(this.mark);
    if (this.mark !== ARTIFACT) this.mark = tag === 'Artifact' ? ARTIFACT : (id ?? this.mark);
  }
  closeMark(): void {
    this.mark = this.marks.pop() ?? NONE;
  }

  /** `data`: verbs and coordinates as page-rules.ts takes them. */
  path(operator: number, data: ArrayLike<number> | null | undefined): void {
    addPath(operator, data, this.state.ctm, this.state.fill === WHITE, this.rules, this.fills, this.dots);
  }

  /** Shows glyphs; a number moves the next one back by so many thousandths of the size. */
  show(glyphs: readonly (Glyph | number)[]): void {
    const { face, size, scale } = this.state;
    const m = multiply(this.state.ctm, this.text);
    const a = m[0]!;
    const b = m[1]!;
    const c = m[2]!;
    const d = m[3]!;
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
    const [u, v] = turn(a * x + c * ty + m[4]!, b * x + d * ty + m[5]!, direction, this.width, this.height);
    const maker = this.makers[direction];
    if (maker === undefined) return;
    maker.begin(face, em, face.vertical ? v + 0.35 * em : v, this.mark, tilted, this.state.fill);
    const advance = face.vertical
      ? showDown(maker, glyphs, this.state, u, along, sign)
      : showAlong(maker, glyphs, this.state, u, along, sign);
    if (face.vertical) this.y -= advance;
    else this.x += advance * scale * sign;
  }

  finish(): PageContent {
    const drawn = { rules: this.rules, fills: this.fills, dots: this.dots };
    return assemble(this.makers, drawn, this.width, this.height);
  }
}

type Glyphs = readonly (Glyph | number)[];

function showAlong(
  maker: WordMaker,
  glyphs: Glyphs,
  state: GraphicsState,
  u: number,
  along: number,
  sign: number,
): number {
  const thousandth = Math.abs(state.size) / 1000;
  const unit = state.face.unit * Math.abs(state.size);
  const charSpacing = state.charSpacing * sign;
  const wordSpacing = state.wordSpacing * sign;
  let advance = 0;
  for (const glyph of glyphs) {
    if (typeof glyph === 'number') {
      advance -= glyph * thousandth;
      continue;
    }
    const drawn = glyph.width * unit;
    const step = drawn + charSpacing + (glyph.isSpace ? wordSpacing : 0);
    maker.glyph(glyph.unicode, u + advance * along, u + (advance + drawn) * along, u + (advance + step) * along);
    advance += step;
  }
  return advance;
}

function showDown(
  maker: WordMaker,
  glyphs: Glyphs,
  state: GraphicsState,
  u: number,
  along: number,
  sign: number,
): number {
  const { face } = state;
  const size = Math.abs(state.size);
  let advance = 0;
  for (const glyph of glyphs) {
    if (typeof glyph === 'number') {
      advance += (glyph * size) / 1000;
      continue;
    }
    const drawn = -(glyph.vmetric?.[0] ?? -face.verticalAdvance) * face.unit * size;
    const step = drawn + state.charSpacing * sign + (glyph.isSpace ? state.wordSpacing * sign : 0);
    maker.glyph(glyph.unicode, u + advance * along, u + (advance + drawn) * along, u + (advance + step) * along);
    advance += step;
  }
  return advance;
}

interface Drawn {
  readonly rules: readonly Box[];
  readonly fills: readonly Box[];
  readonly dots: readonly Box[];
}

/** Turns the page so that the direction with the most text reads from left to right. */
function assemble(makers: WordMaker[], drawn: Drawn, width: number, height: number): PageContent {
  const all = makers.map((maker) => maker.finish());
  const upright = uprightWords(all[0]!, width);
  if (upright !== undefined) {
    all[0] = upright.along;
    all[1] = [...all[1]!, ...upright.down];
  }
  const amounts = all.map((words) => words.reduce((sum, word) => sum + word.text.length, 0));
  const main = amounts.indexOf(Math.max(...amounts)) as Direction;
  const sideways = main === 1 || main === 3;
  const size = sideways ? { width: height, height: width } : { width, height };
  let outside = 0;
  const words = (all[main] ?? []).filter((word) => {
    const inside = word.x1 > -2 && word.x0 < size.width + 2 && word.y > -2 && word.y < size.height + 2 + word.size;
    if (!inside) outside++;
    return inside;
  });
  const turned = all.flatMap((words, direction) => {
    if (direction === main || words.length === 0) return [];
    const from = direction as Direction;
    return [{ words, place: (box: Box) => turnBox(turnBack(box, from, width, height), main, width, height) }];
  });
  const face = (box: Box) => (main === 0 ? box : turnBox(box, main, width, height));
  const bullets = bulletsOf(drawn.dots.map(face), words);
  const [rules, fills] = [drawn.rules.map(face), drawn.fills.map(face)];
  return {
    ...size,
    direction: main,
    words: bullets.length === 0 ? words : [...words, ...bullets],
    turned,
    rules,
    fills,
    outside,
  };
}

/** Indexed, not destructured: it runs for every run of text, and iterators cost more than the arithmetic. */
function multiply(m: Matrix, n: Matrix): Matrix {
  const [a, b, c, d] = [m[0]!, m[1]!, m[2]!, m[3]!];
  const [na, nb, nc, nd, ne, nf] = [n[0]!, n[1]!, n[2]!, n[3]!, n[4]!, n[5]!];
  return [
    a * na + c * nb,
    b * na + d * nb,
    a * nc + c * nd,
    b * nc + d * nd,
    a * ne + c * nf + m[4]!,
    b * ne + d * nf + m[5]!,
  ];
}
