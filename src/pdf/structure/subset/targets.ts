// Owns finding the page that a destination leads to (ISO 32000-1, 12.3.2), by name or not. Knows nothing of the output.
import { beginningOf, entriesOf } from '../../file/entries.ts';
import type { Page } from '../../file/pages.ts';
import type { PdfFile } from '../../file/reader.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../../file/values.ts';
import { type Input, salvage } from '../input.ts';
import { readNames } from '../name-trees.ts';
import { nameOf } from '../trees.ts';

export class Targets {
  readonly file: PdfFile;
  /** The place of each page, from 0, by its object. */
  private readonly places = new Map<number, number>();
  private readonly count: number;
  private readonly input: Input;
  private readonly found = new Map<string, number | undefined>();
  private tree: ReadonlyMap<string, Value> | undefined;
  private old: Dict | undefined;

  constructor(input: Input, pages: readonly Page[]) {
    this.input = input;
    this.file = input.file;
    this.count = pages.length;
    for (const [i, { num }] of pages.entries()) if (num > 0 && !this.places.has(num)) this.places.set(num, i);
  }

  /** Destinations by name, in the tree; read when first asked for. */
  get named(): ReadonlyMap<string, Value> {
    const { file, catalog } = this.input;
    const read = () => readNames(file, file.dict(catalog.get('Names'))?.get('Dests'), 'names');
    this.tree ??= salvage<ReadonlyMap<string, Value>>(this.input, 'names', new Map(), read);
    return this.tree;
  }

  /** Destinations by name, as PDF 1.1 had them. */
  get oldNamed(): Dict {
    const { file, catalog } = this.input;
    this.old ??= salvage(this.input, 'names', undefined, () => file.dict(catalog.get('Dests'))) ?? new Dict();
    return this.old;
  }

  /** The page's place, or undefined where nobody can say. */
  pageOf(destination: Value | undefined): number | undefined {
    if (destination === undefined) return undefined;
    const found = beginningOf(this.file, destination, 'D');
    if (found instanceof PdfString) return this.lookUp(nameOf(found));
    return found instanceof Name ? this.lookUp(found.value) : this.pageIn(found);
  }

  private pageIn(destination: Value): number | undefined {
    const value = destination instanceof Dict ? beginningOf(this.file, destination.get('D'), 'D') : destination;
    const page = Array.isArray(value) ? value[0] : undefined;
    if (page instanceof Ref) return this.places.get(page.num);
    return typeof page === 'number' && page >= 0 && page < this.count ? page : undefined;
  }

  /** The page that an action goes to; undefined where it does something else. */
  pageOfAction(action: Value | undefined): number | undefined {
    const dict = entriesOf(this.file, action, ['S', 'D']);
    return dict?.name('S') === 'GoTo' ? this.pageOf(dict.get('D')) : undefined;
  }

  /** The page that a name leads to: a manual asks for the same ones thousands of times. */
  private lookUp(name: string): number | undefined {
    if (this.found.has(name)) return this.found.get(name);
    const page = this.pageIn(beginningOf(this.file, this.named.get(name) ?? this.oldNamed.get(name), 'D'));
    this.found.set(name, page);
    return page;
  }
}
