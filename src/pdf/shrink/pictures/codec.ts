/** The image codecs for the rest of the program: questions to a process of their own (codec-process.ts). */

import { Failure } from '../../../contract/failure.ts';
import type { Context, Helper, HelperAnswer } from '../../../contract/ports.ts';
import { field, say } from '../../../contract/wording.ts';
import { readJpeg } from '../../images/jpeg.ts';
import { Damage, Unreadable } from '../../syntax/damage.ts';
import type { RasterLayers } from '../layers/mixed-raster.ts';
import { addSpent, describeSpent, type Spent } from '../layers/stopwatch.ts';
import type { BilevelCoding, PictureArea, Question, SaidOfFewer, SaidOfLayers, Space } from './codec-process.ts';
import type { Fewer } from './fewer-colors.ts';
import type { Raster, SampleForm, Size } from './raster.ts';

export type { BilevelCoding as Bits } from './codec-process.ts';
export type { Raster, Size } from './raster.ts';

/** A picture at its final size, held by the codec until it is closed. */
export interface HeldPicture {
  readonly size: Size;
  part(region: PictureArea): Promise<Raster>;
  /** `thorough`: takes longer for fewer bytes; the pixels are the same. */
  encode(quality: number, thorough: boolean): Promise<Uint8Array>;
  close(): void;
}

/** The codec cannot decode a picture's data. */
class CodecFailure extends Error {}

/** The codec took too long, perhaps over another picture of the same time, or crashed. */
export class CodecLost extends CodecFailure {}

/** Whether the error means damaged data or a limit, so that the stream is copied; others are defects. */
export function isUncodable(error: unknown): boolean {
  if (error instanceof Damage || error instanceof Unreadable || error instanceof CodecFailure) return true;
  return error instanceof Failure && error.code === 'unprocessable';
}

type Asked = Question extends infer Each ? (Each extends Question ? Omit<Each, 'pixels'> : never) : never;

interface Answered {
  readonly error?: string;
  readonly refused?: string;
  readonly missing?: true;
  readonly spent?: Spent;
}

interface Place {
  helper: Promise<Helper> | undefined;
  /** Pixels that occupy its single thread. */
  taken: number;
}

/** Questions that occupy the single thread of a process, and the time per pixel relative to layers. */
const ONE_THREAD: Partial<Record<Asked['ask'], number>> = { bits: 0.1, layers: 1 };
/** Starting another process takes as long as so many pixels. */
const START = 6_000_000;

export class Codec {
  private readonly start: () => Promise<Helper>;
  private readonly signal: AbortSignal;
  /** The second process is started when the first is occupied. */
  private readonly places: readonly Place[] = [
    { helper: undefined, taken: 0 },
    { helper: undefined, taken: 0 },
  ];
  private lastId = 0;
  /** Shared with codecs that work alone. */
  private readonly spent: Spent;

  private constructor(start: () => Promise<Helper>, signal: AbortSignal, spent: Spent = {}) {
    this.start = start;
    this.signal = signal;
    this.spent = spent;
    signal.addEventListener('abort', this.close);
  }

  /** No process is started before the first question. Undefined where none can be. */
  static open({ startCodecs, signal }: Context): Codec | undefined {
    return startCodecs === undefined ? undefined : new Codec(startCodecs, signal);
  }

  /** Whether pictures of more than one bit can be coded: sharp is installed and runs. */
  async hasSharp(): Promise<boolean> {
    try {
      await this.ask({ ask: 'load' }, 0);
      return true;
    } catch (error) {
      this.signal.throwIfAborted();
      if (error instanceof Failure || error instanceof CodecFailure) return false;
      throw error;
    }
  }

  alone(): Codec {
    return new Codec(this.start, this.signal, this.spent);
  }

  readonly close = (): void => {
    this.signal.removeEventListener('abort', this.close);
    for (const place of this.places) {
      void place.helper?.then((it) => it.end());
      place.helper = undefined;
    }
  };

  /** The time that pictures took by step, such as `decode 20 ms, mask 300 ms`; undefined where there were none. */
  profile(): string | undefined {
    return describeSpent(this.spent);
  }

  /** A picture of one bit per pixel as JBIG2; undefined where its coding is damaged. `bytes`: its globals and its data. */
  async asJbig2(bytes: Uint8Array, size: Size, coding: BilevelCoding): Promise<Uint8Array | undefined> {
    const { value, bytes: jbig2 } = await this.ask({ ask: 'bits', size, coding, to: 'jbig2' }, 0, bytes);
    return (value as { decoded: boolean }).decoded ? jbig2 : undefined;
  }

  /** Its rows, packed as in PDF. */
  async rowsOf(bytes: Uint8Array, size: Size, coding: BilevelCoding): Promise<Uint8Array | undefined> {
    const { value, bytes: rows } = await this.ask({ ask: 'bits', size, coding, to: 'rows' }, 0, bytes);
    return (value as { decoded: boolean }).decoded ? rows : undefined;
  }

  /** The pixels of a JPEG at a size, in the colours it holds; profiles inside it do not count in PDF. */
  async decode(jpeg: Uint8Array, size: Size, space: Space): Promise<Raster> {
    return rasterIn(await this.ask({ ask: 'raster', size: sizeOf(size), space }, requireJpeg(jpeg), jpeg));
  }

  /** Pixels at another size, or in grey. */
  async scale(raster: Raster, size: Size, space: Space): Promise<Raster> {
    if (isAsWanted(raster, size, space)) return raster;
    return rasterIn(
      await this.ask({ ask: 'raster', from: formOf(raster), size: sizeOf(size), space }, areaOf(raster), raster.pixels),
    );
  }

  /** A JPEG to be recoded at a size. */
  ofJpeg(jpeg: Uint8Array, size: Size, space: Space): Promise<HeldPicture> {
    return this.hold({ size: sizeOf(size), space }, requireJpeg(jpeg), jpeg);
  }

  /** Pixels at hand, to be coded at a size. */
  ofRaster(
    raster: Raster,
    size: Size = raster,
    space: Space = raster.channels === 1 ? 'gray' : 'rgb',
  ): Promise<HeldPicture> {
    return this.hold({ from: formOf(raster), size: sizeOf(size), space }, areaOf(raster), raster.pixels);
  }

  /**
   * A scanned page, a JPEG or pixels, in layers. `otherwise`: the JPEG it would become instead, and how many bytes are
   * few enough. Left out, the layers are coded further.
   */
  async inLayers(
    picture: Raster | { readonly jpeg: Uint8Array; readonly size: Size },
    {
      space,
      dpi,
      otherwise,
    }: {
      readonly space: Space;
      readonly dpi: number;
      readonly otherwise: { readonly jpeg: Uint8Array; readonly most: number } | undefined;
    },
  ): Promise<RasterLayers | undefined> {
    const jpeg = 'jpeg' in picture;
    const source = jpeg ? picture.jpeg : picture.pixels;
    const size = jpeg ? picture.size : sizeOf(picture);
    const question: Asked = {
      ask: 'layers',
      ...(jpeg ? {} : { from: formOf(picture) }),
      size,
      space,
      dpi,
      pictureBytes: source.length,
      ...(otherwise === undefined ? {} : { most: otherwise.most }),
    };
    const bytes = otherwise === undefined ? source : Buffer.concat([source, otherwise.jpeg]);
    const answer = await this.ask(question, jpeg ? requireJpeg(source) : areaOf(size), bytes);
    const reply = answer.value as { layers?: SaidOfLayers }; // said by codec-process.ts of the same program
    if (reply.layers === undefined) return undefined;
    const { lengths, ground, color, half, ...told } = reply.layers;
    const [stencil, middle, last, rest] = lengths;
    const end = stencil + middle;
    return {
      stencil: answer.bytes.subarray(0, stencil),
      ground: { ...ground, jpeg: answer.bytes.subarray(stencil, end) },
      color: 'width' in color ? { ...color, jpeg: answer.bytes.subarray(end, end + last) } : color,
      ...(half === undefined
        ? {}
        : { half: { ...half, stencil: answer.bytes.subarray(end + last, end + last + rest) } }),
      ...told,
    };
  }

  /** Pixels in fewer colours; undefined where they would look different. */
  async inFewerColors(raster: Raster): Promise<Fewer | undefined> {
    const question: Asked = { ask: 'palette', from: formOf(raster), size: sizeOf(raster) };
    const { value, bytes } = await this.ask(question, areaOf(raster), raster.pixels);
    const { bits, palette } = value as SaidOfFewer; // said by codec-process.ts of the same program
    if (bits === undefined) return undefined;
    return { bits, palette: bytes.subarray(0, palette), rows: bytes.subarray(palette) };
  }

  /** A CMYK JPEG, or samples of four inks, as a JPEG of a size, with the inks kept separate. `turn`: they are inverted. */
  async recodeInks(
    source: Uint8Array | (Size & { readonly pixels: Uint8Array }),
    size: Size,
    quality: number,
    turn = false,
  ): Promise<Uint8Array> {
    const question: Asked = { ask: 'inks', size: sizeOf(size), quality, turn };
    const asked =
      source instanceof Uint8Array
        ? this.ask(question, requireJpeg(source), source)
        : this.ask({ ...question, from: sizeOf(source) }, areaOf(source), source.pixels);
    return (await asked).bytes;
  }

  private async hold(
    given: { from?: SampleForm; size: Size; space: Space },
    pixels: number,
    bytes: Uint8Array,
  ): Promise<HeldPicture> {
    const id = ++this.lastId;
    const { size } = given;
    const place = this.free();
    await this.ask({ ask: 'hold', id, ...given }, pixels, bytes, place);
    const { helper } = place;
    const again = (question: Asked) => this.ask(question, pixels, undefined, { ...place, helper });
    return {
      size,
      part: async (region) => rasterIn(await again({ ask: 'part', id, region })),
      encode: async (quality, thorough) => (await again({ ask: 'encode', id, quality, thorough })).bytes,
      // A process that has ended holds no picture.
      close: () => void again({ ask: 'drop', id }).catch(() => undefined),
    };
  }

  private free(): Place {
    const [first, second] = this.places as readonly [Place, Place];
    const start = second.helper === undefined ? START : 0;
    return second.taken + start < first.taken ? second : first;
  }

  /** `place`: the process that holds what the question is about; left out, any can answer it. */
  private async ask(question: Asked, pixels: number, bytes?: Uint8Array, place = this.free()): Promise<HelperAnswer> {
    this.signal.throwIfAborted();
    const asked = (place.helper ??= this.start());
    const weight = Math.max(pixels, 'size' in question ? areaOf(question.size) : 0);
    const taken = weight * (ONE_THREAD[question.ask] ?? 0);
    place.taken += taken;
    const answer = await (await asked).ask({ ...question, pixels: weight }, bytes).finally(() => {
      place.taken -= taken;
    });
    this.signal.throwIfAborted();
    if (answer === undefined) {
      for (const slot of this.places) if (slot.helper === asked) slot.helper = undefined;
      throw new CodecLost('the image codec took too long or broke down');
    }
    // Said by codec-process.ts of the same program.
    const { error, refused, missing, spent } = answer.value as Answered;
    if (spent !== undefined) addSpent(this.spent, spent);
    if (missing) throw codecMissing();
    if (refused !== undefined) throw new CodecFailure(refused);
    if (error !== undefined) throw new Error(error);
    return answer;
  }
}

/** The failure where pictures must change and there is no codec. */
export function codecMissing(): Failure {
  return new Failure('unavailable', 'pictures cannot be made smaller: the image library sharp is not installed', {
    hint: say`Install it with \`npm install -g sharp\`, or use ${field('lossless', true)}.`,
  });
}

/** The size that its own headers state: the codec gets no more, and sizes of the dictionary alone are not believed. */
function requireJpeg(bytes: Uint8Array): number {
  const jpeg = readJpeg('a picture', bytes, bytes.length);
  if (jpeg === undefined) throw new CodecFailure('its JPEG ends within its headers');
  return jpeg.width * jpeg.height;
}

function areaOf({ width, height }: Size): number {
  return width * height;
}

function formOf({ width, height, channels }: Raster): SampleForm {
  return { width, height, channels };
}

/** Only the size, without pixels that come with it: the question is sent as text. */
function sizeOf({ width, height }: Size): Size {
  return { width, height };
}

function isAsWanted(raster: Raster, size: Size, space: Space): boolean {
  const same = size.width === raster.width && size.height === raster.height;
  return same && raster.channels === (space === 'gray' ? 1 : 3);
}

function rasterIn({ value, bytes }: HelperAnswer): Raster {
  return { ...(value as SampleForm), pixels: bytes }; // said by codec-process.ts of the same program
}
