// Draws the appearance of a widget (ISO 32000-1, 12.7.3.3), so that every viewer shows the same.

import { ContentLexer } from '../../content/lexer.ts';
import { decimal, operands } from '../../content/operands.ts';
import { listOf, nameAt, numberAt } from '../../file/read/entries.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { rectOf } from '../../page/boxes.ts';
import { quarterTurn } from '../../page/geometry.ts';
import { type Dict, PdfString } from '../../syntax/values.ts';
import type { PageFont } from '../fonts/page-font.ts';
import { FLAGS, type FormField, type Widget } from './fields.ts';

/** The contents of a form XObject: operators, box, matrix, and the font that it calls /F. */
export interface Look {
  readonly content: string;
  readonly box: readonly [number, number, number, number];
  readonly matrix: string;
  readonly font?: PageFont;
}

/** /DA: size 0 means automatic. */
interface TextDefaults {
  readonly fontName: string;
  readonly size: number;
  readonly colour: string;
}

const COLOURS: Readonly<Record<string, number>> = { g: 1, rg: 3, k: 4 };

export function textDefaults(file: PdfFile, field: FormField, widget: Widget): TextDefaults {
  const value = file.resolve(widget.dict.get('DA') ?? field.dict.get('DA'));
  const bytes = value instanceof PdfString ? value.bytes : new Uint8Array(0);
  const lexer = new ContentLexer(bytes);
  let defaults: TextDefaults = { fontName: 'Helv', size: 0, colour: '0 g' };
  let name = 'Helv';
  let numbers: number[] = [];
  for (let token = lexer.next(); token !== 'end'; token = lexer.next()) {
    if (token === 'name') name = lexer.name;
    if (token === 'number') numbers.push(lexer.number);
    if (token === 'operator') {
      const word = lexer.operator;
      const count = COLOURS[word];
      if (word === 'Tf') defaults = { ...defaults, fontName: name, size: Math.abs(numbers.at(-1) ?? 0) };
      else if (count !== undefined && numbers.length >= count)
        defaults = { ...defaults, colour: `${operands(numbers.slice(-count))} ${word}` };
      numbers = [];
    }
  }
  return defaults;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly border: number;
  readonly content: string;
  readonly matrix: string;
}

/** A box as large as the widget, upright by the rotation in /MK. */
function frameOf(file: PdfFile, { dict }: Widget): Frame | undefined {
  const rect = rectOf(file, dict.get('Rect'));
  if (rect === undefined) return undefined;
  const [wide, high] = [rect.x1 - rect.x0, rect.y1 - rect.y0];
  const mk = file.dict(dict.get('MK'));
  const turn = (((numberAt(file, mk, 'R') ?? 0) % 360) + 360) % 360;
  const [width, height] = turn % 180 === 0 ? [wide, high] : [high, wide];
  const style = file.dict(dict.get('BS'));
  const background = colourOf(file, mk, 'BG', ['g', 'rg', 'k']);
  const line = colourOf(file, mk, 'BC', ['G', 'RG', 'K']);
  const border = Math.min(Math.max(0, numberAt(file, style, 'W') ?? 1), width / 2, height / 2);
  const content: string[] = [];
  if (background !== undefined) content.push(`q ${background} 0 0 ${operands([width, height])} re f Q`);
  const edge = operands([border / 2, border / 2, width - border, height - border]);
  if (line !== undefined && border !== 0) content.push(`q ${line} ${decimal(border)} w ${edge} re S Q`);
  // Bevelled and inset borders are twice as wide.
  const doubled = ['B', 'I'].includes(nameAt(file, style, 'S') ?? '') ? 2 : 1;
  return {
    width,
    height,
    border: border * doubled,
    content: content.length === 0 ? '' : `${content.join('\n')}\n`,
    matrix: operands(quarterTurn(turn, wide, high)),
  };
}

function colourOf(file: PdfFile, mk: Dict | undefined, key: string, operators: readonly string[]): string | undefined {
  const numbers = listOf(file, mk?.get(key)).map((item) => Number(file.resolve(item)));
  const operator = { 1: operators[0], 3: operators[1], 4: operators[2] }[numbers.length];
  return operator === undefined || numbers.some(Number.isNaN) ? undefined : `${operands(numbers)} ${operator}`;
}

const LEADING = 1.15;
/** Bounds of an automatic size. */
const [LEAST, MOST, MOST_LINES] = [4, 144, 12];
const MOST_SHOWN = 2000;

export function textLook(
  file: PdfFile,
  field: FormField,
  widget: Widget,
  text: string,
  font: PageFont,
): Look | undefined {
  const frame = frameOf(file, widget);
  if (frame === undefined) return undefined;
  const { width, height, border } = frame;
  const { size: asked, colour } = textDefaults(file, field, widget);
  const pad = Math.max(2 * border, 2);
  const room = { width: Math.max(1, width - 2 * pad), height: Math.max(1, height - 2 * border) };
  const shown = (field.flags & FLAGS.password) !== 0 && field.type === 'text' ? '*'.repeat([...text].length) : text;
  const given = numberAt(file, widget.dict, 'Q') ?? numberAt(file, field.dict, 'Q');
  const quadding = given ?? (field.type === 'button' ? 1 : 0);
  const multiline = field.type === 'text' && (field.flags & FLAGS.multiline) !== 0;
  const cells = combCells(file, field);
  const flat = shown.replace(/\s*(\r\n|\r|\n)\s*/g, multiline ? '\n' : ' ');
  const measured = (line: string): number => font.width(line) / 1000;
  const most = asked > 0 ? asked : MOST_LINES;
  let rows: string[];
  let size: number;
  if (cells !== undefined) {
    size = Math.min(most, (1000 * room.height) / (font.ascent - font.descent));
    rows = combRows(flat, cells, frame, size, font);
  } else if (multiline) {
    size = fitted(flat, room, most, measured);
    const lines = wrapped(flat, room.width / size, measured).slice(0, MOST_SHOWN);
    const top = height - pad - (size * font.ascent) / 1000;
    rows = lines.map((line, i) => {
      const x = pad + aligned(quadding, room.width - measured(line) * size);
      return at(x, top - i * LEADING * size, font.show(line));
    });
  } else {
    const widest = measured(flat);
    // No larger than fits: a value that is cut off would be misread.
    const fits = Math.min(room.height / LEADING, widest === 0 ? MOST : room.width / widest);
    size = Math.min(most, Math.max(LEAST, fits));
    const x = pad + aligned(quadding, room.width - widest * size);
    rows = [at(x, baseline(height, size, font), font.show(flat))];
  }
  const clip = operands([border, border, width - 2 * border, height - 2 * border]);
  const content = `${frame.content}/Tx BMC q ${clip} re W n BT /F ${decimal(size)} Tf ${colour}\n${rows.join('\n')}\nET Q EMC`;
  return { content, box: [0, 0, width, height], matrix: frame.matrix, font };
}

function combCells(file: PdfFile, field: FormField): number | undefined {
  const most = numberAt(file, field.dict, 'MaxLen') ?? 0;
  const isComb = field.type === 'text' && (field.flags & FLAGS.comb) !== 0 && (field.flags & FLAGS.multiline) === 0;
  return isComb && most > 0 && most < MOST_SHOWN ? most : undefined;
}

/** Each character in the middle of its own cell. */
function combRows(text: string, cells: number, { width, height }: Frame, size: number, font: PageFont): string[] {
  return [...text].slice(0, cells).map((character, i) => {
    const x = ((i + 0.5) * width) / cells - (font.width(character) * size) / 2000;
    return at(x, baseline(height, size, font), font.show(character));
  });
}

function baseline(height: number, size: number, font: PageFont): number {
  return (height - ((font.ascent + font.descent) * size) / 1000) / 2;
}

function at(x: number, y: number, shown: string): string {
  return `1 0 0 1 ${operands([x, y])} Tm ${shown} Tj`;
}

function aligned(quadding: number, left: number): number {
  return quadding === 1 ? left / 2 : quadding === 2 ? left : 0;
}

function fitted(
  text: string,
  room: { readonly width: number; readonly height: number },
  most: number,
  measured: (line: string) => number,
): number {
  for (let size = Math.min(most, room.height / LEADING); size > LEAST; size = Math.min(size - 0.5, size * 0.95)) {
    if (wrapped(text, room.width / size, measured).length * LEADING * size <= room.height) return size;
  }
  return LEAST;
}

/** Lines no wider than `width` ems, broken between words where possible. */
function wrapped(text: string, width: number, measured: (line: string) => number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/(?<= )/)) {
      if (line !== '' && measured((line + word).trimEnd()) > width) {
        lines.push(line.trimEnd());
        line = '';
      }
      line += word;
      while (line.length > 1 && measured(line.trimEnd()) > width) {
        let cut = line.length - 1;
        while (cut > 1 && measured(line.slice(0, cut)) > width) cut -= Math.ceil(cut / 8);
        lines.push(line.slice(0, Math.max(1, cut)));
        line = line.slice(Math.max(1, cut));
        if (lines.length > MOST_SHOWN) return lines;
      }
    }
    lines.push(line.trimEnd());
    if (lines.length > MOST_SHOWN) return lines;
  }
  return lines;
}

/** A list of options with the chosen ones marked; from the first chosen one on where not all fit. */
export function listLook(
  file: PdfFile,
  field: FormField,
  widget: Widget,
  options: readonly { readonly shown: string; readonly chosen: boolean }[],
  font: PageFont,
): Look | undefined {
  const frame = frameOf(file, widget);
  if (frame === undefined) return undefined;
  const { width, height, border } = frame;
  const { size: asked, colour } = textDefaults(file, field, widget);
  const size = asked > 0 ? asked : MOST_LINES;
  const step = LEADING * size;
  const count = Math.max(1, Math.floor((height - 2 * border) / step));
  const firstChosen = options.findIndex(({ chosen }) => chosen);
  const first = Math.max(0, Math.min(firstChosen, options.length - count));
  const marks: string[] = [];
  const rows = options.slice(first, first + count).map(({ shown, chosen }, i) => {
    const bottom = height - border - (i + 1) * step;
    if (chosen) marks.push(`q 0.6 0.75 0.85 rg ${operands([border, bottom, width - 2 * border, step])} re f Q`);
    return at(border + 2, bottom - (font.descent * size) / 1000, font.show(shown));
  });
  const clip = operands([border, border, width - 2 * border, height - 2 * border]);
  const text = `BT /F ${decimal(size)} Tf ${colour}\n${rows.join('\n')}\nET`;
  const content = `${frame.content}/Tx BMC q ${clip} re W n\n${marks.join('\n')}\n${text} Q EMC`;
  return { content, box: [0, 0, width, height], matrix: frame.matrix, font };
}

/** A ticked or empty box, for a widget without appearances. */
export function tickLook(file: PdfFile, widget: Widget, on: boolean, round: boolean): Look | undefined {
  const frame = frameOf(file, widget);
  if (frame === undefined) return undefined;
  const { width, height } = frame;
  const side = 0.6 * Math.min(width, height);
  const [x, y] = [(width - side) / 2, (height - side) / 2];
  const points = [
    [x, y + side / 2],
    [x + side * 0.38, y + side * 0.1],
    [x + side, y + side * 0.95],
  ] as const;
  const [a, b, c] = points.map((point) => operands(point));
  const dot = `${decimal(side)} w 1 J ${operands([width / 2, height / 2])} m ${operands([width / 2, height / 2])} l S`;
  const mark = round ? dot : `${decimal(side / 6)} w ${a} m ${b} l ${c} l S`;
  const content = `${frame.content}${on ? `q 0 G ${mark} Q` : ''}`;
  return { content, box: [0, 0, width, height], matrix: frame.matrix };
}
