/** Grey steps of 255 that a pixel may differ by, and the share of pixels that may differ by more. */
const PIXEL_STEPS = 24;
const PIXEL_SHARE = 0.0002;
/** Of pictures drawn in another direction the edges of glyphs differ: means over a grid of this size are compared. */
const GRID = 25;
const CELL_STEPS = 40;
const MEAN_STEPS = 4;

/** @typedef {import('./judges.mjs').Picture} Picture */

/** How two pictures differ, in a few words; undefined where they show the same. */
export function difference(expected, found) {
  const size = differentSize(expected, found, 0);
  if (size !== undefined) return size;
  let far = 0;
  for (let i = 0; i < expected.pixels.length; i += 1) {
    if (Math.abs(expected.pixels[i] - found.pixels[i]) > PIXEL_STEPS) far += 1;
  }
  const share = far / expected.pixels.length;
  return share > PIXEL_SHARE ? `${(share * 100).toFixed(2)} % of the pixels differ` : undefined;
}

/** As difference, for a picture that was drawn turned: coarse, because the edges of glyphs are drawn anew. */
export function turnedDifference(expected, found) {
  const size = differentSize(expected, found, 1);
  if (size !== undefined) return size;
  const [a, b] = [cells(expected), cells(found)];
  const steps = a.map((mean, i) => Math.abs(mean - b[i]));
  const worst = Math.max(...steps);
  const mean = steps.reduce((sum, each) => sum + each, 0) / steps.length;
  return worst > CELL_STEPS || mean > MEAN_STEPS
    ? `turned pictures differ by ${mean.toFixed(1)} of 255 (worst ${worst.toFixed(0)})`
    : undefined;
}

/**
 * The picture turned clockwise by a quarter.
 * @param {Picture} picture
 * @returns {Picture}
 */
export function turn({ width, height, pixels }) {
  const turned = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) turned[x * height + (height - 1 - y)] = pixels[y * width + x];
  }
  return { width: height, height: width, pixels: turned };
}

/** `slack`: pixels a side that rounding may cost. */
function differentSize(a, b, slack) {
  const near = Math.abs(a.width - b.width) <= slack && Math.abs(a.height - b.height) <= slack;
  return near ? undefined : `the page is ${b.width} x ${b.height} pixels, not ${a.width} x ${a.height}`;
}

function cells({ width, height, pixels }) {
  const sums = new Float64Array(GRID * GRID);
  const counts = new Float64Array(GRID * GRID);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * GRID) / height) * GRID;
    for (let x = 0; x < width; x += 1) {
      const cell = row + Math.floor((x * GRID) / width);
      sums[cell] += pixels[y * width + x];
      counts[cell] += 1;
    }
  }
  return Array.from(sums, (sum, i) => (counts[i] === 0 ? 255 : sum / counts[i]));
}
