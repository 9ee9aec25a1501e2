import { unlessDamaged } from '../../syntax/damage.ts';
import { Ref } from '../../syntax/values.ts';
import { inherited, type SignatureField, signatureFields } from './form-fields.ts';
import type { PdfFile } from './pdf-file.ts';

export function isSigned(file: PdfFile): boolean {
  return signedFields(file).length > 0;
}

/** Signed fields. Usage rights are signatures without a field, and an empty field is not signed. */
export function signedFields(file: PdfFile): SignatureField[] {
  return signatureFields(file).filter(({ dict }) => file.dict(inherited(file, dict, 'V')) !== undefined);
}

/** Warnings where signatures do not hold for the output, or where that cannot be told. */
export function signatureWarning(file: PdfFile): string[] {
  const signed = unlessDamaged('unknown', () => isSigned(file));
  const warnings: string[] = [];
  if (signed === true) warnings.push('is signed; the signature does not hold for the new file');
  if (signed === 'unknown')
    warnings.push('has damaged form fields: if it is signed, the signature does not hold for the new file');
  if (usageRights(file).length > 0)
    warnings.push('has usage rights for Adobe Reader, which do not hold for the new file');
  return warnings.map((warning) => `${file.name} ${warning}`);
}

/** Signatures that grant Adobe Reader further functions (ISO 32000-1, 12.8.4). */
export function usageRights(file: PdfFile): Ref[] {
  const permissions = file.dict(file.dict(file.xref.trailer.get('Root'))?.get('Perms'));
  return ['UR', 'UR3'].map((key) => permissions?.get(key)).filter((value) => value instanceof Ref);
}
