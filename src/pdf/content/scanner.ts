import { Unreadable } from '../syntax/damage.ts';
import { Name, PdfString, type Value } from '../syntax/values.ts';
import { ContentLexer, type InlineImage } from './lexer.ts';
import { OPERATORS } from './operators.ts';

/** An operator of a content stream, with its operands and its bytes. */
export interface ContentOperation {
  readonly name: string;
  readonly operands: readonly Value[];
  readonly start: number;
  readonly end: number;
  readonly commented: boolean;
  /** The image of `EI`. */
  readonly image?: InlineImage | undefined;
}

/** More operands than any operator takes. */
const MOST_OPERANDS = 4096;

/** Reads a content stream operator by operator, strictly: content that could hide text throws Unreadable, or Damage. */
export class ContentScanner {
  private readonly lexer: ContentLexer;

  constructor(bytes: Uint8Array) {
    this.lexer = new ContentLexer(bytes, 'strict');
  }

  /** The next operator; undefined at the end, or where only operands are left, which draw nothing. */
  next(): ContentOperation | undefined {
    const { lexer } = this;
    const operands: Value[] = [];
    let start = -1;
    for (let token = lexer.next(); token !== 'end'; token = lexer.next()) {
      if (start < 0) start = lexer.start;
      if (token === 'operator') {
        const { operator: name, image, position: end, commentAt } = lexer;
        return { name, operands: image === undefined ? operands : [], start, end, commented: commentAt > start, image };
      }
      // Other readers skip an unmatched bracket.
      if (token === 'stray' || token === 'close') continue;
      operands.push(lexer.operand(token));
      if (operands.length > MOST_OPERANDS) throw new Unreadable('an operator with too many operands');
    }
    return undefined;
  }
}

/** How other readers take an operation. */
export type ReadAs =
  | { readonly kind: 'exact' }
  /** It has too many operands, or a comment: it is rewritten with these operands. */
  | { readonly kind: 'mended'; readonly operands: readonly Value[] }
  /** It is unknown or lacks operands, so that it draws nothing. */
  | { readonly kind: 'nothing' };

export function readingOf({ name, operands, commented }: ContentOperation): ReadAs {
  const wanted = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (wanted === undefined || wanted === '-') return { kind: 'nothing' };
  if (wanted === 'c') {
    const colours = operands.filter(
      (value, i) => isNumber(value) || (value instanceof Name && i === operands.length - 1),
    );
    return colours.length === operands.length && !commented ? { kind: 'exact' } : { kind: 'mended', operands: colours };
  }
  if (operands.length < wanted.length) return { kind: 'nothing' };
  const last = operands.slice(operands.length - wanted.length);
  if (!last.every((value, i) => fits(value, wanted.charAt(i)))) return { kind: 'nothing' };
  const exact =
    operands.length === wanted.length && !commented && last.every((value, i) => isPure(value, wanted.charAt(i)));
  if (exact) return { kind: 'exact' };
  return { kind: 'mended', operands: last.map((value, i) => pure(value, wanted.charAt(i))) };
}

const isNumber = (value: Value) => typeof value === 'number';

function fits(value: Value, kind: string): boolean {
  if (kind === 'n') return isNumber(value);
  if (kind === 'N') return value instanceof Name;
  if (kind === 's') return value instanceof PdfString;
  return Array.isArray(value);
}

/** Whether all items of an array belong there. */
function isPure(value: Value, kind: string): boolean {
  return !Array.isArray(value) || value.every((item) => belongs(item, kind));
}

function pure(value: Value, kind: string): Value {
  return Array.isArray(value) ? value.filter((item) => belongs(item, kind)) : value;
}

function belongs(item: Value, kind: string): boolean {
  return isNumber(item) || (kind === 't' && item instanceof PdfString);
}
