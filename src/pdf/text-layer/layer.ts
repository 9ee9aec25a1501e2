// The invisible text of a page: words that were recognised, each stretched to the width that it has in the picture.
import { inverse as inverseOf, type Matrix } from '../page/geometry.ts';
import { ADVANCE } from './glyphless-font.ts';

/** A word in points from the top left of the page as it is shown. */
export interface PlacedWord {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Along the baseline. */
  readonly width: number;
  readonly size: number;
  /** Radians by which the baseline falls, clockwise. */
  readonly angle: number;
}

/** Operators that show the lines. `transform`: from a page's own coordinates to points as shown (`viewOf`). `font`: its name among the resources. */
export function textLayer(lines: readonly (readonly PlacedWord[])[], transform: Matrix, font: string): string {
  const inverse = inverseOf(transform);
  const operators = ['q BT 3 Tr'];
  for (const line of lines) {
    const words = line.map(straightIfNearly);
    for (const [i, word] of words.entries()) {
      operators.push(shown(word, inverse, font));
      const next = words[i + 1];
      if (next !== undefined) operators.push(space(word, next));
    }
  }
  operators.push('ET Q\n');
  return operators.join('\n');
}

/** A word may slope by this part of its letters' size and still be written straight: readers break sloping words apart. */
const STRAIGHT = 0.4;

function straightIfNearly(word: PlacedWord): PlacedWord {
  const fall = word.width * Math.sin(word.angle);
  if (word.angle === 0 || Math.cos(word.angle) < 0.9 || Math.abs(fall) > STRAIGHT * word.size) return word;
  return { ...word, y: word.y + fall / 2, width: word.width * Math.cos(word.angle), angle: 0 };
}

function shown({ text, x, y, width, size, angle }: PlacedWord, [a, b, c, d, e, f]: Matrix, font: string): string {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  // Along the baseline, and up from it: as shown, y counts down.
  const along = [a * cos + c * sin, b * cos + d * sin];
  const up = [a * sin - c * cos, b * sin - d * cos];
  const from = [a * x + c * y + e, b * x + d * y + f];
  const natural = (text.length * size * ADVANCE) / 1000;
  const matrix = [...along, ...up, ...from].map(number).join(' ');
  const codes = Buffer.from(text, 'utf16le').swap16().toString('hex');
  return `/${font} ${number(size)} Tf ${number((100 * width) / natural)} Tz ${matrix} Tm <${codes}> Tj`;
}

/** A space that reaches from where a word ends to where the next begins. */
function space(word: PlacedWord, next: PlacedWord): string {
  const along = (next.x - word.x) * Math.cos(word.angle) + (next.y - word.y) * Math.sin(word.angle);
  const gap = Math.max(along - word.width, LEAST_GAP * word.size);
  return `${number((100_000 * gap) / (word.size * ADVANCE))} Tz <0020> Tj`;
}

/** The gap between words that touch, in parts of the letters' size. */
const LEAST_GAP = 0.05;

function number(value: number): string {
  return String(Math.round(value * 10_000) / 10_000);
}
