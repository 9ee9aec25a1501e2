// Owns the information dictionary as a free-form record. Knows nothing of pages.
import type { OpenDocument } from './pdfjs.ts';

const KEYS = { Title: 'title', Author: 'author', Subject: 'subject', Keywords: 'keywords' } as const;
const TOOLS = { Creator: 'creator', Producer: 'producer', CreationDate: 'creation_date', ModDate: 'modification_date' };

/** What the file says of itself; null where it says nothing. Dates as they are written in the file. */
export async function documentInfo({ document }: OpenDocument): Promise<Record<string, string | null>> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} as Record<string, unknown> }));
  const record: Record<string, string | null> = {};
  for (const [key, name] of Object.entries({ ...KEYS, ...TOOLS, PDFFormatVersion: 'pdf_version' })) {
    const value = info[key];
    record[name] = typeof value === 'string' && value !== '' ? value : null;
  }
  return record;
}
