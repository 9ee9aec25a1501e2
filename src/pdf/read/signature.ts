import { numberAt } from './entries.ts';
import type { PdfFile } from './pdf-file.ts';

/** A warning where a signature will not hold for the output. `appended`: what was signed is still there, byte for byte. */
export function signatureWarning(file: PdfFile, appended = false): string[] {
  const form = file.dict(file.dict(file.xref.trailer.get('Root'))?.get('AcroForm'));
  const signed = ((numberAt(file, form, 'SigFlags') ?? 0) & 1) === 1;
  if (!signed) return [];
  return appended
    ? [`${file.name} is signed; the signature holds for what was signed, and viewers say that pages were changed since`]
    : [`${file.name} is signed; the signature does not hold for the new file`];
}
