import { greatest } from '../../syntax/arrays.ts';
import { around, type TextBox, type Word } from '../content/page-content.ts';
import type { Piece } from '../lines/pieces.ts';
import { across, type Signs } from './table-criteria.ts';
import { type Column, partedRows, type Row, reach } from './table-rows.ts';
import { type Cell, cellOf, clusters, inside, type Table } from './tables.ts';
import { groupRows } from './wrapped-rows.ts';

/** Names over several columns stand in the first rows. */
const HEAD_ROWS = 2;

/** The first and last column above a rule below part of a head: it joins the names below it under the one above. */
function spanOf(
  piece: Piece,
  next: Row | undefined,
  columns: readonly Column[],
  signs: Signs,
): [number, number] | undefined {
  const lowest = Math.min(next?.y ?? piece.y, piece.y + piece.size);
  const rule = signs.rules.find(({ x0, x1, y0, y1 }) => {
    return y1 - y0 < x1 - x0 && y0 > piece.y && y0 < lowest && x0 < piece.x0 + 2 && x1 > piece.x1 - 2;
  });
  if (rule === undefined) return undefined;
  const isHeld = ({ x0, x1 }: Column) => (x0 + x1) / 2 > rule.x0 && (x0 + x1) / 2 < rule.x1;
  const [first, last] = [columns.findIndex(isHeld), columns.findLastIndex(isHeld)];
  return first >= 0 && last - first + 1 < columns.length ? [first, last] : undefined;
}

/** Beside a name over several columns, that of a single one stands for both lines of the head, wherever it is set. */
function withHighCells(rows: Cell[][]): Cell[][] {
  const [top = [], below = [], ...others] = rows;
  const starts = top.map((_, i) => top.slice(0, i).reduce((sum, { colspan }) => sum + colspan, 0));
  const under = top.map(({ colspan }, i) => below.slice(starts[i], (starts[i] ?? 0) + colspan));
  const named = under.every((cells, i) => top[i]?.colspan === 1 || cells.every(({ text }) => text !== ''));
  if (top.length < 2 || top.length === below.length || !named || below.some(({ colspan }) => colspan > 1)) return rows;
  const high = new Set(
    top.flatMap((cell, i) =>
      cell.colspan === 1 && [cell, ...(under[i] ?? [])].some(({ text }) => text === '') ? i : [],
    ),
  );
  const both = top.map((cell, i) => {
    const [other = cell] = under[i] ?? [];
    return high.has(i) ? { ...(cell.text === '' ? other : cell), rowspan: 2 } : cell;
  });
  return [both, under.flatMap((cells, i) => (high.has(i) ? [] : cells)), ...others];
}

/** Rows of cells with these boxes, each over the columns whose middle it holds. */
function rowsIn(boxes: readonly TextBox[], words: readonly Word[], columns: readonly Column[]): Cell[][] {
  const tops = clusters(
    boxes.map(({ y0 }) => y0),
    2,
  );
  const rowAt = (y: number) => tops.filter((top) => top < y - 2).length;
  return tops.map((_, row) =>
    boxes
      .filter(({ y0 }) => rowAt(y0) === row)
      .sort((a, b) => a.x0 - b.x0)
      .map((box) => {
        const covered = columns.filter(({ x0, x1 }) => (x0 + x1) / 2 > box.x0 && (x0 + x1) / 2 < box.x1).length;
        return cellOf(
          words.filter((word) => inside(word, box)),
          covered,
          rowAt(box.y1) - row,
        );
      }),
  );
}

/** The table of these rows; `head`: the shaded cells above them. */
export function tableOf(
  text: readonly Row[],
  columns: readonly Column[],
  signs: Signs,
  head: readonly TextBox[] = [],
): Table {
  const bottom = greatest([-Infinity, ...head.map(({ y1 }) => y1)]);
  const above = text.filter(({ y }) => y < bottom);
  const shaded = rowsIn(
    head,
    above.flatMap(({ pieces }) => pieces.flatMap(({ words }) => words)),
    columns,
  );
  const run = partedRows(text.slice(above.length), columns);
  const groups = groupRows(run, columns, across(run, signs.rules));
  const rows = groups.map((group, at): Cell[] => {
    const slots = columns.map(() => ({ pieces: [] as Piece[], span: 1 }));
    for (const piece of group.flatMap((row) => row.pieces)) {
      const held = at < HEAD_ROWS ? spanOf(piece, groups[at + 1]?.[0], columns, signs) : undefined;
      const [first, last] = held ?? reach(piece, columns);
      const slot = slots[first];
      slot?.pieces.push(piece);
      if (slot !== undefined && (group.length === 1 || held)) slot.span = Math.max(slot.span, last - first + 1);
    }
    const cells: Cell[] = [];
    let next = 0;
    for (const [i, { pieces, span }] of slots.entries()) {
      if (i < next) continue;
      const filled = slots.slice(i + 1, i + span).findIndex((slot) => slot.pieces.length > 0);
      const colspan = filled < 0 ? span : filled + 1;
      const words = pieces.flatMap((piece) => piece.words);
      cells.push(cellOf(words, colspan, 1));
      next = i + colspan;
    }
    return cells;
  });
  const size = greatest(text.map((row) => row.size));
  return {
    rows: [...shaded, ...(shaded.length > 0 ? rows : withHighCells(rows))],
    columns: columns.length,
    size,
    ...around(text),
    y0: text[0]?.y0 ?? 0,
    y1: text.at(-1)?.y1 ?? 0,
  };
}
