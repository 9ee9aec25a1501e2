// Keeps the annotations of picked pages (ISO 32000-1, 12.5): links to pages that are left out are removed, and a page
// that is taken again gets copies of its annotations, since each belongs to one page.
import type { Copier } from '../file/copy/copier.ts';
import type { NewEntries } from '../file/copy/new-entries.ts';
import { nameAt } from '../file/read/entries.ts';
import { annotationsOf } from '../file/read/page-dict.ts';
import type { Page } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { Ref, type Value } from '../syntax/values.ts';
import { destinationsOf } from './destination-pages.ts';
import { type Input, type Numbered, type PickedPages, valueText } from './input.ts';

export interface Again {
  readonly num: number;
  readonly fresh: number;
  readonly entries: Map<string, string | undefined>;
}

export class PickedAnnotations {
  readonly widgets: number[] = [];
  /** Widgets of pages that are taken again; filled by `place`. */
  readonly widgetsAgain: Again[] = [];
  private readonly file: PdfFile;
  private readonly pages: readonly Page[];
  private readonly picked: PickedPages;
  /** The remaining annotations of each picked page, where some are left out or the page is taken again. */
  private readonly lists = new Map<number, readonly Value[]>();
  /** Keys to remove, by annotation. */
  private readonly losses = new Map<number, readonly string[]>();
  /** For a page that is taken again: the index of its first copy. */
  private readonly firsts = new Map<number, number>();
  private readonly again: Again[] = [];
  private readonly entries = new Map<number, NewEntries>();

  /** Reads the annotations of the picked pages; nothing is planned yet. */
  constructor(input: Input, picked: PickedPages) {
    const { file, tree } = input;
    this.file = file;
    this.pages = tree.pages;
    this.picked = picked;
    const seen = new Map<number, number>();
    for (const [at, place] of picked.places.entries()) {
      const page = tree.pages[place];
      if (page === undefined) continue;
      const first = seen.get(place);
      if (first !== undefined) this.firsts.set(at, first);
      else seen.set(place, at);
      const list = annotationsOf(file, page);
      const kept = first === undefined ? list.filter((item) => this.keeps(input, item)) : this.lists.get(first);
      if (first !== undefined || kept === undefined || kept.length < list.length) this.lists.set(at, kept ?? list);
    }
  }

  /** Plans changes of annotations. Pages have output numbers, and nothing is copied yet. */
  place({ copier, pages }: Numbered): void {
    for (const [num, keys] of this.losses) copier.plan(num, new Map(keys.map((key) => [key, undefined])));
    for (const [at, list] of this.lists) {
      const isAgain = this.firsts.has(at);
      const items = isAgain ? list.flatMap((item) => this.planAgain(item, pages[at], copier)) : list;
      const texts = items.map((item) => (typeof item === 'string' ? item : valueText(item, copier)));
      // The tags describe the first copy of the page.
      const untagged = isAgain ? ([['StructParents', undefined]] as const) : [];
      this.entries.set(at, new Map<string, string | undefined>([['Annots', `[${texts.join(' ')}]`], ...untagged]));
    }
  }

  pageEntries(at: number): NewEntries {
    return this.entries.get(at) ?? new Map();
  }

  async copy({ copier }: Numbered): Promise<void> {
    for (const { num, fresh, entries } of this.again) await copier.now(num, entries, fresh);
  }

  /** A reference to a new copy, as text; undefined for a pop-up, which opens from an annotation of the first copy. */
  private planAgain(item: Value, page: number | undefined, copier: Copier): (Value | string)[] {
    if (!(item instanceof Ref) || page === undefined) return [item];
    const subtype = nameAt(this.file, this.file.dict(item), 'Subtype');
    if (subtype === 'Popup') return [];
    const fresh = copier.writer.allocate();
    const entries = new Map(Object.entries({ P: `${page} 0 R`, Popup: undefined, StructParent: undefined }));
    const again = { num: item.num, fresh, entries };
    this.again.push(again);
    if (subtype === 'Widget') this.widgetsAgain.push(again);
    return [`${fresh} 0 R`];
  }

  private keeps(input: Input, item: Value): boolean {
    const { file } = this;
    const annotation = file.dict(item);
    if (annotation === undefined) return true;
    const destinations = destinationsOf(input);
    const outside = (place: number | undefined): boolean => place !== undefined && !this.picked.has(place);
    const away =
      outside(destinations.pageOf(annotation.get('Dest'))) || outside(destinations.pageOfAction(annotation.get('A')));
    const subtype = nameAt(file, annotation, 'Subtype');
    if (subtype === 'Link') return !away;
    if (subtype === 'Widget' && item instanceof Ref) this.widgets.push(item.num);
    const gone = away ? ['A', 'Dest'] : [];
    const triggers = file.dict(annotation.get('AA'));
    if ([...(triggers?.values() ?? [])].some((value) => outside(destinations.pageOfAction(value)))) gone.push('AA');
    if (gone.length > 0 && item instanceof Ref) this.losses.set(item.num, gone);
    return true;
  }
}
