import { Failure } from '../../contract/base/failure.ts';
import { field, pagesOf, say } from '../../contract/base/wording.ts';
import { type blank, NUP_GAP, type nup, type resize } from '../../contract/operations/pages/layout.ts';
import { insertBlankPages } from '../../pdf/edit/layout/blank-pages.ts';
import { MovedDestinations } from '../../pdf/edit/layout/moved-destinations.ts';
import { bookletOrder, gridFor, writeSheets } from '../../pdf/edit/layout/nup.ts';
import { type Placement, placementOf, resized } from '../../pdf/edit/layout/resize.ts';
import type { Copier } from '../../pdf/file/copy/copier.ts';
import type { NewEntries } from '../../pdf/file/copy/new-entries.ts';
import { rewrite } from '../../pdf/file/copy/rewrite.ts';
import { losesArchive, whyNotInside } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import { hasOutputIntent } from '../../pdf/file/read/claims.ts';
import { wholeDictOfPage } from '../../pdf/file/read/page-dict.ts';
import type { Page } from '../../pdf/file/read/page-tree.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import { PAPER } from '../../pdf/page/paper.ts';
import { viewOf } from '../../pdf/page/view.ts';
import { NAMES } from '../../pdf/syntax/scan.ts';
import type { Handler } from '../frame/handler.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';

const MOST = 100_000;

export const insertBlanks: Handler<typeof blank> = (input, ctx) => {
  const { file, after = [], first, count, paper } = input;
  return writePdf([file], 'with-blanks.pdf', ctx, async ({ source, total, draft, pace, id }) => {
    const places = [...(first ? [0] : []), ...askedPages(file.name, total, after)];
    if (places.length === 0)
      throw new Failure('usage', 'blank needs a place', {
        hint: say`Give ${field('after', 'PAGES')} or ${field('first', true)}.`,
      });
    if (places.length * count > MOST) {
      throw new Failure('usage', `expected at most ${MOST} empty pages, found ${places.length * count}`);
    }
    const options = { after: new Map(places.map((page) => [page, count])), size: paper && PAPER[paper] };
    const name = id(`blank ${JSON.stringify([places, count, paper])}`);
    return { pages: await insertBlankPages(source, draft, name, pace, options) };
  });
};

export const makeSheets: Handler<typeof nup> = (input, ctx) => {
  const { file, per_sheet: cells, paper, margin, border, booklet } = input;
  const { gap = booklet || cells === 1 ? 0 : NUP_GAP } = input;
  const write = async ({ source, total, draft, pace, id }: Making): Promise<MadePdf> => {
    if (booklet && cells !== 2) throw new Failure('usage', say`${field('booklet')} needs ${field('per_sheet', 2)}`);
    const chosen = askedPages(file.name, total, input.pages);
    const [first] = chosen.map((number) => source.tree.pages[number - 1]);
    if (first === undefined) throw new TypeError('a document has pages');
    const view = viewOf(source.file, wholeDictOfPage(source.file, first), first.rotate);
    const grid = gridFor(cells, view, PAPER[paper]);
    const room = [grid.width - 2 * margin - (grid.columns - 1) * gap, grid.height - 2 * margin - (grid.rows - 1) * gap];
    if (room.some((side) => side < 1))
      throw new Failure('usage', say`${field('margin')} and ${field('gap')} leave no room on the sheets`);
    const sheets = { ...grid, margin, gap, border, enlarge: true };
    const order = booklet ? bookletOrder(chosen) : chosen;
    const name = id(`nup ${JSON.stringify([sheets, order])}`);
    const { count, linked } = await writeSheets(source, draft, name, pace, sheets, order, (done) =>
      ctx.progress({ phase: 'nup', done, total: order.length, unit: 'pages' }),
    );
    const warnings = linked.size === 0 ? [] : [`${file.name}: links on ${pagesOf(linked.size)} are left out`];
    return { pages: count, warnings };
  };
  const loses = ([source]: readonly Source[]) => losesArchive(source && whyNotSheets(source, border));
  return writePdf([file], 'sheets.pdf', ctx, write, { loses });
};

/** Why the sheets cannot keep the pages' claim of PDF/A; undefined where they can. */
function whyNotSheets(source: Source, border: boolean): string | undefined {
  const { file, tree } = source;
  if (tree.pages.some((page) => wholeDictOfPage(file, page).has('OutputIntents')))
    return 'its pages differ in their output intents';
  if (border && !hasOutputIntent(file)) return 'lines around pages would need an output intent, which it has not';
  return whyNotInside(source);
}

export const resizePages: Handler<typeof resize> = async (input, ctx) => {
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
