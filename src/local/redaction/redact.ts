import { Failure } from '../../contract/base/failure.ts';
import { field, say } from '../../contract/base/wording.ts';
import { HTML, PDF } from '../../contract/media.ts';
import type {
  redactApply,
  redactCheck,
  redactInspect,
  redactReview,
} from '../../contract/operations/edit/redaction.ts';
import { type Applied, applyRegions } from '../../pdf/redact/apply-regions.ts';
import { checkDocument } from '../../pdf/redact/check-document.ts';
import { inspectDocument } from '../../pdf/redact/inspect-document.ts';
import { styleOf } from '../../pdf/redact/output/overlay.ts';
import { readRegions } from '../../pdf/redact/regions.ts';
import { eachPage, reviewPdf, samplesOf } from '../../pdf/redact/review/review-document.ts';
import { pageEnd, pageHead, pageView } from '../../pdf/redact/review/review-page.ts';
import { sourceHash } from '../../pdf/redact/source-hash.ts';
import { PngWriter } from '../../pdf/render/png-file.ts';
import { pagesNamed } from '../../pdf/text/output/no-text.ts';
import type { Handler } from '../frame/handler.ts';
import { baseName } from '../frame/names.ts';
import { withSource } from '../frame/with-source.ts';
import { recogniseWith } from './recognise-pages.ts';
import { checkApply, flagOption, readWanted, textList, textOption } from './redaction-options.ts';
import { withEyes } from './redaction-tools.ts';
import { differencesTold, unreadTold } from './told.ts';

export const inspect: Handler<typeof redactInspect> = async ({ file, options }, ctx) => {
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

const DPI = 110;

export const review: Handler<typeof redactReview> = async ({ file, options, format }, ctx) => {
  const sha256 = await sourceHash(file, ctx.signal);
  if (textOption(options, 'sourceSha256')?.toLowerCase() !== sha256) {
    const message = `the regions are of another file than ${file.name}: its SHA-256 is not the inspected one`;
    throw new Failure('refused', message, { hint: 'Inspect this file again.' });
  }
  return withSource(file, ctx, async (source, temp) => {
    const regions = readRegions(options.regions, source.tree.pages.length);
    const pages = source.tree.pages.length;
    return withEyes(ctx, async (tools) => {
      if (format !== 'html') {
        const bytes = await reviewPdf(source, regions, tools);
        const draft = temp.create('review.pdf');
        draft.write(bytes);
        return { kind: 'bytes', mediaType: PDF, body: draft.finish(), pages };
      }
      const draft = temp.create('review.html');
      draft.write(Buffer.from(pageHead(baseName(file.name))));
      await eachPage(source, tools, async ({ width, height, drawing }, page) => {
        const { channels, pixels } = samplesOf(drawing);
        const png = new PngWriter({ width: drawing.width, height: drawing.height, channels }, DPI);
        await png.add({ pixels, height: drawing.height });
        const base64 = Buffer.from(await png.finish()).toString('base64');
        draft.write(Buffer.from(pageView(page + 1, width, height, { type: 'image/png', base64 })));
      });
      draft.write(Buffer.from(pageEnd(sha256, regions, flagOption(options, 'clean'))));
      return { kind: 'bytes', mediaType: HTML, body: draft.finish(), pages };
    });
  });
};

export const apply: Handler<typeof redactApply> = async ({ file, options }, ctx) => {
  const style = styleOf(textOption(options, 'fill'), textOption(options, 'label'));
  const [strict, raster] = [flagOption(options, 'strict'), flagOption(options, 'raster')];
  const clean = flagOption(options, 'clean');
  const given = checkApply(options, file.name, await sourceHash(file, ctx.signal));
  return withSource(file, ctx, async (source, temp) => {
    const regions = readRegions(given, source.tree.pages.length);
    const applied = await withEyes(ctx, (tools) =>
      applyRegions(source, { regions, style, strict, raster, clean }, tools),
    );
    // The first file on the disk: until here the output is proved, and the removed text is in memory alone.
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

export const check: Handler<typeof redactCheck> = ({ file, options }, ctx) => {
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
