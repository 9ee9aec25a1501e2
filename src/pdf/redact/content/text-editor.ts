import type { ContentOperation } from '../../content/scanner.ts';
import type { Code } from '../../fonts/glyph-font.ts';
import {
  apply,
  boundsOf,
  covered,
  grown,
  type Matrix,
  meets,
  multiply,
  overlap,
  quadOf,
  type Rect,
} from '../../page/geometry.ts';
import { Unreadable } from '../../syntax/damage.ts';
import { PdfString, type Value } from '../../syntax/values.ts';
import { folded } from '../words/seen-text.ts';
import { FontRegistry, type UsedFont } from './font-registry.ts';
import { isPlaceable } from './graphics-state.ts';
import type { Letter, OpenContent, PageEdit } from './page-edit.ts';

/** A box removes a glyph if it covers more than these parts of its width and height, or of its area if tilted. */
const ACROSS = 0.12;
const DOWN = 0.2;
const AREA = 0.1;
/** Points. Gaps are rounded to the font size, or to this where other text is close, so that they reveal little. */
const ROUND = 2;
/** Text further off the page than this, in points, is invisible. */
const BESIDE = 3;
/** Text render modes: invisible, and clip only. */
const UNSEEN = new Set([3, 7]);
const LETTER = /[\p{L}\p{N}]/u;
/** Text of glyphs without a known letter: empty, private use, control or U+FFFD. */
const UNKNOWN = /^[\p{Co}\p{Cn}\p{Cc}\ufffd]*$/u;

interface ShownGlyph {
  readonly string: Uint8Array;
  readonly code: Code;
  /** Advance in text space. */
  readonly advance: number;
  readonly box: Rect;
  removed: RemovalReason;
}

type RemovalReason = 'region' | 'unseen' | undefined;

/** Shows text without the glyphs that must go (ISO 32000-1, 9.4.3). */
export function showText(content: OpenContent, op: ContentOperation, exact: boolean): void {
  const { state, edit, writer } = content;
  const { now } = state;
  if (op.name === "'" || op.name === '"') state.nextLine();
  if (op.name === '"') {
    const [word = 0, char = 0] = op.operands.filter((value) => typeof value === 'number');
    now.wordSpacing = word;
    now.charSpacing = char;
  }
  const pieces = piecesOf(op);
  const { font } = now;
  if (font === undefined || !isPlaceable(font.glyphs)) {
    showUnplaced(content, op, exact, font);
    return;
  }
  const { glyphs } = font;
  const items: (ShownGlyph | number)[] = [];
  let any = false;
  for (const piece of pieces) {
    if (typeof piece === 'number') {
      items.push(piece);
      state.advance((-piece / 1000) * now.size * now.scale);
      continue;
    }
    for (const code of glyphs.codes(piece.bytes)) {
      const advance = (code.width * now.size + now.charSpacing + (code.isSpace ? now.wordSpacing : 0)) * now.scale;
      const place = placeOf(content, code);
      if (edit.removal.regions.length === 0) noteLetter(content, code, place);
      const removed = removalReason(content, code, place);
      items.push({ string: piece.bytes, code, advance, box: place.box, removed });
      any ||= removed !== undefined;
      state.advance(advance);
    }
  }
  if (any) removeSpaces(items);
  for (const item of items)
    if (typeof item !== 'number' && item.removed === undefined) FontRegistry.shown(font, item.string, [item.code]);
  if (!any) {
    content.pass(op, exact);
    return;
  }
  font.touched = true;
  content.changed = true;
  if (op.name === '"') {
    writer.write([now.wordSpacing], 'Tw');
    writer.write([now.charSpacing], 'Tc');
  }
  if (op.name === "'" || op.name === '"') writer.write([], 'T*');
  const { list, drift } = rewritten(items, now.size * now.scale, lineOf(content, items), state.drift);
  if (list.length > 0) writer.write([list], 'TJ');
  // Removal goes by source positions; drift affects only the output.
  state.drift = drift;
}

/** Also removes spaces next to removed glyphs: whether a box touches them depends on the letters inside. */
function removeSpaces(items: readonly (ShownGlyph | number)[]): void {
  const glyphs = items.filter((item) => typeof item === 'object');
  for (const list of [glyphs, glyphs.toReversed()]) {
    let beside = false;
    for (const glyph of list) {
      if (beside && glyph.removed === undefined && glyph.code.text === ' ') glyph.removed = 'unseen';
      beside = glyph.removed !== undefined;
    }
  }
}

function piecesOf({ operands }: ContentOperation): (PdfString | number)[] {
  const last = operands.at(-1);
  const list: readonly Value[] = Array.isArray(last) ? last : [last ?? null];
  return list.filter((value) => value instanceof PdfString || typeof value === 'number');
}

/** Text that cannot be placed: kept where the page has nothing to remove, else an error. */
function showUnplaced(content: OpenContent, op: ContentOperation, exact: boolean, font: UsedFont | undefined): void {
  const { removal } = content.edit;
  if (piecesOf(op).every((piece) => typeof piece === 'number' || piece.bytes.length === 0)) return;
  if (removal.regions.length > 0 || removal.erase.length > 0 || content.isHidden) {
    const why = font === undefined || isPlaceable(font.glyphs) ? 'text without a font' : font.glyphs.message;
    throw new Unreadable(why);
  }
  if (font !== undefined) font.all = true;
  content.pass(op, exact);
}

interface Line {
  /** Points per unit of text space. */
  readonly scale: number;
  /** Gaps are a multiple of this, in points. */
  readonly round: number;
  /** Whether a box would remove the glyph once it is moved along the line. */
  covers(glyph: Rect, moved: number): boolean;
}

function lineOf({ state, edit }: OpenContent, items: readonly (ShownGlyph | number)[]): Line {
  const [a, b] = state.textToPage();
  const size = Math.abs(state.now.size) * Math.hypot(a, b);
  const last = items.findLast((item) => typeof item === 'object');
  const isLevel = a > 0 && Math.abs(b) < 0.01 * a && last !== undefined;
  const boxes = [...edit.removal.regions, ...edit.removal.erase];
  return {
    scale: Math.hypot(a, b),
    round: isLevel && roomBehind(last.box, edit) > 1.3 * size ? Math.max(ROUND, size) : ROUND,
    covers({ x0, y0, x1, y1 }, moved) {
      const [x, y] = [a * moved, b * moved];
      const glyph = { x0: x0 + x, y0: y0 + y, x1: x1 + x, y1: y1 + y };
      return boxes.some((box) => isRemovedBy({ box: glyph }, box));
    },
  };
}

/** Points from the end of a line to the next text beside it or the page edge. */
function roomBehind({ x1, y0, y1 }: Rect, { removal, shown }: PageEdit): number {
  let next = removal.letters === undefined ? x1 : shown.x1;
  for (const { box } of removal.letters ?? [])
    if (box.x1 > x1 + 0.5 && box.y0 < y1 && box.y1 > y0) next = Math.min(next, Math.max(x1, box.x0));
  return next - x1;
}

function noteLetter({ state, edit }: OpenContent, { text, code }: Code, place: Place): void {
  const { font, mode } = state.now;
  const isSeen = mode !== 3;
  const named = isSeen && font !== undefined && isPlaceable(font.glyphs) ? font.glyphs.drawn(code) : [];
  const isSaid = named.some((letter) => folded(text).includes(folded(letter)));
  const drawn = isSaid ? undefined : named.find((letter) => LETTER.test(letter));
  edit.findings.letters.push(drawn === undefined ? { text, ...place } : { text, ...place, drawn });
  if (isSeen && (drawn !== undefined || UNKNOWN.test(text))) edit.findings.shapes.push(place.box);
}

function removalReason(content: OpenContent, code: Code, place: Place): RemovalReason {
  const { state, edit } = content;
  const { now } = state;
  const { box } = place;
  const { findings } = edit;
  if (![box.x0, box.y0, box.x1, box.y1].every(Number.isFinite)) throw new Unreadable('text at an invalid position');
  const isBeside = !meets(grown(edit.shown, BESIDE), box);
  if (content.isHidden || isBeside) {
    findings.hidden.push({ box, why: content.isHidden ? 'layer' : 'outside' });
    return 'unseen';
  }
  if ([...edit.removal.regions, ...edit.removal.erase].some((region) => isRemovedBy(place, region))) return 'region';
  if (UNSEEN.has(now.mode)) findings.hidden.push({ box, why: 'invisible' });
  else if (code.text.trim() !== '') findings.shown.push({ box, at: findings.at++ });
  return undefined;
}

type Place = Pick<Letter, 'box' | 'quad' | 'start' | 'end' | 'size'>;

export function isRemovedBy({ box, quad }: Pick<Letter, 'box' | 'quad'>, region: Rect): boolean {
  if (!meets(region, box)) return false;
  if (quad !== undefined) return covered(quad, region) > AREA;
  const { across, down } = overlap(box, region);
  return across > ACROSS && down > DOWN;
}

function placeOf({ state }: OpenContent, code: Code): Place {
  const { now } = state;
  const font = now.font?.glyphs;
  const [ascent, descent] = font !== undefined && isPlaceable(font) ? [font.ascent, font.descent] : [1, 0];
  const toPage: Matrix = multiply([now.size * now.scale, 0, 0, now.size, 0, now.rise], state.textToPage());
  const quad = quadOf({ x0: 0, y0: descent, x1: code.width, y1: ascent }, toPage);
  const [origin, along, above] = [apply(toPage, 0, 0), apply(toPage, 1, 0), apply(toPage, 0, 1)];
  const [dx, dy] = [Math.abs(along[0] - origin[0]), Math.abs(along[1] - origin[1])];
  const isUpright = Math.min(dx, dy) <= 0.02 * Math.max(dx, dy);
  return {
    box: boundsOf(quad),
    ...(isUpright ? {} : { quad }),
    start: origin,
    end: apply(toPage, code.width, 0),
    size: Math.hypot(above[0] - origin[0], above[1] - origin[1]),
  };
}

/** The TJ array with gaps for removed glyphs, and the drift of what follows. */
function rewritten(
  items: readonly (ShownGlyph | number)[],
  unit: number,
  line: Line,
  before: number,
): { list: Value[]; drift: number } {
  const list: Value[] = [];
  let run: Uint8Array[] = [];
  let gap = 0;
  let isGap = false;
  let drift = before;
  const endRun = () => {
    if (run.length > 0) list.push(new PdfString(Buffer.concat(run)));
    run = [];
  };
  const endGap = (at: number) => {
    if (!isGap) return;
    const rounded = roundedGap(gap, drift, line, runFrom(items, at));
    drift += rounded - gap;
    if (unit !== 0 && rounded !== 0) list.push(Math.round((-rounded / unit) * 1_000_000) / 1000);
    gap = 0;
    isGap = false;
  };
  for (const [i, item] of items.entries()) {
    if (typeof item === 'number' && !isGap && !isNextRemoved(items, i)) {
      endRun();
      list.push(item);
    } else if (typeof item === 'number' || item.removed !== undefined) {
      // Kerning before a removed glyph reveals it: it becomes part of the gap.
      endRun();
      isGap = true;
      gap += typeof item === 'number' ? (-item / 1000) * unit : item.advance;
    } else {
      endGap(i);
      run.push(item.string.subarray(item.code.start, item.code.end));
    }
  }
  endRun();
  endGap(items.length);
  return { list, drift };
}

/** The rounded gap that moves what follows least without putting a glyph under a box; the exact one if none does. */
function roundedGap(gap: number, drift: number, { scale, round, covers }: Line, run: readonly ShownGlyph[]): number {
  // Negative and empty gaps stay as they are.
  if (!(scale > 0 && gap > 0)) return gap;
  for (const unit of [round, ROUND]) {
    const steps = (Math.max(0, gap - drift) * scale) / unit;
    for (const count of [Math.round(steps), Math.ceil(steps - 1e-6), Math.floor(steps)]) {
      const rounded = (count * unit) / scale;
      if (!run.some(({ box }) => covers(box, drift + rounded - gap))) return rounded;
    }
  }
  return gap - drift;
}

/** The glyphs from an index up to the next removed one. */
function runFrom(items: readonly (ShownGlyph | number)[], at: number): ShownGlyph[] {
  const glyphs = items.slice(at).filter((item) => typeof item === 'object');
  const end = glyphs.findIndex(({ removed }) => removed !== undefined);
  return end < 0 ? glyphs : glyphs.slice(0, end);
}

function isNextRemoved(items: readonly (ShownGlyph | number)[], at: number): boolean {
  for (let i = at + 1; i < items.length; i++) {
    const next = items[i];
    if (typeof next === 'object') return next.removed !== undefined;
  }
  return false;
}
