// ID3v2.4 tags of MP3 files, with chapters (ID3v2 Chapter Frame Addendum 1.0).
import type { Book } from './book.ts';
import { ascii, concat, shortened, u16, u32 } from './mp4.ts';

const UTF8 = 3;
const FRONT_COVER = 3;
/** Chapters in one table of contents, whose count is a byte. */
const MOST_CHAPTERS = 255;

export function id3Tag({ title, author, cover, chapters, samples, sampleRate }: Book): Uint8Array {
  const milliseconds = (at: number) => Math.round((at / sampleRate) * 1000);
  const listed = chapters.slice(0, MOST_CHAPTERS);
  const ids = listed.map((_, i) => ascii(`chp${i}\0`));
  const frames = concat([
    text('TIT2', title),
    text('TALB', title),
    ...(author === undefined || author === '' ? [] : [text('TPE1', author)]),
    text('TCON', 'Audiobook'),
    text('TSSE', 'pdftool'),
    text('TLEN', String(milliseconds(samples))),
    ...(listed.length === 0
      ? []
      : [
          // Flags 3: top level, ordered.
          frame('CTOC', concat([ascii('toc\0'), new Uint8Array([3, listed.length]), ...ids, text('TIT2', title)])),
          ...listed.map(({ title: name, start }, i) => {
            const end = listed[i + 1]?.start ?? samples;
            const times = concat([
              u32(milliseconds(start)),
              u32(milliseconds(end)),
              u32(0xffff_ffff),
              u32(0xffff_ffff),
            ]);
            return frame('CHAP', concat([ids[i] ?? new Uint8Array(0), times, text('TIT2', name)]));
          }),
        ]),
    ...(cover === undefined
      ? []
      : [
          frame(
            'APIC',
            concat([
              new Uint8Array([UTF8]),
              ascii(`${cover.mediaType}\0`),
              new Uint8Array([FRONT_COVER, 0]),
              cover.bytes,
            ]),
          ),
        ]),
  ]);
  return concat([ascii('ID3'), new Uint8Array([4, 0, 0]), syncSafe(frames.length), frames]);
}

function text(id: string, value: string): Uint8Array {
  return frame(id, concat([new Uint8Array([UTF8]), shortened(value, 1_000)]));
}

function frame(id: string, body: Uint8Array): Uint8Array {
  return concat([ascii(id), syncSafe(body.length), u16(0), body]);
}

/** Seven bits in each byte, so that no player mistakes it for the start of a frame. */
function syncSafe(size: number): Uint8Array {
  return new Uint8Array([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));
}
