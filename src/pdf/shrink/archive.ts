import type { PdfFile } from '../read/pdf-file.ts';
import { Ref } from '../syntax/values.ts';

const MOST_METADATA = 4 << 20;

/** The part of PDF/A that the document claims, such as 1 or 2; undefined where it claims none. */
export function archiveClaim(file: PdfFile): string | undefined {
  const metadata = file.dict(file.xref.trailer.get('Root'))?.get('Metadata');
  if (!(metadata instanceof Ref)) return undefined;
  try {
    const found = file.streamBytes(metadata.num, MOST_METADATA);
    const text = found === undefined ? '' : Buffer.from(found.bytes).toString('latin1');
    return /pdfaid:part\s*(?:=\s*["']|>)\s*(\d)/.exec(text)?.[1];
  } catch {
    // Metadata that cannot be read claims nothing.
    return undefined;
  }
}
