// Scanned pages under a target: layers that are made once, and their ground coded anew for each size that is tried.
import type { PdfFile } from '../../read/pdf-file.ts';
import type { Codec } from '../pictures/codec.ts';
import { type Candidate, colorsOf, type Effort, isGrey, layersToCode } from '../pictures/pictures.ts';
import type { Reduced } from '../pictures/reduced.ts';
import { formOfLayers } from './form.ts';
import type { Layers } from './mixed-raster.ts';

/** Bytes of layers that are held for further rounds, a thousand pages and more; pages beyond stay in one layer. */
const MOST_HELD = 96 << 20;
/** Where a picture would have more pixels to the inch than this, one layer of them is as good. */
const FROM_DPI = 225;
/** Where it would have fewer, ink has half of its resolution; and where fewer yet, there are no layers. */
const HALF_DPI = 110;
const LEAST_DPI = 66;
/** The ground has this part of the resolution that a picture in one layer would have, and a little more quality. */
const GROUND = 0.5;
const BETTER = 8;

export class Budgeted {
  private readonly file: PdfFile;
  private readonly codec: Codec;
  private readonly pages = new Map<number, Promise<Layers | undefined>>();
  private held = 0;

  constructor(file: PdfFile, codec: Codec) {
    this.file = file;
    this.codec = codec;
  }

  /** The page in layers that come to about what `effort` asks for; undefined where it is better in one. */
  async reduce(picture: Candidate, effort: Effort): Promise<Reduced | undefined> {
    const { dpi, quality = 50 } = effort;
    if (dpi >= FROM_DPI || dpi < LEAST_DPI) return undefined;
    const layers = await this.layersOf(picture);
    if (layers?.half === undefined) return undefined;
    const { ground, color, half } = layers;
    const { form } = picture;
    const own = picture.shown === undefined ? dpi : (form.width * 72) / picture.shown.width;
    const scale = Math.min(1, (dpi * GROUND) / Math.min(own, (ground.width * own) / form.width));
    const size = {
      width: Math.max(1, Math.round(ground.width * scale)),
      height: Math.max(1, Math.round(ground.height * scale)),
    };
    const held = await this.codec.ofJpeg(ground.jpeg, size, isGrey(picture) ? 'gray' : 'rgb');
    try {
      const jpeg = await held.encode(Math.min(100, quality + BETTER), effort.thorough);
      const { stencil, ...inkSize } =
        dpi < HALF_DPI ? half : { stencil: layers.stencil, width: form.width, height: form.height };
      return formOfLayers({ stencil, color, ground: { ...size, jpeg } }, inkSize, colorsOf(this.file, picture));
    } finally {
      held.close();
    }
  }

  private layersOf(picture: Candidate): Promise<Layers | undefined> {
    const before = this.pages.get(picture.num);
    if (before !== undefined) return before;
    const layers = this.made(picture);
    this.pages.set(picture.num, layers);
    return layers;
  }

  private async made(picture: Candidate): Promise<Layers | undefined> {
    if (this.held > MOST_HELD) return undefined;
    const found = await layersToCode(this.file, picture, this.codec);
    // Nobody looks how alike it is: a photograph between the letters would lose what one layer leaves it.
    if (found?.paper !== true) return undefined;
    const { stencil, half, ground, color } = found;
    const inks = 'jpeg' in color ? color.jpeg.length : 0;
    this.held += stencil.length + (half?.stencil.length ?? 0) + ground.jpeg.length + inks;
    return found;
  }
}
