import type { ByteSource, Context, Result, Temp } from '../../contract/base/ports.ts';
import { type Source, type WorkOptions, withSources } from '../../pdf/file/open.ts';

/** Opens a document for the duration of `work`. */
export function withSource<T extends Result>(
  file: ByteSource,
  ctx: Context,
  work: (source: Source, temp: Temp) => Promise<T>,
  options?: WorkOptions,
): Promise<T> {
  const one = async ([source]: readonly Source[], temp: Temp): Promise<T> => {
    if (source === undefined) throw new TypeError('one file is one source');
    return work(source, temp);
  };
  return withSources([file], ctx, one, options);
}
