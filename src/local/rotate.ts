import { Failure } from '../contract/failure.ts';
import { PDF } from '../contract/media.ts';
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { rotate } from '../contract/operations/pages.ts';
import type { Context } from '../contract/ports.ts';
import { fingerprint } from '../pdf/copy/assemble.ts';
import { rewrite } from '../pdf/copy/rewrite.ts';
import { Pace } from '../pdf/pace.ts';
import type { Page } from '../pdf/read/page-tree.ts';
import { signatureWarning } from '../pdf/read/signature.ts';
import { type Source, withSources } from '../pdf/read/source.ts';
import { checked } from '../pdf/write/check.ts';
import { appendRotation } from '../pdf/write/incremental-update.ts';

export function run(input: InputOf<typeof rotate>, ctx: Context): Promise<ResultOf<typeof rotate>> {
  const { file, angle, incremental } = input;
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const draft = temp.create('rotated.pdf');
    const id = fingerprint(sources, `rotate ${[angle, ...(input.pages ?? [])].join(' ')}`);
    const { pages, inheritsRotate } = source.tree;
    const chosen = input.pages === undefined ? undefined : pagesOf(source, input.pages);
    let done = 0;
    const turn = (page: Page): number | undefined => {
      ctx.progress({ phase: 'rotate', done: done++, total: pages.length, unit: 'pages' });
      return turned(page, chosen?.has(page) === false ? 0 : angle, inheritsRotate);
    };
    // What is appended says which pages were changed since somebody signed.
    const picked = chosen === undefined ? pages : pages.filter((page) => chosen.has(page));
    if (incremental === true) await appendRotation(source, draft, id, new Pace(ctx), picked, turn);
    else await rewrite(source, draft, id, new Pace(ctx), (page) => new Map([['Rotate', turn(page)?.toString()]]));
    const body = await checked(draft.finish(), pages.length);
    const warnings = signatureWarning(source.file, incremental);
    return { kind: 'bytes', mediaType: PDF, body, pages: pages.length, warnings };
  });
}

function pagesOf({ tree, file }: Source, numbers: readonly number[]): ReadonlySet<Page> {
  return new Set(
    numbers.map((number) => {
      const page = tree.pages[number - 1];
      if (page !== undefined) return page;
      throw new Failure('usage', `${file.name} has ${tree.pages.length} pages; there is no page ${number}`, {
        hint: `Give pages from 1 to ${tree.pages.length}.`,
      });
    }),
  );
}

/** /Rotate of a page after a turn: left out where it is 0 and no node above the page says otherwise. */
function turned(page: Page, angle: number, inheritsRotate: boolean): number | undefined {
  const degrees = (page.rotate + angle + 360) % 360;
  return degrees !== 0 || inheritsRotate ? degrees : undefined;
}
