// What speech may use of this machine besides its files; loaded for commands that speak alone.
import type { Context } from '../contract/ports.ts';

type Means = Pick<Context, 'packageFile' | 'programs' | 'cache'>;

/** `kept`: whether sentences may be kept for another run. */
export async function speechMeans(kept: boolean): Promise<Means> {
  const [{ readPackageFile }, { systemPrograms }, { openCache }, { cacheFolder }] = await Promise.all([
    import('../runtime/package-file.ts'),
    import('../runtime/programs.ts'),
    import('../runtime/cache.ts'),
    import('../runtime/user-folders.ts'),
  ]);
  return {
    packageFile: async (path) => readPackageFile(path),
    programs: systemPrograms,
    ...(kept ? { cache: openCache(`${cacheFolder()}/speech`) } : {}),
  };
}
