import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { compress } from '../local.ts';
import { check, pictures, textOf } from './judges.ts';
import { bytesOf, contextIn, fileSource } from './workbench.ts';

/** The document without loss of a pixel, beside the original. */
export async function small(path: string): Promise<{ pdf: string; bytes: number }> {
  const folder = dirname(path);
  const result = await compress({ file: fileSource(path), lossless: true }, contextIn(folder));
  const pdf = join(folder, 'small.pdf');
  const bytes = await bytesOf(result.body);
  writeFileSync(pdf, bytes);
  return { pdf, bytes: bytes.length };
}

function expectAlike(pdf: string, path: string, dpi: number): void {
  expect(check(pdf).status).toBe(0);
  const [mupdf, poppler] = pictures(pdf, dpi);
  const [mupdfBefore, popplerBefore] = pictures(path, dpi);
  expect(new Set(mupdfBefore).size).toBeGreaterThan(2);
  expect(mupdf.equals(mupdfBefore), 'mutool draws the same').toBe(true);
  expect(poppler.equals(popplerBefore), 'pdftoppm draws the same').toBe(true);
  expect(textOf(pdf)).toBe(textOf(path));
}

/** The document with few glyphs is less than so many bytes, and looks and reads as it did. */
export async function expectFewer(path: string, bytes: number, dpi: number): Promise<void> {
  const made = await small(path);
  expect(made.bytes).toBeLessThan(bytes);
  expectAlike(made.pdf, path, dpi);
}

/** Of a catalog: fields are filled in with the font that is object 5. */
export const FILLED_IN = '/AcroForm<</Fields[]/DR<</Font<</F 5 0 R>>>>>>';
