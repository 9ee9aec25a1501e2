// Reads the content of a page: its decoded streams, one after the other (ISO 32000-1, 7.8.2).
import { contentsOf } from '../file/read/page-dict.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { Undecodable, unlessRefused } from '../syntax/damage.ts';
import { type Dict, Ref } from '../syntax/values.ts';

/** Most decoded bytes of content of a page, form, pattern or glyph: 20 times the largest of 3,000 real documents. */
export const MOST_CONTENT = 96 << 20;

const NEWLINE = Uint8Array.of(0x0a);

/** A page's streams, joined by line feeds. `readable`: those that decode. @throws Undecodable, Failure `limit` */
export function pageContent(file: PdfFile, page: Dict, how?: 'readable'): Uint8Array {
  const parts: Uint8Array[] = [];
  let left = MOST_CONTENT;
  for (const item of contentsOf(file, page)) {
    if (!(item instanceof Ref) || !file.has(item.num)) continue;
    const bytes = how === 'readable' ? readableStream(file, item.num, left) : contentStream(file, item.num, left);
    if (bytes === undefined) continue;
    left -= bytes.length;
    parts.push(bytes);
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return Buffer.concat(parts.flatMap((part) => [part, NEWLINE]));
}

/** The content in a stream. @throws as `pageContent` does. */
export function contentStream(file: PdfFile, num: number, most = MOST_CONTENT): Uint8Array {
  const decoded = file.streamBytes(num, most);
  if (decoded === undefined) throw new Undecodable('content cannot be decoded: its filter is unknown');
  return decoded.bytes;
}

/** The content in a stream; undefined where it cannot be decoded, or is too long. */
export function readableStream(file: PdfFile, num: number, most = MOST_CONTENT): Uint8Array | undefined {
  return unlessRefused(undefined, () => contentStream(file, num, most));
}
