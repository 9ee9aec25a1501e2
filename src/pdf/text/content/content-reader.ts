// Running a page's content stream on a drawing: what each operator means for text, lines and areas (ISO 32000-1,
// Annex A).
import { Failure } from '../../../contract/failure.ts';
import { Dict } from '../../syntax/values.ts';
import type { Font } from '../fonts/font-reader.ts';
import { MOST_OPERATORS } from '../pdfjs/pdfjs-port.ts';
import { ContentLexer } from './content-lexer.ts';
import { ContentPath } from './content-path.ts';
import type { Drawing, Glyph, Matrix } from './drawing.ts';
import { colourAfter } from './fill-colour.ts';
import { ARTIFACT } from './page-content.ts';

/** What a content stream names. */
export interface Resources {
  font(name: string): Font | undefined;
  /** The font and size that a graphics state sets, where it sets one. */
  stateFont(name: string): { font: Font; size: number } | undefined;
  /** A form to draw; undefined for an image or anything else. */
  form(name: string): Form | undefined;
  /** Where no ink is 0: inks rather than light. */
  isInk(space: string): boolean;
  /** The number of the marked content that a property list gives. */
  markId(name: string): number | undefined;
}

export interface Form {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly matrix: Matrix | undefined;
  readonly resources: Resources;
}

/** Forms in forms, deeper than any program writes them. */
const MOST_NESTED = 24;
/** Operands that any operator takes. */
const MOST_OPERANDS = 64;

/** Counts what is drawn, over a page and the forms on it. */
export interface Budget {
  operators: number;
  readonly name: string;
}

export function runContent(
  bytes: Uint8Array,
  resources: Resources,
  drawing: Drawing,
  budget: Budget,
  open: readonly number[] = [],
): void {
  new ContentRun(bytes, resources, drawing, budget, open).run();
}

class ContentRun {
  private readonly lexer: ContentLexer;
  private readonly resources: Resources;
  private readonly drawing: Drawing;
  private readonly budget: Budget;
  /** Numbers of the forms that this content is in. */
  private readonly open: readonly number[];
  private readonly floor: number;
  private readonly numbers: number[] = [];
  private names: string[] = [];
  private dict: Dict | undefined;
  private shown: (Glyph | number)[] = [];
  private font: Font | undefined;
  /** The fonts of saved states. */
  private readonly fonts: (Font | undefined)[] = [];
  private readonly path: ContentPath;
  private ink = false;

  constructor(bytes: Uint8Array, resources: Resources, drawing: Drawing, budget: Budget, open: readonly number[]) {
    this.lexer = new ContentLexer(bytes);
    this.resources = resources;
    this.drawing = drawing;
    this.budget = budget;
    this.open = open;
    this.floor = drawing.depth;
    this.path = new ContentPath(drawing);
  }

  run(): void {
    const { lexer, numbers } = this;
    let list = false;
    for (let token = lexer.next(); token !== 'end'; token = lexer.next()) {
      if (token === 'number') {
        if (list) this.shown.push(lexer.number);
        else {
          if (numbers.length === MOST_OPERANDS) numbers.shift();
          numbers.push(lexer.number);
        }
      } else if (token === 'string') this.decode();
      else if (token === 'open') list = true;
      else if (token === 'close') list = false;
      else if (token === 'name') this.names.push(lexer.name);
      else if (token === 'dict') this.dict = lexer.value instanceof Dict ? lexer.value : undefined;
      else {
        list = false;
        this.operate(lexer.operator);
        numbers.length = 0;
        if (this.shown.length > 0) this.shown = [];
        if (this.names.length > 0) this.names = [];
        this.dict = undefined;
      }
    }
    while (this.drawing.depth > this.floor) this.drawing.restore();
  }

  private decode(): void {
    const { font, shown } = this;
    if (font === undefined) return;
    const { string, length } = this.lexer;
    if (font.step === 1) for (let i = 0; i < length; i++) shown.push(font.glyph(string[i]!));
    else
      for (let i = 0; i < length; i += 2)
        shown.push(font.glyph((string[i]! << 8) | (i + 1 < length ? string[i + 1]! : 0)));
  }

  /** The i-th of the last `count` numbers. */
  private arg(i: number, count: number): number {
    return this.numbers[this.numbers.length - count + i]!;
  }
  private has(count: number): boolean {
    return this.numbers.length >= count;
  }
  private matrix(): Matrix | undefined {
    return this.has(6) ? this.numbers.slice(-6) : undefined;
  }

  private operate(operator: number): void {
    const { drawing } = this;
    if (this.path.build(operator, this.numbers)) return;
    if (++this.budget.operators > MOST_OPERATORS) {
      const message = `${this.budget.name} has a page with more than ${MOST_OPERATORS} drawing operators`;
      throw new Failure('unprocessable', message, { kind: 'limit', hint: 'The file may be made to exhaust memory.' });
    }
    const { state } = drawing;
    switch (operator) {
      case 0x4a54: // TJ
      case 0x6a54: // Tj
        this.show();
        break;
      case 0x27: // '
        drawing.nextLine();
        this.show();
        break;
      case 0x22: // "
        if (!this.has(2)) return;
        drawing.nextLine();
        state.wordSpacing = this.arg(0, 2);
        state.charSpacing = this.arg(1, 2);
        this.show();
        break;
      case 0x6454: // Td
        if (this.has(2)) drawing.moveText(this.arg(0, 2), this.arg(1, 2));
        break;
      case 0x4454: // TD
        if (!this.has(2)) return;
        state.leading = this.arg(1, 2);
        drawing.moveText(this.arg(0, 2), this.arg(1, 2));
        break;
      case 0x2a54: // T*
        drawing.nextLine();
        break;
      case 0x6d54: // Tm
        if (this.has(6)) drawing.setTextMatrix(this.matrix());
        break;
      case 0x5442: // BT
        drawing.setTextMatrix();
        break;
      case 0x6654: // Tf
        this.setFont();
        break;
      case 0x6354: // Tc
        if (this.has(1)) state.charSpacing = this.arg(0, 1);
        break;
      case 0x7754: // Tw
        if (this.has(1)) state.wordSpacing = this.arg(0, 1);
        break;
      case 0x7a54: // Tz
        if (this.has(1)) state.scale = this.arg(0, 1) / 100;
        break;
      case 0x4c54: // TL
        if (this.has(1)) state.leading = -this.arg(0, 1);
        break;
      case 0x7354: // Ts
        if (this.has(1)) state.rise = this.arg(0, 1);
        break;
      case 0x71: // q
        drawing.save();
        this.fonts.push(this.font);
        break;
      case 0x51: // Q
        if (drawing.depth === this.floor) break;
        drawing.restore();
        this.font = this.fonts.pop();
        break;
      case 0x6d63: // cm
        if (this.has(6)) drawing.transform(this.numbers.slice(-6));
        break;
      case 0x6f44: // Do
        this.drawForm();
        break;
      case 0x7367: // gs
        this.setState();
        break;
      case 0x434d42: // BMC
        drawing.openMark(this.names[0] ?? '');
        break;
      case 0x434442: // BDC
        drawing.openMark(this.names[0] ?? '', this.markId());
        break;
      case 0x434d45: // EMC
        drawing.closeMark();
        break;
      case 0x7363: // cs
        this.ink = this.resources.isInk(this.names[0] ?? '');
        break;
      case 0x4449: // ID
        this.lexer.skipImage();
        break;
      default:
        if (!this.path.paint(operator)) state.fill = colourAfter(operator, this.numbers, this.ink) ?? state.fill;
    }
  }

  private show(): void {
    if (this.shown.length > 0) this.drawing.show(this.shown);
  }

  private setFont(): void {
    const [name] = this.names;
    if (name === undefined || !this.has(1)) return;
    const font = this.resources.font(name);
    if (font === undefined) return;
    this.font = font;
    this.drawing.setFont(font.face, this.arg(0, 1));
  }

  private setState(): void {
    const found = this.resources.stateFont(this.names[0] ?? '');
    if (found === undefined) return;
    this.font = found.font;
    this.drawing.setFont(found.font.face, found.size);
  }

  private markId(): number | undefined {
    const [, list] = this.names;
    const id = this.dict?.number('MCID') ?? (list === undefined ? undefined : this.resources.markId(list));
    // Numbers of a form are not the page's.
    return id === undefined || this.open.length === 0 ? id : ARTIFACT - 1 - id;
  }

  private drawForm(): void {
    const form = this.resources.form(this.names[0] ?? '');
    if (form === undefined || this.open.includes(form.id) || this.open.length >= MOST_NESTED) return;
    this.drawing.save(form.matrix);
    runContent(form.bytes, form.resources, this.drawing, this.budget, [...this.open, form.id]);
    this.drawing.restore();
  }
}
