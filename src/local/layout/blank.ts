import { Failure } from '../../contract/failure.ts';
import type { blank } from '../../contract/operations/pages/layout.ts';
import { field, say } from '../../contract/wording.ts';
import { insertBlankPages } from '../../pdf/edit/layout/blank-pages.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import { PAPER } from '../../pdf/page/paper.ts';
import type { Handler } from '../frame/handler.ts';
import { writePdf } from '../frame/write-pdf.ts';

const MOST = 100_000;

export const run: Handler<typeof blank> = (input, ctx) => {
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
