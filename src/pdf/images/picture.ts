import { Failure, type FailureKind } from '../../contract/base/failure.ts';

/** EXIF orientation: how to turn the picture upright; 1 means it is. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Pixels to the inch. */
export interface Density {
  readonly x: number;
  readonly y: number;
}

export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Undefined where the file states none, or an impossible one. */
  readonly density: Density | undefined;
}

/** More than any camera or scanner makes; larger pictures are refused before anything is decoded. */
const MOST_PIXELS = 500_000_000;

/** A refusal of an image: `what` ends a sentence that begins with the file's name. */
export function badImage(name: string, what: string, kind: FailureKind = 'bad-image', cause?: unknown): Failure {
  const hint =
    kind === 'limit'
      ? 'Scale it down with an image program first.'
      : 'Save it again as PNG or JPEG with an image program, then try again.';
  return new Failure('unprocessable', `${name} ${what}`, { kind, hint, cause });
}

/** A density by which a page can be sized; damaged and placeholder values count as none. */
export function density(x: number, y: number): Density | undefined {
  // libvips and everything built on it writes a pixel a millimetre for unknown densities.
  const plausible = (value: number) => value >= 10 && value <= 10_000 && Math.abs(value - 25.4) > 0.01;
  return plausible(x) && plausible(y) ? { x, y } : undefined;
}

export function checkPictureSize(name: string, width: number, height: number): void {
  if (width < 1 || height < 1) throw badImage(name, `says it is ${width} by ${height} pixels`);
  if (width * height > MOST_PIXELS)
    throw badImage(name, `says it is ${width} by ${height} pixels; the limit is ${MOST_PIXELS} pixels`, 'limit');
}
