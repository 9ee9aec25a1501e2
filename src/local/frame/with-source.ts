import type { ByteSource, Context, Result, Temp } from '../../contract/ports.ts';
import { type Source, withSources } from '../../pdf/file/open.ts';

/** Opens one document, and closes it when `work` is done. */
export function withSource<T extends Result>(
  file: ByteSource,
  ctx: Context,
  work: (source: Source, temp: Temp) => Promise<T>,
): Promise<T> {
  return withSources([file], ctx, async ([source], temp) => {
    if (source === undefined) throw new TypeError('one file is one source');
    return work(source, temp);
  });
}
