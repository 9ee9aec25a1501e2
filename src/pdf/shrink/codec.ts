import type { Sharp, SharpOptions } from 'sharp';
import { Failure } from '../../contract/failure.ts';

type Library = (input: Uint8Array, options?: SharpOptions) => Sharp;

/** Samples of 8 bits. */
export interface Raster {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The table that sharp's `mozjpeg` takes. */
const MOZJPEG_TABLE = 3;
/** Profiles inside a JPEG are not for PDF, whose own colour spaces count. */
const JPEG_OPTIONS = { ignoreIcc: true, failOn: 'error', limitInputPixels: false } as const;
const SPACES = { gray: 'b-w', rgb: 'srgb', cmyk: 'cmyk' } as const;

/** Pixels of a picture that are held from one question to the next; more are decoded again each time. */
const MOST_HELD = 6_000_000;

/** A part of a picture, in pixels. */
export interface Region extends Size {
  readonly left: number;
  readonly top: number;
}

/** A picture at the size it will have. */
export interface Pixels {
  readonly size: Size;
  part(region: Region): Promise<Raster>;
  /** `thorough`: takes longer for fewer bytes; the pixels are the same in both. */
  encode(quality: number, thorough: boolean): Promise<Uint8Array>;
}

export class Codec {
  private readonly sharp: Library;

  private constructor(sharp: Library) {
    this.sharp = sharp;
  }

  /** Undefined where sharp is not installed or does not run here. */
  static async load(): Promise<Codec | undefined> {
    try {
      const { default: sharp } = await import('sharp');
      // Its cache would keep decoded pictures that are never asked for again.
      sharp.cache(false);
      // Pictures run side by side; threads within one would only hold more memory.
      sharp.concurrency(1);
      return new Codec(sharp);
    } catch {
      return undefined;
    }
  }

  /** The pixels of a JPEG at a size, in the colours it holds; profiles inside it are not for PDF and are left aside. */
  async decode(jpeg: Uint8Array, size: Size, space: 'gray' | 'rgb'): Promise<Raster> {
    const image = this.sharp(jpeg, JPEG_OPTIONS);
    return this.raster(resized(image, size).toColourspace(SPACES[space]), space);
  }

  /** Pixels at another size, or in grey. */
  async scale(raster: Raster, size: Size, space: 'gray' | 'rgb'): Promise<Raster> {
    const same = size.width === raster.width && size.height === raster.height;
    if (same && raster.channels === (space === 'gray' ? 1 : 3)) return raster;
    return this.raster(resized(this.open(raster), size).toColourspace(SPACES[space]), space);
  }

  /** A JPEG to be coded anew at a size: decoded once where its pixels may be held, else once for each question. */
  async ofJpeg(jpeg: Uint8Array, size: Size, space: 'gray' | 'rgb'): Promise<Pixels> {
    if (size.width * size.height <= MOST_HELD) return this.ofRaster(await this.decode(jpeg, size, space));
    const image = () => resized(this.sharp(jpeg, JPEG_OPTIONS), size).toColourspace(SPACES[space]);
    return {
      size,
      part: (region) => this.raster(image().extract(region), space),
      encode: (quality, thorough) =>
        image()
          .jpeg(jpegOptions(quality, size, thorough))
          .toBuffer(),
    };
  }

  /** Pixels at hand. */
  ofRaster(raster: Raster): Pixels {
    const space = raster.channels === 1 ? 'gray' : 'rgb';
    const image = () => this.open(raster).toColourspace(SPACES[space]);
    return {
      size: raster,
      part: (region) => Promise.resolve(crop(raster, region)),
      encode: (quality, thorough) =>
        image()
          .jpeg(jpegOptions(quality, raster, thorough))
          .toBuffer(),
    };
  }

  /** A CMYK JPEG at another size, its four inks kept apart all the way. */
  async recodeCmyk(jpeg: Uint8Array, size: Size, quality: number): Promise<Uint8Array> {
    const image = this.sharp(jpeg, JPEG_OPTIONS);
    const inks = resized(image.pipelineColourspace('cmyk'), size).toColourspace('cmyk');
    return inks.jpeg(jpegOptions(quality, size, true)).toBuffer();
  }

  private open({ pixels, width, height, channels }: Raster): Sharp {
    return this.sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false });
  }

  private async raster(image: Sharp, space: 'gray' | 'rgb'): Promise<Raster> {
    const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const channels = space === 'gray' ? 1 : 3;
    if (info.channels !== channels) throw new Error(`the codec gave ${info.channels} channels for ${channels}`);
    return { pixels: data, width: info.width, height: info.height, channels };
  }
}

/** What is said where pictures must change and nothing here can do it. */
export function codecMissing(): Failure {
  return new Failure('unavailable', 'pictures cannot be made smaller: the image library sharp is not installed', {
    hint: 'Install it with `npm install -g sharp`, or use --lossless.',
  });
}

/** A picture of more pixels is not coded in scans one after another, for which all of its coefficients are held. */
const MOST_IN_SCANS = 8_000_000;

/**
 * Of mozjpeg its table and, where thorough, scans: 2 to 5 % of the bytes for as much time again. Its trellis is left out:
 * measured at equal likeness, it gains nothing on noise and a tenth on drawings for six times the time, and what is lost
 * by it does not follow from what quick tries lose. So is its search for the best scans: 2 % for a third of the time.
 */
function jpegOptions(quality: number, { width, height }: Size, thorough: boolean) {
  return { quality, quantisationTable: MOZJPEG_TABLE, progressive: thorough && width * height <= MOST_IN_SCANS };
}

function crop({ pixels, width, channels }: Raster, region: Region): Raster {
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
  // Measured beside Lanczos: no edges that ring, so 5 % fewer bytes, and as near to what it was or nearer.
  return image.resize(width, height, { fit: 'fill', kernel: 'cubic' });
}
