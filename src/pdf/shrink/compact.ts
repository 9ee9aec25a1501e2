// Compaction: writes a document with as few bytes as its objects allow, without loss; pictures may be replaced on the way.
//
// `analyse` looks at a document once: which objects are reached, which of them nothing draws, which are equal, which fonts
// can be converted to CFF or cut to the glyphs that are shown. `compact` writes it, as often as a target search asks. Fonts
// come first, for their result decides what descriptors say; then all objects that are no streams, in object streams; then
// streams in the order of the file. Up to 12 streams, or 48 MiB of them, are coded at a time on other threads.
// Invariants: a stream that cannot be decoded is copied as it is and noted in `undecoded`; the order of the output follows
// the order of the input, never the order in which threads finish, so that equal input gives equal bytes.
// Cost: one pass over the file to analyse, one to write; memory holds an entry for each object and the streams in flight.
import type { Context, Draft } from '../../contract/base/ports.ts';
import { copyInfo, documentId, trailer, versionOf } from '../file/copy/assemble.ts';
import { Copier, DROPPED } from '../file/copy/copier.ts';
import type { NewEntries } from '../file/copy/new-entries.ts';
import { archivePart } from '../file/read/claims.ts';
import { catalogRef } from '../file/read/entries.ts';
import { decodable, decode } from '../file/read/filters.ts';
import { Pace } from '../file/read/pace.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { usageRights } from '../file/read/signature.ts';
import type { Source } from '../file/read/source.ts';
import { Writer } from '../file/write/writer.ts';
import { encodingValue } from '../fonts/encoding-differences.ts';
import { type Subset, subsetProgram, subsetStream } from '../fonts/subset/subset-program.ts';
import { Damage, Undecodable } from '../syntax/damage.ts';
import { Dict, Ref } from '../syntax/values.ts';
import { planSubsets, type SubsetPlan } from './fonts/font-subsets.ts';
import { convertProgram, type FontPlan, planFonts } from './fonts/fonts.ts';
import { findDuplicates } from './objects/duplicates.ts';
import { LEFT_OUT, STREAM, type Survey, survey, TRIMMED, without } from './objects/survey.ts';
import { findOrphans, findUnused } from './objects/unused.ts';
import { recodeBilevel, smallestBilevel } from './pictures/bilevel.ts';
import { type Codec, isUncodable } from './pictures/codec.ts';
import { imageFormOf } from './pictures/image-form.ts';
import { baseOf, palettable, palettedExactly, paletteEntries } from './pictures/palette.ts';
import {
  type Coded,
  deflated,
  isBilevel,
  LEVEL,
  MOST_DECODED,
  QUICK_LEVEL,
  recode,
  smallest,
} from './pictures/recode.ts';
import { reducedBytes, type SideStream } from './pictures/reduced.ts';
import { deflatesBetter, sampleGain } from './pictures/sample.ts';

/** The new form of a stream: its bytes and the changed entries of its dictionary. */
interface Replacement {
  readonly data: Uint8Array;
  readonly entries: NewEntries | ((parts: readonly number[]) => NewEntries);
  /** Streams to write before it, to which it refers. */
  readonly parts?: readonly SideStream[];
  /** It replaces the original even where that could be stored in less. */
  readonly paired?: boolean;
}

export interface CompactOptions {
  /** Decodes pictures of one bit; large ones in another process. */
  readonly codec: Codec | undefined;
  /** No object streams: the standard that the file claims does not have them. */
  readonly plain: boolean;
  /** Pictures that keep their pixels are deflated quickly: where others lose pixels, the last bytes do not matter. */
  readonly quick?: boolean;
  /** A replacement for an image, or undefined. Called in the order of the file, several at a time. */
  readonly images?:
    | ((num: number, ref: (num: number) => number, samples: () => Uint8Array) => Promise<Replacement | undefined>)
    | undefined;
}

/** What became of a picture, for `--json` and `-v`; bytes as stored. */
export interface PictureRecord {
  readonly object: number;
  readonly original_bytes: number;
  readonly output_bytes: number;
  /** Its present coding: a filter, `layers`, or `unchanged`. */
  readonly coding: string;
  readonly width?: number;
  readonly height?: number;
}

export interface Compacted {
  readonly pictures: readonly PictureRecord[];
  /** Bytes of the file without the data of images. */
  readonly besides: number;
  /** Stored bytes of each image stream, by source object. */
  readonly images: ReadonlyMap<number, number>;
}

/** Facts of a document that do not depend on how it is written. */
export interface Analysis {
  readonly source: Source;
  readonly survey: Survey;
  /** Objects that are named but never shown: references to them become null. */
  readonly dropped: readonly number[];
  readonly same: Int32Array;
  readonly masks: ReadonlySet<number>;
  readonly fonts: FontPlan;
  readonly subsets: SubsetPlan;
  /** Whether deflating short Flate streams again gains enough. */
  readonly again: boolean;
  /** Streams that could not be decoded when they were written; they are copied as they are. */
  readonly undecoded: Set<number>;
}

const PER_STREAM = 4000;
/** Streams coded on other threads before the writer waits for the first of them. */
const IN_FLIGHT = 12;
const MOST_IN_FLIGHT = 48 << 20;
/** Bytes of samples held between the steps of a picture. */
const MOST_HELD = 4 << 20;
/** A picture reduced by more than this factor is not tried without loss as well. */
const MUCH_SMALLER = 3;

export async function analyse(source: Source, ctx: Context): Promise<Analysis> {
  const pace = new Pace(ctx);
  const { file } = source;
  // Each pass visits the objects in an order of its own: a manual of 6 MB was read 22 times over.
  file.windows.holdMore();
  const all = await survey(file, pace);
  // Adobe Reader complains of usage rights that were granted for other bytes.
  const rights = usageRights(file).map(({ num }) => num);
  const cut = { from: await findUnused(source, all, pace), to: new Set([...findOrphans(source, all), ...rights]) };
  const used = cut.from.size + cut.to.size === 0 ? all : without(cut, all, file);
  const named = [...cut.to, ...[...cut.from.values()].flatMap((nums) => [...nums])];
  const dropped = named.filter((num) => !used.reached(num));
  const same = await findDuplicates(file, used, pace);
  const fonts = planFonts(file, used, same);
  // A standard for archives may want a list of the glyphs, which would then be wrong.
  const subsets = archivePart(file) === undefined ? await planSubsets(source, used, same, pace) : new Map();
  const again = await sampleGain(file, used, fonts.programs);
  return {
    source,
    survey: used,
    dropped,
    same,
    masks: softMasks(file, used, same),
    fonts,
    subsets,
    again,
    undecoded: new Set(),
  };
}

function softMasks(file: PdfFile, { lengths }: Survey, same: Int32Array): ReadonlySet<number> {
  const masks = new Set<number>();
  for (const num of lengths.keys()) {
    const dict = file.object(num);
    const mask = dict instanceof Dict && dict.name('Subtype') === 'Image' ? dict.get('SMask') : undefined;
    if (mask instanceof Ref) masks.add(same[mask.num] ?? mask.num);
  }
  return masks;
}

/** Writes the document into `draft`, which is not finished. */
export async function compact(
  analysis: Analysis,
  draft: Draft,
  options: CompactOptions,
  ctx: Context,
): Promise<Compacted> {
  const run = new Run(analysis, draft, options, ctx);
  return run.write();
}

interface Job {
  readonly num: number;
  readonly size: number;
  readonly done: Promise<Replacement | undefined>;
}

class Run {
  private readonly analysis: Analysis;
  private readonly options: CompactOptions;
  private readonly ctx: Context;
  private readonly writer: Writer;
  private readonly copier: Copier;
  private readonly jobs: Job[] = [];
  private inFlight = 0;
  private readonly encodings = new Map<number, ReadonlyMap<number, string>>();
  private readonly images = new Map<number, number>();
  private readonly pictures: PictureRecord[] = [];

  constructor(analysis: Analysis, draft: Draft, options: CompactOptions, ctx: Context) {
    const { file } = analysis.source;
    const version = versionOf(file);
    const least = options.plain ? '1.4' : '1.5';
    this.analysis = analysis;
    this.options = options;
    this.ctx = ctx;
    this.writer = new Writer(draft, {
      version: [version, least].sort().at(-1) ?? least,
      objectStreams: !options.plain,
      perStream: PER_STREAM,
      level: LEVEL,
    });
    this.copier = new Copier(file, this.writer);
  }

  async write(): Promise<Compacted> {
    const { analysis, copier, writer, ctx } = this;
    const { source, same } = analysis;
    const { file } = source;
    const root = catalogRef(file);
    const kept = analysis.survey.objects.filter((num) => same[num] === num);
    for (const num of kept) copier.assign(num, writer.allocate());
    for (const num of analysis.survey.objects) {
      const twin = same[num] ?? num;
      if (twin !== num) copier.assign(num, copier.ref(twin));
    }
    for (const num of analysis.dropped) copier.assign(num, DROPPED);
    await this.writeFonts();
    const pace = new Pace(ctx);
    const isStream = (num: number) => (analysis.survey.marks(num) & STREAM) !== 0;
    for (const num of kept) {
      if (isStream(num)) continue;
      const ended = this.writeValue(num);
      if (ended !== undefined) await ended;
      if (pace.isOver()) await pace.yield();
    }
    const streams = kept.filter((num) => isStream(num) && !this.encodings.has(num));
    for (const [done, num] of streams.entries()) {
      await this.start(num);
      while (this.jobs.length >= IN_FLIGHT || this.inFlight > MOST_IN_FLIGHT) await this.finishOne();
      if (pace.isOver()) {
        ctx.progress({ phase: 'compress', done, total: streams.length, unit: 'parts', note: file.name });
        await pace.yield();
      }
    }
    while (this.jobs.length > 0) await this.finishOne();
    await copier.drain(pace);
    const info = copyInfo(copier);
    await writer.finish(trailer(copier.ref(root.num), info, documentId([source], 'compress')));
    const data = [...this.images.values()].reduce((sum, bytes) => sum + bytes, 0);
    return { besides: writer.position - data, images: this.images, pictures: this.pictures };
  }

  /** Fonts first: whether they are converted decides what their descriptors say. */
  private async writeFonts(): Promise<void> {
    const { analysis, copier, writer, ctx } = this;
    const { file } = analysis.source;
    for (const num of analysis.fonts.programs) {
      const font = this.unlessUndecodable(num, () => convertProgram(file, num));
      if (font === undefined) continue;
      if ('reason' in font) {
        ctx.detail(`font program ${num} stays as it is: ${font.reason}`);
        continue;
      }
      const uses = analysis.subsets.get(num);
      const data = await deflated((uses && subsetProgram(file, font.cff, uses)) ?? font.cff);
      if (data.length >= (analysis.survey.lengths.get(num) ?? 0)) continue;
      this.encodings.set(num, font.encoding);
      writer.stream(copier.ref(num), '/Subtype/Type1C/Filter/FlateDecode', [data]);
      ctx.signal.throwIfAborted();
    }
  }

  private writeValue(num: number): Promise<void> | undefined {
    const changes = this.changes(num);
    return changes.size === 0 ? this.copier.now(num) : this.copier.now(num, changes);
  }

  private changes(num: number): NewEntries {
    const { fonts, survey: found } = this.analysis;
    const changes = new Map<string, string | undefined>();
    if ((found.marks(num) & TRIMMED) !== 0 && this.analysis.source.file.object(num) instanceof Dict)
      for (const key of LEFT_OUT) changes.set(key, undefined);
    const program = fonts.descriptors.get(num);
    if (program !== undefined && this.encodings.has(program)) {
      changes.set('FontFile', undefined);
      changes.set('FontFile3', `${this.copier.map[program]} 0 R`);
    }
    const descriptor = fonts.unencoded.get(num);
    const encoding = this.encodings.get(fonts.descriptors.get(descriptor ?? -1) ?? -1);
    if (encoding !== undefined && encoding.size > 0) changes.set('Encoding', encodingValue(encoding));
    return changes;
  }

  private async start(num: number): Promise<void> {
    const { file } = this.analysis.source;
    const length = this.analysis.survey.lengths.get(num) ?? 0;
    const dict = file.object(num);
    if (!(dict instanceof Dict)) throw new Damage(`object ${num} is no stream`);
    const image = dict.name('Subtype') === 'Image';
    if (image) this.images.set(num, length);
    const done = this.transform(num, dict, length, image);
    // `finishOne` awaits it in its turn; until then a rejection must not count as unhandled.
    done.catch(() => undefined);
    this.jobs.push({ num, size: length, done });
    this.inFlight += length;
  }

  private async transform(num: number, dict: Dict, length: number, image: boolean): Promise<Replacement | undefined> {
    // A stream kept in another file, or one too large to hold.
    if (dict.has('F') || length > MOST_DECODED) return undefined;
    if (image) {
      const samples = this.samplesOf(num, dict);
      const few = await this.inFewColors(num, dict, length, samples);
      const other = await this.options.images?.(num, (target) => this.copier.ref(target), samples);
      if (other?.paired === true) return other;
      // Drawings are often smaller in a lossless coding than as a JPEG.
      const bytes = Math.min(...[few?.data.length, other && reducedBytes(other)].filter((size) => size !== undefined));
      const most = Math.min(length, bytes);
      const tried = other === undefined || most > length / MUCH_SMALLER;
      const exact = tried ? await this.recode(num, dict, samples, bytes === most ? most : undefined) : undefined;
      if (exact !== undefined) return asReplacement(exact);
      return few !== undefined && few.data.length === bytes ? asReplacement(few) : other;
    }
    const { source, subsets } = this.analysis;
    const subset = this.unlessUndecodable(num, () => subsetStream(source.file, num, dict, subsets.get(num)));
    if (subset !== undefined) {
      const data = await deflated(subset.program);
      if (data.length < length) return asProgram(data, dict.has('Length1') ? subset.program.length : undefined, subset);
    }
    const coded = await this.recode(num, dict, undefined);
    return coded === undefined ? undefined : asReplacement(coded);
  }

  /** The decoded samples of a picture: held for the next step where they are few. */
  private samplesOf(num: number, dict: Dict): () => Uint8Array {
    const { file } = this.analysis.source;
    let held: Uint8Array | undefined;
    return () => {
      const samples = held ?? decode(file.rawStream(num, MOST_DECODED).raw, file.filters(dict), MOST_DECODED);
      if (samples.length <= MOST_HELD) held = samples;
      return samples;
    };
  }

  /** `samples`: of a picture. */
  private async recode(
    num: number,
    dict: Dict,
    samples: (() => Uint8Array) | undefined,
    most?: number,
  ): Promise<Coded | undefined> {
    const { file } = this.analysis.source;
    const image = samples !== undefined;
    const length = this.analysis.survey.lengths.get(num) ?? 0;
    const filters = file.filters(dict);
    const [first] = filters;
    const flate = filters.length === 1 && first?.name === 'FlateDecode';
    const rows = image ? imageFormOf(file, dict)?.rows : undefined;
    const predictable = rows !== undefined && (first?.parms?.number('Predictor') ?? 1) === 1;
    const level = image && this.options.quick === true ? QUICK_LEVEL : LEVEL;
    if (isBilevel(rows)) {
      const { codec } = this.options;
      const coded = await this.unlessDamaged(num, () =>
        recodeBilevel(file, num, dict, rows, { most: most ?? length, level, codec }),
      );
      if (coded !== undefined) return coded;
    }
    // Deflating filtered rows again gains a few percent at best, which a reduced picture beats.
    if (flate && !predictable && most !== undefined) return undefined;
    if (dict.name('Type') === 'Metadata' && this.options.plain) return undefined;
    const { raw } = file.rawStream(num, MOST_DECODED);
    return this.unlessDamaged(num, async () => {
      if (flate && !image && !(deflatesBetter(raw) ?? this.analysis.again)) return undefined;
      return recode(raw, filters, rows, { most, level, decoded: samples });
    });
  }

  /** A picture with a palette; undefined where that is not smaller than `most`. */
  private async inFewColors(
    num: number,
    dict: Dict,
    most: number,
    samples: () => Uint8Array,
  ): Promise<Coded | undefined> {
    const { file } = this.analysis.source;
    const form = imageFormOf(file, dict);
    const filters = file.filters(dict);
    if (!palettable(file, dict, form) || !decodable(filters)) return undefined;
    return this.unlessDamaged(num, async () => {
      const palette = palettedExactly(samples(), form.rows, form.palette);
      // A soft mask is grey by definition and takes no palette.
      if (palette === undefined || (palette.palette !== undefined && this.analysis.masks.has(num))) return undefined;
      const more = paletteEntries(palette, baseOf(file, dict, form), (target) => this.copier.ref(target));
      const wanted = { most: most - 2 * (palette.palette?.bytes.length ?? 0), level: LEVEL, codec: this.options.codec };
      const coded = isBilevel(palette.rows)
        ? await smallestBilevel({ bytes: palette.bytes, coding: { kind: 'rows' } }, palette.rows, wanted)
        : await smallest(palette.bytes, palette.rows, wanted.most);
      return coded === undefined || coded.data.length >= wanted.most ? undefined : { ...coded, more };
    });
  }

  /** The result of `work`; undefined for damaged or too large data, which is copied: readers may show a part of it. */
  private async unlessDamaged<T>(num: number, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.ctx.signal.throwIfAborted();
      if (!isUncodable(error)) throw error;
      this.analysis.undecoded.add(num);
      return undefined;
    }
  }

  private unlessUndecodable<T>(num: number, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error;
      this.analysis.undecoded.add(num);
      return undefined;
    }
  }

  private async finishOne(): Promise<void> {
    const job = this.jobs.shift();
    if (job === undefined) return;
    const other = await job.done;
    this.inFlight -= job.size;
    const { num } = job;
    const trimmed = (this.analysis.survey.marks(num) & TRIMMED) !== 0;
    const parts: number[] = [];
    for (const part of other?.parts ?? []) parts.push(await this.writePart(part, parts));
    const changed = typeof other?.entries === 'function' ? other.entries(parts) : other?.entries;
    const entries = new Map([...(changed ?? []), ...(trimmed ? LEFT_OUT.map((key) => [key, undefined] as const) : [])]);
    const before = this.images.get(num);
    if (before !== undefined) {
      const after = other === undefined ? before : reducedBytes(other);
      this.images.set(num, after);
      this.pictures.push(recordOf(num, before, after, entries));
    }
    if (other !== undefined) await this.copier.stream(num, other.data, entries);
    else await this.copier.now(num, entries.size === 0 ? undefined : entries);
  }

  private async writePart({ data, entries }: SideStream, before: readonly number[]): Promise<number> {
    const { writer, copier } = this;
    const num = writer.allocate();
    await writer.stream(
      num,
      entries((num) => copier.ref(num), before),
      [data],
    );
    return num;
  }
}

function recordOf(object: number, before: number, after: number, entries: NewEntries): PictureRecord {
  const text = (key: string) => {
    const value = entries.get(key);
    return typeof value === 'string' ? value.replace('/', '') : undefined;
  };
  const [filter, width, height] = [text('Filter'), text('Width'), text('Height')];
  const coding = text('Subtype') === 'Form' ? 'layers' : (CODINGS[filter ?? ''] ?? 'unchanged');
  const size = width === undefined || height === undefined ? {} : { width: Number(width), height: Number(height) };
  return { object, original_bytes: before, output_bytes: after, coding, ...size };
}

const CODINGS: Readonly<Record<string, string>> = {
  DCTDecode: 'jpeg',
  JBIG2Decode: 'jbig2',
  FlateDecode: 'flate',
};

function asReplacement({ data, filter, parms, more = new Map() }: Coded): Replacement {
  const entries = new Map([...more, ['Filter', filter], ['DecodeParms', parms]]);
  return { data, entries };
}

/** `length`: of the inflated program, where the dictionary states it. */
function asProgram(data: Uint8Array, length: number | undefined, { subtype }: Subset): Replacement {
  const entries = new Map([
    ['Filter', '/FlateDecode'],
    ['DecodeParms', undefined],
    ['Length1', length === undefined ? undefined : String(length)],
  ]);
  if (subtype !== undefined) entries.set('Subtype', `/${subtype}`);
  return { data, entries };
}
