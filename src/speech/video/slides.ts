// Still pictures as H.264 (Baseline), each a key frame that stands for as long as it is wanted. The encoder (minih264 as
// WebAssembly) writes an MP4 of its own, of which the pictures and their parameters are taken.
import type { Mp4Pictures } from '../containers/mp4.ts';

export const SLIDE = { width: 1920, height: 1080 } as const;

/** Lower is better; at 22 small print stays as it is. */
const QUALITY = 22;
const SPEED = 5;

export interface Encoded {
  readonly pictures: readonly Uint8Array[];
  readonly config: Mp4Pictures;
}

/** RGBA pictures of the size of a slide. */
export async function encodeSlides(slides: readonly Uint8Array[]): Promise<Encoded> {
  const { default: library } = await import('h264-mp4-encoder');
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
    return taken(encoder.FS.readFile(encoder.outputFilename), slides.length);
  } finally {
    encoder.delete();
  }
}

function taken(file: Uint8Array, count: number): Encoded {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const path = (...names: string[]) =>
    names.reduce((range, name) => boxIn(file, view, range, name), { at: 0, end: file.length });
  const table = path('moov', 'trak', 'mdia', 'minf', 'stbl');
  const description = boxIn(file, view, table, 'stsd');
  // Behind the count of descriptions come a sample entry's head and its 78 bytes of fields.
  const avcC = boxIn(file, view, { at: description.at + 8 + 8 + 78, end: description.end }, 'avcC');
  const sizes = boxIn(file, view, table, 'stsz');
  const media = path('mdat');
  const pictures: Uint8Array[] = [];
  let at = media.at;
  const same = view.getUint32(sizes.at + 4);
  for (let i = 0; i < view.getUint32(sizes.at + 8); i++) {
    const size = same === 0 ? view.getUint32(sizes.at + 12 + 4 * i) : same;
    pictures.push(file.slice(at, at + size));
    at += size;
  }
  if (pictures.length !== count) throw new Error(`${count} slides were encoded as ${pictures.length}`);
  return { pictures, config: { ...SLIDE, config: file.slice(avcC.at, avcC.end) } };
}

interface Range {
  readonly at: number;
  readonly end: number;
}

/** The body of the first box of a name. */
function boxIn(file: Uint8Array, view: DataView, { at, end }: Range, name: string): Range {
  for (let place = at; place + 8 <= end; ) {
    let size = view.getUint32(place);
    let head = 8;
    if (size === 1) {
      size = Number(view.getBigUint64(place + 8));
      head = 16;
    }
    if (String.fromCharCode(...file.subarray(place + 4, place + 8)) === name)
      return { at: place + head, end: place + size };
    place += Math.max(8, size);
  }
  throw new Error(`the encoder wrote no ${name}`);
}

/** A drawn page in the middle of a slide, on black. */
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
