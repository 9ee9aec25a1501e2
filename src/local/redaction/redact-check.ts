import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { redactCheck } from '../../contract/operations/redaction.ts';
import type { Context } from '../../contract/ports.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { checkDocument } from '../../pdf/redact/check-document.ts';
import { readRegions } from '../../pdf/redact/regions.ts';
import { listOf, textOption } from './redaction-options.ts';
import { withEyes } from './redaction-tools.ts';

export function run(
  { file, options = {} }: InputOf<typeof redactCheck>,
  ctx: Context,
): Promise<ResultOf<typeof redactCheck>> {
  const terms = listOf(options, 'find');
  const label = textOption(options, 'label');
  return withSources([file], ctx, async (sources) => {
    const [source] = sources as [Source];
    const regions = options.regions === undefined ? [] : readRegions(options.regions, source.tree.pages.length);
    const { pages, leaks, notes } = await withEyes(ctx, (tools) =>
      checkDocument(source, { regions, terms, label }, tools),
    );
    return { kind: 'record', record: { ok: true, page_count: pages, readable: leaks.length > 0, leaks, notes } };
  });
}
