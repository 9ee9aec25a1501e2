// The tools that local operations need besides files: readers, drawers, codecs, programs, entropy. Each is loaded on first use.
import type { Context, Means, Values } from '../../contract/base/ports.ts';
import { systemEntropy } from '../../runtime/entropy.ts';
import type { Settings } from '../../runtime/settings/settings.ts';
import { systemRoots } from '../../runtime/settings/trusted-roots.ts';
import { startCodecs } from './codec.ts';
import { otherReaders } from './other-reader.ts';
import { pageDrawers } from './page-drawer.ts';
import { startReader } from './reader-thread.ts';

/** For every context of this machine. */
export function machineMeans(clock: Context['clock'], signal: AbortSignal): Means {
  return {
    ...otherReaders(clock, signal),
    drawPages: pageDrawers(clock, signal),
    startCodecs,
    startReader,
    fontFile,
    random: systemEntropy.bytes,
    trustedRoots: systemRoots,
  };
}

/** A bundled font program or colour profile, from pdfjs-dist, such as LiberationSans-Bold.ttf. */
export async function fontFile(name: string): Promise<Uint8Array> {
  const { packageFile } = await import('../../runtime/folders/package-files.ts');
  return packageFile(`pdfjs-dist/${name.endsWith('.icc') ? 'iccs' : 'standard_fonts'}/${name}`);
}

type OtherPrograms = Required<Pick<Context, 'programs' | 'packageFile' | 'importPackage'>>;

/** For operations that use other programs and packages, such as word recognition. */
export async function otherPrograms(): Promise<OtherPrograms> {
  const [{ systemPrograms }, { packageFile, importPackage }] = await Promise.all([
    import('../../runtime/processes/programs.ts'),
    import('../../runtime/folders/package-files.ts'),
  ]);
  return { programs: systemPrograms, packageFile, importPackage };
}

/** For operations that speak. `kept`: whether spoken sentences are cached for another run. */
export async function speechMeans(kept: boolean): Promise<OtherPrograms & Pick<Context, 'cache'>> {
  if (!kept) return otherPrograms();
  const [means, { openCache }, { cacheFolder }] = await Promise.all([
    otherPrograms(),
    import('../../runtime/folders/cache.ts'),
    import('../../runtime/folders/user-folders.ts'),
  ]);
  return { ...means, cache: openCache(`${cacheFolder().path}/speech`) };
}

/** Network access for a row that asks servers for timestamps or revocation: its `timestamp` or `online` is given. */
export async function signatureMeans(
  values: Values,
  settings: () => Settings,
  signal: AbortSignal,
): Promise<Pick<Context, 'exchange'>> {
  if (values.timestamp === undefined && values.online !== true) return {};
  const [{ webExchange }, { remoteSettings }] = await Promise.all([
    import('../../remote/entry.ts'),
    import('../engines/remote.ts'),
  ]);
  return { exchange: webExchange(remoteSettings(settings()), signal) };
}
