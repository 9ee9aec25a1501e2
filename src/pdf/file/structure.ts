// Owns the names of what a document has besides its pages, so that what an operation leaves behind can be said.
import type { PdfFile } from './reader.ts';
import { Dict } from './values.ts';

const PARTS: readonly [key: string, name: string][] = [
  ['Outlines', 'bookmarks'],
  ['AcroForm', 'form fields'],
  ['Names', 'named destinations or attachments'],
  ['Dests', 'named destinations'],
  ['PageLabels', 'page labels'],
  ['OCProperties', 'layers'],
  ['StructTreeRoot', 'tags'],
];

/** What of the parts a document has; empty where it is pages alone. */
export function partsOf(file: PdfFile): string[] {
  const catalog = file.dict(file.xref.trailer.get('Root'));
  const found = PARTS.filter(([key]) => {
    const part = catalog === undefined ? null : file.resolve(catalog.get(key));
    return part instanceof Dict && part.size > 0;
  });
  return [...new Set(found.map(([, name]) => name))];
}

/** One warning a file for what does not come along. */
export function lossesOf(file: PdfFile): string[] {
  const parts = partsOf(file);
  return parts.length === 0 ? [] : [`${file.name}: not kept: ${parts.join(', ')}`];
}

/** A warning where a signature will not hold for the output. */
export function signatureWarning(file: PdfFile): string[] {
  const form = file.dict(file.dict(file.xref.trailer.get('Root'))?.get('AcroForm'));
  const signed = ((form?.number('SigFlags') ?? 0) & 1) === 1;
  return signed ? [`${file.name} is signed; the signature does not hold for the new file`] : [];
}
