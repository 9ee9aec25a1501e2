import type { Colour } from '../../content/colour.ts';
import { decimal, operands } from '../../content/operands.ts';
import type { PageFont } from '../fonts/page-font.ts';
import type { Size } from './place.ts';

export interface TextStyle {
  readonly font: PageFont;
  readonly size: number;
  readonly colour: Colour;
}

/** From one baseline to the next, in ems. */
const LEADING = 1.2;

export interface TextBlock extends Size {
  /** Operators that draw it with its bottom left corner at the origin. Names among the resources; without a colour space, RGB. */
  draw(font: string, colourSpace?: string): string;
}

/** Lines of text one below the other; `align`: 0 at the left, 1 at the right. */
export function textBlock(text: string, { font, size, colour }: TextStyle, align: number): TextBlock {
  const lines = text.split(/\r\n|\r|\n/).map((line) => ({
    shown: font.show(line),
    width: (font.width(line) * size) / 1000,
  }));
  const width = Math.max(1, ...lines.map((line) => line.width));
  const height = ((font.ascent - font.descent) * size) / 1000 + (lines.length - 1) * LEADING * size;
  return {
    width,
    height,
    draw(name, space) {
      const rows = lines.map((line, i) => {
        const y = height - (font.ascent * size) / 1000 - i * LEADING * size;
        return `1 0 0 1 ${operands([align * (width - line.width), y])} Tm ${line.shown} Tj`;
      });
      const paint = space === undefined ? `${operands(colour)} rg` : `/${space} cs ${operands(colour)} sc`;
      return `BT /${name} ${decimal(size)} Tf ${paint}\n${rows.join('\n')}\nET`;
    },
  };
}
