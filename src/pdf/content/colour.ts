/** Red, green, blue, 0 to 1. */
export type Colour = readonly [number, number, number];

const NAMED: Readonly<Record<string, Colour>> = {
  black: [0, 0, 0],
  white: [1, 1, 1],
  gray: [0.5, 0.5, 0.5],
  grey: [0.5, 0.5, 0.5],
  red: [0.8, 0, 0],
  green: [0, 0.5, 0],
  blue: [0, 0, 0.8],
};

/** The colour of a name or of #rrggbb; undefined where it is neither. */
export function parseColour(text: string): Colour | undefined {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex === null) return Object.hasOwn(NAMED, text) ? NAMED[text] : undefined;
  const part = (index: number): number => Number.parseInt(hex[index] ?? '0', 16) / 255;
  return [part(1), part(2), part(3)];
}
