// Owns putting one page in order: words to pieces, columns, lines and tables. Knows neither pdf.js nor Markdown.
import { regionsOf } from './columns.ts';
import { type Line, linesOf } from './lines.ts';
import type { Box, PageContent } from './page-content.ts';
import { type Piece, piecesOf } from './pieces.ts';

export interface Region {
  readonly lines: readonly Line[];
}

export interface PageLayout {
  readonly width: number;
  readonly height: number;
  readonly regions: readonly Region[];
  readonly outside: number;
}

interface Placed extends Box {
  readonly size: number;
  readonly amount: number;
  readonly piece?: Piece;
  readonly region?: Region;
}

export function layOut(content: PageContent): PageLayout {
  const items: Placed[] = piecesOf(content.words).map((piece) => placed(piece));
  for (const { words, place } of content.turned) {
    const pieces = piecesOf(words);
    for (const group of regionsOf(pieces.map((piece) => placed(piece)))) {
      const lines = linesOf(group.flatMap((item) => item.piece ?? []));
      const box = lines.map((line) => place(line));
      items.push({ ...around(box), size: lines[0]?.size ?? 1, amount: 1, region: { lines } });
    }
  }
  const regions: Region[] = [];
  for (const group of regionsOf(items)) {
    let pieces: Piece[] = [];
    const endLines = () => {
      if (pieces.length > 0) regions.push({ lines: linesOf(pieces) });
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
  }
  return { width: content.width, height: content.height, regions, outside: content.outside };
}

function placed(piece: Piece): Placed {
  const amount = piece.words.reduce((sum, word) => sum + word.text.length + 1, 0);
  return { x0: piece.x0, y0: piece.y0, x1: piece.x1, y1: piece.y1, size: piece.size, amount, piece };
}

function around(boxes: readonly Box[]): Box {
  return {
    x0: Math.min(...boxes.map((box) => box.x0)),
    y0: Math.min(...boxes.map((box) => box.y0)),
    x1: Math.max(...boxes.map((box) => box.x1)),
    y1: Math.max(...boxes.map((box) => box.y1)),
  };
}
