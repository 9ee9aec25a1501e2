import { Failure } from '../contract/base/failure.ts';
import { field, say } from '../contract/base/wording.ts';
import type { optimize } from '../contract/operations/size/optimize.ts';
import { insertBlankPages } from '../pdf/edit/layout/blank-pages.ts';
import { openSource } from '../pdf/file/open.ts';
import { linearize } from '../pdf/linearize/linearize.ts';
import type { Handler } from './frame/handler.ts';
import { writePdf } from './frame/write-pdf.ts';

export const run: Handler<typeof optimize> = ({ file, linearize: wanted }, ctx) => {
  return writePdf([file], 'linearized.pdf', ctx, async ({ source, draft, temp, pace, id }) => {
    if (wanted !== true) {
      throw new Failure('usage', say`optimize needs ${field('linearize', true)}`, {
        hint: 'To make a PDF smaller: pdftool compress FILE.',
      });
    }
    // Writes inherited attributes into every page: readers of a linearized file do not look at the nodes above it.
    const flat = temp.create('flat.pdf');
    await insertBlankPages(source, flat, id('flat'), pace, { after: new Map(), size: undefined });
    const ground = await openSource(flat.finish(), {});
    const objects = temp.create('objects.pdf');
    await linearize(ground, draft, objects, id('linearize'), pace);
    objects.discard();
    flat.discard();
    return {};
  });
};
