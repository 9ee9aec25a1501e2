// Owns the whole of making a PDF smaller: what is tried in which order, and that nothing larger or damaged comes out.
// Knows neither terminal nor HTTP.
import { PDF } from '../../contract/media.ts';
import type { ByteSource, BytesResult, Context } from '../../contract/ports.ts';
import { checked, openSource } from '../file/assemble.ts';
import { damagedBy } from '../file/open.ts';
import { signatureWarning } from '../file/structure.ts';
import { archiveClaim } from './archive.ts';
import { analyse, compact } from './compact.ts';

export interface ShrinkOptions {
  readonly targetBytes?: number | undefined;
  /** No pixel is touched. */
  readonly lossless?: boolean | undefined;
  readonly quality?: number | undefined;
  readonly dpi?: number | undefined;
  readonly grayscale?: boolean | undefined;
  /** What the output is measured against, where it is not the file itself: the inputs it was made of. */
  readonly originalBytes?: number;
}

/** The mode of SERVICE.md's measurement. */
const MODE = 'best_effort_repack';

export async function shrink(
  input: ByteSource,
  name: string,
  options: ShrinkOptions,
  ctx: Context,
): Promise<BytesResult> {
  const source = openSource(input);
  const { file, tree } = source;
  const warnings = signatureWarning(file);
  const pages = tree.pages.length;
  const body = await damagedBy(file.name, async () => {
    const archive = archiveClaim(file);
    const analysis = await analyse(source, ctx);
    const draft = ctx.temp.create(name);
    await compact(analysis, draft, { plain: archive === '1' }, ctx);
    return checked(draft.finish(), pages);
  });
  const smaller = body.size < file.size || file.rebuilt;
  const output = smaller ? body : input;
  const bytes = smaller ? body.size : file.size;
  const { targetBytes } = options;
  const target = targetBytes === undefined ? {} : { target_bytes: targetBytes, target_reached: bytes <= targetBytes };
  return {
    kind: 'bytes',
    mediaType: PDF,
    body: output,
    pages,
    warnings,
    measurement: { original_bytes: options.originalBytes ?? file.size, output_bytes: bytes, ...target, mode: MODE },
  };
}
