import { type Density, density, type Orientation } from './picture.ts';

export interface Exif {
  readonly orientation: Orientation;
  readonly density: Density | undefined;
}

const NONE: Exif = { orientation: 1, density: undefined };
const ORIENTATION = 0x0112;
const X_RESOLUTION = 0x011a;
const Y_RESOLUTION = 0x011b;
const UNIT = 0x0128;
const CENTIMETRE = 3;

/** `tiff`: EXIF data from its TIFF header on. Damaged entries are ignored. */
export function readExif(tiff: Uint8Array): Exif {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length);
  if (tiff.length < 14) return NONE;
  const little = view.getUint16(0) === 0x4949;
  if (!little && view.getUint16(0) !== 0x4d4d) return NONE;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return NONE;
  const count = view.getUint16(directory, little);
  const values = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + i * 12;
    if (entry + 12 > tiff.length) break;
    const type = view.getUint16(entry + 2, little);
    if (type === 3) values.set(view.getUint16(entry, little), view.getUint16(entry + 8, little));
    if (type === 5) {
      const at = view.getUint32(entry + 8, little);
      if (at + 8 <= tiff.length)
        values.set(view.getUint16(entry, little), view.getUint32(at, little) / view.getUint32(at + 4, little));
    }
  }
  const scale = values.get(UNIT) === CENTIMETRE ? 2.54 : 1;
  return {
    orientation: orientationOf(values.get(ORIENTATION)),
    density: density((values.get(X_RESOLUTION) ?? 0) * scale, (values.get(Y_RESOLUTION) ?? 0) * scale),
  };
}

function orientationOf(value: number | undefined): Orientation {
  const known: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];
  return known.find((orientation) => orientation === value) ?? 1;
}
