// Scanned pages under a target: layers are made once, and their ground is coded again for each size that is tried.
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { RasterLayers } from '../layers/mixed-raster.ts';
import type { Codec } from './codec.ts';
import { formOfLayers } from './layered-form.ts';
import { type Candidate, colorsOf, type Effort, isGreyPicture, layersToCode, reduce } from './pictures.ts';
import { type Reduced, reducedBytes } from './reduced.ts';

/** Bytes of layers held for further rounds, a thousand pages and more; further pages stay in one layer. */
const MOST_HELD = 96 << 20;
/** From this resolution on, one layer is as good. */
const FROM_DPI = 225;
/**
 * Below this, one layer may take less than the ink alone. Ink of half the resolution is tried first: of a page of 415
 * words tesseract reads 407 in 20 KB of it, and 147 in one layer of as many bytes.
 */
const NARROW_DPI = 110;
const LEAST_DPI = 40;
/** The ground has this share of the resolution that one layer would have, and a little more quality. */
const GROUND = 0.5;
const GROUND_LEAST = 36;
const BETTER = 8;

type Ink = NonNullable<RasterLayers['half']>;

export class Budgeted {
  private readonly file: PdfFile;
  private readonly codec: Codec;
  private readonly pages = new Map<number, Promise<RasterLayers | undefined>>();
  private held = 0;

  constructor(file: PdfFile, codec: Codec) {
    this.file = file;
    this.codec = codec;
  }

  /** The page at about the size that `effort` asks for, in the best form that fits: full ink, halved ink, or one layer. */
  async reduce(picture: Candidate, effort: Effort): Promise<Reduced | undefined> {
    const { dpi } = effort;
    const inOne = () => reduce(this.file, picture, effort, this.codec);
    const layers = dpi < FROM_DPI && dpi >= LEAST_DPI ? await this.layersOf(picture) : undefined;
    if (layers === undefined) return inOne();
    const one = dpi < NARROW_DPI ? await inOne() : undefined;
    const most = one === undefined ? Number.POSITIVE_INFINITY : reducedBytes(one);
    const { half, stencil } = layers;
    for (const ink of [{ ...sizeOf(picture), stencil }, ...(half === undefined ? [] : [half])]) {
      if (ink.stencil.length > most) continue;
      const inLayers = await this.coded(layers, ink, picture, effort);
      if (reducedBytes(inLayers) <= most) return inLayers;
    }
    return one;
  }

  /** `ink`: at its final resolution. */
  private async coded({ ground, color }: RasterLayers, ink: Ink, picture: Candidate, effort: Effort): Promise<Reduced> {
    const { dpi, quality = 50, thorough } = effort;
    const { form } = picture;
    const shownDpi = picture.shown === undefined ? dpi : (form.width * 72) / picture.shown.width;
    const has = (ground.width * shownDpi) / form.width;
    const scale = Math.min(1, Math.max(GROUND_LEAST, dpi * GROUND) / Math.min(shownDpi, has));
    const size = {
      width: Math.max(1, Math.round(ground.width * scale)),
      height: Math.max(1, Math.round(ground.height * scale)),
    };
    const recoded = await this.codec.recode(
      { jpeg: ground.jpeg, size: ground },
      { size, space: isGreyPicture(picture) ? 'gray' : 'rgb', quality: Math.min(100, quality + BETTER), thorough },
    );
    if (recoded === undefined || !('jpeg' in recoded)) throw new TypeError('a quality that is given makes a JPEG');
    return formOfLayers(
      { stencil: ink.stencil, color, ground: { ...size, jpeg: recoded.jpeg } },
      ink,
      colorsOf(this.file, picture),
    );
  }

  private layersOf(picture: Candidate): Promise<RasterLayers | undefined> {
    const before = this.pages.get(picture.num);
    if (before !== undefined) return before;
    const layers = this.made(picture);
    this.pages.set(picture.num, layers);
    return layers;
  }

  private async made(picture: Candidate): Promise<RasterLayers | undefined> {
    if (this.held > MOST_HELD) return undefined;
    const layers = await layersToCode(this.file, picture, this.codec);
    // Similarity is not measured here, so the ground must be plain paper: a photograph on it would lose more than in
    // one layer.
    if (layers?.paper !== true || !layers.keptStrokes) return undefined;
    const { stencil, half, ground, color } = layers;
    this.held +=
      stencil.length + (half?.stencil.length ?? 0) + ground.jpeg.length + ('jpeg' in color ? color.jpeg.length : 0);
    return layers;
  }
}

function sizeOf({ form: { width, height } }: Candidate) {
  return { width, height };
}
