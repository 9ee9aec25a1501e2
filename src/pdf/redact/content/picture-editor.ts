import { decodable, decode } from '../../file/read/filters.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { boundsOf, commonArea, invert, type Matrix, quadOf, type Rect, UNIT } from '../../page/geometry.ts';
import { Damage, Unreadable } from '../../syntax/damage.ts';
import { Dict, dictOf, Name, Ref, type Value } from '../../syntax/values.ts';
import type { ValueCopier } from '../objects/copy-value.ts';
import { flateStream, name, type OutputDocument, OutputStream } from '../objects/output-document.ts';
import type { RgbDrawing } from '../probe/page-probe.ts';

/** A picture of the source: an XObject or an inline image. */
type SourcePicture = { readonly dict: Dict } & ({ readonly num: number } | { readonly data: Uint8Array });

/** Decodes a picture by PDFium, which draws a one-page document that holds only the picture. */
export type DecodePicture = (document: Uint8Array, width: number, height: number) => Promise<RgbDrawing>;

const KEPT = 'Width Height ColorSpace BitsPerComponent Decode ImageMask Interpolate Intent Matte'.split(' ');
const CAP = 1 << 30;
const MOST_PIXELS = 64_000_000;
const MOST_DEPTH = 3;
/** Extra pixels around a box: scaling smears its edges. */
const SMEAR = 1;

export class PictureEditor {
  /** Pictures to decode after all content was read. */
  private readonly pending: ToDecode[] = [];
  page = 0;
  private readonly file: PdfFile;
  private readonly output: OutputDocument;
  private readonly copier: ValueCopier;
  private readonly copied = new Map<number, Ref>();

  constructor(file: PdfFile, output: OutputDocument, copier: ValueCopier) {
    this.file = file;
    this.output = output;
    this.copier = copier;
  }

  /** Copies a picture without metadata. */
  copy(num: number, dict: Dict, depth = 0): Ref {
    const known = this.copied.get(num);
    if (known !== undefined) return known;
    const ref = this.output.reserve();
    this.copied.set(num, ref);
    const made = this.coded(dict);
    if (dict.number('SMaskInData') !== undefined) made.set('SMaskInData', this.copier.copy(dict.get('SMaskInData')));
    this.masks(dict, made, depth, (mask, maskDict) => this.copy(mask, maskDict, depth + 1));
    this.output.set(ref, this.copier.stream(num, made));
    return ref;
  }

  inline(dict: Dict, data: Uint8Array): Ref {
    return this.output.add(new OutputStream(this.coded(dict), () => data));
  }

  /** Boxes of the page as boxes of the unit square of a picture. */
  boxesIn(regions: readonly Rect[], matrix: Matrix): Rect[] {
    const back = invert(matrix);
    // A picture without width or height shows nothing here, but its other uses may: blank all of it.
    if (back === undefined) return [UNIT];
    return regions.flatMap((region) => commonArea(boundsOf(quadOf(region, back)), UNIT) ?? []);
  }

  /** The picture without the pixels in the boxes, which are of its unit square. */
  blank(picture: SourcePicture, boxes: readonly Rect[], depth = 0): Ref {
    const { dict } = picture;
    const ref = this.output.reserve();
    const { width, height } = sizeOf(this.file, dict);
    const made = this.entries(dict);
    this.masks(dict, made, depth, (num, maskDict) => this.blank({ num, dict: maskDict }, boxes, depth + 1));
    const areas = boxes.map((box) => areaOf(box, width, height));
    const filters = this.file.filters(dict);
    const bits = this.bitsPerPixel(dict);
    if (decodable(filters) && bits !== undefined) {
      const bytes = 'num' in picture ? this.bytesOf(picture.num) : Uint8Array.from(decode(picture.data, filters, CAP));
      blankSamples(bytes, width, height, bits, areas);
      this.output.set(ref, flateStream([...made], bytes));
      return ref;
    }
    if (Array.isArray(this.file.resolve(dict.get('Mask')))) throw new Unreadable('a picture with a colour key mask');
    if ((dict.number('SMaskInData') ?? 0) !== 0) throw new Unreadable('a JPEG 2000 picture with an alpha channel');
    if (width * height > MOST_PIXELS) throw new Unreadable('a picture too large to be decoded');
    this.pending.push({ page: this.page, ref, picture, made, width, height, areas });
    return ref;
  }

  /** Blanks the pictures that only PDFium can decode. Returns the pages where that failed, with the reason. */
  async finish(decodePicture: DecodePicture): Promise<Map<number, string>> {
    const failed = new Map<number, string>();
    for (const job of this.pending) {
      try {
        this.output.set(job.ref, await this.decoded(job, decodePicture));
      } catch (error) {
        if (!(error instanceof Unreadable || error instanceof Damage)) throw error;
        failed.set(job.page, error.message);
      }
    }
    return failed;
  }

  private async decoded(job: ToDecode, decodePicture: DecodePicture): Promise<OutputStream> {
    const { picture, made, width, height, areas } = job;
    const mask = picture.dict.get('ImageMask') === true;
    const { rgb } = await decodePicture(this.documentWith(picture, width, height), width, height);
    if (rgb.length !== width * height * 3) throw new Unreadable('a picture that cannot be decoded');
    for (const area of areas)
      for (let y = area.y0; y < area.y1; y++)
        rgb.fill(mask ? 0xff : 0, (y * width + area.x0) * 3, (y * width + area.x1) * 3);
    const { bits, bytes, gray } = packed(rgb, width, height);
    if (mask && bits !== 1) throw new Unreadable('an image mask with shades');
    const entries = new Dict([...made].filter(([key]) => !/^(ColorSpace|BitsPerComponent|Decode)$/.test(key)));
    entries.set('BitsPerComponent', bits);
    if (!mask) entries.set('ColorSpace', name(gray ? 'DeviceGray' : 'DeviceRGB'));
    return flateStream([...entries], bytes);
  }

  /** A one-page document that shows the picture at one point a pixel. */
  private documentWith(picture: SourcePicture, width: number, height: number): Uint8Array {
    const { output, copier } = this;
    const made = this.coded(picture.dict);
    const image = output.add(
      'num' in picture ? copier.stream(picture.num, made) : new OutputStream(made, () => picture.data),
    );
    const content = flateStream([], Buffer.from(`0 g ${width} 0 0 ${height} 0 0 cm /Im Do`));
    const pages = output.reserve();
    const page = output.addDict({
      Type: name('Page'),
      Parent: pages,
      MediaBox: [0, 0, width, height],
      Resources: dictOf({ XObject: dictOf({ Im: image }) }),
      Contents: output.add(content),
    });
    output.set(pages, dictOf({ Type: name('Pages'), Kids: [page], Count: 1 }));
    return output.write(output.addDict({ Type: name('Catalog'), Pages: pages }));
  }

  private bytesOf(num: number): Uint8Array {
    const stream = this.file.streamBytes(num, CAP);
    if (stream === undefined) throw new Unreadable('a picture that cannot be decoded');
    return Uint8Array.from(stream.bytes);
  }

  private entries(dict: Dict): Dict {
    return new Dict([['Type', name('XObject')], ['Subtype', name('Image')], ...this.copier.entries(dict, KEPT)]);
  }

  /** The entries of a picture whose data stay as they are. */
  private coded(dict: Dict): Dict {
    return new Dict([...this.entries(dict), ...this.copier.filters(dict)]);
  }

  private masks(dict: Dict, made: Dict, depth: number, mask: (num: number, dict: Dict) => Ref): void {
    for (const key of ['SMask', 'Mask']) {
      const value = dict.get(key);
      const resolved = this.file.resolve(value);
      if (Array.isArray(resolved)) made.set(key, this.copier.copy(resolved));
      if (!(value instanceof Ref) || !(resolved instanceof Dict)) continue;
      if (depth >= MOST_DEPTH) throw new Unreadable('masks nested too deep');
      made.set(key, mask(value.num, resolved));
    }
  }

  /** Bits of a pixel; undefined where its colour space is not understood. */
  private bitsPerPixel(dict: Dict): number | undefined {
    if (this.file.resolve(dict.get('ImageMask')) === true) return 1;
    const bits = this.file.resolve(dict.get('BitsPerComponent'));
    const components = this.components(dict.get('ColorSpace'));
    return typeof bits === 'number' && components !== undefined ? bits * components : undefined;
  }

  private components(value: Value | undefined): number | undefined {
    const space = this.file.resolve(value);
    const [kind, second] = Array.isArray(space)
      ? space.map((item, i) => (i === 1 ? item : this.file.resolve(item)))
      : [space];
    if (!(kind instanceof Name)) return undefined;
    if (kind.value === 'ICCBased') return this.file.dict(second)?.number('N');
    if (kind.value === 'DeviceN') {
      const inks = this.file.resolve(second);
      return Array.isArray(inks) ? inks.length : undefined;
    }
    return COMPONENTS[kind.value];
  }

  /** Expands the abbreviations of an inline image's dictionary (Tables 93 and 94). */
  spelledOut(dict: Dict): Dict {
    const long = (value: Value): Value => {
      if (value instanceof Name) return new Name(LONG[value.value] ?? value.value);
      return Array.isArray(value) ? value.map(long) : value;
    };
    return new Dict(
      [...dict].map(([key, value]) => [key, key === 'ColorSpace' || key === 'Filter' ? long(value) : value]),
    );
  }
}

interface ToDecode {
  readonly page: number;
  readonly ref: Ref;
  readonly picture: SourcePicture;
  readonly made: Dict;
  readonly width: number;
  readonly height: number;
  readonly areas: readonly Rect[];
}

const COMPONENTS: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  CalGray: 1,
  Indexed: 1,
  Separation: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
};
const LONG: Readonly<Record<string, string>> = {
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
  I: 'Indexed',
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
};

function sizeOf(file: PdfFile, dict: Dict): { width: number; height: number } {
  const [width, height] = [file.resolve(dict.get('Width')), file.resolve(dict.get('Height'))];
  if (typeof width !== 'number' || typeof height !== 'number' || !(width >= 1 && height >= 1) || width * height > 1e9)
    throw new Unreadable('a picture without dimensions');
  return { width: Math.trunc(width), height: Math.trunc(height) };
}

/** The whole pixels around a box of the unit square; rows count from the top. */
function areaOf({ x0, y0, x1, y1 }: Rect, width: number, height: number): Rect {
  const low = (value: number, most: number) => Math.min(most, Math.max(0, Math.floor(value - SMEAR)));
  const high = (value: number, most: number) => Math.min(most, Math.max(0, Math.ceil(value + SMEAR)));
  return {
    x0: low(x0 * width, width),
    x1: high(x1 * width, width),
    y0: low((1 - y1) * height, height),
    y1: high((1 - y0) * height, height),
  };
}

/** Sets the samples of the areas to 0. Rows begin at whole bytes. */
function blankSamples(bytes: Uint8Array, width: number, height: number, bits: number, areas: readonly Rect[]) {
  const row = Math.ceil((width * bits) / 8);
  for (const { x0, x1, y0, y1 } of areas)
    for (let y = y0; y < Math.min(y1, height); y++) {
      const start = y * row;
      const [from, to] = [x0 * bits, x1 * bits];
      // Bytes at the edges keep the bits of pixels outside.
      for (let bit = from; bit < to; ) {
        const at = start + (bit >> 3);
        if (at >= bytes.length) break;
        if ((bit & 7) === 0 && to - bit >= 8) {
          bytes[at] = 0;
          bit += 8;
        } else {
          bytes[at]! &= ~(0x80 >> (bit & 7));
          bit++;
        }
      }
    }
}

/** Packs pixels as 1-bit, grey or RGB samples, whichever is enough. */
export function packed(rgb: Uint8Array, width: number, height: number) {
  let gray = true;
  let twoTone = true;
  for (let i = 0; i < rgb.length && gray; i += 3) {
    const value = rgb[i]!;
    if (value !== rgb[i + 1] || value !== rgb[i + 2]) gray = false;
    else if (value !== 0 && value !== 0xff) twoTone = false;
  }
  if (!gray) return { bits: 8, gray, bytes: rgb };
  if (!twoTone) return { bits: 8, gray, bytes: Uint8Array.from({ length: width * height }, (_, i) => rgb[i * 3]!) };
  const row = Math.ceil(width / 8);
  const bytes = new Uint8Array(row * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (rgb[(y * width + x) * 3] !== 0) bytes[y * row + (x >> 3)]! |= 0x80 >> (x & 7);
  return { bits: 1, gray, bytes };
}
