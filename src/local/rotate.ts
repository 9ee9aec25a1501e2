import { Failure } from '../contract/base/failure.ts';
import type { rotate } from '../contract/operations/pages/pages.ts';
import { rewrite } from '../pdf/file/copy/rewrite.ts';
import type { Source } from '../pdf/file/open.ts';
import type { Page } from '../pdf/file/read/page-tree.ts';
import type { Handler } from './frame/handler.ts';
import { type MadePdf, type Making, writePdf } from './frame/write-pdf.ts';

export const run: Handler<typeof rotate> = (input, ctx) => {
  const { file, angle, incremental } = input;
  const write = async ({ source, draft, pace, id, step, append }: Making): Promise<MadePdf> => {
    const name = id(`rotate ${[angle, ...(input.pages ?? [])].join(' ')}`);
    const { inheritsRotate } = source.tree;
    const chosen = input.pages === undefined ? undefined : pagesOf(source, input.pages);
    const turn = (page: Page) => {
      step('rotate');
      const isChosen = chosen?.has(page) !== false;
      const degrees = (page.rotate + (isChosen ? angle : 0) + 360) % 360;
      // Left out where it is 0 and not inherited.
      const turned = degrees !== 0 || inheritsRotate ? String(degrees) : undefined;
      // An incremental update contains only the pages to turn: `verify` lists all pages that an update writes.
      return new Map(append !== undefined && !isChosen ? [] : [['Rotate', turned]]);
    };
    await rewrite(source, draft, name, pace, turn, undefined, { append });
    return {};
  };
  return writePdf([file], 'rotated.pdf', ctx, write, { incremental });
};

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
