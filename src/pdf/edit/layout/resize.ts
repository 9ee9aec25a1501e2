// Resizes pages to other paper: content is scaled to fit, with its annotations.

import { operands } from '../../content/operands.ts';
import { surrounded } from '../../content/surrounded.ts';
import type { Copier } from '../../file/copy/copier.ts';
import type { NewEntries } from '../../file/copy/new-entries.ts';
import { listOf } from '../../file/read/entries.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { rectOf } from '../../page/boxes.ts';
import { boundsOf, inTurn, inverse, type Matrix, multiply, quadOf, scaling, shift } from '../../page/geometry.ts';
import { shownArea, uprightOf, viewOf } from '../../page/view.ts';
import { valueText } from '../../structure/input.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { type Moves, moved } from './moved-destinations.ts';

interface NewPaper {
  readonly width: number;
  readonly height: number;
  /** Points left free at each edge. */
  readonly margin: number;
  /** Turn the paper to suit the page. */
  readonly turn: boolean;
  /** A fixed scale instead of fitting. */
  readonly scale: number | undefined;
}

/** Boxes of the old paper. */
const BOXES = ['BleedBox', 'TrimBox', 'ArtBox', 'UserUnit'];

/** Where a page's content goes on other paper, and the size of that, before /Rotate. */
export interface Placement {
  readonly matrix: Matrix;
  readonly wide: number;
  readonly high: number;
}

export function placementOf(file: PdfFile, page: Page, paper: NewPaper): Placement {
  const dict = wholeDictOfPage(file, page);
  const view = viewOf(file, dict, page.rotate);
  const lies = paper.turn && view.width > view.height !== paper.width > paper.height;
  const [width, height] = lies ? [paper.height, paper.width] : [paper.width, paper.height];
  const { margin } = paper;
  const factor = paper.scale ?? Math.min((width - 2 * margin) / view.width, (height - 2 * margin) / view.height);
  const [x, y] = [(width - view.width * factor) / 2, (height - view.height * factor) / 2];
  const [wide, high] = page.rotate % 180 === 0 ? [width, height] : [height, width];
  const fresh = viewOf(file, new Dict([['MediaBox', [0, 0, wide, high]]]), page.rotate);
  const matrix = inTurn(uprightOf(view), scaling(factor), shift(x, y), inverse(uprightOf(fresh)));
  return { matrix, wide, high };
}

export function resized(copier: Copier, page: Page, { matrix, wide, high }: Placement, moves: Moves): NewEntries {
  const { file } = copier;
  const dict = wholeDictOfPage(file, page);
  const { x0, y0, x1, y1 } = shownArea(file, dict);
  // Content outside the page stays hidden.
  const clip = `${operands(matrix)} cm ${operands([x0, y0, x1 - x0, y1 - y0])} re W n`;
  const entries = new Map<string, string | undefined>(BOXES.map((key) => [key, undefined]));
  const area = `[${operands([0, 0, wide, high])}]`;
  entries.set('MediaBox', area);
  // A page without a crop box would have that of its parent.
  entries.set('CropBox', dict.has('CropBox') ? area : undefined);
  entries.set('Contents', surrounded(copier, dict, { around: clip }));
  const annotations = listOf(file, dict.get('Annots'));
  if (annotations.length > 0) {
    entries.set('Annots', `[${annotations.map((item) => placed(copier, item, matrix, moves)).join(' ')}]`);
  }
  return entries;
}

/** The annotation moved with its page's content. */
function placed(copier: Copier, item: Value, matrix: Matrix, moves: Moves): string {
  const { file } = copier;
  const dict = file.dict(item);
  if (dict === undefined) return valueText(item, copier);
  const changed = places(file, dict, matrix);
  if (item instanceof Ref) {
    copier.plan(item.num, changed);
    return valueText(item, copier);
  }
  const left = new Dict([...dict].filter(([key]) => !changed.has(key)));
  const added = [...changed].map(([key, text]) => `/${key} ${text}`).join('');
  return `${valueText(moved(left, moves), copier).slice(0, -2)}${added}>>`;
}

/** Entries that are pairs of coordinates (12.5.6), or lists of such. */
const POINTS = ['QuadPoints', 'L', 'Vertices', 'CL', 'InkList'];

function places(file: PdfFile, dict: Dict, matrix: Matrix): Map<string, string> {
  const changed = new Map<string, string>();
  const rect = rectOf(file, dict.get('Rect'));
  if (rect !== undefined) {
    const { x0, y0, x1, y1 } = boundsOf(quadOf(rect, matrix));
    changed.set('Rect', `[${operands([x0, y0, x1, y1])}]`);
  }
  for (const key of POINTS) {
    const value = file.resolve(dict.get(key));
    if (Array.isArray(value)) changed.set(key, pointsOf(file, value, matrix));
  }
  return changed;
}

function pointsOf(file: PdfFile, list: readonly Value[], matrix: Matrix): string {
  const items = list.map((item) => file.resolve(item));
  if (items.some((item) => Array.isArray(item))) {
    return `[${items.map((item) => (Array.isArray(item) ? pointsOf(file, item, matrix) : '')).join(' ')}]`;
  }
  const numbers = items.map((item) => (typeof item === 'number' ? item : 0));
  const moved: number[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const [, , , , x, y] = multiply(shift(numbers[i] ?? 0, numbers[i + 1] ?? 0), matrix);
    moved.push(x, y);
  }
  return `[${operands(moved)}]`;
}
