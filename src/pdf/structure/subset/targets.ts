// Owns finding the page that a destination leads to (ISO 32000-1, 12.3.2), by name or not. Knows nothing of the output.
import type { Page } from '../../file/pages.ts';
import type { PdfFile } from '../../file/reader.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../../file/values.ts';
import { type Input, salvage } from '../input.ts';
import { nameOf, readNames } from '../trees.ts';

export class Targets {
  readonly file: PdfFile;
  /** The place of each page, from 0, by its object. */
  private readonly places = new Map<number, number>();
  private readonly count: number;
  private readonly input: Input;
  private readonly found = new Map<string, Value>();
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
    let value = this.file.resolve(destination);
    if (value instanceof PdfString) value = this.lookUp(nameOf(value));
    else if (value instanceof Name) value = this.lookUp(value.value);
    if (value instanceof Dict) value = this.file.resolve(value.get('D'));
    const page = Array.isArray(value) ? value[0] : undefined;
    if (page instanceof Ref) return this.places.get(page.num);
    return typeof page === 'number' && page >= 0 && page < this.count ? page : undefined;
  }

  /** The page that an action goes to; undefined where it does something else. */
  pageOfAction(action: Value | undefined): number | undefined {
    const dict = this.file.dict(action);
    return dict?.name('S') === 'GoTo' ? this.pageOf(dict.get('D')) : undefined;
  }

  /** The destination of a name: a manual asks for the same ones thousands of times. */
  private lookUp(name: string): Value {
    const known = this.found.get(name);
    if (known !== undefined) return known;
    const value = this.file.resolve(this.named.get(name) ?? this.oldNamed.get(name));
    this.found.set(name, value);
    return value;
  }
}
