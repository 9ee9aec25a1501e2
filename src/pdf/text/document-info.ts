import { versionOf } from '../file/copy/assemble.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { Damage } from '../syntax/damage.ts';
import { textOf } from '../syntax/text-strings.ts';

const FIELDS = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  creator: 'Creator',
  producer: 'Producer',
  creation_date: 'CreationDate',
  modification_date: 'ModDate',
};

/** The document information dictionary; null for an entry that is missing. Dates as they are written in the file. */
export function documentInfo(file: PdfFile): Record<string, string | null> {
  const record: Record<string, string | null> = {};
  for (const [name, key] of Object.entries(FIELDS)) record[name] = entry(file, key);
  return { ...record, pdf_version: versionOf(file) };
}

function entry(file: PdfFile, key: string): string | null {
  try {
    const text = textOf(file.resolve(file.dict(file.xref.trailer.get('Info'))?.get(key)));
    return text === '' ? null : text;
  } catch (error) {
    if (error instanceof Damage) return null;
    throw error;
  }
}
