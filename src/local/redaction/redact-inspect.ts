import { Failure } from '../../contract/failure.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { redactInspect } from '../../contract/operations/redaction.ts';
import type { ByteSource, Context } from '../../contract/ports.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import type { Wanted } from '../../pdf/redact/find/finders.ts';
import { boxesOfWords } from '../../pdf/redact/find/recognised-words.ts';
import { inspectDocument } from '../../pdf/redact/inspect-document.ts';
import { sourceHash } from '../../pdf/redact/source-hash.ts';
import { pagesNamed } from '../../pdf/text/output/no-text.ts';
import { addTextLayers, ocrLanguage } from '../pictures/text-layers.ts';
import { flagOption, readWanted } from './redaction-options.ts';
import { withEyes } from './redaction-tools.ts';

export async function run(
  { file, options = {} }: InputOf<typeof redactInspect>,
  ctx: Context,
): Promise<ResultOf<typeof redactInspect>> {
  const wanted = readWanted(options);
  const ocr = flagOption(options, 'ocr');
  const sourceSha256 = await sourceHash(file, ctx.signal);
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const match = ctx.match ?? unbounded;
    const found = await withEyes(ctx, (tools) => inspectDocument(source, wanted, { ...tools, match }));
    const { pages, counts, pagesWithoutText, pagesToPicture } = found;
    const scans = ocr
      ? await inScans(source, file, wanted, pagesWithoutText, { ...ctx, temp, match })
      : { regions: [], read: [], warnings: [] };
    const wordless = pagesWithoutText.filter((page) => !scans.read.includes(page));
    const regions = [...found.regions, ...scans.regions].sort((a, b) => a.page - b.page);
    const record = {
      reviewed: false,
      sourceSha256,
      page_count: pages,
      regions: regions.map((region, i) => ({ ...region, id: `r${i + 1}` })),
      counts,
      pages_without_text: wordless,
      pages_to_picture: pagesToPicture,
      ...(scans.read.length === 0 ? {} : { ocr_pages: scans.read }),
    };
    return { kind: 'record', record, warnings: [...scans.warnings, ...nothingFound(file, wordless, ocr)] };
  });
}

/** What is wanted in the pictures of pages without text. */
async function inScans(
  source: Source,
  file: ByteSource,
  wanted: Wanted,
  pages: readonly number[],
  ctx: Context & Required<Pick<Context, 'match'>>,
) {
  const regions: { page: number; x: number; y: number; w: number; h: number; kind: string }[] = [];
  if (pages.length === 0) return { regions, read: [], warnings: [] };
  const { draft, by, read } = await addTextLayers(
    source,
    file,
    {
      language: ocrLanguage(ctx),
      pages,
      found(page, lines, size) {
        const words = lines.map((line) => line.words);
        for (const { box, kind } of boxesOfWords(words, wanted, ctx.match, size)) regions.push({ page, ...box, kind });
      },
    },
    ctx,
    ctx.temp,
  );
  // The words themselves are not wanted any more.
  draft.discard();
  const warnings =
    read.length === 0
      ? []
      : [`${file.name}: the words of ${pagesNamed(read)} were recognised in pictures (${by}): some may be missed`];
  return { regions, read, warnings };
}

function nothingFound({ name }: ByteSource, pages: readonly number[], ocr: boolean): string[] {
  if (pages.length === 0) return [];
  const [have, how] = [
    `${pagesNamed(pages)} ${pages.length === 1 ? 'has' : 'have'}`,
    ocr ? 'draw' : 'add --ocr, or draw',
  ];
  return [`${name}: ${have} no text that could be searched: ${how} boxes by hand (redact review --html)`];
}

function unbounded(): never {
  throw new Failure('unavailable', '--regex: regular expressions cannot be bounded in time here');
}
