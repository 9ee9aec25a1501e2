// Owns writing a value as PDF syntax. Knows no files; references are written by whoever knows their new numbers.
import { BACKSLASH, latin1, PAREN_CLOSE, PAREN_OPEN } from './syntax.ts';
import { Name, PdfString, Ref, type Value } from './values.ts';
import type { Writer } from './writer.ts';

/** The value as text, one byte a character. `ref`: what a reference becomes. */
export function serialize(value: Value, ref: (value: Ref) => string): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return number(value);
  if (value instanceof Name) return `/${encodeName(value.value)}`;
  if (value instanceof Ref) return ref(value);
  if (value instanceof PdfString) return stringText(value.bytes);
  if (Array.isArray(value)) return `[${value.map((item) => serialize(item, ref)).join(' ')}]`;
  const entries = [...value].map(([key, item]) => `/${encodeName(key)} ${serialize(item, ref)}`);
  return `<<${entries.join('')}>>`;
}

/** A string object: as it reads where it is ASCII without anything to escape, else in hexadecimal. */
export function stringText(bytes: Uint8Array): string {
  return isPlain(bytes, 0, bytes.length) ? `(${latin1(bytes, 0, bytes.length)})` : hexString(bytes);
}

/** Whether a string of these bytes is written as it reads. */
export function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let pos = start; pos < end; pos++) {
    const byte = bytes[pos]!;
    // Parentheses and the backslash would need escapes.
    if (byte < 0x20 || byte > 0x7e || byte === PAREN_OPEN || byte === PAREN_CLOSE || byte === BACKSLASH) return false;
  }
  return true;
}

/** As `stringText`, for bytes that are given as characters, one to one. */
export function latin1Text(text: string): string {
  return isPlainText(text) ? `(${text})` : hexString(Buffer.from(text, 'latin1'));
}

/** Writes a string object, one byte a character. */
export function writeString(writer: Writer, text: string): void {
  // Joined, the three would have to be put into one place again before their characters can be read.
  const plain = isPlainText(text);
  if (plain) writer.text('(');
  writer.text(plain ? text : latin1Text(text));
  if (plain) writer.text(')');
}

/** As `writeString`, for the bytes in [start, end). */
export function writeBytes(writer: Writer, bytes: Uint8Array, start: number, end: number): void {
  if (!isPlain(bytes, start, end)) {
    writer.text(hexString(bytes.subarray(start, end)));
    return;
  }
  writer.text('(');
  writer.span(bytes, start, end);
  writer.text(')');
}

/** As `isPlain`, for bytes that are given as characters. */
function isPlainText(text: string): boolean {
  return /^[ -'*-[\]-~]*$/.test(text);
}

/** A string object in hexadecimal, which needs no escapes. */
export function hexString(bytes: Uint8Array): string {
  return `<${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}>`;
}

/** A name as it is written, without the slash. */
export function encodeName(name: string): string {
  return name.replace(
    /[^!"$&'*+,\-.0-9:;=?@A-Z\\^_`a-z|~]/g,
    (char) => `#${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** A number without an exponent, which PDF does not have. */
function number(value: number): string {
  return Number.isInteger(value) ? value.toFixed(0) : value.toFixed(6).replace(/\.?0+$/, '');
}
