// AAC (LC, mono) by FFmpeg's encoder in WebAssembly, which works in a thread of its own.
import type { Context } from '../../contract/base/ports.ts';
import { BITRATE, type SoundEncoder, type TakeFrame } from './encoder.ts';
import { encoderPackage } from './packages.ts';

/** Samples of silence that FFmpeg's encoder puts first: one frame. */
const PRIMING = 1024;
const FRAME = 1024;

export interface AacEncoder extends SoundEncoder {
  /** Samples that a decoder outputs before the first encoded one. */
  readonly delay: number;
  readonly frameSize: number;
  /** The AudioSpecificConfig (ISO 14496-3); known when a frame has been made. */
  config(): Uint8Array;
  close(): void;
}

export async function createAacEncoder(
  sampleRate: number,
  take: TakeFrame,
  ctx: Pick<Context, 'importPackage'>,
): Promise<AacEncoder> {
  const [{ AdtsOutputFormat, AudioSample, AudioSampleSource, NullTarget, Output }, { registerAacEncoder }] =
    await Promise.all([
      encoderPackage<typeof import('mediabunny')>('mediabunny', ctx),
      encoderPackage<typeof import('@mediabunny/aac-encoder')>('@mediabunny/aac-encoder', ctx),
    ]);
  registerAacEncoder();
  let config: Uint8Array | undefined;
  const source = new AudioSampleSource({
    codec: 'aac',
    bitrate: BITRATE,
    onEncodedPacket({ data }, meta) {
      const description = meta?.decoderConfig?.description;
      if (description !== undefined) config = viewBytes(description);
      take(data);
    },
  });
  // The output is discarded: mediabunny's MP4 has no chapters, and its table of frames would grow in memory.
  const output = new Output({ format: new AdtsOutputFormat(), target: new NullTarget() });
  output.addAudioTrack(source);
  await output.start();
  let at = 0;
  return {
    delay: PRIMING,
    frameSize: FRAME,
    config() {
      if (config === undefined) throw new TypeError('no frame has been made');
      return config;
    },
    async add(samples) {
      const timestamp = at / sampleRate;
      const sample = new AudioSample({ data: samples, format: 'f32', numberOfChannels: 1, sampleRate, timestamp });
      at += samples.length;
      await source.add(sample);
      sample.close();
    },
    finish: () => output.finalize(),
    close() {
      // The output is left unfinished: nobody reads it.
      if (output.state === 'started') void output.cancel().catch(() => {});
    },
  };
}

export function viewBytes(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
  return new Uint8Array(data).slice();
}
