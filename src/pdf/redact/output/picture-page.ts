import { entryAt } from '../../../contract/base/present.ts';
import { decimal } from '../../content/operands.ts';
import { toUnicodeText } from '../../fonts/to-unicode.ts';
import { type Box, type PageSpace, toDisplayed } from '../../page/space.ts';
import { Dict, dictOf } from '../../syntax/values.ts';
import { packed } from '../content/picture-editor.ts';
import { flateStream, latinString, name, type OutputDocument } from '../objects/output-document.ts';
import { type Marked, wordsOutside } from '../probe/marked-characters.ts';
import type { RgbDrawing } from '../probe/page-probe.ts';
import { foldedWords } from '../words/secrets.ts';
import { RIGHT_TO_LEFT } from '../words/seen-text.ts';
import type { PicturePage } from './build-document.ts';

/** Extra pixels around a box: half-covered ones at its edge show a little of its content. */
const EDGE = 1;

export function blacken({ width, height, rgb }: RgbDrawing, boxes: readonly Box[]): void {
  for (const { x, y, w, h } of boxes) {
    const [x0, x1] = [Math.floor(x * width) - EDGE, Math.ceil((x + w) * width) + EDGE];
    const [y0, y1] = [Math.floor(y * height) - EDGE, Math.ceil((y + h) * height) + EDGE];
    for (let row = Math.max(0, y0); row < Math.min(height, y1); row++)
      rgb.fill(0, (row * width + Math.max(0, x0)) * 3, (row * width + Math.min(width, x1)) * 3);
  }
}

/** A page of nothing but its picture, with an invisible text layer of the remaining words. */
export function picturePage(
  drawing: RgbDrawing,
  space: PageSpace,
  characters: readonly Marked[],
  keep: (word: string) => boolean,
  regions: readonly Box[],
  isApart: boolean,
): PicturePage {
  const { width, height } = space;
  const { bits, gray, bytes } = packed(drawing.rgb, drawing.width, drawing.height);
  // All glyphs of this layer have one width, so that some would land in a region.
  const words = keptWords(characters, space, keep).filter((word) => !reachesInto(word, regions, isApart));
  const codes = new Map<string, number>();
  const lines = words.map(({ text: word, box }) => {
    // Readers expect visual order; PDFium gives logical order.
    const letters = RIGHT_TO_LEFT.test(word) ? [...word].reverse() : [...word];
    const numbers = letters.map((letter) => entryAt(codes, letter, () => codes.size + 1));
    const hex = numbers.map((code) => code.toString(16).padStart(4, '0'));
    const [size, wide] = [Math.max(1, box.h * height), Math.max(0.1, box.w * width)];
    // Every glyph is half an em wide.
    const scale = (wide / (hex.length * size * 0.5)) * 100;
    const at = `1 0 0 1 ${decimal(box.x * width)} ${decimal((1 - box.y - box.h) * height + 0.2 * size)} Tm`;
    return `/Words ${decimal(size)} Tf ${decimal(scale)} Tz ${at} <${hex.join('')}> Tj`;
  });
  const shown = `q ${decimal(width)} 0 0 ${decimal(height)} 0 0 cm /Page Do Q\n`;
  const read = lines.length === 0 ? '' : `BT 3 Tr\n${lines.join('\n')}\nET\n`;
  return {
    width,
    height,
    content: shown + read,
    resources: (output) => {
      const kind = { Type: name('XObject'), Subtype: name('Image'), Width: drawing.width, Height: drawing.height };
      const pixels = { BitsPerComponent: bits, ColorSpace: name(gray ? 'DeviceGray' : 'DeviceRGB') };
      const image = flateStream(dictOf({ ...kind, ...pixels }), bytes, 4);
      const resources = new Dict([['XObject', dictOf({ Page: output.add(image) })]]);
      if (codes.size > 0) resources.set('Font', dictOf({ Words: wordsFont(output, codes) }));
      return resources;
    },
  };
}

/** The part of a letter that may overlap a region. */
const OVERLAP = 0.25;

/** Whether a word overlaps a region or, with `isApart`, comes within two letters of one. */
function reachesInto({ text: word, box }: Word, regions: readonly Box[], isApart: boolean): boolean {
  const wide = box.w / [...word].length;
  const [least, part] = isApart ? [-2 * wide, 0] : [OVERLAP * wide, OVERLAP];
  return regions.some(({ x, y, w, h }) => {
    const across = Math.min(box.x + box.w, x + w) - Math.max(box.x, x);
    const down = Math.min(box.y + box.h, y + h) - Math.max(box.y, y);
    return across > least && down > part * box.h;
  });
}

interface Word {
  readonly text: string;
  readonly box: Box;
}

function keptWords(characters: readonly Marked[], space: PageSpace, keep: (word: string) => boolean): Word[] {
  return wordsOutside(characters).flatMap(({ text: word, box, size, isCut }) => {
    const lacking = Math.max(0, 0.4 * size - Math.max(box.y1 - box.y0, 0)) / 2;
    const shown = toDisplayed({ ...box, y0: box.y0 - lacking, y1: box.y1 + lacking }, space);
    // The rest of a cut word would reveal the removed part.
    return shown !== undefined && !isCut && foldedWords(word).every(keep) && keep(word)
      ? [{ text: word, box: shown }]
      : [];
  });
}

/** A font without glyphs, whose codes map to letters and are never drawn. */
function wordsFont(output: OutputDocument, codes: ReadonlyMap<string, number>) {
  const map = new Map([...codes].map(([letter, code]) => [code, letter] as const));
  const descriptor = output.addDict({
    Type: name('FontDescriptor'),
    FontName: name('Words'),
    Flags: 4,
    FontBBox: [0, -200, 500, 800],
    ItalicAngle: 0,
    Ascent: 800,
    Descent: -200,
    CapHeight: 700,
    StemV: 80,
  });
  const inner = output.addDict({
    Type: name('Font'),
    Subtype: name('CIDFontType2'),
    BaseFont: name('Words'),
    CIDSystemInfo: dictOf({ Registry: latinString('Adobe'), Ordering: latinString('Identity'), Supplement: 0 }),
    FontDescriptor: descriptor,
    DW: 500,
  });
  return output.addDict({
    Type: name('Font'),
    Subtype: name('Type0'),
    BaseFont: name('Words'),
    Encoding: name('Identity-H'),
    DescendantFonts: [inner],
    ToUnicode: output.add(flateStream([], Buffer.from(toUnicodeText(map)))),
  });
}
