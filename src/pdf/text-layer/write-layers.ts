// Text layers that are appended to a document: pages keep their content, byte for byte, behind a stream that shows nothing.
import { asksForTags, claimsOf } from '../file/read/claims.ts';
import { contentsOf, wholeDictOfPage } from '../file/read/page-dict.ts';
import type { Page } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Update } from '../file/write/update.ts';
import { writeStream } from '../file/write/writer.ts';
import { inverse as inverseOf, type Matrix } from '../page/geometry.ts';
import { viewOf } from '../page/view.ts';
import { serialize } from '../syntax/serialize.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';
import { ADVANCE, writeFont } from './glyphless-font.ts';

interface Layer {
  readonly lines: readonly (readonly PlacedWord[])[];
  /** Radians by which the page's content is turned, counter-clockwise, about its middle. */
  readonly turn?: number;
  /** Quarter turns clockwise by which the page is shown turned from now on; the words are where they are then. */
  readonly quarters?: number;
}

export class LayerWriter {
  private readonly file: PdfFile;
  private readonly update: Update;
  private font: number | undefined;
  private readonly isTagged: boolean;

  constructor(file: PdfFile, update: Update) {
    this.file = file;
    this.update = update;
    this.isTagged = claimsOf(file).some(asksForTags);
  }

  /** The size of a page as it is shown, in points. */
  size(page: Page): { readonly width: number; readonly height: number } {
    return viewOf(this.file, wholeDictOfPage(this.file, page), page.rotate);
  }

  /** Adds a layer to a page; `contents`: what is shown instead of its own content. */
  add(page: Page, layer: Layer, contents?: readonly Uint8Array[]): void {
    const { file, update } = this;
    if (update.has(page.num)) return;
    const dict = wholeDictOfPage(file, page);
    const { quarters = 0 } = layer;
    const rotate = quarters === 0 ? page.rotate : (page.rotate + 90 * quarters) % 360;
    const view = viewOf(file, dict, rotate);
    if (rotate !== page.rotate) dict.set('Rotate', rotate);
    const fonts = file.dict(file.dict(dict.get('Resources'))?.get('Font')) ?? new Dict();
    let name = 'PdftoolOcr';
    while (fonts.has(name)) name += 'X';
    const streams = contents === undefined ? [...contentsOf(file, dict)] : contents.map((bytes) => this.stream(bytes));
    const turned = layer.turn === undefined || layer.turn === 0 ? streams : this.around(streams, layer.turn, dict);
    const words = textLayer(layer.lines, view.transform, name);
    // The tags describe the picture that the words were read from.
    const text = Buffer.from(this.isTagged ? `/Artifact<</Lang(und)>>BDC ${words}EMC\n` : words, 'latin1');
    // In front: whatever the page's own content does to the state of things, this is not touched by it.
    dict.set('Contents', [...(layer.lines.length === 0 ? [] : [this.stream(text)]), ...turned]);
    if (layer.lines.length > 0) {
      this.font ??= writeFont(update);
      const resources = new Dict(file.dict(dict.get('Resources')) ?? []);
      resources.set('Font', new Dict([...fonts, [name, new Ref(this.font, 0)]]));
      dict.set('Resources', resources);
    }
    update.object(page.num, serialize(dict));
  }

  private around(contents: readonly Value[], turn: number, dict: Dict): Value[] {
    const [x, y] = this.middle(dict);
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const numbers = [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos];
    const matrix = numbers.map((number) => Math.round(number * 1e6) / 1e6).join(' ');
    return [this.stream(Buffer.from(`q ${matrix} cm\n`)), ...contents, this.stream(Buffer.from('\nQ\n'))];
  }

  private middle(dict: Dict): [number, number] {
    const box = this.file.resolve(dict.get('CropBox') ?? dict.get('MediaBox'));
    const sides = Array.isArray(box) ? box.map((side) => Number(this.file.resolve(side))) : [];
    const [left = 0, bottom = 0, right = 612, top = 792] = sides;
    return [(left + right) / 2, (bottom + top) / 2];
  }

  private stream(bytes: Uint8Array): Ref {
    return new Ref(writeStream(this.update, '', bytes), 0);
  }
}

// The invisible text of a page: words that were recognised, each stretched to the width that it has in the picture.

/** A word in points from the top left of the page as it is shown. */
interface PlacedWord {
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
function textLayer(lines: readonly (readonly PlacedWord[])[], transform: Matrix, font: string): string {
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
