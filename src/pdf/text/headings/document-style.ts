import { greatest, least } from '../../syntax/arrays.ts';
import { BLACK, type PackedColour } from '../content/fill-colour.ts';
import type { PageLayout } from '../layout/page-layout.ts';

export interface DocumentStyle {
  /** The font size of most text, in points. */
  readonly body: number;
  readonly colour: PackedColour;
  readonly bold: boolean;
  /** Most text is in a fixed-pitch face, which then does not mean code. */
  readonly mono: boolean;
}

/** Most lines of a title. */
const MOST_OF_TITLE = 2;

/** With fewer characters than this, a title may be most of the text: the smallest size is then that of the text. */
const LITTLE_TEXT = 150;

export function documentStyle(pages: readonly PageLayout[]): DocumentStyle {
  const sizes = new Map<number, number>();
  const tables: number[] = [];
  const colours = new Map<PackedColour, number>();
  let [all, bold, mono, lines] = [0, 0, 0, 0];
  for (const page of pages) {
    for (const region of page.regions) {
      if (region.kind === 'table') {
        tables.push(region.table.size);
        continue;
      }
      if (region.kind === 'figure') continue;
      lines += region.lines.length;
      for (const line of region.lines) {
        const amount = line.text.length;
        all += amount;
        if (line.colour !== undefined) colours.set(line.colour, (colours.get(line.colour) ?? 0) + amount);
        if (line.mono) {
          mono += amount;
          continue;
        }
        if (line.bold) bold += amount;
        const size = Math.round(line.size * 2) / 2;
        sizes.set(size, (sizes.get(size) ?? 0) + amount);
      }
    }
  }
  let [body, most] = [10, 0];
  for (const [size, amount] of sizes) if (amount > most) [body, most] = [size, amount];
  if (all < LITTLE_TEXT && sizes.size > 1) [body, bold] = [least(sizes.keys()), 0];
  // Slides that have a title and a table: what the title is larger than is the text in the table.
  if (tables.length > 0 && lines <= MOST_OF_TITLE * pages.length) body = Math.min(body, greatest(tables));
  const [[colour] = [BLACK]] = [...colours].sort((a, b) => b[1] - a[1]);
  return { body, colour, bold: bold > 0.6 * all, mono: mono > 0.8 * all };
}
