import { inherited, signatureFields } from './form-fields.ts';
import type { PdfFile } from './pdf-file.ts';

/** A warning where a signature will not hold for the output. `appended`: what was signed is still there, byte for byte. */
export function signatureWarning(file: PdfFile, appended = false): string[] {
  if (!signatureFields(file).some(({ dict }) => file.dict(inherited(file, dict, 'V')) !== undefined)) return [];
  return appended
    ? [`${file.name} is signed; the signature holds for what was signed, and viewers say that pages were changed since`]
    : [`${file.name} is signed; the signature does not hold for the new file`];
}
