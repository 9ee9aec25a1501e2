// Owns making a PDF of image files, a page each: reading them, embedding them, the few objects around them.
// Knows neither terminal nor HTTP.
import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, Draft, RandomAccess } from '../../contract/ports.ts';
import { Fingerprint } from '../file/fingerprint.ts';
import { Writer } from '../file/writer.ts';
import { onDisk } from '../on-disk.ts';
import { type Jpeg, readJpeg } from './jpeg.ts';
import { badImage } from './picture.ts';
import { type PageChoice, place } from './place.ts';
import { PNG_SIGNATURE, type Png, readPng } from './png.ts';
import { type ImageObject, inflateProfile, pngObject } from './png-object.ts';

const HEAD = 256 * 1024;
/** A PNG is held while it is read. */
const MOST_PNG = 1 << 30;
/** Where the mark of a JPEG's end is looked for before the whole of its data. */
const TAIL = 64 * 1024;

/** Writes the PDF; `draft` is not finished. Throws a Failure that names the first image that cannot be shown. */
export async function imagesPdf(
  sources: readonly ByteSource[],
  draft: Draft,
  choice: PageChoice,
  ctx: Context,
): Promise<void> {
  if (choice.margin < 0) throw new Failure('usage', `margin: expected 0 or more points, found ${choice.margin}`);
  const album = new Album(draft);
  for (const [done, source] of sources.entries()) {
    ctx.signal.throwIfAborted();
    ctx.progress({ phase: 'images', done, total: sources.length, unit: 'files', note: source.name });
    await album.add(onDisk(source), choice, ctx);
    // Lets an interrupt be seen between two images.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await album.finish();
}

class Album {
  private readonly writer: Writer;
  private readonly catalog: number;
  private readonly root: number;
  private readonly pages: number[] = [];
  private readonly print = new Fingerprint();
  /** Profiles by their bytes: a camera writes the same one into every picture. */
  private readonly profiles = new Map<string, number>();

  constructor(draft: Draft) {
    this.writer = new Writer(draft, { version: '1.5', packed: true });
    this.catalog = this.writer.allocate();
    this.root = this.writer.allocate();
  }

  async add(source: RandomAccess, choice: PageChoice, ctx: Context): Promise<void> {
    const picture = readPicture(source);
    const image =
      picture.kind === 'jpeg' ? this.writeJpeg(picture, source) : await this.writePng(picture, source, ctx.signal);
    const { page, matrix } = place(picture, choice);
    const content = `q ${matrix.map(decimal).join(' ')} cm/I Do Q`;
    const contents = this.stream('', [Buffer.from(content)]);
    const num = this.writer.allocate();
    const box = `[0 0 ${decimal(page[0])} ${decimal(page[1])}]`;
    await this.writer.object(
      num,
      `<</Type/Page/Parent ${this.root} 0 R/MediaBox${box}/Resources<</XObject<</I ${image} 0 R>>>>/Contents ${contents} 0 R>>`,
    );
    this.pages.push(num);
    this.print.text(`${content}${box}`).number(source.size);
  }

  async finish(): Promise<void> {
    const { writer } = this;
    const kids = this.pages.map((num) => `${num} 0 R`).join(' ');
    await writer.object(this.root, `<</Type/Pages/Count ${this.pages.length}/Kids[${kids}]>>`);
    await writer.object(this.catalog, `<</Type/Catalog/Pages ${this.root} 0 R>>`);
    const id = this.print.hex();
    await writer.finish(`/Root ${this.catalog} 0 R/ID[<${id}><${id}>]`);
  }

  /** The file's bytes go in as they are. */
  private writeJpeg(jpeg: Jpeg, source: RandomAccess): number {
    const { writer } = this;
    const { width, height, components } = jpeg;
    const device = components === 1 ? 'DeviceGray' : components === 3 ? 'DeviceRGB' : 'DeviceCMYK';
    const space = this.space({ device }, jpeg.icc);
    const num = writer.allocate();
    const decode = jpeg.inverted ? '/Decode[1 0 1 0 1 0 1 0]' : '';
    const parms = jpeg.plainRgb ? '/DecodeParms<</ColorTransform 0>>' : '';
    writer.begin(num, true);
    writer.text(`<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace${space}/BitsPerComponent 8`);
    writer.text(`${decode}/Filter/DCTDecode${parms}/Length ${source.size}>>stream\n`);
    writer.copy(source.size, (into, done) => source.read(into, done));
    writer.text('\nendstream');
    writer.end();
    return num;
  }

  private async writePng(png: Png, source: RandomAccess, signal: AbortSignal): Promise<number> {
    const object = await pngObject(source.name, png, signal);
    const icc = png.icc === undefined ? undefined : inflateProfile(png.icc);
    const mask = object.softMask === undefined ? '' : `/SMask ${this.image(object.softMask, '', undefined)} 0 R`;
    return this.image(object, mask, icc);
  }

  private image(
    { width, height, entries, space, data }: ImageObject,
    mask: string,
    icc: Uint8Array | undefined,
  ): number {
    const colors = this.space(space, icc);
    const size = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}`;
    return this.stream(`${size}/ColorSpace${colors}${entries}${mask}`, data);
  }

  private stream(entries: string, data: readonly Uint8Array[]): number {
    const { writer } = this;
    const num = writer.allocate();
    const length = data.reduce((sum, piece) => sum + piece.length, 0);
    writer.begin(num, true);
    writer.text(`<<${entries}/Length ${length}>>stream\n`);
    for (const piece of data) writer.bytes(piece);
    writer.text('\nendstream');
    writer.end();
    return num;
  }

  /** The value of /ColorSpace: a device space or the file's profile, under a palette where there is one. */
  private space({ device, palette }: ImageObject['space'], icc: Uint8Array | undefined): string {
    const base = icc === undefined ? undefined : this.profile(device, icc);
    const plain = base === undefined ? `/${device}` : `[/ICCBased ${base} 0 R]`;
    if (palette === undefined) return plain;
    return `[/Indexed${plain} ${palette.length / 3 - 1}<${Buffer.from(palette).toString('hex')}>]`;
  }

  /** The object of a profile; undefined where it is for other colours than the picture's. */
  private profile(device: ImageObject['space']['device'], icc: Uint8Array): number | undefined {
    const bytes = Buffer.from(icc.buffer, icc.byteOffset, icc.length);
    const space = { DeviceGray: 'GRAY', DeviceRGB: 'RGB ', DeviceCMYK: 'CMYK' }[device];
    if (bytes.length < 132 || bytes.toString('latin1', 16, 20) !== space || bytes.toString('latin1', 36, 40) !== 'acsp')
      return undefined;
    const key = bytes.toString('latin1');
    const known = this.profiles.get(key);
    if (known !== undefined) return known;
    const count = { DeviceGray: 1, DeviceRGB: 3, DeviceCMYK: 4 }[device];
    const num = this.stream(`/N ${count}/Alternate/${device}`, [bytes]);
    this.profiles.set(key, num);
    return num;
  }
}

function readPicture(source: RandomAccess): Jpeg | Png {
  const { name, size } = source;
  if (size === 0) throw badImage(name, 'is empty', 'empty');
  for (let need = HEAD; ; need *= 8) {
    const head = readAll(source, 0, Math.min(need, size));
    const kind = sniff(head);
    if (kind === 'png') {
      if (size > MOST_PNG) throw badImage(name, `is a PNG of ${size} bytes; the limit is ${MOST_PNG}`, 'limit');
      return readPng(name, head.length === size ? head : readAll(source, 0, size));
    }
    if (kind !== 'jpeg')
      throw badImage(
        name,
        `is ${kind ?? 'neither a PNG nor a JPEG'}; expected PNG or JPEG`,
        kind === undefined ? 'bad-image' : 'unsupported',
      );
    const jpeg = readJpeg(name, head, size);
    if (jpeg === undefined) continue;
    requireEnd(source, jpeg.scan);
    return jpeg;
  }
}

/** A JPEG that was cut off has no end mark: readers show its lower part grey. */
function requireEnd(source: RandomAccess, scan: number): void {
  for (let reach = TAIL; ; reach *= 16) {
    const from = Math.max(scan, source.size - reach);
    if (Buffer.from(readAll(source, from, source.size - from)).lastIndexOf('\xff\xd9', undefined, 'latin1') >= 0)
      return;
    if (from === scan) throw badImage(source.name, 'is a damaged JPEG: its end is missing');
  }
}

const OTHERS: readonly [magic: string, what: string][] = [
  ['GIF8', 'a GIF image'],
  ['RIFF', 'a WebP image'],
  ['II*\0', 'a TIFF image'],
  ['MM\0*', 'a TIFF image'],
  ['BM', 'a BMP image'],
  ['%PDF-', 'a PDF'],
  ['<svg', 'an SVG drawing'],
  ['<?xml', 'an SVG drawing or other XML'],
  ['\0\0\0\x0cjP', 'a JPEG 2000 image'],
];

/** What the first bytes say, whatever the name ends in. */
function sniff(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 32)).toString('latin1');
  if (text.startsWith(PNG_SIGNATURE)) return 'png';
  if (text.startsWith('\xff\xd8')) return 'jpeg';
  if (text.slice(4, 8) === 'ftyp') return 'an HEIC or AVIF image';
  return OTHERS.find(([magic]) => text.startsWith(magic))?.[1];
}

function readAll(source: RandomAccess, from: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const got = source.read(bytes.subarray(done), from + done);
    if (got === 0) break;
    done += got;
  }
  return bytes.subarray(0, done);
}

/** A number as PDF writes it: no exponent, no more digits than show. */
function decimal(value: number): string {
  return String(Number(value.toFixed(4)));
}
