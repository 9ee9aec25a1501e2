// Writes pictures as image objects of a PDF (ISO 32000-1, 8.9.5).

import type { RandomAccess } from '../../contract/base/ports.ts';
import { entryAt } from '../../contract/base/present.ts';
import type { Writer } from '../file/write/writer.ts';
import type { Jpeg } from './jpeg.ts';
import type { Png } from './png.ts';
import { type ImageObject, inflateProfile, pngObject } from './png-object.ts';
import type { FoundPicture } from './read-picture.ts';

/** What pictures are written to: a new file, or an update. */
export type PictureTarget = Pick<Writer, 'allocate' | 'begin' | 'text' | 'bytes' | 'copy' | 'end' | 'stream'>;

export class PictureWriter {
  private readonly writer: PictureTarget;
  private readonly devices: Readonly<Record<string, string>>;
  /** Profiles by their bytes: a camera writes the same one into every picture. */
  private readonly profiles = new Map<string, number>();

  /** `devices`: replacements of device colour spaces, by name. */
  constructor(writer: PictureTarget, devices: Readonly<Record<string, string>> = {}) {
    this.writer = writer;
    this.devices = devices;
  }

  async write({ picture, whole }: FoundPicture, source: RandomAccess, signal: AbortSignal): Promise<number> {
    return picture.kind === 'jpeg' ? this.writeJpeg(picture, source, whole) : this.writePng(picture, source, signal);
  }

  /** Copies the file's bytes unchanged. */
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
    // A mask has the grey of a device.
    const mask = object.softMask && this.image(object.softMask, '', '/DeviceGray');
    return this.image(object, mask === undefined ? '' : `/SMask ${mask} 0 R`, this.space(object.space, icc));
  }

  private image({ width, height, entries, data }: ImageObject, mask: string, colors: string): number {
    const size = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}`;
    return this.stream(`${size}/ColorSpace${colors}${entries}${mask}`, data);
  }

  /** Writes a stream; `entries`: its dictionary without /Length. */
  stream(entries: string, data: readonly Uint8Array[]): number {
    const num = this.writer.allocate();
    this.writer.stream(num, entries, data);
    return num;
  }

  /** The value of /ColorSpace: a device space or the file's profile, under a palette where there is one. */
  private space({ device, palette }: ImageObject['space'], icc: Uint8Array | undefined): string {
    const base = icc === undefined ? undefined : this.profile(device, icc);
    const plain = base === undefined ? (this.devices[device] ?? `/${device}`) : `[/ICCBased ${base} 0 R]`;
    if (palette === undefined) return plain;
    return `[/Indexed${plain} ${palette.length / 3 - 1}<${Buffer.from(palette).toString('hex')}>]`;
  }

  /** The object of a profile; undefined where it is for other colours than the picture's. */
  private profile(device: ImageObject['space']['device'], icc: Uint8Array): number | undefined {
    const bytes = Buffer.from(icc.buffer, icc.byteOffset, icc.length);
    const space = { DeviceGray: 'GRAY', DeviceRGB: 'RGB ', DeviceCMYK: 'CMYK' }[device];
    if (bytes.length < 132 || bytes.toString('latin1', 16, 20) !== space || bytes.toString('latin1', 36, 40) !== 'acsp')
      return undefined;
    const count = { DeviceGray: 1, DeviceRGB: 3, DeviceCMYK: 4 }[device];
    const write = () => this.stream(`/N ${count}/Alternate/${device}`, [bytes]);
    return entryAt(this.profiles, bytes.toString('latin1'), write);
  }
}
