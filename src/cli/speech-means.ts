import type { Context } from '../contract/ports.ts';
import { otherPrograms } from './children/other-programs.ts';

type Means = Pick<Context, 'packageFile' | 'programs' | 'cache'>;

/** What speech may use of this machine besides its files. `kept`: whether sentences may be kept for another run. */
export async function speechMeans(kept: boolean): Promise<Means> {
  if (!kept) return otherPrograms();
  const [means, { openCache }, { cacheFolder }] = await Promise.all([
    otherPrograms(),
    import('../runtime/folders/cache.ts'),
    import('../runtime/folders/user-folders.ts'),
  ]);
  return { ...means, cache: openCache(`${cacheFolder()}/speech`) };
}
