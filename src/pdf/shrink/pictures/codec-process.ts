/**
 * Runs the image codecs of sharp (libvips) in a process of their own (runtime/processes/helper-process.ts), which is
 * ended where it takes too long. Data that claims to be a JPEG is decoded as nothing else.
 */

import type { Sharp, SharpOptions } from 'sharp';
import type { HelperAnswer } from '../../../contract/base/ports.ts';
import { type CcittForm, decodeCcitt } from '../../images/ccitt/decode.ts';
import { decodeJbig2 } from '../../images/jbig2/decode.ts';
import { encodeJbig2 } from '../../images/jbig2/encode.ts';
import { loadSharp } from '../../images/sharp.ts';
import { byteAt } from '../../syntax/arrays.ts';
import { bestLayers, type Codecs, inLayers, type RasterLayers } from '../layers/mixed-raster.ts';
import { type Stage, Stopwatch } from '../layers/stopwatch.ts';
import { inFewerColors } from './fewer-colors.ts';
import { type Coder, chooseInkQuality, chooseQuality, type PictureFacts } from './quality.ts';
import type { PictureArea, Raster, SampleForm, Size } from './raster.ts';
import { smallest } from './recode.ts';

export type Space = 'gray' | 'rgb';

/** The coding of a picture of one bit per pixel: plain rows, CCITT or JBIG2. */
export type BilevelCoding =
  | { readonly kind: 'rows' }
  | ({ readonly kind: 'ccitt' } & CcittForm)
  /** `globals`: how many of the first bytes are shared with other pictures. */
  | { readonly kind: 'jbig2'; readonly globals: number };

/** `from`: the form of the samples in its bytes; left out, the bytes are a JPEG. */
export type Question = { readonly pixels: number } & (
  | { readonly ask: 'bits'; readonly size: Size; readonly coding: BilevelCoding; readonly to: 'rows' | 'jbig2' }
  | { readonly ask: 'raster'; readonly from?: SampleForm; readonly size: Size; readonly space: Space }
  | ({ readonly ask: 'recode'; readonly from?: SampleForm } & Wish)
  | ToLayers
  | {
      readonly ask: 'inks';
      readonly from?: Size;
      readonly size: Size;
      readonly quality: Quality;
      readonly turn: boolean;
    }
);

/** The quality of a JPEG: a number, or as high as needed to look the same. */
export type Quality = number | PictureFacts;

/** What a picture is to become: a JPEG, or what is better. */
export interface Wish {
  readonly size: Size;
  readonly space: Space;
  readonly quality: Quality;
  /** Takes longer for fewer bytes; the pixels are the same. */
  readonly thorough: boolean;
  /** Fewer colours with sharp edges, where they take less than the JPEG and than so many bytes. */
  readonly fewer?: number;
  /** Layers of a scanned page, where they take a tenth less than the JPEG. `most`: of a larger JPEG none are made. */
  readonly layers?: { readonly size: Size; readonly dpi: number; readonly most: number };
}

/** A scanned page of `size` in layers that are coded further. */
interface ToLayers {
  readonly ask: 'layers';
  readonly from?: SampleForm;
  readonly size: Size;
  readonly space: Space;
  readonly dpi: number;
}

/** The answer for a picture: the bytes are a JPEG, unless something else is said. Undefined: no quality is good enough. */
export interface SaidOfPicture {
  readonly jpeg?: true;
  readonly fewer?: SaidOfFewer;
  readonly layers?: SaidOfLayers;
}

/** A picture in fewer colours that looks the same. `palette`: how many of the first bytes are its colours. */
interface SaidOfFewer {
  readonly bits: number;
  readonly palette: number;
  readonly parms: string | undefined;
}

/** The answer about layers: their lengths in bytes, in order, and what is needed to assemble them. */
export interface SaidOfLayers {
  readonly lengths: readonly [stencil: number, ground: number, color: number, half: number];
  readonly ground: Size;
  readonly color: readonly number[] | Size;
  readonly half?: Size;
  readonly paper: boolean;
  readonly keptStrokes: boolean;
}

type Library = (input: Uint8Array, options?: SharpOptions) => Sharp;

/** Most pixels of a picture, whatever its file states: checked before anything is decoded. */
export const MOST_PIXELS = 300_000_000;
/** The quantisation table of sharp's `mozjpeg`. */
const MOZJPEG_TABLE = 3;
/** Profiles inside a JPEG do not count in PDF, which has its own colour spaces. */
const JPEG_OPTIONS = { ignoreIcc: true, failOn: 'error', limitInputPixels: MOST_PIXELS } as const;
const SPACES = { gray: 'b-w', rgb: 'srgb', cmyk: 'cmyk' } as const;
/** Most pixels of a picture that is held while it is judged; larger ones are decoded again each time. */
const MOST_HELD = 6_000_000;
/** Larger pictures are not coded progressively, for which all coefficients are held. */
const MOST_IN_SCANS = 8_000_000;

/** Layers must save a tenth, their additional dictionaries of so many bytes among it. */
const LAYERS_WORTH = 0.9;
const LAYERS_AROUND = 600;

/** Milliseconds of processor time for a question, and for each million of pixels: ten times what a slow machine takes. */
const ALLOWED = 5_000;
const ALLOWED_A_MILLION = 2_000;

/** `now`: milliseconds of any clock. */
export async function createCodec(now: () => number): Promise<{
  answer(question: unknown, bytes: Uint8Array): Promise<HelperAnswer>;
  allowance(question: unknown): number;
}> {
  // Pictures of one bit do not need sharp.
  let loaded: { readonly codec: CodecProcess | undefined } | undefined;
  const watch = new Stopwatch(now);
  const answer = async (question: Question, bytes: Uint8Array) => {
    if (question.ask === 'bits') return answerBits(question, bytes);
    loaded ??= { codec: load(watch) };
    const { codec } = loaded;
    return codec === undefined ? withoutBytes({ missing: true }) : codec.answer(question, bytes);
  };
  const timed = (question: Question, bytes: Uint8Array) => {
    const step = STEP_OF[question.ask];
    return step === undefined ? answer(question, bytes) : watch.timed(step, () => answer(question, bytes));
  };
  return {
    async answer(given, bytes) {
      try {
        const { value, bytes: out } = await timed(given as Question, bytes); // asked by codec.ts of the same program
        return { value: { ...(value as object), spent: watch.take() }, bytes: out };
      } catch (error) {
        if (!(error instanceof Error) || DEFECTS.some((kind) => error instanceof kind)) throw error;
        return withoutBytes({ refused: error.message });
      }
    },
    allowance: (question) => ALLOWED + ((question as Question).pixels / 1e6) * ALLOWED_A_MILLION,
  };
}

/** The step that a question belongs to; others count their own steps. */
const STEP_OF: Partial<Record<Question['ask'], Stage>> = { bits: 'mask', raster: 'decode', inks: 'code' };

const NOTHING = new Uint8Array(0);

/** Defects of this program. sharp and the decoders throw plain errors for pictures that they cannot decode. */
const DEFECTS = [TypeError, RangeError, ReferenceError];

type Bilevel = Extract<Question, { readonly ask: 'bits' }>;

async function answerBits({ size, coding, to }: Bilevel, bytes: Uint8Array): Promise<HelperAnswer> {
  const rows = await decodedBits(bytes, size, coding);
  if (rows === undefined) return withoutBytes({ decoded: false });
  return { value: { decoded: true }, bytes: to === 'rows' ? rows : encodeJbig2(rows, size.width, size.height) };
}

async function decodedBits(
  bytes: Uint8Array,
  { width, height }: Size,
  coding: BilevelCoding,
): Promise<Uint8Array | undefined> {
  if (coding.kind === 'ccitt') return decodeCcitt(bytes, coding, height);
  if (coding.kind === 'rows') return bytes;
  const { globals } = coding;
  try {
    const shared = globals === 0 ? undefined : bytes.subarray(0, globals);
    return await decodeJbig2(bytes.subarray(globals), shared, width, height);
  } catch (cause) {
    throw new Error('its JBIG2 data cannot be decoded', { cause });
  }
}

/** Undefined where sharp is not installed or does not run here. */
function load(watch: Stopwatch): CodecProcess | undefined {
  try {
    const sharp = loadSharp();
    // sharp would guess the format of any data, SVG included.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['VipsForeignLoadJpeg'] });
    return new CodecProcess(sharp, watch);
  } catch {
    // Whatever fails, pictures stay as they are, and the caller says that sharp is missing.
    return undefined;
  }
}

type Asked = Exclude<Question, Bilevel>;

class CodecProcess {
  private readonly sharp: Library;
  private readonly watch: Stopwatch;

  constructor(sharp: Library, watch: Stopwatch) {
    this.sharp = sharp;
    this.watch = watch;
  }

  async answer(question: Asked, bytes: Uint8Array): Promise<HelperAnswer> {
    switch (question.ask) {
      case 'raster':
        return rasterAnswer(await this.raster(bytes, question));
      case 'recode':
        return this.recode(bytes, question);
      case 'layers':
        return layersAnswer(await this.layers(bytes, question));
      case 'inks':
        return this.recodeInks(bytes, question);
    }
  }

  private async raster(bytes: Uint8Array, { from, size, space }: Given): Promise<Raster> {
    const isAsWanted = from !== undefined && isSameSize(from, size) && spaceOf(from.channels) === space;
    return isAsWanted ? { ...from, pixels: bytes } : this.samples(this.reduced(bytes, { from, size, space }), space);
  }

  /** The picture as the smallest of what it may become. Each decoding and each try is made once. */
  private async recode(bytes: Uint8Array, question: ToRecode): Promise<HelperAnswer> {
    const { from, size, space, thorough, fewer, layers } = question;
    const isHeld = from !== undefined || size.width * size.height <= MOST_HELD;
    const raster = isHeld ? await this.watch.timed('decode', () => this.raster(bytes, question)) : undefined;
    const image = () =>
      raster === undefined
        ? this.reduced(bytes, question)
        : this.open(raster.pixels, raster).toColourspace(SPACES[space]);
    const part = (area: PictureArea) =>
      raster === undefined ? this.samples(image().extract(area), space) : Promise.resolve(crop(raster, area));
    const quality =
      typeof question.quality === 'number'
        ? question.quality
        : await chooseQuality(size, part, question.quality, this.coder);
    const jpeg =
      quality === undefined
        ? undefined
        : await this.watch.timed('code', () =>
            image()
              .jpeg(jpegOptions(quality, size, thorough))
              .toBuffer(),
          );
    if (fewer !== undefined && from !== undefined) {
      const most = Math.min(fewer, jpeg?.length ?? Number.POSITIVE_INFINITY);
      const drawing = await this.watch.timed('code', () => this.fewerColors({ ...from, pixels: bytes }, most));
      if (drawing !== undefined) return drawing;
    }
    if (jpeg === undefined) return withoutBytes({});
    if (layers !== undefined && jpeg.length <= layers.most) {
      const page = isSameSize(layers.size, size) ? raster : undefined;
      const wanted = { dpi: layers.dpi, most: jpeg.length * LAYERS_WORTH - LAYERS_AROUND, otherwise: jpeg };
      const found = await bestLayers(
        page ?? (await this.watch.timed('decode', () => this.raster(bytes, { from, size: layers.size, space }))),
        wanted,
        this.codecs,
        this.watch,
      );
      if (found !== undefined) return layersAnswer(found);
    }
    return { value: { jpeg: true }, bytes: jpeg };
  }

  /** A drawing or screenshot in fewer colours; undefined where that takes `most` bytes, or looks different. */
  private async fewerColors(raster: Raster, most: number): Promise<HelperAnswer | undefined> {
    const fewer = await inFewerColors(raster, most, (colours) =>
      this.open(raster.pixels, raster)
        .png({ palette: true, colours, dither: 0, effort: 4, compressionLevel: 1 })
        .toBuffer(),
    );
    if (fewer === undefined) return undefined;
    const { width: columns, height: count, channels } = raster;
    const palette = fewer.palette.filter((_, i) => i % 3 < channels);
    const { data, parms } = await smallest(fewer.rows, { columns, colors: 1, bits: fewer.bits, count });
    if (data.length + 2 * palette.length >= most) return undefined;
    const said: SaidOfFewer = { bits: fewer.bits, palette: palette.length, parms };
    return { value: { fewer: said }, bytes: Buffer.concat([palette, data]) };
  }

  private async layers(bytes: Uint8Array, question: ToLayers): Promise<RasterLayers | undefined> {
    const picture = await this.watch.timed('decode', () => this.raster(bytes, question));
    return inLayers(picture, question.dpi, this.codecs, this.watch);
  }

  private readonly coder: Coder = {
    scaled: (raster, size) => this.raster(raster.pixels, { from: raster, size, space: spaceOf(raster.channels) }),
    encoded: (raster, quality) =>
      this.watch.timed('code', () =>
        this.open(raster.pixels, raster)
          .toColourspace(SPACES[spaceOf(raster.channels)])
          .jpeg(jpegOptions(quality, raster, false))
          .toBuffer(),
      ),
    decoded: (jpeg, size, channels) =>
      this.watch.timed('decode', () => this.raster(jpeg, { size, space: spaceOf(channels) })),
  };

  private readonly codecs: Codecs = {
    jpeg: (picture, size, quality) => {
      const image = this.reduced(picture.pixels, {
        from: picture,
        size,
        space: spaceOf(picture.channels),
      });
      return image.jpeg(jpegOptions(quality, size, true)).toBuffer();
    },
    grey: (jpeg) => this.samples(this.open(jpeg, undefined).toColourspace(SPACES.gray), 'gray'),
    scaled: async ({ pixels, width, height }, size) =>
      (await this.raster(pixels, { from: { width, height, channels: 1 }, size, space: 'gray' })).pixels,
  };

  /** Recodes a CMYK JPEG, or samples of four inks, which stay separate all the way. */
  private async recodeInks(bytes: Uint8Array, { from, size, quality, turn }: ToInks): Promise<HelperAnswer> {
    const coded = (at: number): Promise<Uint8Array> => {
      const image = from === undefined ? this.open(bytes, from).pipelineColourspace('cmyk') : this.inks(bytes, from);
      return resized(turn ? image.negate() : image, size)
        .toColourspace('cmyk')
        .jpeg(jpegOptions(at, size, true))
        .toBuffer();
    };
    const chosen =
      typeof quality === 'number' ? quality : await chooseInkQuality(bytes, size, coded, quality, this.coder);
    return chosen === undefined ? withoutBytes({}) : { value: { jpeg: true }, bytes: await coded(chosen) };
  }

  /** sharp takes four samples a pixel for colours with alpha, so it gets the inks one by one. */
  private inks(bytes: Uint8Array, { width, height }: Size): Sharp {
    const [first, ...others] = [0, 1, 2, 3].map((ink) => {
      const plane = new Uint8Array(width * height);
      for (let i = 0; i < plane.length; i++) plane[i] = byteAt(bytes, 4 * i + ink);
      return plane;
    }) as [Uint8Array, ...Uint8Array[]]; // four inks give four planes
    const raw = { width, height, channels: 1 } as const;
    return this.open(first, raw).joinChannel(others.map(Buffer.from), { raw });
  }

  private reduced(bytes: Uint8Array, { from, size, space }: Given): Sharp {
    const image = this.open(bytes, from);
    return (from !== undefined && isSameSize(from, size) ? image : resized(image, size)).toColourspace(SPACES[space]);
  }

  private open(bytes: Uint8Array, from: SampleForm | undefined): Sharp {
    if (from === undefined) return this.sharp(bytes, JPEG_OPTIONS);
    const { width, height, channels } = from;
    return this.sharp(bytes, { raw: { width, height, channels }, limitInputPixels: false });
  }

  private async samples(image: Sharp, space: Space): Promise<Raster> {
    const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const channels = space === 'gray' ? 1 : 3;
    if (info.channels !== channels) throw new Error(`the codec gave ${info.channels} channels for ${channels}`);
    return { pixels: data, width: info.width, height: info.height, channels };
  }
}

type ToInks = Extract<Question, { readonly ask: 'inks' }>;
type ToRecode = Extract<Question, { readonly ask: 'recode' }>;
type Given = { readonly from?: SampleForm | undefined; readonly size: Size; readonly space: Space };

function isSameSize(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height;
}

function spaceOf(channels: 1 | 3): Space {
  return channels === 1 ? 'gray' : 'rgb';
}

function withoutBytes(value: object): HelperAnswer {
  return { value, bytes: NOTHING };
}

function layersAnswer(layers: RasterLayers | undefined): HelperAnswer {
  if (layers === undefined) return withoutBytes({});
  const { stencil, ground, color, half, paper, keptStrokes } = layers;
  const inks = 'jpeg' in color ? color.jpeg : NOTHING;
  const told: SaidOfLayers = {
    lengths: [stencil.length, ground.jpeg.length, inks.length, half?.stencil.length ?? 0],
    ground: { width: ground.width, height: ground.height },
    color: 'jpeg' in color ? { width: color.width, height: color.height } : color,
    ...(half === undefined ? {} : { half: { width: half.width, height: half.height } }),
    paper,
    keptStrokes,
  };
  return { value: { layers: told }, bytes: Buffer.concat([stencil, ground.jpeg, inks, half?.stencil ?? NOTHING]) };
}

function rasterAnswer({ pixels, width, height, channels }: Raster): HelperAnswer {
  return { value: { width, height, channels }, bytes: pixels };
}

/**
 * mozjpeg's table and, where thorough, progressive scans: 2 to 5 % of the bytes for as much time again. Its trellis
 * gains a tenth on drawings for six times the time, and its search for the best scans 2 % for a third: both are left
 * out.
 */
function jpegOptions(quality: number, { width, height }: Size, thorough: boolean) {
  return { quality, quantisationTable: MOZJPEG_TABLE, progressive: thorough && width * height <= MOST_IN_SCANS };
}

function crop({ pixels, width, channels }: Raster, region: PictureArea): Raster {
  if (region.width === width) {
    const from = region.top * width * channels;
    const part = pixels.subarray(from, from + region.height * width * channels);
    return { pixels: part, width, height: region.height, channels };
  }
  const row = region.width * channels;
  const out = new Uint8Array(row * region.height);
  for (let y = 0; y < region.height; y++) {
    const from = ((region.top + y) * width + region.left) * channels;
    out.set(pixels.subarray(from, from + row), y * row);
  }
  return { pixels: out, width: region.width, height: region.height, channels };
}

function resized(image: Sharp, { width, height }: Size): Sharp {
  // Compared with Lanczos: no ringing edges, so 5 % fewer bytes, and at least as similar to the original.
  return image.resize(width, height, { fit: 'fill', kernel: 'cubic' });
}
