import { latin1 } from './characters.ts';
import { Name, PdfString, Ref, type Value } from './values.ts';

/** The value as text, one byte a character. `ref`: replaces references; left out, they stay as they are. */
export function serialize(value: Value, ref: (value: Ref) => string = ({ num, gen }) => `${num} ${gen} R`): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return decimalText(value, 6);
  if (value instanceof Name) return `/${encodeName(value.value)}`;
  if (value instanceof Ref) return ref(value);
  if (value instanceof PdfString) return stringText(value.bytes);
  if (Array.isArray(value)) return `[${value.map((item) => serialize(item, ref)).join(' ')}]`;
  const entries = [...value].map(([key, item]) => `/${encodeName(key)} ${serialize(item, ref)}`);
  return `<<${entries.join('')}>>`;
}

/** A string object: literal where it is ASCII without anything to escape, else hexadecimal. */
export function stringText(bytes: Uint8Array): string {
  return latin1Text(latin1(bytes, 0, bytes.length));
}

/** As `stringText`, for bytes that are given as characters, one to one. */
export function latin1Text(text: string): string {
  return /^[ -'*-[\]-~]*$/.test(text) ? `(${text})` : hexString(Buffer.from(text, 'latin1'));
}

export function hexString(bytes: Uint8Array): string {
  return `<${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}>`;
}

export function encodeName(name: string): string {
  return name.replace(
    /[^!"$&'*+,\-.0-9:;=?@A-Z\\^_`a-z|~]/g,
    (char) => `#${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** A number with at most so many decimals and without an exponent, which PDF does not have. */
export function decimalText(value: number, decimals: number): string {
  if (Number.isInteger(value)) return value.toFixed(0);
  const text = value.toFixed(decimals).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}
