// Owns reading one page's operator list into words, rules and fills. Knows nothing of lines, blocks or output.
import type { OperatorList, Page } from 'pdfjs-dist/legacy/build/pdf.min.mjs';
import { bulletsOf } from './drawn-bullets.ts';
import { faceOf, type PlacedFace } from './faces.ts';
import { markLinks } from './links.ts';
import { OP } from './operators.ts';
import { ARTIFACT, type Box, type Direction, NONE, type PageContent, turn, turnBack, turnBox } from './page-content.ts';
import { addPath } from './page-rules.ts';
import { WordMaker } from './word-maker.ts';

type Matrix = readonly number[];

interface Glyph {
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
  white: boolean;
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The faces of a document, so that a font is the same object on every page. */
export type Faces = Map<string, PlacedFace>;

/** Reads a page in one pass over its operators, and where its words lead to when that is asked for. */
export async function readPage(page: Page, faces: Faces, links = false): Promise<PageContent> {
  const view = page.getViewport({ scale: 1 });
  const list = await page.getOperatorList({ annotationMode: 0 });
  const content = readOperators(list, view.transform, view.width, view.height, (id) => {
    let face = faces.get(id);
    if (face === undefined) {
      face = faceOf(page.commonObjs.has(id) ? page.commonObjs.get(id) : null);
      faces.set(id, face);
    }
    return face;
  });
  if (links) await markLinks(page, view, content);
  return content;
}

export function readOperators(
  list: OperatorList,
  base: Matrix,
  width: number,
  height: number,
  faceNamed: (id: string) => PlacedFace,
): PageContent {
  const makers = ([0, 1, 2, 3] as const).map(() => new WordMaker());
  const rules: Box[] = [];
  const fills: Box[] = [];
  const dots: Box[] = [];
  const marks: number[] = [];
  const stack: GraphicsState[] = [];
  let state: GraphicsState = {
    ctm: base,
    face: faceOf(null),
    size: 0,
    charSpacing: 0,
    wordSpacing: 0,
    scale: 1,
    leading: 0,
    rise: 0,
    white: false,
  };
  let mark = NONE;
  let text: Matrix = IDENTITY;
  let [x, y, lineX, lineY] = [0, 0, 0, 0];

  const setFont = (id: unknown, size: unknown) => {
    state.face = faceNamed(String(id));
    state.size = Number(size);
  };
  const moveText = (dx: number, dy: number) => {
    x = lineX += dx;
    y = lineY += dy;
  };
  const push = (matrix?: Matrix) => {
    stack.push({ ...state });
    if (matrix !== undefined) state.ctm = multiply(state.ctm, matrix);
  };
  const pop = () => {
    state = stack.pop() ?? state;
  };
  const openMark = (next: number) => {
    marks.push(mark);
    mark = mark === ARTIFACT ? ARTIFACT : next;
  };

  const show = (glyphs: readonly (Glyph | number)[]) => {
    const { face, size, scale } = state;
    const m = multiply(state.ctm, text);
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
    const ty = y + state.rise;
    const [u, v] = turn(a * x + c * ty + m[4]!, b * x + d * ty + m[5]!, direction, width, height);
    const maker = makers[direction];
    if (maker === undefined) return;
    const baseline = face.vertical ? v + 0.35 * em : v;
    maker.begin(face, em, baseline, mark, tilted);
    const unit = face.unit * Math.abs(size);
    const charSpacing = state.charSpacing * sign;
    const wordSpacing = state.wordSpacing * sign;
    let advance = 0;
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        advance -= ((face.vertical ? -1 : 1) * glyph * Math.abs(size)) / 1000;
        continue;
      }
      const drawn = (face.vertical ? -(glyph.vmetric?.[0] ?? -face.verticalAdvance) : glyph.width) * unit;
      const step = drawn + charSpacing + (glyph.isSpace ? wordSpacing : 0);
      maker.glyph(glyph.unicode, u + advance * along, u + (advance + drawn) * along, u + (advance + step) * along);
      advance += step;
    }
    if (face.vertical) y -= advance;
    else x += advance * scale * sign;
  };

  const { fnArray, argsArray } = list;
  for (let i = 0; i < fnArray.length; i++) {
    // Each operator's arguments are fixed by pdf.js (display/canvas.js of the pinned version).
    const args = (argsArray[i] ?? []) as readonly never[];
    switch (fnArray[i]) {
      case OP.showText:
        show(args[0] ?? []);
        break;
      case OP.moveText:
        moveText(args[0]!, args[1]!);
        break;
      case OP.setLeadingMoveText:
        state.leading = args[1]!;
        moveText(args[0]!, args[1]!);
        break;
      case OP.nextLine:
        moveText(0, state.leading);
        break;
      case OP.setTextMatrix:
        text = args[0] ?? IDENTITY;
        [x, y, lineX, lineY] = [0, 0, 0, 0];
        break;
      case OP.beginText:
        text = IDENTITY;
        [x, y, lineX, lineY] = [0, 0, 0, 0];
        break;
      case OP.setFont:
        setFont(args[0], args[1]);
        break;
      case OP.setGState:
        for (const [key, value] of (args[0] ?? []) as readonly [string, readonly unknown[]][]) {
          if (key === 'Font') setFont(value[0], value[1]);
        }
        break;
      case OP.setCharSpacing:
        state.charSpacing = args[0]!;
        break;
      case OP.setWordSpacing:
        state.wordSpacing = args[0]!;
        break;
      case OP.setHScale:
        state.scale = args[0]! / 100;
        break;
      case OP.setLeading:
        state.leading = -args[0]!;
        break;
      case OP.setTextRise:
        state.rise = args[0]!;
        break;
      case OP.setFillRGBColor:
        state.white = args[0] === '#ffffff';
        break;
      case OP.save:
        push();
        break;
      case OP.restore:
      case OP.paintFormXObjectEnd:
        pop();
        break;
      case OP.transform:
        state.ctm = multiply(state.ctm, args);
        break;
      case OP.paintFormXObjectBegin:
        push(args[0] ?? IDENTITY);
        break;
      case OP.beginMarkedContent:
        openMark(args[0] === 'Artifact' ? ARTIFACT : mark);
        break;
      case OP.beginMarkedContentProps:
        openMark(args[0] === 'Artifact' ? ARTIFACT : typeof args[1] === 'number' ? args[1] : mark);
        break;
      case OP.endMarkedContent:
        mark = marks.pop() ?? NONE;
        break;
      case OP.constructPath:
        addPath(args[0]!, args[1]?.[0], state.ctm, state.white, rules, fills, dots);
        break;
    }
  }
  return assemble(makers, { rules, fills, dots }, width, height);
}

interface Drawn {
  readonly rules: readonly Box[];
  readonly fills: readonly Box[];
  readonly dots: readonly Box[];
}

/** Turns the page so that the direction with the most text reads from left to right. */
function assemble(makers: WordMaker[], drawn: Drawn, width: number, height: number): PageContent {
  const all = makers.map((maker) => maker.finish());
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
