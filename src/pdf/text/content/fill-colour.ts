// Colours packed into one number for comparison: red, green and blue of 0 to 255.

import { greatest } from '../../syntax/arrays.ts';

export type PackedColour = number;

export const BLACK: PackedColour = 0;
export const WHITE: PackedColour = 0xffffff;
/** Patterns and other colours without numbers. */
const OTHER: PackedColour = -1;

/** The fill colour that an operator sets; undefined where it sets none. `ink`: in this colour space 0 means no ink. */
export function colourAfter(operator: string, numbers: readonly number[], ink: boolean): PackedColour | undefined {
  const count = numbers.length;
  const [first] = numbers;
  switch (operator) {
    case 'g':
      return numbers.slice(-1).map(grey)[0];
    case 'rg':
      return count < 3 ? undefined : packed(numbers.slice(-3));
    case 'k':
      return count < 4 ? undefined : fromInks(numbers.slice(-4));
    case 'sc':
    case 'scn':
      if (first === undefined) return OTHER;
      if (ink) return grey(1 - greatest(numbers));
      return count === 4 ? fromInks(numbers) : count === 3 ? packed(numbers) : grey(first);
    default:
      return undefined;
  }
}

function grey(light: number): PackedColour {
  return packed([light, light, light]);
}

function fromInks([cyan = 0, magenta = 0, yellow = 0, black = 0]: readonly number[]): PackedColour {
  return packed([cyan, magenta, yellow].map((part) => (1 - part) * (1 - black)));
}

function packed(parts: readonly number[]): PackedColour {
  return parts.reduce((sum, part) => sum * 256 + Math.round(255 * Math.min(1, Math.max(0, part))), 0);
}

/** Black, white or a grey; also OTHER. */
export function isGrey(colour: PackedColour): boolean {
  const parts = [colour >> 16, (colour >> 8) & 255, colour & 255];
  return colour === OTHER || Math.max(...parts) - Math.min(...parts) < 32;
}

/** A colour in pdf.js's form, `#rrggbb`. */
export function packedColour(text: string): PackedColour {
  const colour = Number.parseInt(text.slice(1), 16);
  return Number.isNaN(colour) ? OTHER : colour;
}
