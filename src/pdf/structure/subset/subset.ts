// What picked pages keep of their document. What is the document's as a whole (attachments, scripts, its metadata stream)
// stays behind.
import type { NewEntries } from '../../copy/new-entries.ts';
import type { Page } from '../../read/page-tree.ts';
import type { Source } from '../../read/source.ts';
import { type Input, inputsOf, type Numbered, readOrLeave, valueText } from '../input.ts';
import { type LabelRange, labelsBetween, readLabels, writeLabels } from '../labels.ts';
import { DestinationPages } from './destination-pages.ts';
import { Fields } from './forms.ts';
import { PickedLayers } from './layers.ts';
import { keepLinks } from './links.ts';
import { PickedNames } from './names.ts';
import { Bookmarks } from './outlines.ts';
import { Keys, PickedTags } from './tags.ts';

/** Entries of the catalog that hold for any of its pages. */
const WHOLE = ['Lang', 'ViewerPreferences', 'PageLayout', 'URI'];

export class Subsets {
  private readonly input: Input;
  private readonly pages: readonly Page[];
  private readonly destinations: DestinationPages;
  private readonly labels: readonly LabelRange[] | undefined;
  private readonly bookmarks: Bookmarks | undefined;
  private readonly fields: Fields | undefined;
  private readonly layers: PickedLayers | undefined;
  private readonly tags: PickedTags | undefined;
  private readonly names: PickedNames | undefined;

  constructor(source: Source) {
    const input = inputsOf([source])[0]!;
    const { file, catalog } = input;
    this.input = input;
    this.pages = source.tree.pages;
    this.destinations = new DestinationPages(input, this.pages);
    this.labels = readOrLeave(input, 'page labels', undefined, () => readLabels(file, catalog));
    this.bookmarks = this.part('Outlines', 'bookmarks', () => new Bookmarks(input, this.destinations));
    this.fields = this.part('AcroForm', 'form fields', () => new Fields(input));
    this.layers = this.part('OCProperties', 'layers', () => new PickedLayers(input));
    this.tags = this.part('StructTreeRoot', 'tags', () => new PickedTags(input));
    this.names = readOrLeave(input, 'names', undefined, () => new PickedNames(this.destinations));
  }

  /** What the person should know. */
  get warnings(): string[] {
    const { file, catalog, lost } = this.input;
    const names = readOrLeave(this.input, 'names', undefined, () => file.dict(catalog.get('Names')));
    const behind = [
      ...(names?.has('EmbeddedFiles') ? ['attachments'] : []),
      ...(names?.has('JavaScript') ? ['scripts of the document'] : []),
    ];
    return [
      ...(behind.length === 0 ? [] : [`${file.name}: not kept: ${behind.join(', ')}`]),
      ...(lost.size === 0 ? [] : [`${file.name}: damaged and not kept: ${[...lost].join(', ')}`]),
    ];
  }

  /** Plans the structure of the pages from `first` to before `end`. Their numbers are reserved, nothing is copied. */
  begin(first: number, end: number, placed: Numbered): Subset {
    const { copier } = placed;
    const inside = (place: number): boolean => place >= first && place < end;
    const links = keepLinks(this.pages.slice(first, end), this.destinations, inside, placed);
    const entries = [this.fields?.place(links.widgets, placed) ?? ''];
    for (const key of WHOLE) {
      const value = this.input.catalog.get(key);
      if (value !== undefined) entries.push(`/${key} ${valueText(value, copier)}`);
    }
    if (this.labels !== undefined) entries.push(writeLabels(labelsBetween(this.labels, first, end)));
    const keys = this.tags?.any ? new Keys(copier) : undefined;
    // Only tags are found by what is copied: without them no name need be looked at.
    if (keys === undefined) copier.note = 0;
    else copier.change = keys;
    return {
      change: (page) => {
        const list = links.annotations.get(page);
        return list === undefined ? new Map() : new Map([['Annots', list]]);
      },
      copy: async () => {
        entries.push(
          (await this.bookmarks?.copy(first, end, placed)) ?? '',
          (await this.names?.write(first, end, placed)) ?? '',
        );
      },
      finish: async (drain) => {
        await drain();
        copier.change = undefined;
        if (keys !== undefined) entries.push((await this.tags?.copy(keys.found, copier)) ?? '');
        await drain();
        entries.push(this.layers?.write(placed) ?? '');
        return entries.join('');
      },
    };
  }

  private part<T>(key: string, what: string, read: () => T): T | undefined {
    if (!this.input.catalog.has(key)) return undefined;
    return readOrLeave(this.input, what, undefined, read);
  }
}

/** The structure of one output. */
export interface Subset {
  /** What changes in a page's dictionary. */
  change(page: Page): NewEntries;
  /** Copies what has a place of its own. */
  copy(): Promise<void>;
  /** Copies the rest (`drain`) and returns the catalog's entries. */
  finish(drain: () => Promise<void>): Promise<string>;
}
