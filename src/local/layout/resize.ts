import { Failure } from '../../contract/failure.ts';
import type { resize } from '../../contract/operations/pages/layout.ts';
import { field, say } from '../../contract/wording.ts';
import { MovedDestinations } from '../../pdf/edit/layout/moved-destinations.ts';
import { type Placement, placementOf, resized } from '../../pdf/edit/layout/resize.ts';
import type { Copier } from '../../pdf/file/copy/copier.ts';
import type { NewEntries } from '../../pdf/file/copy/new-entries.ts';
import { rewrite } from '../../pdf/file/copy/rewrite.ts';
import type { Page } from '../../pdf/file/read/page-tree.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import { PAPER } from '../../pdf/page/paper.ts';
import { NAMES } from '../../pdf/syntax/scan.ts';
import type { Handler } from '../frame/handler.ts';
import { writePdf } from '../frame/write-pdf.ts';

export const run: Handler<typeof resize> = async (input, ctx) => {
  const { file, paper, width, height, margin, scale, upright } = input;
  const size = paper === undefined ? [width, height] : PAPER[paper];
  const [wide, high] = size;
  if (wide === undefined || high === undefined) {
    const message = say`resize needs ${field('width')} and ${field('height')} together, or ${field('paper')}`;
    throw new Failure('usage', message);
  }
  if (2 * margin >= Math.min(wide, high)) {
    throw new Failure('usage', say`${field('margin', margin)} leaves no room on the paper`, {
      hint: say`Give a smaller ${field('margin')}.`,
    });
  }
  return writePdf([file], 'resized.pdf', ctx, async ({ source, total, draft, pace, id, step }) => {
    const chosen = new Set(askedPages(file.name, total, input.pages));
    // A size in numbers is never turned.
    const turn = paper !== undefined && !upright;
    const description = JSON.stringify([wide, high, margin, scale, turn, [...chosen]]);
    const options = { width: wide, height: high, margin, turn, scale };
    const places = new Map<Page, Placement>();
    for (const [i, page] of source.tree.pages.entries()) {
      if (chosen.has(i + 1)) places.set(page, placementOf(source.file, page, options));
    }
    const moves = new Map([...places].map(([{ num }, { matrix }]) => [num, matrix]));
    const change = (page: Page, copier: Copier): NewEntries => {
      step('resize');
      const place = places.get(page);
      return place === undefined ? new Map() : resized(copier, page, place, moves);
    };
    await rewrite(source, draft, id(`resize ${description}`), pace, change, (copier) => {
      copier.note = NAMES;
      copier.change = new MovedDestinations(copier, moves);
    });
    return {};
  });
};
