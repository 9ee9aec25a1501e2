// The encoders of sound, each a package of its own that is loaded when its format is asked for: LAME (LGPL) for MP3 and
// the AAC encoder of FFmpeg (LGPL), both as WebAssembly beside our code, where they can be replaced.

/** Takes samples as they come and hands on what is encoded of them. Mono. */
export interface SoundEncoder {
  /** Samples that a decoder gives before the first one that was put in. */
  readonly delay: number;
  /** Samples of one frame. */
  readonly frameSize: number;
  add(samples: Float32Array): Promise<void>;
  /** Hands on the rest. */
  finish(): Promise<void>;
  /** Ends it, finished or not. */
  close(): void;
}

/** One frame; the bytes are the callee's for the call alone. */
export type TakeFrame = (frame: Uint8Array) => void;

/** Bits a second: what speech of one voice needs. */
export const BITRATE = 64_000;
