import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { labelsShow } from '../../contract/operations/labels.ts';
import type { Context } from '../../contract/ports.ts';
import { formatLabels, styleOf } from '../../pdf/document/label-list.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { catalogOf } from '../../pdf/structure/input.ts';
import { readLabels } from '../../pdf/structure/labels.ts';
import { textOf } from '../../pdf/syntax/text-strings.ts';

export function run({ file: input }: InputOf<typeof labelsShow>, ctx: Context): Promise<ResultOf<typeof labelsShow>> {
  return withSources([input], ctx, async (sources) => {
    const [{ file }] = sources as [Source];
    const labels = (readLabels(file, catalogOf(file)) ?? []).map(({ page, style, prefix, start }) => {
      return { page: page + 1, style: styleOf(style), prefix: textOf(prefix ?? null), start };
    });
    const warnings = labels.length === 0 ? [`${file.name} has no page labels`] : [];
    return { kind: 'record', record: { ok: true, labels, text: formatLabels(labels) }, warnings };
  });
}
