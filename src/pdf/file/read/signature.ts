import { inherited, signatureFields } from './form-fields.ts';
import type { PdfFile } from './pdf-file.ts';

export function isSigned(file: PdfFile): boolean {
  return signatureFields(file).some(({ dict }) => file.dict(inherited(file, dict, 'V')) !== undefined);
}

/** A warning where a signature will not hold for the output. */
export function signatureWarning(file: PdfFile): string[] {
  return isSigned(file) ? [`${file.name} is signed; the signature does not hold for the new file`] : [];
}
