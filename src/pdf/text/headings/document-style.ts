import type { PageLayout } from '../layout/page-layout.ts';

export interface DocumentStyle {
  /** The size most text is set in, in points. */
  readonly body: number;
  readonly bold: boolean;
  /** Most text is in a fixed-pitch face: then such a face does not mean code. */
  readonly mono: boolean;
}

export function styleOf(pages: readonly PageLayout[]): DocumentStyle {
  const sizes = new Map<number, number>();
  let [all, bold, mono] = [0, 0, 0];
  for (const page of pages) {
    for (const region of page.regions) {
      if (region.kind !== 'lines') continue;
      for (const line of region.lines) {
        const amount = line.text.length;
        all += amount;
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
  return { body, bold: bold > 0.6 * all, mono: mono > 0.8 * all };
}
