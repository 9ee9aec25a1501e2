import { lastOf, median, type NonEmpty, pairs, pushAll, runsOf } from '../../syntax/arrays.ts';
import { around, centreIsIn, type LeftOut, type PageContent } from '../content/page-content.ts';
import { formulasOf } from '../lines/formulas.ts';
import { type Line, linesOf } from '../lines/lines.ts';
import { joinPieces, type Piece, piecesOf } from '../lines/pieces.ts';
import { alignedTables, framedTables, wideTables } from '../tables/aligned-tables.ts';
import type { TextRegion } from '../tables/region.ts';
import { ruledTables } from '../tables/ruled-tables.ts';
import type { Table } from '../tables/tables.ts';
import { tableOfTags } from '../tables/tagged-tables.ts';
import { type Item, regionsOf } from './columns.ts';
import { groupsAtPanels } from './panels.ts';

export interface PageLayout {
  readonly width: number;
  readonly height: number;
  readonly regions: readonly TextRegion[];
  readonly leftOut: LeftOut;
}

interface Placed extends Item {
  readonly piece?: Piece;
  readonly region?: TextRegion;
}

export function layOut(content: PageContent): PageLayout {
  const tagged = (content.declared ?? []).map(tableOfTags);
  const inTags = new Set(content.declared?.flat(2).flatMap((cell) => cell.words));
  const untagged = inTags.size === 0 ? content.words : content.words.filter((word) => !inTags.has(word));
  const turned = content.turned.flatMap(({ words, place }) =>
    regionsOf(piecesOf(words).map(placedPiece)).map((group) =>
      linesOf(group.flatMap((item) => item.piece ?? [])).map((line) => ({ ...line, ...place(line), turned: true })),
    ),
  );
  const { tables, charts, rest } = ruledTables({ ...content, words: untagged }, turned.flat());
  const items: Placed[] = piecesOf(rest, content.rules).map(placedPiece);
  for (const words of charts) items.push({ ...placedLines(linesOf(piecesOf(words))), amount: 1 });
  for (const table of [...tagged, ...tables]) items.push(placedTable(table));
  for (const { alt, ...box } of content.figures ?? [])
    items.push({ ...box, size: 10, amount: 0, region: { kind: 'figure', alt } });
  for (const lines of turned) {
    const left = lines.filter((line) => !tables.some((table) => centreIsIn(line, table)));
    if (left.length > 0) items.push({ ...placedLines(left), amount: 1 });
  }
  const regions = groupsAtPanels(items, content.fills).flatMap((group) =>
    regionsOf(withTables(group, content)).flatMap((part) => regionsIn(part, content)),
  );
  return { width: content.width, height: content.height, regions, leftOut: content.leftOut };
}

/** The items with the tables and formulas that are found among their pieces. */
function withTables(items: readonly Placed[], content: PageContent): Placed[] {
  const framed = framedTables(
    items.flatMap(({ piece }) => piece ?? []),
    content,
  );
  const wide = wideTables(framed.rest, content);
  const formulas = formulasOf(wide.rest, content.words);
  return [
    ...formulas.rest.map(placedPiece),
    ...formulas.lines.map((line) => ({ ...placedLines([line]), amount: line.text.length })),
    ...items.filter(({ piece }) => piece === undefined),
    ...[...framed.tables, ...wide.tables].map(placedTable),
  ];
}

function regionsIn(group: readonly Placed[], content: PageContent): TextRegion[] {
  const regions: TextRegion[] = [];
  let pieces: Piece[] = [];
  const endLines = () => {
    pushAll(regions, alignedTables(joinStretched(pieces), content));
    pieces = [];
  };
  for (const item of [...group].sort((a, b) => a.y0 - b.y0)) {
    if (item.piece !== undefined) pieces.push(item.piece);
    else if (item.region !== undefined) {
      endLines();
      regions.push(item.region);
    }
  }
  endLines();
  return regions;
}

/** Characters that take the room of two letters (Unicode Standard Annex #11): Hangul and ideographs. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]/g;

function placedPiece(piece: Piece): Placed {
  const amount = piece.words.reduce((sum, { text }) => sum + text.length + (text.match(WIDE)?.length ?? 0) + 1, 0);
  return {
    x0: piece.x0,
    y0: piece.y0,
    x1: piece.x1,
    y1: piece.y1,
    size: piece.size,
    amount,
    leads: leads(piece),
    piece,
  };
}

/** Leader dots are one word, or a word each. */
function leads({ words }: Piece): boolean {
  return words.some((word, i) => /[.…]{4,}/.test(word.text) || (word.text === '.' && words[i + 1]?.text === '.'));
}

function placedTable(table: Table): Placed {
  const { x0, y0, x1, y1 } = table;
  return { x0, y0, x1, y1, size: 10, amount: 1, region: { kind: 'table', table } };
}

function placedLines(lines: readonly Line[]): Omit<Placed, 'amount'> {
  return { ...around(lines), size: lines[0]?.size ?? 1, region: { kind: 'lines', lines } };
}

// Justified text in narrow columns has gaps as wide as those between cells. Unlike in a table, most other lines are in
// one piece and fill the column.

/** Line ends that differ by less are equal, in points. */
const FLUSH = 1.5;
/** Fewer lines do not show that text is justified. */
const LEAST_LINES = 6;
/** The widest stretched space within a line, in em. */
const WIDEST = 3;

/** Joins the pieces of stretched lines in a region. */
function joinStretched(pieces: readonly Piece[]): Piece[] {
  const sorted = [...pieces].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const rows = runsOf(sorted, (piece, [first]) => piece.y - first.y < 0.2 * piece.size);
  for (const row of rows) row.sort((a, b) => a.x0 - b.x0);
  const left = median(rows.map(([first]) => first.x0));
  const right = median(rows.map((row) => lastOf(row).x1));
  if (left === undefined || right === undefined) return [];
  const fills = (row: NonEmpty<Piece>) =>
    Math.abs(row[0].x0 - left) < FLUSH && Math.abs(lastOf(row).x1 - right) < FLUSH;
  const whole = rows.filter((row) => row.length === 1 && fills(row)).length;
  if (whole < Math.max(LEAST_LINES, 0.3 * rows.length)) return [...pieces];
  return rows.flatMap((row) => (row.length > 1 && fills(row) && isStretched(row) ? [joinPieces(row)] : row));
}

function isStretched(row: readonly Piece[]): boolean {
  return pairs(row).every(([before, piece]) => {
    // A bold run-in title is set off from its paragraph on the same line.
    const alike = piece.words[0]?.face.bold === before.words.at(-1)?.face.bold;
    return alike && piece.x0 - before.x1 < WIDEST * piece.size && Math.abs(piece.size - before.size) < 0.1 * piece.size;
  });
}
