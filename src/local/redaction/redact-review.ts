import { Failure } from '../../contract/failure.ts';
import { HTML, PDF } from '../../contract/media.ts';
import type { redactReview } from '../../contract/operations/edit/redaction.ts';
import { readRegions } from '../../pdf/redact/regions.ts';
import { eachPage, reviewPdf, samplesOf } from '../../pdf/redact/review/review-document.ts';
import { pageEnd, pageHead, pageView } from '../../pdf/redact/review/review-page.ts';
import { sourceHash } from '../../pdf/redact/source-hash.ts';
import { PngWriter } from '../../pdf/render/png-file.ts';
import type { Handler } from '../frame/handler.ts';
import { baseName } from '../frame/names.ts';
import { withSource } from '../frame/with-source.ts';
import { flagOption, textOption } from './redaction-options.ts';
import { withEyes } from './redaction-tools.ts';

const DPI = 110;

export const run: Handler<typeof redactReview> = async ({ file, options, format }, ctx) => {
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
