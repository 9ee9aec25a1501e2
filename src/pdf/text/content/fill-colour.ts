// Colours as they are compared: red, green and blue of 0 to 255 in one number.

import { greatest } from '../../long-lists.ts';

export type Colour = number;

export const BLACK: Colour = 0;
export const WHITE: Colour = 0xffffff;
/** Patterns, and what has no numbers. */
const OTHER: Colour = -1;

/** The fill colour that an operator sets; undefined where it sets none. `ink`: in the colour space, 0 is no ink. */
export function colourAfter(operator: number, numbers: readonly number[], ink: boolean): Colour | undefined {
  const count = numbers.length;
  switch (operator) {
    case 0x67: // g
      return count < 1 ? undefined : grey(numbers[count - 1]!);
    case 0x6772: // rg
      return count < 3 ? undefined : packed(numbers.slice(-3));
    case 0x6b: // k
      return count < 4 ? undefined : fromInks(numbers.slice(-4));
    case 0x6373: // sc
    case 0x6e6373: // scn
      if (count === 0) return OTHER;
      if (ink) return grey(1 - greatest(numbers));
      return count === 4 ? fromInks(numbers) : count === 3 ? packed(numbers) : grey(numbers[0]!);
    default:
      return undefined;
  }
}

function grey(light: number): Colour {
  return packed([light, light, light]);
}

function fromInks([cyan = 0, magenta = 0, yellow = 0, black = 0]: readonly number[]): Colour {
  return packed([cyan, magenta, yellow].map((part) => (1 - part) * (1 - black)));
}

function packed(parts: readonly number[]): Colour {
  return parts.reduce((sum, part) => sum * 256 + Math.round(255 * Math.min(1, Math.max(0, part))), 0);
}

/** Black, white or between; also what is no colour of its own. */
export function isGrey(colour: Colour): boolean {
  const parts = [colour >> 16, (colour >> 8) & 255, colour & 255];
  return colour === OTHER || Math.max(...parts) - Math.min(...parts) < 32;
}

/** A colour as pdf.js gives it, `#rrggbb`. */
export function colourOf(text: string): Colour {
  const colour = Number.parseInt(text.slice(1), 16);
  return Number.isNaN(colour) ? OTHER : colour;
}
