import { versionOf } from '../copy/assemble.ts';
import type { PdfFile } from '../read/pdf-file.ts';
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

/** What the file says of itself; null where it says nothing. Dates as they are written in the file. */
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
