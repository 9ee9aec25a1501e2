/** Points, upright. */
export const PAPER = {
  A3: [841.89, 1190.551],
  A4: [595.276, 841.89],
  A5: [419.528, 595.276],
  Letter: [612, 792],
  Legal: [612, 1008],
  Tabloid: [792, 1224],
} as const;
