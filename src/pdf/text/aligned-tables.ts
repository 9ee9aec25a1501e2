// Owns tables that only the alignment of their cells shows. Knows nothing of text flow around them.
import { type Line, linesOf } from './lines.ts';
import type { Box } from './page-content.ts';
import type { Region } from './page-layout.ts';
import type { Piece } from './pieces.ts';

/** Parts the pieces of one column into tables and lines between them. */
export function alignedTables(pieces: readonly Piece[], _rules: readonly Box[]): Region[] {
  const lines: Line[] = linesOf(pieces);
  return lines.length === 0 ? [] : [{ kind: 'lines', lines }];
}
