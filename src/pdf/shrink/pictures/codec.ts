/** The image codecs for the rest of the program: questions to a process of their own (codec-process.ts). */

import { Failure } from '../../../contract/base/failure.ts';
import type { Context, Helper, HelperAnswer } from '../../../contract/base/ports.ts';
import { field, say } from '../../../contract/base/wording.ts';
import { readJpeg } from '../../images/jpeg.ts';
import { Damage, Unreadable } from '../../syntax/damage.ts';
import type { RasterLayers } from '../layers/mixed-raster.ts';
import { addSpent, describeSpent, type Spent } from '../layers/stopwatch.ts';
import type { BilevelCoding, Quality, Question, SaidOfLayers, SaidOfPicture, Space, Wish } from './codec-process.ts';
import type { Raster, SampleForm, Size } from './raster.ts';

export type { BilevelCoding as Bits } from './codec-process.ts';
export type { Raster, Size } from './raster.ts';

/** A picture as it is stored or decoded. */
export type Source = Raster | { readonly jpeg: Uint8Array; readonly size: Size };

/** What became of a picture: a JPEG, fewer colours, or layers. */
export type Recoded =
  | { readonly jpeg: Uint8Array }
  | { readonly layers: RasterLayers }
  | {
      readonly fewer: { readonly bits: number; readonly palette: Uint8Array; readonly parms: string | undefined };
      readonly data: Uint8Array;
    };

/** The codec cannot decode a picture's data. */
class CodecFailure extends Error {}

/** The codec took too long, perhaps over another picture of the same time, or crashed. */
export class CodecLost extends CodecFailure {}

/** Whether sharp is not installed, or does not run here. */
export function isCodecMissing(error: unknown): boolean {
  return error instanceof CodecMissing;
}

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

/** How far a question occupies the single thread of a process: the time per pixel relative to layers. */
function oneThread(question: Asked): number {
  if (question.ask === 'layers') return 1;
  if (question.ask === 'recode') return question.layers === undefined ? 0 : 1;
  return question.ask === 'bits' ? 0.1 : 0;
}
/** Starting another process takes as long as so many pixels. */
const START = 6_000_000;

/** Pictures of one bit up to this are coded by this thread, as are so many pixels of larger ones in a document. */
const MOST_BITS = 1 << 18;
const BITS_AT_HAND = 64_000_000;

export class Codec {
  private readonly start: () => Promise<Helper>;
  private readonly signal: AbortSignal;
  /** The second process is started when the first is occupied. */
  private readonly places: readonly Place[] = [
    { helper: undefined, taken: 0 },
    { helper: undefined, taken: 0 },
  ];
  private bits = 0;
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

  /** Whether a picture of one bit is for another process: for a few of them none is started, which takes as long. */
  isWorthStarting(pixels: number): boolean {
    if (pixels <= MOST_BITS) return false;
    this.bits += pixels;
    return this.bits > BITS_AT_HAND || this.places.some(({ helper }) => helper !== undefined);
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

  /** The picture as what takes the fewest bytes of what is wished; undefined where no quality is good enough. */
  async recode(source: Source, wish: Wish): Promise<Recoded | undefined> {
    const { value, bytes } = await this.askOf(source, { ask: 'recode', ...wish });
    const { jpeg, fewer, layers } = value as SaidOfPicture; // said by codec-process.ts of the same program
    if (layers !== undefined) return { layers: layersIn(layers, bytes) };
    if (fewer !== undefined) {
      const { palette: length, ...told } = fewer;
      return { fewer: { ...told, palette: bytes.subarray(0, length) }, data: bytes.subarray(length) };
    }
    return jpeg === undefined ? undefined : { jpeg: bytes };
  }

  /** A scanned page in layers that are coded further. */
  async inLayers(source: Source, dpi: number, space: Space): Promise<RasterLayers | undefined> {
    const size = 'jpeg' in source ? source.size : sizeOf(source);
    const { value, bytes } = await this.askOf(source, { ask: 'layers', size, space, dpi });
    const { layers } = value as { layers?: SaidOfLayers }; // said by codec-process.ts of the same program
    return layers === undefined ? undefined : layersIn(layers, bytes);
  }

  /** A CMYK JPEG, or samples of four inks, as a JPEG of a size, with the inks kept separate. `turn`: they are inverted. */
  async recodeInks(
    source: Uint8Array | (Size & { readonly pixels: Uint8Array }),
    size: Size,
    quality: Quality,
    turn = false,
  ): Promise<Uint8Array | undefined> {
    const question: Asked = { ask: 'inks', size: sizeOf(size), quality, turn };
    const asked =
      source instanceof Uint8Array
        ? this.ask(question, requireJpeg(source), source)
        : this.ask({ ...question, from: sizeOf(source) }, areaOf(source), source.pixels);
    const { value, bytes } = await asked;
    return (value as SaidOfPicture).jpeg === undefined ? undefined : bytes;
  }

  private askOf(source: Source, question: Extract<Asked, { ask: 'recode' | 'layers' }>): Promise<HelperAnswer> {
    if ('jpeg' in source) return this.ask(question, requireJpeg(source.jpeg), source.jpeg);
    return this.ask({ ...question, from: formOf(source) }, areaOf(source), source.pixels);
  }

  private free(): Place {
    const [first, second] = this.places as readonly [Place, Place];
    const start = second.helper === undefined ? START : 0;
    return second.taken + start < first.taken ? second : first;
  }

  private async ask(question: Asked, pixels: number, bytes?: Uint8Array): Promise<HelperAnswer> {
    this.signal.throwIfAborted();
    const place = this.free();
    const asked = (place.helper ??= this.start());
    const weight = Math.max(pixels, 'size' in question ? areaOf(question.size) : 0);
    const taken = weight * oneThread(question);
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
class CodecMissing extends Failure {}

export function codecMissing(): Failure {
  return new CodecMissing('unavailable', 'pictures cannot be made smaller: the image library sharp is not installed', {
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

function layersIn({ lengths, ground, color, half, ...told }: SaidOfLayers, bytes: Uint8Array): RasterLayers {
  const [stencil, middle, last, rest] = lengths;
  const end = stencil + middle;
  return {
    stencil: bytes.subarray(0, stencil),
    ground: { ...ground, jpeg: bytes.subarray(stencil, end) },
    color: 'width' in color ? { ...color, jpeg: bytes.subarray(end, end + last) } : color,
    ...(half === undefined ? {} : { half: { ...half, stencil: bytes.subarray(end + last, end + last + rest) } }),
    ...told,
  };
}

function rasterIn({ value, bytes }: HelperAnswer): Raster {
  return { ...(value as SampleForm), pixels: bytes }; // said by codec-process.ts of the same program
}
