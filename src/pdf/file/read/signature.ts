import { Ref } from '../../syntax/values.ts';
import { inherited, signatureFields } from './form-fields.ts';
import type { PdfFile } from './pdf-file.ts';

/** Warnings where a signature will not hold for the output. `appended`: what was signed is still there, byte for byte. */
export function signatureWarning(file: PdfFile, appended = false): string[] {
  const rights = usageRights(file).length > 0;
  const signed = signatureFields(file).some(({ dict }) => file.dict(inherited(file, dict, 'V')) !== undefined);
  return [
    ...(signed ? [`${file.name} is signed; ${appended ? STILL : 'the signature does not hold for the new file'}`] : []),
    ...(rights ? [`${file.name} has usage rights for Adobe Reader, which do not hold for the new file`] : []),
  ];
}

const STILL = 'the signature holds for what was signed, and viewers say that pages were changed since';

/** Signatures by which Adobe Reader may save and sign more than it could otherwise (ISO 32000-1, 12.8.4). */
export function usageRights(file: PdfFile): Ref[] {
  const permissions = file.dict(file.dict(file.xref.trailer.get('Root'))?.get('Perms'));
  return ['UR', 'UR3'].map((key) => permissions?.get(key)).filter((value) => value instanceof Ref);
}
