// ID3v2.4 tags of MP3 files, with chapters (ID3v2 Chapter Frame Addendum 1.0).
import type { Book, CoverImage } from './book.ts';
import { ascii, shortened, u16, u32 } from './mp4.ts';

const UTF8 = 3;
const FRONT_COVER = 3;
/** Chapters in one table of contents, whose count is a byte. */
const MOST_CHAPTERS = 255;

export function id3Tag({ title, author, cover, chapters, samples, sampleRate }: Book): Uint8Array {
  const milliseconds = (at: number) => Math.round((at / sampleRate) * 1000);
  const listed = chapters.slice(0, MOST_CHAPTERS);
  const ids = listed.map((_, i) => ascii(`chp${i}\0`));
  const chapterFrames = listed.map(({ title: name, start }, i) => {
    const times = [milliseconds(start), milliseconds(listed[i + 1]?.start ?? samples), 0xffff_ffff, 0xffff_ffff];
    return frame('CHAP', ascii(`chp${i}\0`), ...times.map(u32), text('TIT2', name));
  });
  // Flags 3: top level, ordered.
  const contents = frame('CTOC', ascii('toc\0'), Uint8Array.of(3, listed.length), ...ids, text('TIT2', title));
  const frames = Buffer.concat([
    text('TIT2', title),
    text('TALB', title),
    ...(author === undefined || author === '' ? [] : [text('TPE1', author)]),
    text('TCON', 'Audiobook'),
    text('TSSE', 'pdftool'),
    text('TLEN', String(milliseconds(samples))),
    ...(listed.length === 0 ? [] : [contents, ...chapterFrames]),
    ...(cover === undefined ? [] : [picture(cover)]),
  ]);
  return Buffer.concat([ascii('ID3'), Uint8Array.of(4, 0, 0), syncSafe(frames.length), frames]);
}

function picture({ mediaType, bytes }: CoverImage): Uint8Array {
  return frame('APIC', Uint8Array.of(UTF8), ascii(`${mediaType}\0`), Uint8Array.of(FRONT_COVER, 0), bytes);
}

function text(id: string, value: string): Uint8Array {
  return frame(id, Uint8Array.of(UTF8), shortened(value, 1_000));
}

function frame(id: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts);
  return Buffer.concat([ascii(id), syncSafe(body.length), u16(0), body]);
}

/** Seven bits in each byte, so that no player mistakes it for the start of a frame. */
function syncSafe(size: number): Uint8Array {
  return new Uint8Array([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));
}
