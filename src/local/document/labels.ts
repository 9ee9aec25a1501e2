import { Failure } from '../../contract/failure.ts';
import type { labelsClear, labelsSet, labelsShow } from '../../contract/operations/edit/labels.ts';
import { formatLabels, numberingOf, parseLabels, signOf } from '../../pdf/edit/document/label-list.ts';
import { catalogOf } from '../../pdf/file/read/entries.ts';
import { checkCount } from '../../pdf/structure/input.ts';
import { type LabelRange, readLabels, writeLabels } from '../../pdf/structure/labels.ts';
import { encodeText, textOf } from '../../pdf/syntax/text-strings.ts';
import { PdfString } from '../../pdf/syntax/values.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';
import { type Edit, editDocument } from './edit.ts';

export const showLabels: Handler<typeof labelsShow> = ({ file: input }, ctx) => {
  return withSource(input, ctx, async ({ file }) => {
    const labels = (readLabels(file, catalogOf(file)) ?? []).map(({ page, style, prefix, start }) => {
      return { page: page + 1, style: numberingOf(style), prefix: textOf(prefix ?? null), start };
    });
    const warnings = labels.length === 0 ? [`${file.name} has no page labels`] : [];
    return { kind: 'record', record: { ok: true, labels, text: formatLabels(labels) }, warnings };
  });
};

export const setLabels: Handler<typeof labelsSet> = async ({ file, labels, incremental }, ctx) => {
  const items = parseLabels(labels);
  const ranges: LabelRange[] = items.map(({ page, style, prefix, start }) => ({
    page: page - 1,
    style: signOf(style),
    prefix: prefix === null ? undefined : new PdfString(encodeText(prefix)),
    start,
  }));
  // The first page must have a label (ISO 32000-1, 12.4.2): pages before the first named range keep their number.
  if (ranges[0]?.page !== 0) ranges.unshift({ page: 0, style: 'D', start: 1 });
  const edit: Edit = {
    incremental,
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
      copier.planCatalog(new Map([['PageLabels', writeLabels(ranges).replace('/PageLabels', '')]]));
    },
  };
  return editDocument(file, ['labels set', items], edit, ctx);
};

export const clearLabels: Handler<typeof labelsClear> = ({ file }, ctx) => {
  const edit: Edit = { prepare: (copier) => copier.planCatalog(new Map([['PageLabels', undefined]])) };
  return editDocument(file, ['labels clear'], edit, ctx);
};
