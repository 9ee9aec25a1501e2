// The interface of the sound encoders: LAME (LGPL) for MP3 and FFmpeg's AAC encoder (LGPL). Each is a package of its
// own in WebAssembly, loaded when its format is needed, and replaceable.

/** Encodes mono samples and passes on frames as they are ready. */
export interface SoundEncoder {
  add(samples: Float32Array): Promise<void>;
  finish(): Promise<void>;
}

/** Receives one frame. The bytes are valid during the call only. */
export type TakeFrame = (frame: Uint8Array) => void;

/** Bits a second: enough for one voice. */
export const BITRATE = 64_000;
