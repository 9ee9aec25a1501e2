// Resolves destinations, explicit or named, to pages (ISO 32000-1, 12.3.2).
import { listOf, nameAt } from '../file/read/entries.ts';
import type { Page } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../syntax/values.ts';
import { type Input, readOnce, readOrLeave } from './input.ts';
import { nameKey, readNames } from './name-trees.ts';

export type Destinations = ReadonlyMap<string, Value>;

/** Named destinations: those of the name tree, and those of PDF 1.1. */
export interface NamedDestinations {
  readonly tree: Destinations;
  readonly old: Destinations;
}

export class DestinationPages {
  readonly file: PdfFile;
  private readonly input: Input;
  private readonly count: number;
  /** The index of each page, by its object. */
  private readonly places = new Map<number, number>();
  private names: NamedDestinations | undefined;
  /** The page of each name: a manual's links and bookmarks ask for the same names thousands of times. */
  private readonly pages = new Map<string, number | undefined>();

  constructor(input: Input, pages: readonly Page[]) {
    this.input = input;
    this.file = input.file;
    this.count = pages.length;
    for (const [i, { num }] of pages.entries()) if (num > 0 && !this.places.has(num)) this.places.set(num, i);
  }

  isPage(num: number): boolean {
    return this.places.has(num);
  }

  get named(): NamedDestinations {
    this.names ??= this.read();
    return this.names;
  }

  private read(): NamedDestinations {
    const { file, catalog } = this.input;
    const read = (work: () => Destinations): Destinations =>
      readOrLeave<Destinations>(this.input, 'names', new Map(), work);
    return {
      tree: read(() => readNames(file, file.dict(catalog.get('Names'))?.get('Dests'), 'names')),
      old: read(() => new Map(file.dict(catalog.get('Dests')))),
    };
  }

  /** The page's index; undefined for a destination that leads to no page. */
  pageOf(destination: Value | undefined): number | undefined {
    const target = this.file.resolve(destination);
    const name = nameIn(target);
    return name === undefined ? this.pageIn(target) : this.pageNamed(name);
  }

  /** The array of a destination (12.3.2.2), explicit or named; empty where it leads nowhere. */
  explicit(destination: Value | undefined): readonly Value[] {
    const target = this.file.resolve(destination);
    const name = nameIn(target);
    return explicitIn(this.file, name === undefined ? target : (this.named.tree.get(name) ?? this.named.old.get(name)));
  }

  pageNamed(name: string): number | undefined {
    const known = this.pages.get(name);
    if (known !== undefined || this.pages.has(name)) return known;
    const { tree, old } = this.named;
    const page = this.pageIn(tree.get(name) ?? old.get(name));
    this.pages.set(name, page);
    return page;
  }

  /** The page that an action goes to; undefined where it does something else. */
  pageOfAction(action: Value | undefined): number | undefined {
    const dict = this.file.dict(action);
    return nameAt(this.file, dict, 'S') === 'GoTo' ? this.pageOf(dict?.get('D')) : undefined;
  }

  private pageIn(destination: Value | undefined): number | undefined {
    const [page] = explicitIn(this.file, destination);
    if (page instanceof Ref) return this.places.get(page.num);
    return typeof page === 'number' && page >= 0 && page < this.count ? page : undefined;
  }
}

/** The array in a destination that is not a name. */
export function explicitIn(file: PdfFile, destination: Value | undefined): readonly Value[] {
  const target = file.resolve(destination);
  return listOf(file, target instanceof Dict ? target.get('D') : target);
}

function nameIn(destination: Value): string | undefined {
  if (destination instanceof PdfString) return nameKey(destination);
  return destination instanceof Name ? destination.value : undefined;
}

export function destinationsOf(input: Input): DestinationPages {
  return readOnce(input, readDestinations);
}

function readDestinations(input: Input): DestinationPages {
  return new DestinationPages(input, input.tree.pages);
}
