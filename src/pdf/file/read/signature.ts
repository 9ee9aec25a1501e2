import { unlessDamaged } from '../../syntax/damage.ts';
import { Ref } from '../../syntax/values.ts';
import { inherited, type SignatureField, signatureFields } from './form-fields.ts';
import type { PdfFile } from './pdf-file.ts';

export function isSigned(file: PdfFile): boolean {
  return signedFields(file).length > 0;
}

/** Fields that have a signature or a timestamp. Usage rights are signatures of no field, and an empty field has none. */
export function signedFields(file: PdfFile): SignatureField[] {
  return signatureFields(file).filter(({ dict }) => file.dict(inherited(file, dict, 'V')) !== undefined);
}

/** Warnings where a signature will not hold for the output, or where nobody can tell. */
export function signatureWarning(file: PdfFile): string[] {
  const signed = unlessDamaged('unknown', () => isSigned(file));
  return [
    ...(signed === true ? [`${file.name} is signed; the signature does not hold for the new file`] : []),
    ...(signed === 'unknown'
      ? [`${file.name} has damaged form fields: if it is signed, the signature does not hold for the new file`]
      : []),
    ...(usageRights(file).length > 0
      ? [`${file.name} has usage rights for Adobe Reader, which do not hold for the new file`]
      : []),
  ];
}

/** Signatures by which Adobe Reader may save and sign more than it could otherwise (ISO 32000-1, 12.8.4). */
export function usageRights(file: PdfFile): Ref[] {
  const permissions = file.dict(file.dict(file.xref.trailer.get('Root'))?.get('Perms'));
  return ['UR', 'UR3'].map((key) => permissions?.get(key)).filter((value) => value instanceof Ref);
}
