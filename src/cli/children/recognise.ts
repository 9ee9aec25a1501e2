import { Failure } from '../../contract/base/failure.ts';
import type { MakeCore } from '../../ocr/wasm.ts';
import type { RunOwn } from '../line/call.ts';

/** Bytes: more than the largest picture that is drawn. */
const MOST = 128 * 1024 * 1024;

/** `__recognise LANGUAGES DPI`: prints hOCR of the PGM on standard input, for another pdftool process. */
export const recognise: RunOwn = async ({ args, streams, signal }) => {
  const [languages, dpi] = args;
  if (languages === undefined || dpi === undefined) {
    throw new Failure('usage', '__recognise is for pdftool itself', { hint: 'Use pdftool ocr FILE.' });
  }
  const [{ CORE_MODULE, recogniseByWasm }, { packageFile, packageModule }, { readAll }] = await Promise.all([
    import('../../ocr/wasm.ts'),
    import('../../runtime/folders/package-files.ts'),
    import('../../runtime/files/inputs/read-all.ts'),
  ]);
  // The package has no types; what is used of it is in MakeCore.
  const make = packageModule(CORE_MODULE) as MakeCore;
  streams.out(await recogniseByWasm(await readAll('-', MOST, signal), languages, dpi, make, packageFile));
  return 0;
};
