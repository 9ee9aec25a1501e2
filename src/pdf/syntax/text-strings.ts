// Converts text strings (ISO 32000-1, 7.9.2.2) to text and back.
import { PdfString, type Value } from './values.ts';

/** PDFDocEncoding where it is not Latin-1 (Annex D.2): from 0x18 and from 0x80. */
const LOW = '\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc';
const HIGH =
  '\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e\ufffd\u20ac';

/** The text of a text string: UTF-16 (either order) or UTF-8 by its byte order mark, else PDFDocEncoding. */
export function decodeTextString(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes.subarray(2));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes.subarray(2));
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder().decode(bytes.subarray(3));
  let text = '';
  for (const byte of bytes) {
    if (byte >= 0x18 && byte < 0x20) text += LOW[byte - 0x18];
    else if (byte >= 0x80 && byte <= 0xa0) text += HIGH[byte - 0x80];
    else text += String.fromCharCode(byte);
  }
  return text;
}

/** Text in PDFDocEncoding, as in passwords before revision 5; undefined where a character has no byte. */
export function encodePdfDoc(text: string): Uint8Array | undefined {
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decodeTextString(Uint8Array.of(byte)), byte]));
  const bytes: number[] = [];
  for (const character of text) {
    const byte = byteOf.get(character);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** The text of a string value, null for other values. */
export function textOf(value: Value): string | null {
  return value instanceof PdfString ? decodeTextString(value.bytes) : null;
}

/** Text as the bytes of a text string: ASCII as it is, everything else in UTF-16 with a byte order mark. */
export function encodeText(text: string): Uint8Array {
  if (/^[\n\r\t\x20-\x7e]*$/.test(text)) return Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
}
