import { nameAt } from '../../file/read/entries.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Dict } from '../../syntax/values.ts';
import { listOf } from '../input.ts';

export interface FontUse {
  /** Without the six letters that mark a subset. */
  readonly name: string;
  readonly embedded: boolean;
}

/** The name and the embedding of a font; undefined for other dictionaries and for descendants of composite fonts. */
export function fontUse(file: PdfFile, dict: Dict): FontUse | undefined {
  const subtype = nameAt(file, dict, 'Subtype');
  const name = nameAt(file, dict, 'BaseFont');
  if (subtype === 'Type3') return { name: nameAt(file, dict, 'Name') ?? 'Type 3', embedded: true };
  if (subtype === undefined || subtype.startsWith('CIDFont') || name === undefined) return undefined;
  const inner = subtype === 'Type0' ? file.dict(listOf(file, dict.get('DescendantFonts'))[0]) : dict;
  const descriptor = file.dict(inner?.get('FontDescriptor'));
  const embedded = ['FontFile', 'FontFile2', 'FontFile3'].some((key) => file.dict(descriptor?.get(key)) !== undefined);
  return { name: name.replace(/^[A-Z]{6}\+/, ''), embedded };
}
