// Maps words from pixels of a picture to points of its page, and turns pictures for the recogniser.
import type { HocrLine } from './hocr.ts';
import type { GreyPicture } from './recogniser.ts';

/** A word in points from the top left of the displayed page. */
interface Placed {
  readonly text: string;
  readonly confidence: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly angle: number;
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
}

export interface PlacedLine {
  readonly words: readonly Placed[];
}

/** `quarters`: clockwise turns applied to the picture before it was read. `size`: of the page, in points. */
export function placeLines(
  lines: readonly HocrLine[],
  { width, height }: Pick<GreyPicture, 'width' | 'height'>,
  quarters: number,
  size: { readonly width: number; readonly height: number },
): PlacedLine[] {
  const sideways = quarters % 2 === 1;
  const scale = size.width / (sideways ? height : width);
  // Points of the turned picture to points of the page.
  const back = (x: number, y: number): [number, number] => {
    if (quarters === 1) return [y, width - x];
    if (quarters === 2) return [width - x, height - y];
    if (quarters === 3) return [height - y, x];
    return [x, y];
  };
  const turn = (-quarters * Math.PI) / 2;
  return lines.map((line) => ({
    words: line.words.map(({ text, confidence, box }) => {
      const along = alongLine(line, box);
      const [x, y] = back(along.x, along.y);
      const [x0, y0] = back(box[0], box[1]);
      const [x1, y1] = back(box[2], box[3]);
      return {
        text,
        confidence,
        x: x * scale,
        y: y * scale,
        width: along.width * scale,
        size: Math.max(line.size, 1) * scale,
        angle: along.angle + turn,
        box: [
          Math.min(x0, x1) * scale,
          Math.min(y0, y1) * scale,
          Math.max(x0, x1) * scale,
          Math.max(y0, y1) * scale,
        ] as const,
      };
    }),
  }));
}

/** Where a word's baseline begins, its length and its fall, in the picture that was read. */
function alongLine(line: HocrLine, [left, top, right, bottom]: HocrLine['box']) {
  const { turned: degrees, descent, box: whole } = line;
  if (degrees === 90) return { x: whole[2] - descent, y: bottom, width: bottom - top, angle: -Math.PI / 2 };
  if (degrees === 180) return { x: right, y: whole[1] + descent, width: right - left, angle: Math.PI };
  if (degrees === 270) return { x: whole[0] + descent, y: top, width: bottom - top, angle: Math.PI / 2 };
  const angle = Math.atan(line.slope);
  const y = line.box[3] + line.offset + line.slope * (left - line.box[0]);
  return { x: left, y, width: (right - left) / Math.cos(angle), angle };
}

/** The median slope of the lines of a page, in radians; 0 where there are too few lines. */
export function skewOf(lines: readonly PlacedLine[]): number {
  const angles = lines.flatMap(({ words: [first, , third] }) =>
    first === undefined || third === undefined ? [] : first.angle,
  );
  const middle = medianOf(angles);
  return Math.abs(middle) < MOST_SKEW ? middle : 0;
}

/** 0 where there are too few to tell. */
function medianOf(values: readonly number[]): number {
  return values.length < 3 ? 0 : (values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0);
}

/** Radians. A steeper page is meant to be so. */
const MOST_SKEW = Math.PI / 9;

/** Makes lines level: all their words get the height of the middle of the line. */
export function straightened(lines: readonly PlacedLine[]): PlacedLine[] {
  return lines.map(({ words }) => {
    const angle = words[0]?.angle ?? 0;
    if (angle === 0 || Math.abs(angle) > MOST_SKEW) return { words };
    const y = words.reduce((sum, word) => sum + word.y + (word.width / 2) * Math.sin(angle), 0) / words.length;
    return { words: words.map((word) => ({ ...word, y, width: word.width * Math.cos(angle), angle: 0 })) };
  });
}

/** Turns the picture clockwise. */
export function turnedPicture({ width, height, pixels, dpi }: GreyPicture, quarters: number): GreyPicture {
  if (quarters % 4 === 0) return { width, height, pixels, dpi };
  if (quarters === 2) return { width, height, pixels: Uint8Array.from(pixels).reverse(), dpi };
  const out = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    const column = quarters === 1 ? height - 1 - y : y;
    for (let x = 0; x < width; x++) {
      const row = quarters === 1 ? x : width - 1 - x;
      out[row * height + column] = pixels[y * width + x]!;
    }
  }
  return { width: height, height: width, pixels: out, dpi };
}

/** By how much one profile must be rougher than the other: 5 to 40 times on pages of prose. */
const ROUGHER = 2;
/** How much steeper upper edges of lines must be than lower ones, from 0 to 1; -0.1 to -0.5 on upright pages of prose. */
const STEEPER = 0.08;

/**
 * Whether a page seems to lie on its side or its head. Ink is counted in bands across and down. Where lines and the gaps
 * between them follow each other, bands differ from their neighbours: along the page, lines run down it. Letters have more
 * parts above their bodies (b, d, T) than below them (p, y), so a line begins gradually and ends at its baseline: the other way
 * round, the page is upside down. One pass over a quarter of the pixels; a wrong guess costs one question to the recogniser.
 */
export function seemsTurned({ width, height, pixels, dpi }: GreyPicture): boolean {
  const band = Math.max(1, Math.round(dpi / 75));
  const across = new Float64Array(Math.ceil(height / band));
  const down = new Float64Array(Math.ceil(width / band));
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      if ((pixels[y * width + x] ?? 255) >= 128) continue;
      across[Math.floor(y / band)] = (across[Math.floor(y / band)] ?? 0) + 1 / width;
      down[Math.floor(x / band)] = (down[Math.floor(x / band)] ?? 0) + 1 / height;
    }
  }
  const steps = (bands: Float64Array) => bands.map((ink, i) => ink - (bands[i - 1] ?? ink));
  const mean = (values: Float64Array, weigh: (value: number) => number) =>
    values.reduce((sum, value) => sum + weigh(value), 0) / values.length;
  const [rows, columns] = [steps(across), steps(down)];
  if (mean(columns, (step) => step ** 2) > ROUGHER * mean(rows, (step) => step ** 2)) return true;
  return mean(rows, (step) => step ** 3) > STEEPER * mean(rows, (step) => Math.abs(step) ** 3);
}

/** The median slope of the lines of a picture, in radians; 0 where there are too few lines. */
export function fallOf(lines: readonly HocrLine[]): number {
  const prose = lines.filter(({ words, turned: degrees }) => degrees === 0 && words.length > 2);
  return Math.atan(medianOf(prose.map(({ slope }) => slope)));
}

/** Turns the picture counter-clockwise about its middle, in radians, on white; its size stays. */
export function turnedBy({ width, height, pixels, dpi }: GreyPicture, angle: number): GreyPicture {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const out = new Uint8Array(pixels.length).fill(255);
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
  for (let y = 0; y < height; y++) {
    const dy = y - middleY;
    for (let x = 0; x < width; x++) {
      const dx = x - middleX;
      const fromX = middleX + dx * cos - dy * sin;
      const fromY = middleY + dx * sin + dy * cos;
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      const [right, down] = [fromX - left, fromY - top];
      const at = top * width + left;
      const upper = pixels[at]! * (1 - right) + pixels[at + 1]! * right;
      const lower = pixels[at + width]! * (1 - right) + pixels[at + width + 1]! * right;
      out[y * width + x] = upper * (1 - down) + lower * down;
    }
  }
  return { width, height, pixels: out, dpi };
}

/** The mean confidence of tesseract, weighted by letters, from 0 to 100; 0 where there are no letters. */
export function confidenceOf(lines: readonly HocrLine[]): number {
  let letters = 0;
  let sum = 0;
  for (const { words } of lines) {
    for (const { text, confidence } of words) {
      letters += text.length;
      sum += text.length * confidence;
    }
  }
  return letters === 0 ? 0 : sum / letters;
}
