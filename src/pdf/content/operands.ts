import { decimalText } from '../syntax/serialize.ts';

export function operands(numbers: readonly number[]): string {
  return numbers.map(decimal).join(' ');
}

/** A number of a content stream: five decimals are finer than any device. */
export function decimal(value: number): string {
  return decimalText(value, 5);
}
