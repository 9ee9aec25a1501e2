// Interprets the operators of a page's content for text, lines and areas (ISO 32000-1, Annex A).
import type { ContentPart, Visitor, Walk } from '../../content/walk.ts';
import { nameIn } from '../../file/read/entries.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Font, Glyph } from '../../fonts/font-reader.ts';
import { asMatrix, multiply } from '../../page/geometry.ts';
import { byteAt } from '../../syntax/arrays.ts';
import { textOf } from '../../syntax/text-strings.ts';
import type { Value } from '../../syntax/values.ts';
import type { Drawing } from './drawing.ts';
import { BLACK, colourAfter } from './fill-colour.ts';
import { OP } from './operators.ts';
import { ARTIFACT } from './page-content.ts';

/** Colour spaces of inks rather than light: 0 means no ink. */
const INKS = new Set(['Separation', 'DeviceN', 'DeviceCMYK']);

export class ContentReader implements Visitor {
  private readonly file: PdfFile;
  private readonly drawing: Drawing;
  private readonly fontOf: (value: Value | undefined) => Font | undefined;
  private readonly path: ContentPath;
  private numbers: readonly number[] = [];
  private shown: (Glyph | number)[] = [];
  private font: Font | undefined;
  private isInk = false;
  private readonly saved: { readonly font: Font | undefined; readonly isInk: boolean }[] = [];

  constructor(file: PdfFile, drawing: Drawing, fontOf: (value: Value | undefined) => Font | undefined) {
    this.file = file;
    this.drawing = drawing;
    this.fontOf = fontOf;
    this.path = new ContentPath(drawing);
  }

  save(): void {
    this.drawing.save();
    this.saved.push({ font: this.font, isInk: this.isInk });
  }

  restore(): void {
    this.drawing.restore();
    const { font, isInk = false } = this.saved.pop() ?? {};
    this.font = font;
    this.isInk = isInk;
  }

  draw(form: ContentPart | undefined, walk: Walk, around = walk.matrix): void {
    if (form === undefined || !walk.enters(form)) return;
    this.save();
    this.drawing.state.ctm = multiply(form.matrix, around);
    walk.enter(form, around);
    this.restore();
  }

  private drawObject(walk: Walk): void {
    const object = walk.resource('XObject');
    const form = walk.part(object, 'Form');
    if (form !== undefined) this.draw(form, walk);
    else if (this.file.dict(object)?.name('Subtype') === 'Image') this.drawing.picture();
  }

  text(bytes: Uint8Array, length: number): void {
    const { font, shown } = this;
    if (font?.step === 1) for (let i = 0; i < length; i++) shown.push(font.glyph(byteAt(bytes, i)));
    else if (font !== undefined)
      for (let i = 0; i < length; i += 2)
        shown.push(font.glyph((byteAt(bytes, i) << 8) | (i + 1 < length ? byteAt(bytes, i + 1) : 0)));
  }

  adjust(number: number): void {
    this.shown.push(number);
  }

  operator(operator: string, walk: Walk): void {
    this.numbers = walk.numbers;
    if (!this.path.build(operator, walk.numbers)) this.operate(operator, walk);
    if (this.shown.length > 0) this.shown = [];
  }

  /** The i-th of the last `count` numbers. */
  private arg(i: number, count: number): number {
    return this.numbers[this.numbers.length - count + i] ?? 0;
  }
  private has(count: number): boolean {
    return this.numbers.length >= count;
  }
  private setTextMatrix(): void {
    const matrix = asMatrix(this.numbers.slice(-6));
    if (matrix !== undefined) this.drawing.setTextMatrix(matrix);
  }

  private operate(operator: string, walk: Walk): void {
    const action = ContentReader.ACTIONS.get(operator);
    if (action !== undefined) action(this, walk);
    else if (!this.path.paint(operator) && !this.setTextState(operator)) {
      const { state } = this.drawing;
      if (operator === 'G' || operator === 'RG' || operator === 'K')
        state.stroke = colourAfter(operator.toLowerCase(), this.numbers, false) ?? state.stroke;
      // Only white matters: other colour spaces are not resolved.
      else if (operator === 'SC' || operator === 'SCN' || operator === 'CS') state.stroke = BLACK;
      else state.fill = colourAfter(operator, this.numbers, this.isInk) ?? state.fill;
    }
  }

  private static readonly ACTIONS = new Map<string, (reader: ContentReader, walk: Walk) => void>([
    ['TJ', (reader) => reader.show()],
    ['Tj', (reader) => reader.show()],
    ["'", (reader) => reader.showBelow()],
    ['"', (reader) => reader.has(2) && reader.showBelow(reader.arg(0, 2), reader.arg(1, 2))],
    ['Td', (reader) => reader.has(2) && reader.drawing.moveText(reader.arg(0, 2), reader.arg(1, 2))],
    ['TD', (reader) => reader.has(2) && reader.moveWithLeading(reader.arg(0, 2), reader.arg(1, 2))],
    ['T*', (reader) => reader.drawing.nextLine()],
    ['Tm', (reader) => reader.setTextMatrix()],
    ['BT', (reader) => reader.drawing.setTextMatrix()],
    [
      'Tf',
      (reader, walk) => walk.name !== '' && reader.setFont(reader.fontOf(walk.resource('Font')), reader.numbers.at(-1)),
    ],
    ['q', (reader) => reader.save()],
    ['Q', (reader) => reader.restore()],
    ['cm', (reader, walk) => (reader.drawing.state.ctm = walk.matrix)],
    ['Do', (reader, walk) => reader.drawObject(walk)],
    ['EI', (reader) => reader.drawing.picture()],
    ['gs', (reader, walk) => reader.setState(walk)],
    ['BMC', (reader, walk) => reader.drawing.openMark(walk.name)],
    ['BDC', (reader, walk) => reader.openMark(walk)],
    ['EMC', (reader) => reader.drawing.closeMark()],
    ['cs', (reader, walk) => (reader.isInk = INKS.has(walk.name) || INKS.has(reader.spaceOf(walk)))],
  ]);

  private showBelow(wordSpacing?: number, charSpacing?: number): void {
    const { drawing } = this;
    drawing.nextLine();
    drawing.state.wordSpacing = wordSpacing ?? drawing.state.wordSpacing;
    drawing.state.charSpacing = charSpacing ?? drawing.state.charSpacing;
    this.show();
  }

  private moveWithLeading(dx: number, dy: number): void {
    this.drawing.state.leading = dy;
    this.drawing.moveText(dx, dy);
  }

  /** Handles operators that set the text state by one number (9.3.1), and the line width; false for other operators. */
  private setTextState(operator: string): boolean {
    const { state } = this.drawing;
    const value = this.numbers.at(-1);
    if (operator === 'Tc') state.charSpacing = value ?? state.charSpacing;
    else if (operator === 'Tw') state.wordSpacing = value ?? state.wordSpacing;
    else if (operator === 'Tz') state.scale = value === undefined ? state.scale : value / 100;
    else if (operator === 'TL') state.leading = value === undefined ? state.leading : -value;
    else if (operator === 'Ts') state.rise = value ?? state.rise;
    else if (operator === 'w') state.lineWidth = value ?? state.lineWidth;
    else if (operator === 'Tr') state.mode = value ?? state.mode;
    else return false;
    return true;
  }

  private show(): void {
    if (this.shown.length > 0) this.drawing.show(this.shown);
  }

  private setFont(font: Font | undefined, size: unknown): void {
    if (font === undefined || typeof size !== 'number') return;
    this.font = font;
    this.drawing.setFont(font.face, size);
  }

  /** A graphics state may set the font, too. */
  private setState(walk: Walk): void {
    const { file } = this;
    const list = file.resolve(file.dict(walk.resource('ExtGState'))?.get('Font'));
    if (Array.isArray(list)) this.setFont(this.fontOf(list[0]), file.resolve(list[1]));
  }

  private spaceOf(walk: Walk): string {
    const space = this.file.resolve(walk.resource('ColorSpace'));
    return nameIn(this.file, Array.isArray(space) ? space[0] : space) ?? '';
  }

  private openMark(walk: Walk): void {
    const { file } = this;
    const given = walk.dict ?? file.dict(walk.resource('Properties', walk.names[1]));
    const id = given?.number('MCID');
    const actual = given?.has('ActualText') === true ? textOf(file.resolve(given.get('ActualText'))) : null;
    // Marked content numbers of a form are not those of the page.
    const mark = id === undefined || walk.depth === 0 ? id : ARTIFACT - 1 - id;
    this.drawing.openMark(walk.names[0] ?? '', mark, actual ?? undefined);
  }
}

/** Longer paths are drawings and are ignored. */
const MOST_PATH = 4_096;

const PAINTS: ReadonlyMap<string, { readonly as: number; readonly closes: boolean }> = new Map([
  ['S', { as: OP.stroke, closes: false }],
  ['s', { as: OP.closeStroke, closes: true }],
  ['f', { as: OP.fill, closes: false }],
  ['F', { as: OP.fill, closes: false }],
  ['f*', { as: OP.eoFill, closes: false }],
  ['B', { as: OP.fillStroke, closes: false }],
  ['B*', { as: OP.eoFillStroke, closes: false }],
  ['b', { as: OP.closeFillStroke, closes: true }],
  ['b*', { as: OP.closeEOFillStroke, closes: true }],
]);

class ContentPath {
  private readonly drawing: Drawing;
  private data: number[] = [];
  private x = 0;
  private y = 0;

  constructor(drawing: Drawing) {
    this.drawing = drawing;
  }

  /** Handles operators that build a path; false for others. `numbers`: its operands, at the end. */
  build(operator: string, numbers: readonly number[]): boolean {
    const count = numbers.length;
    switch (operator) {
      case 'm':
      case 'l': {
        const [x, y] = [numbers[count - 2], numbers[count - 1]];
        if (x !== undefined && y !== undefined) this.point(operator === 'm' ? 0 : 1, x, y);
        return true;
      }
      case 'c':
        if (count >= 6) this.curve(numbers.slice(-6));
        return true;
      case 'v':
        if (count >= 4) this.curve([this.x, this.y, ...numbers.slice(-4)]);
        return true;
      case 'y':
        if (count >= 4) this.curve([...numbers.slice(-4), ...numbers.slice(-2)]);
        return true;
      case 'h':
        if (this.data.length < MOST_PATH) this.data.push(4);
        return true;
      case 're': {
        const [x, y, width, height] = [numbers[count - 4], numbers[count - 3], numbers[count - 2], numbers[count - 1]];
        if (x !== undefined && y !== undefined && width !== undefined && height !== undefined)
          this.rectangle(x, y, width, height);
        return true;
      }
      case 'n':
        this.data = [];
        return true;
      default:
        return false;
    }
  }

  /** Handles operators that paint the path; false for others. */
  paint(operator: string): boolean {
    const paint = PAINTS.get(operator);
    if (paint === undefined) return false;
    if (paint.closes) this.data.push(4);
    if (this.data.length > 0) this.drawing.path(paint.as, this.data);
    this.data = [];
    return true;
  }

  private point(verb: number, x: number, y: number): void {
    this.x = x;
    this.y = y;
    if (this.data.length < MOST_PATH) this.data.push(verb, x, y);
  }
  private curve(points: readonly number[]): void {
    [, , , , this.x = this.x, this.y = this.y] = points;
    if (this.data.length < MOST_PATH) this.data.push(2, ...points);
  }
  private rectangle(x: number, y: number, width: number, height: number): void {
    const [right, top] = [x + width, y + height];
    this.x = x;
    this.y = y;
    if (this.data.length >= MOST_PATH) return;
    if (width === 0 || height === 0) this.data.push(0, x, y, 1, right, top, 4);
    else this.data.push(0, x, y, 1, right, y, 1, right, top, 1, x, top, 4);
  }
}
