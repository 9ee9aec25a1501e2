// MP3 by LAME in WebAssembly, and the Info frame in front, which tells players how much silence LAME added.
import type { Context, RandomAccess } from '../../contract/base/ports.ts';
import { BITRATE, type SoundEncoder, type TakeFrame } from './encoder.ts';
import { encoderPackage } from './packages.ts';

/** LAME's own delay, as its documents count it. */
const ENCODER_DELAY = 576;
/** 16, 22.05 and 24 kHz are MPEG-2, with half-sized frames of one granule. */
const LOW_RATES: readonly number[] = [22_050, 24_000, 16_000];
const HIGH_RATES: readonly number[] = [44_100, 48_000, 32_000];
const LOW_BITRATES: readonly number[] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const HIGH_BITRATES: readonly number[] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];

export async function createMp3Encoder(
  sampleRate: Mp3Rate,
  take: TakeFrame,
  ctx: Pick<Context, 'importPackage'>,
): Promise<SoundEncoder> {
  type Library = typeof import('wasm-media-encoders');
  const { createMp3Encoder: create } = await encoderPackage<Library>('wasm-media-encoders', ctx);
  const lame = await create();
  lame.configure({ channels: 1, sampleRate, bitrate: 64, outputSampleRate: sampleRate });
  const put = (bytes: Uint8Array) => {
    if (bytes.length > 0) take(bytes);
  };
  return {
    add: async (samples) => put(lame.encode([samples])),
    finish: async () => put(lame.finalize()),
  };
}

/** LAME would resample any other rate to one of these. */
export type Mp3Rate = 16_000 | 22_050 | 24_000 | 32_000 | 44_100 | 48_000;

export function isMp3Rate(sampleRate: number): sampleRate is Mp3Rate {
  return [...LOW_RATES, ...HIGH_RATES].includes(sampleRate);
}

/**
 * A silent frame with an Info tag: the frames and bytes that follow, and the samples that players are to leave out at
 * both ends. Without it they play the encoder's delay, and every chapter is late by it.
 */
export function infoFrame(sampleRate: Mp3Rate, samples: number, encoded: RandomAccess): Uint8Array {
  const low = LOW_RATES.includes(sampleRate);
  const rates = low ? LOW_RATES : HIGH_RATES;
  const bitrates = low ? LOW_BITRATES : HIGH_BITRATES;
  const size = Math.floor(((low ? 72 : 144) * BITRATE) / sampleRate);
  const frames = countFrames(encoded, size);
  const bytes = encoded.size;
  const frame = new Uint8Array(size);
  const view = new DataView(frame.buffer);
  // Sync, MPEG-2 or 1, layer III, no checksum; bit rate and sample rate; mono.
  view.setUint16(0, low ? 0xfff3 : 0xfffb);
  frame[2] = (bitrates.indexOf(BITRATE / 1000) << 4) | (rates.indexOf(sampleRate) << 2);
  frame[3] = 0xc0;
  // Behind the side information of a mono frame.
  const at = 4 + (low ? 9 : 17);
  frame.set(new TextEncoder().encode('Info'), at);
  view.setUint32(at + 4, 0x3); // the numbers of frames and of bytes are there
  view.setUint32(at + 8, frames);
  view.setUint32(at + 12, bytes + size);
  const lame = at + 16;
  frame.set(new TextEncoder().encode('LAME3.100'), lame);
  frame[lame + 9] = 0x01; // revision 0, constant bit rate
  frame[lame + 10] = 0xff;
  const padding = frames * (low ? 576 : 1152) - ENCODER_DELAY - samples;
  const ends = (ENCODER_DELAY << 12) | Math.max(0, Math.min(0xfff, padding));
  frame.set([ends >> 16, (ends >> 8) & 0xff, ends & 0xff], lame + 21);
  view.setUint32(lame + 28, bytes + size);
  return frame;
}

/** Counts frames of one bit rate by their headers: some are one byte longer than `size`, by padding. */
function countFrames(encoded: RandomAccess, size: number): number {
  const head = new Uint8Array(4);
  let count = 0;
  for (let at = 0; encoded.read(head, at) === 4; count++) at += size + ((head[2]! >> 1) & 1);
  return count;
}
