// MP4 (ISO 14496-12) and M4B: sound, pictures that stand for as long as they are wanted, chapters and tags. Written here
// because the muxers there are have no chapters, no edit list for what the AAC encoder puts in front (64 ms at 16 kHz), and
// write the time of day into the file. All time scales are the sample rate of the sound, so that every start is exact.
import type { Draft, RandomAccess } from '../../contract/ports.ts';
import type { Book } from './book.ts';

export interface Mp4Sound {
  /** AudioSpecificConfig. */
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

/** Frames of sound that follow each other in the file before a picture may come. */
const FRAMES_A_CHUNK = 32;
/** Where offsets of 32 bits end; what stands before the sound is far smaller than what is left. */
const LARGE = 0xf000_0000;
const SECONDS_1904_UNKNOWN = 0;

/** A run of bytes of one of the two drafts, in the order of the file. */
interface Run {
  readonly from: RandomAccess;
  readonly at: number;
  readonly size: number;
}

/** Collects sound and pictures as they come. The order in the file is that of time, whichever came first. */
export class Mp4Body {
  readonly #sound: Draft;
  readonly #others: Draft;
  readonly #sizes: number[] = [];
  readonly #pictures: { size: number; start: number }[] = [];

  /** `sound`, `others`: drafts for the time being. */
  constructor(sound: Draft, others: Draft) {
    this.#sound = sound;
    this.#others = others;
  }

  addFrame(frame: Uint8Array): void {
    this.#sizes.push(frame.length);
    this.#sound.write(frame);
  }

  /** `start`: the sample of the sound from which on it is seen. */
  addPicture(picture: Uint8Array, start: number): void {
    this.#pictures.push({ size: picture.length, start });
    this.#others.write(picture);
  }

  /** Writes the whole file. The head comes first, so that it plays while it is fetched. */
  write(into: Draft, brand: 'M4B ' | 'isom', book: Book, sound: Mp4Sound, pictures: Mp4Pictures | undefined): void {
    const titles = book.chapters.map(({ title }) => chapterSample(title));
    for (const title of titles) this.#others.write(title);
    const layout = this.#layOut(titles, sound);
    const size = layout.runs.reduce((sum, run) => sum + run.size, 0);
    const head = fileType(brand);
    const large = size > LARGE;
    // Offsets have the same length whatever they are: the first run only measures.
    const moov = (base: number) => this.#moov(base, large, book, sound, pictures, layout);
    const base = head.length + moov(0).length + (large ? 16 : 8);
    into.write(head);
    into.write(moov(base));
    into.write(large ? concat([u32(1), ascii('mdat'), u64(size + 16)]) : concat([u32(size + 8), ascii('mdat')]));
    for (const { from, at, size: length } of layout.runs) pour(from, into, at, at + length);
    this.#sound.discard();
    this.#others.discard();
  }

  /** Chunks of sound, each picture before the chunk in which it is first seen, the titles at the end. */
  #layOut(titles: readonly Uint8Array[], { frameSize, delay }: Mp4Sound): Layout {
    const [sound, others] = [this.#sound.finish(), this.#others.finish()];
    const runs: Run[] = [];
    let at = 0;
    const add = (from: RandomAccess, place: number, size: number): Place => {
      const last = runs.at(-1);
      if (last?.from === from && last.at + last.size === place)
        runs[runs.length - 1] = { ...last, size: last.size + size };
      else runs.push({ from, at: place, size });
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
    { chunks, pictures: pictureAt, titles }: Layout,
  ): Uint8Array {
    const { samples, sampleRate, chapters } = book;
    const hasChapters = chapters.length > 0;
    const chapterTrack = pictures === undefined ? 2 : 3;
    const tref = hasChapters ? box('tref', box('chap', u32(chapterTrack))) : NOTHING;
    const mediaSamples = this.#sizes.length * sound.frameSize;
    const soundTrack = track({
      id: 1,
      enabled: true,
      duration: samples,
      volume: 0x0100,
      extra: concat([editList(samples, sound.delay), tref]),
      handler: 'soun',
      header: box('smhd', u32(0), u32(0)),
      sampleRate,
      mediaDuration: mediaSamples,
      tables: concat([
        box('stsd', u32(0), u32(1), audioEntry(sampleRate, sound)),
        box('stts', u32(0), u32(1), u32(this.#sizes.length), u32(sound.frameSize)),
        chunkRuns(chunks.map(({ frames }) => frames)),
        box('stsz', u32(0), u32(0), u32(this.#sizes.length), numbers(this.#sizes)),
        offsets(
          chunks.map(({ at }) => base + at),
          large,
        ),
      ]),
    });
    const starts = this.#pictures.map(({ start }) => start);
    const videoTrack =
      pictures === undefined
        ? NOTHING
        : track({
            id: 2,
            enabled: true,
            duration: samples,
            volume: 0,
            extra: tref,
            handler: 'vide',
            size: pictures,
            header: box('vmhd', u32(1), u32(0), u32(0)),
            sampleRate,
            mediaDuration: samples,
            tables: concat([
              box('stsd', u32(0), u32(1), videoEntry(pictures)),
              durations(starts, samples),
              chunkRuns(starts.map(() => 1)),
              box('stsz', u32(0), u32(0), u32(starts.length), numbers(this.#pictures.map(({ size }) => size))),
              offsets(
                pictureAt.map(({ at }) => base + at),
                large,
              ),
            ]),
          });
    const chapterStarts = chapters.map(({ start }) => start);
    const textTrack = hasChapters
      ? track({
          id: chapterTrack,
          enabled: false,
          duration: samples,
          volume: 0,
          extra: NOTHING,
          handler: 'text',
          header: box(
            'gmhd',
            box('gmin', u32(0), u16(0x40), u16(0x8000), u16(0x8000), u16(0x8000), u32(0)),
            box('text', MATRIX),
          ),
          sampleRate,
          mediaDuration: samples,
          tables: concat([
            box('stsd', u32(0), u32(1), TEXT_ENTRY),
            durations(chapterStarts, samples),
            chunkRuns(titles.map(() => 1)),
            box('stsz', u32(0), u32(0), u32(titles.length), numbers(titles.map(({ size }) => size))),
            offsets(
              titles.map(({ at }) => base + at),
              large,
            ),
          ]),
        })
      : NOTHING;
    return box(
      'moov',
      box(
        'mvhd',
        ...[u32(0), u32(SECONDS_1904_UNKNOWN), u32(SECONDS_1904_UNKNOWN), u32(sampleRate), u32(samples)],
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

/** Where everything is, from the beginning of the media data. */
interface Layout {
  readonly runs: readonly Run[];
  readonly chunks: readonly Chunk[];
  readonly pictures: readonly Place[];
  readonly titles: readonly Place[];
}

interface Track {
  readonly id: number;
  readonly enabled: boolean;
  readonly duration: number;
  readonly volume: number;
  readonly extra: Uint8Array;
  readonly handler: 'soun' | 'vide' | 'text';
  readonly size?: { readonly width: number; readonly height: number };
  readonly header: Uint8Array;
  readonly sampleRate: number;
  readonly mediaDuration: number;
  readonly tables: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const MATRIX = concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].map(u32));
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
  return brand === 'M4B '
    ? box('ftyp', ascii('M4B '), u32(0), ascii('M4B M4A mp42isom'))
    : box('ftyp', ascii('isom'), u32(0x200), ascii('isomiso2avc1mp41'));
}

function track({
  id,
  enabled,
  duration,
  volume,
  extra,
  handler,
  size,
  header,
  sampleRate,
  mediaDuration,
  tables,
}: Track) {
  const name = { soun: 'Sound', vide: 'Pictures', text: 'Chapters' }[handler];
  return box(
    'trak',
    box(
      'tkhd',
      // Enabled, in the movie; a chapter track is neither.
      ...[u32(enabled ? 3 : 0), u32(SECONDS_1904_UNKNOWN), u32(SECONDS_1904_UNKNOWN), u32(id), u32(0), u32(duration)],
      ...[u64(0), u16(0), u16(0), u16(volume), u16(0), MATRIX],
      ...[u32((size?.width ?? 0) * 0x10000), u32((size?.height ?? 0) * 0x10000)],
    ),
    extra,
    box(
      'mdia',
      box('mdhd', ...[0, 0, 0, sampleRate, mediaDuration].map(u32), u16(UNDETERMINED), u16(0)),
      box('hdlr', u32(0), u32(0), ascii(handler), u32(0), u32(0), u32(0), ascii(`${name}\0`)),
      box('minf', header, DATA_REFERENCE, box('stbl', tables)),
    ),
  );
}

/** Leaves out what the encoder put in front of the first sample, and behind the last one. */
function editList(samples: number, delay: number): Uint8Array {
  return box('edts', box('elst', u32(0), u32(1), u32(samples), u32(delay), u32(0x10000)));
}

function audioEntry(sampleRate: number, { config, bitrate }: Mp4Sound): Uint8Array {
  const specific = descriptor(0x05, config);
  const decoder = descriptor(
    0x04,
    concat([new Uint8Array([0x40, 0x15, 0, 0, 0]), u32(bitrate), u32(bitrate), specific]),
  );
  const stream = descriptor(
    0x03,
    concat([u16(0), new Uint8Array([0]), decoder, descriptor(0x06, new Uint8Array([2]))]),
  );
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

/** Tags as players of books look for them (iTunes metadata). */
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

/** The list of chapters that players without QuickTime's know: at most 255, in units of 100 ns. */
function neroChapters({ chapters, sampleRate }: Book): Uint8Array {
  const listed = chapters.slice(0, 255);
  const each = listed.map(({ title, start }) => {
    const text = shortened(title, 255);
    return concat([u64(Math.round((start / sampleRate) * 1e7)), new Uint8Array([text.length]), text]);
  });
  return box('chpl', u32(0x0100_0000), u32(0), new Uint8Array([listed.length]), ...each);
}

function chapterSample(title: string): Uint8Array {
  const text = shortened(title, 1_000);
  // The box that follows says that the text is UTF-8.
  return concat([u16(text.length), text, u32(12), ascii('encd'), u32(0x100)]);
}

/** UTF-8 of at most so many bytes, whole characters. */
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
  const each = starts.map((start, i) => (starts[i + 1] ?? end) - start);
  return box('stts', u32(0), u32(each.length), numbers(each.flatMap((duration) => [1, duration])));
}

/** The number of samples in each chunk, where it changes. */
function chunkRuns(frames: readonly number[]): Uint8Array {
  const runs = frames.flatMap((count, i) => (count === frames[i - 1] ? [] : [i + 1, count, 1]));
  return box('stsc', u32(0), u32(runs.length / 3), numbers(runs));
}

function offsets(places: readonly number[], large: boolean): Uint8Array {
  if (large) return box('co64', u32(0), u32(places.length), concat(places.map(u64)));
  return box('stco', u32(0), u32(places.length), numbers(places));
}

function descriptor(tag: number, body: Uint8Array): Uint8Array {
  return concat([new Uint8Array([tag, 0x80, 0x80, 0x80, body.length]), body]);
}

export function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = concat(parts);
  return concat([u32(body.length + 8), ascii(type), body]);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
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

/** One byte a character: names of boxes, of which some begin with ©. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const WINDOW = 256 * 1024;

/** Copies a part of a finished draft. */
export function pour(from: RandomAccess, into: Draft, start = 0, end = from.size): void {
  const window = new Uint8Array(Math.min(WINDOW, end - start));
  for (let at = start; at < end; ) {
    const got = from.read(window.subarray(0, Math.min(WINDOW, end - at)), at);
    if (got === 0) throw new Error(`${end - at} bytes of ${from.name} are missing`);
    into.write(window.subarray(0, got));
    at += got;
  }
}
