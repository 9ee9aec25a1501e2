// The encoders of sound, each a package of its own that is loaded when its format is asked for: LAME (LGPL) for MP3 and
// the AAC encoder of FFmpeg (LGPL), both as WebAssembly beside our code, where they can be replaced.

/** Encodes mono samples, and hands on frames as they are ready. */
export interface SoundEncoder {
  /** Samples that a decoder puts out before the first one that was encoded. */
  readonly delay: number;
  readonly frameSize: number;
  add(samples: Float32Array): Promise<void>;
  finish(): Promise<void>;
  close(): void;
}

/** Receives one frame. The bytes are valid during the call only. */
export type TakeFrame = (frame: Uint8Array) => void;

/** Bits a second: enough for one voice. */
export const BITRATE = 64_000;
