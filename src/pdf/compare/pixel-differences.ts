import type { DrawnPage } from '../../contract/base/ports.ts';
import { byteAt } from '../syntax/arrays.ts';

interface PixelDifferences {
  readonly count: number;
  /** The second page in pale grey, with what differs in red: RGB. */
  readonly picture: DrawnPage;
}

/** Two pictures of one size, RGB. `tolerance`: shades from 0 to 255 that a channel may differ by. */
export function pixelDifferences(first: DrawnPage, second: DrawnPage, tolerance: number): PixelDifferences {
  const { width, height } = second;
  const pixels = new Uint8Array(3 * width * height);
  let count = 0;
  for (let at = 0; at < pixels.length; at += 3) {
    const [r, g, b] = [byteAt(second.pixels, at), byteAt(second.pixels, at + 1), byteAt(second.pixels, at + 2)];
    const apart = Math.max(
      Math.abs(byteAt(first.pixels, at) - r),
      Math.abs(byteAt(first.pixels, at + 1) - g),
      Math.abs(byteAt(first.pixels, at + 2) - b),
    );
    if (apart > tolerance) {
      count += 1;
      pixels[at] = 220;
      pixels[at + 1] = 20;
      pixels[at + 2] = 20;
    } else {
      const pale = 200 + (0.3 * r + 0.59 * g + 0.11 * b) * (55 / 255);
      pixels.fill(pale, at, at + 3);
    }
  }
  return { count, picture: { width, height, channels: 3, pixels } };
}
