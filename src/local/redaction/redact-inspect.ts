import { Failure } from '../../contract/failure.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { redactInspect } from '../../contract/operations/redaction.ts';
import type { Context } from '../../contract/ports.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { inspectDocument } from '../../pdf/redact/inspect-document.ts';
import { sourceHash } from '../../pdf/redact/source-hash.ts';
import { readWanted } from './redaction-options.ts';
import { withEyes } from './redaction-tools.ts';

export async function run(
  { file, options }: InputOf<typeof redactInspect>,
  ctx: Context,
): Promise<ResultOf<typeof redactInspect>> {
  const wanted = readWanted(options ?? {});
  const sourceSha256 = await sourceHash(file, ctx.signal);
  return withSources([file], ctx, async (sources) => {
    const [source] = sources as [Source];
    const found = await withEyes(ctx, ({ eyes, turn, progress }) => {
      const match = ctx.match ?? unbounded;
      return inspectDocument(source, wanted, { openProbe: (bytes) => eyes.open(bytes), match, turn, progress });
    });
    const { pages, regions, counts, pagesWithoutText, pagesToPicture } = found;
    const record = {
      reviewed: false,
      sourceSha256,
      page_count: pages,
      regions,
      counts,
      pages_without_text: pagesWithoutText,
      pages_to_picture: pagesToPicture,
    };
    return { kind: 'record', record };
  });
}

function unbounded(): never {
  throw new Failure('unavailable', '--regex: regular expressions cannot be bounded in time here');
}
