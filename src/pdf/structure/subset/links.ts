// Annotations of picked pages: links to pages that are left behind go. The form fields that are met are noted.
import { entriesOf, nameAt } from '../../read/entries.ts';
import type { Page } from '../../read/page-tree.ts';
import type { PdfFile } from '../../read/pdf-file.ts';
import { Parser } from '../../syntax/parser.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { listOf, type Numbered, valueText } from '../input.ts';
import type { DestinationPages } from './destination-pages.ts';

/** What is looked at of an annotation. */
const ANNOTATION = ['Subtype', 'A', 'Dest', 'AA'];

export interface Kept {
  /** Objects of the widgets on the pages. */
  readonly widgets: readonly number[];
  /** The new /Annots of the pages that lose some. */
  readonly annotations: ReadonlyMap<Page, string>;
}

/** Looks at the annotations of pages. `inside`: whether a page, by its place, is one of those picked. */
export function keepLinks(
  pages: readonly Page[],
  destinations: DestinationPages,
  inside: (place: number) => boolean,
  { copier }: Pick<Numbered, 'copier'>,
): Kept {
  const { file } = destinations;
  const widgets: number[] = [];
  const annotations = new Map<Page, string>();
  const outside = (place: number | undefined): boolean => place !== undefined && !inside(place);
  const keeps = (item: Value): boolean => {
    const annotation = entriesOf(file, item, ANNOTATION);
    if (annotation === undefined) return true;
    const action = annotation.get('A');
    const away = outside(destinations.pageOf(annotation.get('Dest'))) || outside(destinations.pageOfAction(action));
    const subtype = nameAt(file, annotation, 'Subtype');
    if (subtype === 'Link') return !away;
    if (subtype === 'Widget' && item instanceof Ref) widgets.push(item.num);
    const gone = away ? ['A', 'Dest'] : [];
    const triggers = file.dict(annotation.get('AA'));
    if ([...(triggers?.values() ?? [])].some((value) => outside(destinations.pageOfAction(value)))) gone.push('AA');
    if (gone.length > 0 && item instanceof Ref)
      copier.changes.set(item.num, new Map(gone.map((key) => [key, undefined])));
    return true;
  };
  for (const page of pages) {
    const list = annotationsOf(file, page);
    const kept = list.filter(keeps);
    if (kept.length < list.length) annotations.set(page, arrayOf(kept, copier));
  }
  return { widgets, annotations };
}

function annotationsOf(file: PdfFile, { direct, num }: Page): readonly Value[] {
  const dict = direct === undefined ? entriesOf(file, new Ref(num, 0), ['Annots']) : new Parser(direct).value();
  return dict instanceof Dict ? listOf(file, dict.get('Annots')) : [];
}

function arrayOf(items: readonly Value[], copier: Numbered['copier']): string {
  return `[${items.map((item) => valueText(item, copier)).join(' ')}]`;
}
