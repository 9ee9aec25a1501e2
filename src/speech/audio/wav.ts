// WAV files of 16-bit samples: what voices give, and what a preview may be.
import type { Sound } from './level.ts';

const HEAD = 44;

/** The samples of a WAV file, channels mixed; undefined for anything else. Sizes may exceed the file: a program that writes to a pipe cannot correct them. */
export function readWav(bytes: Uint8Array): Sound | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const name = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < HEAD || name(0) !== 'RIFF' || name(8) !== 'WAVE') return undefined;
  let format: { channels: number; sampleRate: number } | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true);
    if (name(at) === 'fmt ' && at + 24 <= bytes.length) {
      if (view.getUint16(at + 22, true) !== 16) return undefined;
      format = { channels: view.getUint16(at + 10, true), sampleRate: view.getUint32(at + 12, true) };
    }
    if (name(at) === 'data' && format !== undefined && format.channels > 0) {
      const end = Math.min(bytes.length, at + 8 + size);
      return { sampleRate: format.sampleRate, pcm: samplesOf(view, at + 8, end, format.channels) };
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function samplesOf(view: DataView, start: number, end: number, channels: number): Int16Array {
  const pcm = new Int16Array(Math.floor((end - start) / (2 * channels)));
  for (let i = 0; i < pcm.length; i++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++)
      sum += view.getInt16(start + 2 * (i * channels + channel), true);
    pcm[i] = Math.round(sum / channels);
  }
  return pcm;
}

/** The head of a WAV file of one channel that has so many samples. */
export function wavHead(samples: number, sampleRate: number): Uint8Array {
  const head = Buffer.alloc(HEAD);
  head.write('RIFF');
  head.writeUInt32LE(HEAD - 8 + 2 * samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(2 * sampleRate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(2 * samples, 40);
  return head;
}

export function wavSamples(samples: Float32Array): Uint8Array {
  const pcm = Int16Array.from(samples, (sample) => Math.max(-32768, Math.min(32767, Math.round(sample * 32768))));
  return new Uint8Array(pcm.buffer);
}
