import { Failure } from '../../contract/failure.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { labelsSet } from '../../contract/operations/labels.ts';
import type { Context } from '../../contract/ports.ts';
import { changeCatalog } from '../../pdf/copy/catalog.ts';
import { parseLabels, signOf } from '../../pdf/document/label-list.ts';
import { checkCount } from '../../pdf/structure/input.ts';
import { type LabelRange, writeLabels } from '../../pdf/structure/labels.ts';
import { encodeText } from '../../pdf/syntax/text-strings.ts';
import { PdfString } from '../../pdf/syntax/values.ts';
import { type Edit, editDocument } from './edit.ts';

export async function run(
  { file, labels }: InputOf<typeof labelsSet>,
  ctx: Context,
): Promise<ResultOf<typeof labelsSet>> {
  const items = parseLabels(labels);
  const ranges: LabelRange[] = items.map(({ page, style, prefix, start }) => ({
    page: page - 1,
    style: signOf(style),
    prefix: prefix === null ? undefined : new PdfString(encodeText(prefix)),
    start,
  }));
  // The first page must have one (12.4.2): pages before those that are named keep their number.
  if (ranges[0]?.page !== 0) ranges.unshift({ page: 0, style: 'D', start: 1 });
  const edit: Edit = {
    begin({ file, tree }) {
      checkCount(file, items.length, 'page labels');
      const total = tree.pages.length;
      const wrong = items.find(({ page }) => page > total);
      if (wrong === undefined) return;
      throw new Failure('usage', `there is no page ${wrong.page} to label: ${file.name} has ${total}`, {
        hint: `Give pages from 1 to ${total}.`,
      });
    },
    prepare(copier) {
      changeCatalog(copier, new Map([['PageLabels', writeLabels(ranges).replace('/PageLabels', '')]]));
    },
  };
  return editDocument(file, ['labels set', items], edit, ctx);
}
