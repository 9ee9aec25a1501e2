import { lastOf, type NonEmpty, pairs, runsOf } from '../../syntax/arrays.ts';
import type { PageLayout } from '../layout/page-layout.ts';
import { vocabularyOf } from '../layout/vocabulary.ts';
import { withShortLeader } from '../lines/contents.ts';
import type { Line } from '../lines/lines.ts';
import type { TextRegion } from '../tables/region.ts';
import { joinedCells } from '../tables/tables.ts';

/** The share of a region's lines that are as close to the line above as lines of a paragraph, or closer. */
const CLOSE = 0.4;
/** So many times that distance is more than the space between two lines of a paragraph. */
const APART = 1.3;

export function plainText(layout: PageLayout): string {
  const hasTable = layout.regions.some(({ kind }) => kind === 'table');
  const vocabulary = vocabularyOf(hasTable ? [layout] : []);
  return layout.regions.map((region) => regionText(region, vocabulary)).join('\n\n');
}

function regionText(region: TextRegion, vocabulary: ReadonlySet<string>): string {
  if (region.kind === 'lines') return paragraphsOf(region.lines).map(textOfLines).join('\n\n');
  if (region.kind === 'figure') return region.alt;
  return joinedCells(region.table, vocabulary)
    .rows.map((row) => row.map((cell) => cell.text))
    .map((cells) => cells.filter((text) => text !== '').join('  '))
    .join('\n');
}

/** Lines in runs with more space between them than within. */
function paragraphsOf(lines: readonly Line[]): NonEmpty<Line>[] {
  const pitches = pairs(lines).flatMap(([before, { y }]) => (y > before.y ? y - before.y : []));
  const usual = pitches.sort((a, b) => a - b)[Math.floor(CLOSE * pitches.length)] ?? 0;
  return runsOf(lines, ({ y, size }, run) => {
    const pitch = y - lastOf(run).y;
    return pitch >= -0.5 * size && pitch <= APART * usual;
  });
}

function textOfLines(lines: readonly Line[]): string {
  return lines.map((line) => withShortLeader(line.text)).join('\n');
}
