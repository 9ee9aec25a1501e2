/**
 * MP4 (ISO 14496-12) and M4B: sound, still pictures with a duration each, chapters and tags.
 *
 * In: encoded frames of sound and pictures, in the order in which they are made, and at the end the facts about the book. Out:
 * one file whose head (moov) comes before the media data, so that it plays while it is fetched. Frames wait in two drafts on
 * the disk; memory holds a number for each. The time scale of every track is the sample rate of the sound, so that each start
 * is exact. The head needs the places of the media data and stands before them: it is made twice, first to know its length,
 * which no offset changes.
 *
 * Written here because mediabunny (1.61), which encodes the sound, writes no chapters, and the time of day into each track.
 */
import type { Draft, RandomAccess } from '../../contract/base/ports.ts';
import type { Book } from './book.ts';

interface Mp4Sound {
  readonly config: Uint8Array;
  readonly delay: number;
  readonly frameSize: number;
  readonly bitrate: number;
}

export interface Mp4Pictures {
  readonly width: number;
  readonly height: number;
  /** The body of the avcC box (ISO 14496-15). */
  readonly config: Uint8Array;
}

/** Frames of sound in one chunk. Pictures stand between chunks. */
const FRAMES_A_CHUNK = 32;
/** Media data from this size on get offsets of 64 bits. The head takes far less than the rest of 4 GiB. */
const LARGE = 0xf000_0000;
/** In place of when a track was made: the same input gives the same bytes. */
const NO_DATE = 0;

/** Bytes of one of the two drafts that follow each other in the file too. */
interface Run {
  readonly from: RandomAccess;
  readonly at: number;
  readonly size: number;
}

/** Collects sound and pictures in the order in which they are made, and writes them in the order of time. */
export class Mp4Body {
  readonly #sound: Draft;
  readonly #others: Draft;
  readonly #sizes: number[] = [];
  readonly #pictures: { size: number; start: number }[] = [];

  /** `sound`: takes frames. `others`: takes pictures and titles of chapters. Both are discarded by `write`. */
  constructor(sound: Draft, others: Draft) {
    this.#sound = sound;
    this.#others = others;
  }

  addFrame(frame: Uint8Array): void {
    this.#sizes.push(frame.length);
    this.#sound.write(frame);
  }

  /** `start`: the sample of the sound at which it appears. */
  addPicture(picture: Uint8Array, start: number): void {
    this.#pictures.push({ size: picture.length, start });
    this.#others.write(picture);
  }

  write(into: Draft, brand: 'M4B ' | 'isom', book: Book, sound: Mp4Sound, pictures: Mp4Pictures | undefined): void {
    const titles = book.chapters.map(({ title }) => chapterSample(title));
    for (const title of titles) this.#others.write(title);
    const layout = this.#layOut(titles, sound);
    const size = layout.runs.reduce((sum, run) => sum + run.size, 0);
    const head = fileType(brand);
    const large = size > LARGE;
    // Offsets of one kind have the same length, so the first head only measures.
    const moov = (base: number) => this.#moov(base, large, book, sound, pictures, layout);
    const base = head.length + moov(0).length + (large ? 16 : 8);
    into.write(head);
    into.write(moov(base));
    into.write(
      large ? Buffer.concat([u32(1), ascii('mdat'), u64(size + 16)]) : Buffer.concat([u32(size + 8), ascii('mdat')]),
    );
    for (const { from, at, size: length } of layout.runs) pour(from, into, at, at + length);
    this.#sound.discard();
    this.#others.discard();
  }

  /** Chunks of sound, each picture before the chunk in which it appears, and the titles at the end. */
  #layOut(titles: readonly Uint8Array[], { frameSize, delay }: Mp4Sound): Layout {
    const [sound, others] = [this.#sound.finish(), this.#others.finish()];
    const runs: Run[] = [];
    let at = 0;
    const add = (from: RandomAccess, place: number, size: number): Place => {
      runs.push({ from, at: place, size });
      at += size;
      return { at: at - size, size };
    };
    const [chunks, pictures]: [Chunk[], Place[]] = [[], []];
    let [frame, soundAt, othersAt] = [0, 0, 0];
    while (frame < this.#sizes.length || pictures.length < this.#pictures.length) {
      const next = this.#pictures[pictures.length];
      const nextFrame = next === undefined ? this.#sizes.length : Math.floor((next.start + delay) / frameSize);
      if (next !== undefined && (nextFrame <= frame || frame >= this.#sizes.length)) {
        pictures.push(add(others, othersAt, next.size));
        othersAt += next.size;
        continue;
      }
      const frames = Math.min(FRAMES_A_CHUNK, nextFrame - frame, this.#sizes.length - frame);
      let size = 0;
      for (let i = 0; i < frames; i++) size += this.#sizes[frame + i] ?? 0;
      chunks.push({ ...add(sound, soundAt, size), frames });
      soundAt += size;
      frame += frames;
    }
    const places = titles.map(({ length }) => {
      const place = add(others, othersAt, length);
      othersAt += length;
      return place;
    });
    return { runs, chunks, pictures, titles: places };
  }

  #moov(
    base: number,
    large: boolean,
    book: Book,
    sound: Mp4Sound,
    pictures: Mp4Pictures | undefined,
    { chunks, pictures: picturePlaces, titles }: Layout,
  ): Uint8Array {
    const { samples, sampleRate, chapters } = book;
    const hasChapters = chapters.length > 0;
    const chapterTrack = pictures === undefined ? 2 : 3;
    const reference = hasChapters ? box('tref', box('chap', u32(chapterTrack))) : NOTHING;
    const frames = this.#sizes.length;
    const offsetsOf = (places: readonly Place[]) => offsets(places, base, large);
    const stills = (entry: Uint8Array, starts: readonly number[], places: readonly Place[]) =>
      Buffer.concat([
        box('stsd', u32(0), u32(1), entry),
        durations(starts, samples),
        chunkRuns(starts.map(() => 1)),
        sampleSizes(places.map(({ size }) => size)),
        offsetsOf(places),
      ]);
    const soundTrack = track({
      kind: 'soun',
      id: 1,
      book,
      extra: Buffer.concat([editList(samples, sound.delay), reference]),
      mediaDuration: frames * sound.frameSize,
      tables: Buffer.concat([
        box('stsd', u32(0), u32(1), audioEntry(sampleRate, sound)),
        box('stts', u32(0), u32(1), u32(frames), u32(sound.frameSize)),
        chunkRuns(chunks.map((chunk) => chunk.frames)),
        sampleSizes(this.#sizes),
        offsetsOf(chunks),
      ]),
    });
    const starts = this.#pictures.map(({ start }) => start);
    const videoTrack =
      pictures === undefined
        ? NOTHING
        : track({
            kind: 'vide',
            id: 2,
            book,
            size: pictures,
            extra: reference,
            tables: stills(videoEntry(pictures), starts, picturePlaces),
          });
    const chapterStarts = chapters.map(({ start }) => start);
    const textTrack = hasChapters
      ? track({ kind: 'text', id: chapterTrack, book, tables: stills(TEXT_ENTRY, chapterStarts, titles) })
      : NOTHING;
    return box(
      'moov',
      box(
        'mvhd',
        ...[u32(0), u32(NO_DATE), u32(NO_DATE), u32(sampleRate), u32(samples)],
        ...[u32(0x10000), u16(0x0100), u16(0), u64(0), MATRIX, new Uint8Array(24), u32(chapterTrack + 1)],
      ),
      soundTrack,
      videoTrack,
      textTrack,
      box('udta', tags(book), hasChapters ? neroChapters(book) : NOTHING),
    );
  }
}

interface Place {
  readonly at: number;
  readonly size: number;
}

interface Chunk extends Place {
  readonly frames: number;
}

/** Places are counted from the beginning of the media data. */
interface Layout {
  readonly runs: readonly Run[];
  readonly chunks: readonly Chunk[];
  readonly pictures: readonly Place[];
  readonly titles: readonly Place[];
}

interface Track {
  readonly kind: 'soun' | 'vide' | 'text';
  readonly id: number;
  readonly book: Book;
  readonly size?: { readonly width: number; readonly height: number };
  /** Boxes between the header of the track and its media. */
  readonly extra?: Uint8Array;
  /** In samples of the sound; left out, that of the book. */
  readonly mediaDuration?: number;
  /** What the sample table holds. */
  readonly tables: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const MATRIX = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].map(u32));
/** ISO 639-2 `und`, five bits a letter. */
const UNDETERMINED = 0x55c4;
const DATA_REFERENCE = box('dinf', box('dref', u32(0), u32(1), box('url ', u32(1))));
/** A QuickTime text sample description with nothing that would be drawn. */
const TEXT_ENTRY = box(
  'text',
  ...[new Uint8Array(6), u16(1), u32(1), u32(1), new Uint8Array(6), u64(0), u64(0), u16(0), u16(0)],
  ...[new Uint8Array(1), new Uint8Array(6), new Uint8Array(1)],
);

function fileType(brand: 'M4B ' | 'isom'): Uint8Array {
  if (brand === 'M4B ') return box('ftyp', ascii('M4B '), u32(0), ascii('M4B M4A mp42isom'));
  return box('ftyp', ascii('isom'), u32(0x200), ascii('isomiso2avc1mp41'));
}

const HEADERS = {
  soun: { name: 'Sound', box: box('smhd', u32(0), u32(0)) },
  vide: { name: 'Pictures', box: box('vmhd', u32(1), u32(0), u32(0)) },
  text: {
    name: 'Chapters',
    box: box(
      'gmhd',
      box('gmin', u32(0), u16(0x40), u16(0x8000), u16(0x8000), u16(0x8000), u32(0)),
      box('text', MATRIX),
    ),
  },
} as const;
/** Flags of a track header: enabled, and part of the presentation. */
const SHOWN = 3;

function track({ kind, id, book, size, extra = NOTHING, mediaDuration = book.samples, tables }: Track): Uint8Array {
  const header = HEADERS[kind];
  return box(
    'trak',
    box(
      'tkhd',
      // A track of chapters is referred to, and not presented itself.
      ...[u32(kind === 'text' ? 0 : SHOWN), u32(NO_DATE), u32(NO_DATE), u32(id), u32(0), u32(book.samples)],
      ...[u64(0), u16(0), u16(0), u16(kind === 'soun' ? 0x0100 : 0), u16(0), MATRIX],
      ...[u32((size?.width ?? 0) * 0x10000), u32((size?.height ?? 0) * 0x10000)],
    ),
    extra,
    box(
      'mdia',
      box('mdhd', ...[0, NO_DATE, NO_DATE, book.sampleRate, mediaDuration].map(u32), u16(UNDETERMINED), u16(0)),
      box('hdlr', u32(0), u32(0), ascii(kind), u32(0), u32(0), u32(0), ascii(`${header.name}\0`)),
      box('minf', header.box, DATA_REFERENCE, box('stbl', tables)),
    ),
  );
}

/** Presents the samples of the book alone: encoders put silence in front of the first one and behind the last one. */
function editList(samples: number, delay: number): Uint8Array {
  return box('edts', box('elst', u32(0), u32(1), u32(samples), u32(delay), u32(0x10000)));
}

function audioEntry(sampleRate: number, { config, bitrate }: Mp4Sound): Uint8Array {
  const specific = descriptor(0x05, config);
  const decoder = descriptor(0x04, Uint8Array.of(0x40, 0x15, 0, 0, 0), u32(bitrate), u32(bitrate), specific);
  const stream = descriptor(0x03, u16(0), Uint8Array.of(0), decoder, descriptor(0x06, Uint8Array.of(2)));
  return box(
    'mp4a',
    ...[new Uint8Array(6), u16(1), u64(0), u16(1), u16(16), u32(0), u32(sampleRate * 0x10000)],
    box('esds', u32(0), stream),
  );
}

function videoEntry({ width, height, config }: Mp4Pictures): Uint8Array {
  return box(
    'avc1',
    ...[new Uint8Array(6), u16(1), new Uint8Array(16), u16(width), u16(height), u32(0x48_0000), u32(0x48_0000), u32(0)],
    ...[u16(1), new Uint8Array(32), u16(24), u16(0xffff)],
    box('avcC', config),
  );
}

/** iTunes metadata, which players of audiobooks read. */
function tags({ title, author, cover }: Book): Uint8Array {
  const text = (name: string, value: string | undefined) =>
    value === undefined || value === '' ? NOTHING : box(name, box('data', u32(1), u32(0), utf8(value)));
  const picture =
    cover === undefined
      ? NOTHING
      : box('covr', box('data', u32(cover.mediaType === 'image/jpeg' ? 13 : 14), u32(0), cover.bytes));
  const list = box(
    'ilst',
    ...[text('©nam', title), text('©alb', title), text('©ART', author), text('©gen', 'Audiobook')],
    ...[text('©too', 'pdftool'), box('stik', box('data', u32(21), u32(0), new Uint8Array([2]))), picture],
  );
  const handler = box('hdlr', u32(0), u32(0), ascii('mdirappl'), u32(0), u32(0), new Uint8Array(1));
  return box('meta', u32(0), handler, list);
}

/** A second list of chapters (Nero), for players that do not know QuickTime's: at most 255, in units of 100 ns. */
function neroChapters({ chapters, sampleRate }: Book): Uint8Array {
  const listed = chapters.slice(0, 255);
  const entries = listed.map(({ title, start }) => {
    const text = shortened(title, 255);
    return Buffer.concat([u64(Math.round((start / sampleRate) * 1e7)), new Uint8Array([text.length]), text]);
  });
  return box('chpl', u32(0x0100_0000), u32(0), new Uint8Array([listed.length]), ...entries);
}

function chapterSample(title: string): Uint8Array {
  const text = shortened(title, 1_000);
  // `encd` with 256 says that the text is UTF-8.
  return Buffer.concat([u16(text.length), text, u32(12), ascii('encd'), u32(0x100)]);
}

/** Text in UTF-8, cut behind the last character that fits into `most` bytes. */
export function shortened(text: string, most: number): Uint8Array {
  let kept = '';
  let size = 0;
  for (const character of text) {
    size += utf8(character).length;
    if (size > most) break;
    kept += character;
  }
  return utf8(kept);
}

function durations(starts: readonly number[], end: number): Uint8Array {
  const runs = starts.flatMap((start, i) => [1, (starts[i + 1] ?? end) - start]);
  return box('stts', u32(0), u32(starts.length), numbers(runs));
}

/** Samples to a chunk, written where the number changes. */
function chunkRuns(frames: readonly number[]): Uint8Array {
  const runs = frames.flatMap((count, i) => (count === frames[i - 1] ? [] : [i + 1, count, 1]));
  return box('stsc', u32(0), u32(runs.length / 3), numbers(runs));
}

function sampleSizes(sizes: readonly number[]): Uint8Array {
  return box('stsz', u32(0), u32(0), u32(sizes.length), numbers(sizes));
}

function offsets(places: readonly Place[], base: number, large: boolean): Uint8Array {
  const all = places.map(({ at }) => base + at);
  if (large) return box('co64', u32(0), u32(all.length), Buffer.concat(all.map(u64)));
  return box('stco', u32(0), u32(all.length), numbers(all));
}

function descriptor(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(tag, 0x80, 0x80, 0x80, body.length), body]);
}

function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), ascii(type), body]);
}

function numbers(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value);
  return new Uint8Array(view.buffer);
}

export function u16(value: number): Uint8Array {
  return new Uint8Array([(value >> 8) & 0xff, value & 0xff]);
}

export function u32(value: number): Uint8Array {
  return numbers([value]);
}

function u64(value: number): Uint8Array {
  return numbers([Math.floor(value / 2 ** 32), value % 2 ** 32]);
}

/** One byte for each character: names of boxes, some of which begin with ©. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const WINDOW = 256 * 1024;

export function pour(from: RandomAccess, into: Draft, start = 0, end = from.size): void {
  const window = new Uint8Array(Math.min(WINDOW, end - start));
  for (let at = start; at < end; ) {
    const got = from.read(window.subarray(0, Math.min(WINDOW, end - at)), at);
    if (got === 0) throw new Error(`${end - at} bytes of ${from.name} are missing`);
    into.write(window.subarray(0, got));
    at += got;
  }
}
