import { Failure } from '../../contract/failure.ts';
import { NUP_GAP, type nup } from '../../contract/operations/pages/layout.ts';
import { field, pagesOf, say } from '../../contract/wording.ts';
import { bookletOrder, gridFor, writeSheets } from '../../pdf/edit/layout/nup.ts';
import { losesArchive, whyNotInside } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import { hasOutputIntent } from '../../pdf/file/read/claims.ts';
import { wholeDictOfPage } from '../../pdf/file/read/page-dict.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import { PAPER } from '../../pdf/page/paper.ts';
import { viewOf } from '../../pdf/page/view.ts';
import type { Handler } from '../frame/handler.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';

export const run: Handler<typeof nup> = (input, ctx) => {
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
