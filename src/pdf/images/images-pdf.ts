import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, Draft, RandomAccess } from '../../contract/ports.ts';
import { onDisk } from '../on-disk.ts';
import { Fingerprint } from '../write/fingerprint.ts';
import { Writer } from '../write/writer.ts';
import type { Jpeg } from './jpeg.ts';
import { type PageChoice, place } from './place.ts';
import type { Png } from './png.ts';
import { type ImageObject, inflateProfile, pngObject } from './png-object.ts';
import { PictureReader } from './read-picture.ts';

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
  /** Written behind all pictures, side by side: whoever asks for a page of a large file reads little of it. */
  private readonly pages: { image: number; content: string; box: string }[] = [];
  private readonly print = new Fingerprint();
  private readonly reader = new PictureReader();
  /** Profiles by their bytes: a camera writes the same one into every picture. */
  private readonly profiles = new Map<string, number>();

  constructor(draft: Draft) {
    // A page is 150 bytes besides its picture: too few for an object stream, which takes 5 ms to begin and to read again.
    this.writer = new Writer(draft, { version: '1.5', objectStreams: false });
    this.catalog = this.writer.allocate();
    this.root = this.writer.allocate();
  }

  async add(source: RandomAccess, choice: PageChoice, ctx: Context): Promise<void> {
    const { picture, whole } = this.reader.read(source);
    const image =
      picture.kind === 'jpeg'
        ? this.writeJpeg(picture, source, whole)
        : await this.writePng(picture, source, ctx.signal);
    const { page, matrix } = place(picture, choice);
    const content = `q ${matrix.map(decimal).join(' ')} cm/I Do Q`;
    const box = `[0 0 ${decimal(page[0])} ${decimal(page[1])}]`;
    this.pages.push({ image, content, box });
    this.print.text(`${content}${box}`).number(source.size);
  }

  async finish(): Promise<void> {
    const { writer } = this;
    const kids: string[] = [];
    for (const { image, content, box } of this.pages) {
      const contents = this.stream('', [Buffer.from(content)]);
      const num = writer.allocate();
      const resources = `<</XObject<</I ${image} 0 R>>>>`;
      const entries = `/Parent ${this.root} 0 R/MediaBox${box}/Resources${resources}/Contents ${contents} 0 R`;
      await writer.object(num, `<</Type/Page${entries}>>`);
      kids.push(`${num} 0 R`);
    }
    await writer.object(this.root, `<</Type/Pages/Count ${kids.length}/Kids[${kids.join(' ')}]>>`);
    await writer.object(this.catalog, `<</Type/Catalog/Pages ${this.root} 0 R>>`);
    const id = this.print.hex();
    await writer.finish(`/Root ${this.catalog} 0 R/ID[<${id}><${id}>]`);
  }

  /** The file's bytes go in as they are. */
  private writeJpeg(jpeg: Jpeg, source: RandomAccess, whole: Uint8Array | undefined): number {
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
    if (whole === undefined) writer.copy(source.size, (into, done) => source.read(into, done));
    else writer.bytes(whole);
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

/** A number as PDF writes it: no exponent, no more digits than show. */
function decimal(value: number): string {
  return String(Number(value.toFixed(4)));
}
