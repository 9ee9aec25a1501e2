import { Name, PdfString, type Value } from '../../syntax/values.ts';
import type { Operation } from './content-scanner.ts';

/**
 * The operators of content streams (ISO 32000-1, Annex A) and their operands: n a number, N a name, s a string, a an array of
 * numbers, t an array of strings and numbers, c colour components with a name behind them or not.
 */
const OPERATORS: Readonly<Record<string, string>> = {
  b: '',
  B: '',
  'b*': '',
  'B*': '',
  f: '',
  F: '',
  'f*': '',
  n: '',
  s: '',
  S: '',
  W: '',
  'W*': '',
  h: '',
  m: 'nn',
  l: 'nn',
  c: 'nnnnnn',
  v: 'nnnn',
  y: 'nnnn',
  re: 'nnnn',
  q: '',
  Q: '',
  cm: 'nnnnnn',
  w: 'n',
  J: 'n',
  j: 'n',
  M: 'n',
  d: 'an',
  ri: 'N',
  i: 'n',
  gs: 'N',
  BT: '',
  ET: '',
  Tc: 'n',
  Tw: 'n',
  Tz: 'n',
  TL: 'n',
  Tf: 'Nn',
  Tr: 'n',
  Ts: 'n',
  Td: 'nn',
  TD: 'nn',
  Tm: 'nnnnnn',
  'T*': '',
  Tj: 's',
  TJ: 't',
  "'": 's',
  '"': 'nns',
  d0: 'nn',
  d1: 'nnnnnn',
  CS: 'N',
  cs: 'N',
  SC: 'c',
  SCN: 'c',
  sc: 'c',
  scn: 'c',
  G: 'n',
  g: 'n',
  RG: 'nnn',
  rg: 'nnn',
  K: 'nnnn',
  k: 'nnnn',
  sh: 'N',
  Do: 'N',
  BX: '',
  EX: '',
  EI: '',
};

/** Marks of content, which say something about it and draw nothing. */
export const MARKS = new Set(['BMC', 'BDC', 'EMC', 'MP', 'DP']);

/** What an operation is to the readers of a page. */
export type Reading =
  | { readonly kind: 'exact' }
  /** It has operands too many, or a comment: it is written anew with these. */
  | { readonly kind: 'mended'; readonly operands: readonly Value[] }
  /** It draws nothing, for it is unknown or lacks operands. */
  | { readonly kind: 'nothing' };

export function readingOf({ name, operands, commented }: Operation): Reading {
  const wanted = Object.hasOwn(OPERATORS, name) ? OPERATORS[name]! : undefined;
  if (wanted === undefined) return { kind: 'nothing' };
  if (wanted === 'c') {
    const colours = operands.filter(
      (value, i) => isNumber(value) || (value instanceof Name && i === operands.length - 1),
    );
    return colours.length === operands.length && !commented ? { kind: 'exact' } : { kind: 'mended', operands: colours };
  }
  if (operands.length < wanted.length) return { kind: 'nothing' };
  const last = operands.slice(operands.length - wanted.length);
  if (!last.every((value, i) => fits(value, wanted[i]!))) return { kind: 'nothing' };
  const exact = operands.length === wanted.length && !commented && last.every((value, i) => isPure(value, wanted[i]!));
  return exact ? { kind: 'exact' } : { kind: 'mended', operands: last.map((value, i) => pure(value, wanted[i]!)) };
}

const isNumber = (value: Value) => typeof value === 'number';

function fits(value: Value, kind: string): boolean {
  if (kind === 'n') return isNumber(value);
  if (kind === 'N') return value instanceof Name;
  if (kind === 's') return value instanceof PdfString;
  return Array.isArray(value);
}

/** Whether an array holds nothing but what belongs there. */
function isPure(value: Value, kind: string): boolean {
  return !Array.isArray(value) || value.every((item) => belongs(item, kind));
}

function pure(value: Value, kind: string): Value {
  return Array.isArray(value) ? value.filter((item) => belongs(item, kind)) : value;
}

function belongs(item: Value, kind: string): boolean {
  return isNumber(item) || (kind === 't' && item instanceof PdfString);
}
