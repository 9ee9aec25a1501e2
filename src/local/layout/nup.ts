import { Failure } from '../../contract/failure.ts';
import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { nup } from '../../contract/operations/layout.ts';
import { pagesOf } from '../../contract/page-range.ts';
import type { Context } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import { bookletOrder, gridFor, writeSheets } from '../../pdf/edit/layout/nup.ts';
import { Pace } from '../../pdf/pace.ts';
import { PAPER } from '../../pdf/paper.ts';
import { wholeDictOfPage } from '../../pdf/read/page-dict.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { numbersOf } from '../../pdf/render/page-names.ts';
import { viewOf } from '../../pdf/text/page-view.ts';
import { checked } from '../../pdf/write/check.ts';

/** Points between two pages where nothing is said: there is none in a booklet. */
const GAP = 6;

export function run(input: InputOf<typeof nup>, ctx: Context): Promise<ResultOf<typeof nup>> {
  const { file, per_sheet: cells, paper = 'A4', margin = 0, border = false, booklet = false } = input;
  const { gap = booklet || cells === 1 ? 0 : GAP } = input;
  return withSources([file], ctx, async (sources, temp) => {
    if (booklet && cells !== 2) throw new Failure('usage', '--booklet needs --per-sheet 2');
    const [source] = sources as [Source];
    const chosen = numbersOf(file.name, source.tree.pages.length, input.pages);
    const [first] = chosen.map((number) => source.tree.pages[number - 1]);
    if (first === undefined) throw new TypeError('a document has pages');
    const view = viewOf(source.file, wholeDictOfPage(source.file, first), first.rotate);
    const grid = gridFor(cells, view, PAPER[paper]);
    const room = [grid.width - 2 * margin - (grid.columns - 1) * gap, grid.height - 2 * margin - (grid.rows - 1) * gap];
    if (room.some((side) => side < 1)) throw new Failure('usage', '--margin and --gap leave no room on the sheets');
    const sheets = { ...grid, margin, gap, border, enlarge: true };
    const order = booklet ? bookletOrder(chosen) : chosen;
    const draft = temp.create('sheets.pdf');
    const said = JSON.stringify([sheets, order]);
    const id = fingerprint(sources, `nup ${said}`);
    const { count, linked } = await writeSheets(source, draft, id, new Pace(ctx), sheets, order, (done) =>
      ctx.progress({ phase: 'nup', done, total: order.length, unit: 'pages' }),
    );
    const body = await checked(draft.finish(), count);
    const left = linked.size === 0 ? [] : [`${file.name}: links on ${pagesOf(linked.size)} are left out`];
    return { kind: 'bytes', mediaType: PDF, body, pages: count, warnings: [...left, ...signatureWarning(source.file)] };
  });
}
