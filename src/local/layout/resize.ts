import { Failure } from '../../contract/failure.ts';
import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { resize } from '../../contract/operations/layout.ts';
import type { Context } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import type { Copier } from '../../pdf/copy/copier.ts';
import type { NewEntries } from '../../pdf/copy/new-entries.ts';
import { rewrite } from '../../pdf/copy/rewrite.ts';
import { MovedDestinations } from '../../pdf/edit/layout/moved-destinations.ts';
import { type Placement, placementOf, resized } from '../../pdf/edit/layout/resize.ts';
import { Pace } from '../../pdf/pace.ts';
import { PAPER } from '../../pdf/paper.ts';
import type { Page } from '../../pdf/read/page-tree.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { numbersOf } from '../../pdf/render/page-names.ts';
import { NAMES } from '../../pdf/syntax/scan.ts';
import { checked } from '../../pdf/write/check.ts';

export async function run(input: InputOf<typeof resize>, ctx: Context): Promise<ResultOf<typeof resize>> {
  const { file, paper, width, height, margin = 0, scale, upright = false } = input;
  const size = paper === undefined ? [width, height] : PAPER[paper];
  const [wide, high] = size;
  if (wide === undefined || high === undefined) {
    throw new Failure('usage', 'resize needs --width and --height together, or --paper');
  }
  if (2 * margin >= Math.min(wide, high)) {
    throw new Failure('usage', `--margin ${margin} leaves no room on the paper`, { hint: 'Give a smaller --margin.' });
  }
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const total = source.tree.pages.length;
    const chosen = new Set(numbersOf(file.name, total, input.pages));
    const draft = temp.create('resized.pdf');
    // A size of one's own is taken as it is given.
    const turn = paper !== undefined && !upright;
    const said = JSON.stringify([wide, high, margin, scale, turn, [...chosen]]);
    const wish = { width: wide, height: high, margin, turn, scale };
    const places = new Map<Page, Placement>();
    for (const [i, page] of source.tree.pages.entries()) {
      if (chosen.has(i + 1)) places.set(page, placementOf(source.file, page, wish));
    }
    const moves = new Map([...places].map(([{ num }, { matrix }]) => [num, matrix]));
    let done = 0;
    const change = (page: Page, copier: Copier): NewEntries => {
      ctx.progress({ phase: 'resize', done: done++, total, unit: 'pages' });
      const place = places.get(page);
      return place === undefined ? new Map() : resized(copier, page, place, moves);
    };
    await rewrite(source, draft, fingerprint(sources, `resize ${said}`), new Pace(ctx), change, (copier) => {
      copier.note = NAMES;
      copier.change = new MovedDestinations(copier, moves);
    });
    const body = await checked(draft.finish(), total);
    return { kind: 'bytes', mediaType: PDF, body, pages: total, warnings: signatureWarning(source.file) };
  });
}
