// Owns lines of text: pieces of one region joined along their baselines. Knows nothing of what a line means.
import { textOf } from './line-text.ts';
import type { Box, Word } from './page-content.ts';
import { type Piece, pieceOf } from './pieces.ts';

/** A line of text as later steps see it. Shares (0 to 1) count characters. */
export interface Line extends Box {
  readonly text: string;
  readonly y: number;
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  /** Marked content of its first word. */
  readonly mark: number;
  /** From left to right. */
  readonly words: readonly Word[];
}

/** The lines of one region, from top to bottom. */
export function linesOf(pieces: readonly Piece[]): Line[] {
  const sorted = [...pieces].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const rows: Piece[][] = [];
  for (const piece of sorted) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row !== undefined && first !== undefined && onOneLine(first, piece, row)) row.push(piece);
    else rows.push([piece]);
  }
  return rows.map((row) => lineOf(row.length === 1 ? row[0]! : pieceOf(row.flatMap((piece) => piece.words))));
}

function onOneLine(first: Piece, piece: Piece, row: readonly Piece[]): boolean {
  if (Math.abs(piece.y - first.y) > 0.3 * Math.min(piece.size, first.size)) return false;
  return row.every((other) => piece.x0 >= other.x1 - 0.5 * piece.size || piece.x1 <= other.x0 + 0.5 * piece.size);
}

export function lineOf(piece: Piece): Line {
  let [bold, italic, mono, all] = [0, 0, 0, 0];
  for (const { text, face } of piece.words) {
    all += text.length;
    if (face.bold) bold += text.length;
    if (face.italic) italic += text.length;
    if (face.mono) mono += text.length;
  }
  return {
    x0: piece.x0,
    y0: piece.y0,
    x1: piece.x1,
    y1: piece.y1,
    text: textOf(piece.words),
    y: piece.y,
    size: Math.round(piece.size * 10) / 10,
    bold: bold > 0.8 * all,
    italic: italic > 0.8 * all,
    mono: mono > 0.8 * all,
    mark: piece.words[0]?.mark ?? -1,
    words: piece.words,
  };
}
