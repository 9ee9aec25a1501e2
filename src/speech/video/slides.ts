// Still pictures as H.264 (Baseline), each a key frame with a duration of its own. The encoder (minih264 as WebAssembly)
// writes an MP4, from which the pictures and their parameters are read.
import type { Context } from '../../contract/base/ports.ts';
import { viewBytes } from '../audio/aac.ts';
import { encoderPackage } from '../audio/packages.ts';
import type { Mp4Pictures } from '../containers/mp4.ts';

export const SLIDE = { width: 1920, height: 1080 } as const;

/** H.264 quantizer: lower is better. At 22 small print stays legible. */
const QUALITY = 22;
const SPEED = 5;

export interface EncodedSlides {
  readonly pictures: readonly Uint8Array[];
  readonly config: Mp4Pictures;
}

type Packages = Pick<Context, 'importPackage'>;

export async function encodeSlides(slides: readonly Uint8Array[], ctx: Packages): Promise<EncodedSlides> {
  type Library = { default: typeof import('h264-mp4-encoder') };
  const { default: library } = await encoderPackage<Library>('h264-mp4-encoder', ctx);
  const encoder = await library.createH264MP4Encoder();
  try {
    encoder.width = SLIDE.width;
    encoder.height = SLIDE.height;
    encoder.frameRate = 1;
    encoder.quantizationParameter = QUALITY;
    encoder.groupOfPictures = 1;
    encoder.speed = SPEED;
    encoder.initialize();
    for (const slide of slides) encoder.addFrameRgba(slide);
    encoder.finalize();
    return await packetsOf(encoder.FS.readFile(encoder.outputFilename), slides.length, ctx);
  } finally {
    encoder.delete();
  }
}

/** The pictures of an MP4 and the parameters that decode them. */
async function packetsOf(file: Uint8Array, count: number, ctx: Packages): Promise<EncodedSlides> {
  type Library = typeof import('mediabunny');
  const { BufferSource, EncodedPacketSink, Input, MP4 } = await encoderPackage<Library>('mediabunny', ctx);
  const input = new Input({ source: new BufferSource(file), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  const description = (await track?.getDecoderConfig())?.description;
  if (track === null || description === undefined) throw new Error('the encoder wrote no pictures');
  const pictures: Uint8Array[] = [];
  for await (const { data } of new EncodedPacketSink(track).packets()) pictures.push(data.slice());
  if (pictures.length !== count) throw new Error(`${count} slides were encoded as ${pictures.length}`);
  return { pictures, config: { ...SLIDE, config: viewBytes(description) } };
}

export function letterboxed(page: {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
  readonly pixels: Uint8Array;
}): Uint8Array {
  const { width, height, channels, pixels } = page;
  const slide = new Uint8Array(SLIDE.width * SLIDE.height * 4);
  for (let i = 3; i < slide.length; i += 4) slide[i] = 255;
  const [left, top] = [Math.floor((SLIDE.width - width) / 2), Math.floor((SLIDE.height - height) / 2)];
  const [green, blue] = channels === 1 ? [0, 0] : [1, 2];
  for (let y = 0; y < height; y++) {
    let to = 4 * ((top + y) * SLIDE.width + left);
    let from = y * width * channels;
    for (let x = 0; x < width; x++, to += 4, from += channels) {
      slide[to] = pixels[from]!;
      slide[to + 1] = pixels[from + green]!;
      slide[to + 2] = pixels[from + blue]!;
    }
  }
  return slide;
}
