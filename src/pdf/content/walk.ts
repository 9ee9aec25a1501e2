// Walks the content of a page and of the forms, patterns, soft masks and glyphs in it (ISO 32000-1, 7.8 and 8.10).
//
// In: content and a visitor. The visitor is called for each operator in order, reads its operands, the current matrix
// and the resources from the walk, and enters the streams that it wants to see. Each `Q` reported to the visitor ends
// one `q`: surplus `Q`s are left out, and one is added for each state that a stream leaves open. A stream is not
// entered from within itself, and operators are counted over all streams, because forms that draw forms multiply. The
// cost is that of the lexer: no object is made for an operator.
import { Failure } from '../../contract/base/failure.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { matrixOf } from '../page/boxes.ts';
import { contentStream, readableStream } from '../page/contents.ts';
import { asMatrix, IDENTITY, type Matrix, multiply } from '../page/geometry.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';
import { ContentLexer } from './lexer.ts';

export interface Visitor {
  operator(operator: string, walk: Walk): void;
  /** Called for each string, `bytes[0 .. length)`, before its operator. The next string overwrites the bytes. */
  text?(bytes: Uint8Array, length: number): void;
  /** Called for each number in an array, before its operator. */
  adjust?(number: number): void;
}

export interface ContentPart {
  readonly num: number;
  readonly dict: Dict;
  readonly bytes: Uint8Array;
  readonly matrix: Matrix;
}

/** No program nests forms deeper. */
const MOST_NESTED = 24;
/** Most nested graphics states; further ones are not saved. */
const MOST_SAVED = 1 << 16;
const MOST_OPERANDS = 64;
/** More operators are meant to slow readers down. */
const MOST_OPERATORS = 20_000_000;
/** Bytes of cached streams: a form is often on every page. */
const MOST_HELD = 8 << 20;

/** Operators that only build a path, of which maps have millions. They are not counted. */
const SEGMENTS = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're', 'n']);

export class Walk {
  /** Operands: numbers outside arrays, names, and the last dictionary. */
  readonly numbers: number[] = [];
  names: string[] = [];
  dict: Dict | undefined;
  matrix = IDENTITY;
  /** The matrix that this content began with, in which its patterns are placed. */
  base = IDENTITY;
  resources: Dict | undefined;
  private readonly file: PdfFile;
  private readonly read: typeof readableStream;
  private readonly most: number;
  private visitor: Visitor = { operator() {} };
  private operators = 0;
  private readonly saved: Matrix[] = [];
  private readonly open: number[] = [];
  private categories = new Map<string, Dict | undefined>();
  private readonly parts = new Map<number, ContentPart | undefined>();
  private held = 0;

  /** `readable`: skip streams that cannot be decoded. Otherwise they throw Damage. */
  constructor(file: PdfFile, how: 'readable' | 'whole', most = MOST_OPERATORS) {
    this.file = file;
    this.read = how === 'readable' ? readableStream : contentStream;
    this.most = most;
  }

  /** Resets the counters, for the visitor of another page. */
  begin(visitor: Visitor, matrix = IDENTITY): this {
    this.visitor = visitor;
    this.matrix = matrix;
    this.operators = 0;
    return this;
  }

  /** The number of entered streams: 0 in the content of a page. */
  get depth(): number {
    return this.open.length;
  }

  /** The last name before the operator, the only one that most operators take. */
  get name(): string {
    return this.names.at(-1) ?? '';
  }

  resource(category: string, name = this.name): Value | undefined {
    const { categories, file } = this;
    if (!categories.has(category)) categories.set(category, file.dict(this.resources?.get(category)));
    return categories.get(category)?.get(name);
  }

  /** The stream that a value refers to; undefined where it is none of this subtype. */
  part(value: Value | undefined, subtype?: string): ContentPart | undefined {
    if (!(value instanceof Ref)) return undefined;
    const { file, parts } = this;
    const { num } = value;
    if (parts.has(num)) return parts.get(num);
    const dict = file.dict(value);
    const fits = dict !== undefined && (subtype === undefined || dict.name('Subtype') === subtype);
    const bytes = fits ? this.read(file, num) : undefined;
    this.held += bytes?.length ?? 0;
    if (this.held > MOST_HELD) {
      parts.clear();
      this.held = bytes?.length ?? 0;
    }
    const matrix = matrixOf(file, dict?.get('Matrix')) ?? IDENTITY;
    const part = dict === undefined || bytes === undefined ? undefined : { num, dict, bytes, matrix };
    parts.set(num, part);
    return part;
  }

  enters({ num }: ContentPart): boolean {
    return this.open.length < MOST_NESTED && !this.open.includes(num);
  }

  /** Walks a stream, placed by its own matrix. One without resources uses those of the content around it. */
  enter(part: ContentPart, around = this.matrix): void {
    if (!this.enters(part)) return;
    const resources = this.file.dict(part.dict.get('Resources')) ?? this.resources;
    this.open.push(part.num);
    try {
      this.content(part.bytes, resources, multiply(part.matrix, around));
    } finally {
      this.open.pop();
    }
  }

  content(bytes: Uint8Array, resources: Dict | undefined, base = this.matrix): void {
    const { matrix, base: outer, resources: named, categories, saved } = this;
    const floor = saved.length;
    [this.matrix, this.base] = [base, base];
    [this.resources, this.categories] = [resources, new Map()];
    try {
      this.run(new ContentLexer(bytes), floor);
      while (saved.length > floor) this.operate('Q', floor);
    } finally {
      saved.length = floor;
      [this.matrix, this.base] = [matrix, outer];
      [this.resources, this.categories] = [named, categories];
    }
  }

  private run(lexer: ContentLexer, floor: number): void {
    const { visitor, numbers } = this;
    let list = false;
    for (let token = lexer.next(); token !== 'end'; token = lexer.next()) {
      if (token === 'number') {
        if (list) visitor.adjust?.(lexer.number);
        else push(numbers, lexer.number);
      } else if (token === 'string') visitor.text?.(lexer.string, lexer.length);
      else if (token === 'name') push(this.names, lexer.name);
      else if (token === 'dict') this.dict = lexer.value instanceof Dict ? lexer.value : undefined;
      else if (token === 'operator') {
        list = false;
        this.operate(lexer.operator, floor);
        // Setting the length would throw the memory of the list away, and the next operand would ask for more.
        while (numbers.length > 0) numbers.pop();
        if (this.names.length > 0) this.names = [];
        this.dict = undefined;
      } else list = token === 'open';
    }
  }

  private operate(operator: string, floor: number): void {
    const { saved } = this;
    if (!SEGMENTS.has(operator) && ++this.operators > this.most) {
      const message = `${this.file.name} has a page with more than ${this.most} drawing operators`;
      throw new Failure('unprocessable', message, { kind: 'limit', hint: 'The file may be made to exhaust memory.' });
    }
    if (operator === 'q') {
      if (saved.length >= MOST_SAVED) return;
      saved.push(this.matrix);
    } else if (operator === 'Q') {
      if (saved.length <= floor) return;
      this.matrix = saved.pop() ?? this.matrix;
    } else if (operator === 'cm') this.matrix = multiply(asMatrix(this.numbers.slice(-6)) ?? IDENTITY, this.matrix);
    this.visitor.operator(operator, this);
  }
}

/** Appends an operand; of too many, only the last ones are kept. */
function push<T>(operands: T[], operand: T): void {
  if (operands.length === MOST_OPERANDS) operands.shift();
  operands.push(operand);
}
