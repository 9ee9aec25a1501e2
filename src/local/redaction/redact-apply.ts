import { PDF } from '../../contract/media.ts';
import type { redactApply } from '../../contract/operations/edit/redaction.ts';
import { type Applied, applyRegions } from '../../pdf/redact/apply-regions.ts';
import { styleOf } from '../../pdf/redact/output/overlay.ts';
import { readRegions } from '../../pdf/redact/regions.ts';
import { sourceHash } from '../../pdf/redact/source-hash.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';
import { checkApply, flagOption, textOption } from './redaction-options.ts';
import { withEyes } from './redaction-tools.ts';

export const run: Handler<typeof redactApply> = async ({ file, options }, ctx) => {
  const style = styleOf(textOption(options, 'fill'), textOption(options, 'label'));
  const [strict, raster] = [flagOption(options, 'strict'), flagOption(options, 'raster')];
  const clean = flagOption(options, 'clean');
  const given = checkApply(options, file.name, await sourceHash(file, ctx.signal));
  return withSource(file, ctx, async (source, temp) => {
    const regions = readRegions(given, source.tree.pages.length);
    const applied = await withEyes(ctx, (tools) =>
      applyRegions(source, { regions, style, strict, raster, clean }, tools),
    );
    // Nothing is on the disk before this: the output is proved, and what was removed is in memory alone.
    const draft = temp.create('redacted.pdf');
    draft.write(applied.bytes);
    const warnings = notes(applied, file.name);
    return { kind: 'bytes', mediaType: PDF, body: draft.finish(), pages: applied.pages, warnings };
  });
};

function notes(applied: Applied, name: string): string[] {
  const { pictures, copies, elsewhere, wholePictures, pages, wholeFonts, parts, cleaned, bulleted } = applied;
  const unasked = pictures.filter(({ why }) => why !== 'asked for');
  const notes = unasked.map(({ page, why }) => `page ${page} became a picture: ${why}`);
  if (unasked.length === 0 && pictures.length > 0) notes.push(`all ${pages} pages became pictures, as asked for`);
  if (wholeFonts > 0)
    notes.push(`${wholeFonts} embedded fonts keep all their glyphs, which may tell what letters there were`);
  if (bulleted > 0)
    notes.push(
      `the values of ${bulleted} fields have no appearance, and are drawn with bullets for what Helvetica lacks`,
    );
  for (const { part, kept, left } of parts) {
    const why = part === 'fields' ? 'drawn on their pages' : 'left out';
    if (left > 0) notes.push(`${part}: ${left} of ${kept + left} ${why}, for they may tell what was removed`);
  }
  if (cleaned !== undefined) notes.push(`title, language, bookmarks, tags and fields are left out: ${cleaned}`);
  if (copies > 0) notes.push(`${copies} hidden copies of what was removed went with it`);
  if (elsewhere > 0)
    notes.push(`${name}: words of the regions are to be seen in ${elsewhere} other places, which nobody marked`);
  if (wholePictures > 0)
    notes.push(
      `${name}: pictures of the regions are drawn whole in ${wholePictures} other places, which nobody marked`,
    );
  return notes;
}
