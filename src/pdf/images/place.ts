import type { ImageHeader, Orientation } from './picture.ts';

interface PageChoice {
  /**
   * fit: the page is as large as the picture at its own resolution; without one, no larger than a sheet of paper.
   * Otherwise the sides of the paper, which is turned to suit the picture.
   */
  readonly size: 'fit' | readonly [short: number, long: number];
  readonly margin: number;
  readonly dpi: number | undefined;
}

export interface PicturePlacement {
  readonly page: readonly [width: number, height: number];
  readonly matrix: readonly [number, number, number, number, number, number];
}

const POINTS = 72;
/** The width of A4 and the height of Letter: a photo without a resolution prints on either. */
const SHEET = { short: 595.276, long: 792 } as const;
/** The largest page that every reader shows (ISO 32000-1, annex C.2). */
const LARGEST = 14_400;

/** For each orientation the matrix of the unit square, in shares of the upright picture's width and height. */
const TURNS: Record<Orientation, readonly [number, number, number, number, number, number]> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};

/** The scale at which an area of this size fits a sheet. */
export function scaleToSheet(width: number, height: number, margin: number): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const room = (side: number) => Math.max(side - 2 * margin, 1);
  return Math.min(room(SHEET.short) / short, room(SHEET.long) / long);
}

export function place(picture: ImageHeader, { size, margin, dpi }: PageChoice): PicturePlacement {
  const density = dpi === undefined ? picture.density : { x: dpi, y: dpi };
  // Without a resolution a pixel is a point, as in most programs that make PDFs.
  const stored = [
    (picture.width * POINTS) / (density?.x ?? POINTS),
    (picture.height * POINTS) / (density?.y ?? POINTS),
  ] as const;
  const [naturalWidth, naturalHeight] = picture.orientation > 4 ? [stored[1], stored[0]] : stored;
  let page: [number, number];
  let scale: number;
  if (size === 'fit') {
    scale = Math.min(1, (LARGEST - 2 * margin) / Math.max(naturalWidth, naturalHeight));
    if (density === undefined) scale = Math.min(scale, scaleToSheet(naturalWidth, naturalHeight, margin));
    page = [naturalWidth * scale + 2 * margin, naturalHeight * scale + 2 * margin];
  } else {
    const [short, long] = size;
    page = naturalWidth > naturalHeight ? [long, short] : [short, long];
    const room = [Math.max(page[0] - 2 * margin, 1), Math.max(page[1] - 2 * margin, 1)] as const;
    scale = Math.min(room[0] / naturalWidth, room[1] / naturalHeight);
  }
  const width = naturalWidth * scale;
  const height = naturalHeight * scale;
  const [a, b, c, d, e, f] = TURNS[picture.orientation];
  const left = (page[0] - width) / 2;
  const bottom = (page[1] - height) / 2;
  return { page, matrix: [a * width, b * height, c * width, d * height, left + e * width, bottom + f * height] };
}
