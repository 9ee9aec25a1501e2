import type { ByteSource, BytesResult } from '../../contract/base/ports.ts';
import { NDJSON, PDF } from '../../contract/media.ts';
import type { ocr } from '../../contract/operations/pictures.ts';
import { type LostClaims, losesTags } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import { asksForTags, claimsOf } from '../../pdf/file/read/claims.ts';
import { isSigned, signatureWarning } from '../../pdf/file/read/signature.ts';
import { checked } from '../../pdf/file/write/check.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import { shrink } from '../../pdf/shrink/shrink.ts';
import { pagesNamed } from '../../pdf/text/output/no-text.ts';
import { withoutInvisibleText } from '../../pdf/text-layer/remove-layer.ts';
import { archivePdf } from '../archive/archive.ts';
import type { Handler } from '../frame/handler.ts';
import { unnamed } from '../frame/unnamed.ts';
import { withSource } from '../frame/with-source.ts';
import { addTextLayers, type OcrOptions } from '../pictures/text-layers.ts';
import { pagesWithText } from './pages-with-text.ts';

export const run: Handler<typeof ocr> = async (input, ctx) => {
  const { file, language, all, redo, deskew, rotate_pages, to, optimize } = input;
  const read = await withSource(
    file,
    ctx,
    async (source, temp) => {
      const total = source.tree.pages.length;
      const asked = [...new Set(askedPages(file.name, total, input.pages))].sort((a, b) => a - b);
      const contents = (page: number) =>
        redo ? withoutInvisibleText(source.file, source.tree.pages[page - 1]!) : undefined;
      const full = all ? new Set<number>() : await pagesWithText(file, ctx);
      const pages = asked.filter((page) => !full.has(page) || contents(page) !== undefined);
      const words = input.text === undefined ? undefined : temp.create('words.jsonl');
      const onWords: OcrOptions['onWords'] = (page, lines) => {
        for (const { box: sides, text, confidence } of lines.flatMap((line) => line.words)) {
          const box = sides.map((side) => Math.round(side * 100) / 100);
          words?.write(Buffer.from(`${JSON.stringify({ page, text, confidence, box })}\n`));
        }
      };
      const options = { language, pages, deskew, upright: rotate_pages === 'auto', contents, onWords };
      const layered = await addTextLayers(source, file, options, ctx, temp);
      const body = await checked(layered.draft.finish(), total);
      const read = new Set(layered.read);
      const wordless = pages.filter((page) => !read.has(page));
      const warnings = [
        ...(pages.length === 0 ? [`${file.name}: every page has text already, and was not read again`] : []),
        ...(wordless.length === 0 ? [] : [`${file.name}: no words were found on ${pagesNamed(wordless)}`]),
        ...(layered.turned.length === 0 ? [] : [`${file.name}: turned upright: ${pagesNamed(layered.turned)}`]),
        ...(layered.appended && isSigned(source.file) && !optimize
          ? [
              `${file.name} is signed; the signature holds for what was signed, and viewers say that pages were changed since`,
            ]
          : signatureWarning(source.file)),
      ];
      const also = words === undefined ? {} : { also: [{ field: 'text', body: words.finish(), mediaType: NDJSON }] };
      return { kind: 'bytes' as const, mediaType: PDF, body, pages: total, warnings, ...also };
    },
    { signatures: 'told elsewhere', ...(redo && { loses: losesText }) },
  );
  // Words are recognised best in the pictures as they were; a PDF/A is checked as it is written.
  let result: BytesResult = read;
  const then = async (work: (made: ByteSource) => Promise<BytesResult>) => {
    const made = await work({ ...result.body, name: file.name });
    result = { ...result, ...made, warnings: [...new Set([...(result.warnings ?? []), ...(made.warnings ?? [])])] };
  };
  if (optimize) await then((made) => shrink(made, 'optimized.pdf', { originalBytes: file.size }, unnamed(ctx)));
  if (to !== undefined) await then((made) => archivePdf(made, { to, substitute: false }, ctx));
  return result;
};

/** Claims that are lost where text that may be tagged is taken away. */
function losesText(sources: readonly Source[]): LostClaims {
  const hasText = ({ file, tree }: Source): boolean =>
    claimsOf(file).some(asksForTags) && tree.pages.some((page) => withoutInvisibleText(file, page) !== undefined);
  return sources.some(hasText) ? losesTags(sources, 'its text is read again, without tags') : {};
}
