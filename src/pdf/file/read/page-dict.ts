import { Parser } from '../../syntax/parser.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { listOf } from './entries.ts';
import type { Page } from './page-tree.ts';
import type { PdfFile } from './pdf-file.ts';

/** The page's own dictionary, without inherited entries; undefined where there is none. */
export function dictOfPage(file: PdfFile, { num, direct }: Pick<Page, 'num' | 'direct'>): Dict | undefined {
  const object = direct === undefined ? file.object(num) : new Parser(direct).value();
  return object instanceof Dict ? object : undefined;
}

/** The annotations of a page: references, where the page is sound. */
export function annotationsOf(file: PdfFile, page: Pick<Page, 'num' | 'direct'>): readonly Value[] {
  return listOf(file, dictOfPage(file, page)?.get('Annots'));
}

/** A copy of a page's dictionary, with the resources and boxes that it inherits. */
export function wholeDictOfPage(file: PdfFile, page: Page): Dict {
  const dict = new Dict(dictOfPage(file, page) ?? []);
  for (const [key, bytes] of Object.entries(page.inherited)) {
    if (!dict.has(key)) dict.set(key, new Parser(bytes).value());
  }
  return dict;
}

/** The content streams of a page: references, where the page is sound. */
export function contentsOf(file: PdfFile, dict: Dict): readonly Value[] {
  const value = dict.get('Contents');
  const target = file.resolve(value);
  if (Array.isArray(target)) return target;
  return value instanceof Ref ? [value] : [];
}
