import { Failure } from '../../contract/failure.ts';
import type { redactInspect } from '../../contract/operations/edit/redaction.ts';
import { field, say } from '../../contract/wording.ts';
import { inspectDocument } from '../../pdf/redact/inspect-document.ts';
import { sourceHash } from '../../pdf/redact/source-hash.ts';
import { pagesNamed } from '../../pdf/text/output/no-text.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';
import { recogniseWith } from './recognise-pages.ts';
import { flagOption, readWanted } from './redaction-options.ts';
import { withEyes } from './redaction-tools.ts';
import { differencesTold, unreadTold } from './told.ts';

export const run: Handler<typeof redactInspect> = async ({ file, options }, ctx) => {
  const wanted = readWanted(options);
  const ocr = flagOption(options, 'ocr');
  const sourceSha256 = await sourceHash(file, ctx.signal);
  return withSource(file, ctx, async (source, temp) => {
    const match = ctx.match ?? unbounded;
    const { recognise, by } = recogniseWith(source, file, { ...ctx, temp }, ocr);
    const found = await withEyes(ctx, (tools) => inspectDocument(source, wanted, { ...tools, match, recognise }));
    const { pages, counts, pagesWithoutText, pagesToPicture, recognised, terms, differences, unread } = found;
    const wordless = pagesWithoutText.filter((page) => !recognised.includes(page));
    const regions = [...found.regions].sort((a, b) => a.page - b.page);
    const record = {
      reviewed: false,
      sourceSha256,
      page_count: pages,
      regions: regions.map((region, i) => ({ ...region, id: `r${i + 1}` })),
      counts,
      terms,
      differences,
      unread,
      pages_without_text: wordless,
      pages_to_picture: pagesToPicture,
      clean: found.clean,
      ...(recognised.length === 0 ? {} : { ocr_pages: recognised }),
    };
    const warnings: string[] = [];
    const warn = (what: string) => warnings.push(`${file.name}: ${what}`);
    if (recognised.length > 0)
      warn(`the words of ${pagesNamed(recognised)} were recognised in pictures (${by()}): some may be missed`);
    if (found.unreadFiles > 0)
      warn(`${found.unreadFiles} attached files were not looked into; redact apply leaves them out`);
    warnings.push(...differencesTold(file.name, differences), ...unreadTold(file.name, unread));
    return { kind: 'record', record, warnings };
  });
};

function unbounded(): never {
  throw new Failure('unavailable', say`${field('regex')}: regular expressions cannot be bounded in time here`);
}
