// Reads the document information dictionary (ISO 32000-1, 14.3.3).
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { INFO_KEYS, METADATA_KEYS, type MetadataKey } from '../../structure/metadata.ts';
import { isoDate } from '../../syntax/dates.ts';
import { textOf } from '../../syntax/text-strings.ts';

/** The entries that the document has, with dates in ISO 8601. */
export function readInfo(file: PdfFile): Partial<Record<MetadataKey, string>> {
  const dict = file.dict(file.xref.trailer.get('Info'));
  const entries = METADATA_KEYS.flatMap((key) => {
    const text = textOf(file.resolve(dict?.get(INFO_KEYS[key])));
    const value = key === 'created' || key === 'modified' ? (isoDate(text) ?? text) : text;
    return value === null || value === '' ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

export function otherInfo(file: PdfFile): Record<string, string> {
  const known: readonly string[] = Object.values(INFO_KEYS);
  const entries = [...(file.dict(file.xref.trailer.get('Info')) ?? [])].flatMap(([key, value]) => {
    const text = known.includes(key) ? null : textOf(file.resolve(value));
    return text === null ? [] : [[key, text] as const];
  });
  return Object.fromEntries(entries);
}
