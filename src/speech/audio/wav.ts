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
  const view = new DataView(new ArrayBuffer(HEAD));
  const put = (at: number, text: string) => {
    for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i));
  };
  put(0, 'RIFF');
  view.setUint32(4, HEAD - 8 + 2 * samples, true);
  put(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, 2 * sampleRate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  put(36, 'data');
  view.setUint32(40, 2 * samples, true);
  return new Uint8Array(view.buffer);
}

export function wavSamples(samples: Float32Array): Uint8Array {
  const pcm = Int16Array.from(samples, (sample) => Math.max(-32768, Math.min(32767, Math.round(sample * 32768))));
  return new Uint8Array(pcm.buffer);
}
