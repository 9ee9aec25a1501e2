import type { redactCheck } from '../../contract/operations/edit/redaction.ts';
import { checkDocument } from '../../pdf/redact/check-document.ts';
import { readRegions } from '../../pdf/redact/regions.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';
import { recogniseWith } from './recognise-pages.ts';
import { textList, textOption } from './redaction-options.ts';
import { withEyes } from './redaction-tools.ts';
import { differencesTold, unreadTold } from './told.ts';

export const run: Handler<typeof redactCheck> = ({ file, options }, ctx) => {
  const terms = textList(options, 'find');
  const label = textOption(options, 'label');
  return withSource(file, ctx, async (source, temp) => {
    const regions = options.regions === undefined ? [] : readRegions(options.regions, source.tree.pages.length);
    const { recognise } = recogniseWith(source, file, { ...ctx, temp }, false);
    const wanted = { regions, terms, label };
    const check = await withEyes(ctx, (tools) => checkDocument(source, wanted, { ...tools, recognise }));
    const { pages, leaks, hidden, differences, unread, notes, notStored } = check;
    const warnings = [...differencesTold(file.name, differences), ...unreadTold(file.name, unread)];
    if (notStored !== undefined)
      warnings.push(`${file.name}: other readers saw it only as it is displayed: ${notStored}`);
    const record = {
      ok: true,
      page_count: pages,
      readable: leaks.length > 0,
      passed: leaks.length === 0 && unread.length === 0,
      leaks,
      hidden,
      differences,
      unread,
      notes,
    };
    return { kind: 'record', record, warnings };
  });
};
