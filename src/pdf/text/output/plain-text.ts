import type { PageLayout } from '../layout/page-layout.ts';
import { withShortLeader } from '../lines/contents.ts';
import type { TextRegion } from '../tables/region.ts';

export function plainText(layout: PageLayout): string {
  return layout.regions.map(regionText).join('\n\n');
}

function regionText(region: TextRegion): string {
  if (region.kind === 'lines') return region.lines.map((line) => withShortLeader(line.text)).join('\n');
  if (region.kind === 'figure') return region.alt;
  return region.table.rows
    .map((row) => row.map((cell) => cell.text))
    .map((cells) => cells.filter((text) => text !== '').join('  '))
    .join('\n');
}
