// Owns finding the page that a destination leads to (ISO 32000-1, 12.3.2), by name or not. Knows nothing of the output.
import { beginningOf, entriesOf, firstReference } from '../../file/entries.ts';
import type { Page } from '../../file/pages.ts';
import type { PdfFile } from '../../file/reader.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../../file/values.ts';
import { type Input, salvage } from '../input.ts';
import { NameList } from '../name-list.ts';
import { NameTable } from '../name-table.ts';
import { listDict, listNames } from '../name-trees.ts';

/** Destinations that have names: in the tree, and as PDF 1.1 had them. */
export interface Named {
  readonly table: NameTable;
  readonly tree: NameList<Value>;
  readonly old: NameList<Value>;
}

/** What a place in `pages` says where it is no page from 1: not looked for yet, or none. */
const UNKNOWN = 0;
const NONE = -1;

export class Targets {
  readonly file: PdfFile;
  private readonly count: number;
  private readonly input: Input;
  /** The place of each page, from 1, by its object. */
  private readonly places: Int32Array;
  private names: Named | undefined;
  /** The value of each name by its number: its place in the tree, or behind those in the old list. */
  private values = new Int32Array(0);
  /** The page of each name by its number: a manual asks for the same ones thousands of times. */
  private pages = new Int32Array(0);

  constructor(input: Input, pages: readonly Page[]) {
    this.input = input;
    this.file = input.file;
    this.count = pages.length;
    this.places = new Int32Array(this.file.xref.size);
    for (const [i, { num }] of pages.entries()) if (num > 0) this.places[num] ||= i + 1;
  }

  /** Destinations by name; read when first asked for. */
  get named(): Named {
    this.names ??= this.read();
    return this.names;
  }

  private read(): Named {
    const { file, catalog } = this.input;
    let table = new NameTable();
    const none = () => new NameList<Value>(table);
    const tree = salvage(this.input, 'names', undefined, () =>
      listNames(file, file.dict(catalog.get('Names'))?.get('Dests'), 'names', table),
    );
    // What was read of a damaged tree is not kept.
    if (tree === undefined) table = new NameTable();
    const old = salvage(this.input, 'names', undefined, () => listDict(table, file.dict(catalog.get('Dests'))));
    const named = { table, tree: tree ?? none(), old: old ?? none() };
    this.pages = new Int32Array(table.size);
    this.values = new Int32Array(table.size);
    // The tree goes first where both have a name.
    for (let i = 0; i < named.old.count; i++) this.values[named.old.id(i)] = named.tree.count + i;
    for (let i = 0; i < named.tree.count; i++) this.values[named.tree.id(i)] = i;
    return named;
  }

  /** The page's place, or undefined where nobody can say. */
  pageOf(destination: Value | undefined): number | undefined {
    if (destination === undefined) return undefined;
    const quick = destination instanceof Ref ? firstReference(this.file, destination.num, 'D') : -1;
    if (quick >= 0) return this.placeOf(quick);
    const found = beginningOf(this.file, destination, 'D');
    if (found instanceof PdfString) return this.pageNamed(found.bytes, 0, found.bytes.length);
    return found instanceof Name ? this.pageAt(this.named.table.findText(found.value)) : this.pageIn(found);
  }

  /** The page that the name in [start, end) of `buf` leads to. */
  pageNamed(buf: Uint8Array, start: number, end: number): number | undefined {
    return this.pageAt(this.named.table.find(buf, start, end));
  }

  /** The page that an action goes to; undefined where it does something else. */
  pageOfAction(action: Value | undefined): number | undefined {
    const dict = entriesOf(this.file, action, ['S', 'D']);
    return dict?.name('S') === 'GoTo' ? this.pageOf(dict.get('D')) : undefined;
  }

  private placeOf(num: number): number | undefined {
    const place = this.places[num] ?? 0;
    return place > 0 ? place - 1 : undefined;
  }

  private pageIn(destination: Value): number | undefined {
    const value = destination instanceof Dict ? beginningOf(this.file, destination.get('D'), 'D') : destination;
    const page = Array.isArray(value) ? value[0] : undefined;
    if (page instanceof Ref) return this.placeOf(page.num);
    return typeof page === 'number' && page >= 0 && page < this.count ? page : undefined;
  }

  /** The page that a name leads to, by its number; below 0 there is none. */
  private pageAt(name: number): number | undefined {
    if (name < 0) return undefined;
    if (this.pages[name] === UNKNOWN) this.pages[name] = (this.pageOfValue(this.values[name]!) ?? NONE - 1) + 1;
    const page = this.pages[name]!;
    return page > 0 ? page - 1 : undefined;
  }

  private pageOfValue(place: number): number | undefined {
    const { tree, old } = this.named;
    const [list, i] = place < tree.count ? [tree, place] : [old, place - tree.count];
    const num = list.reference(i);
    const quick = num < 0 ? -1 : firstReference(this.file, num, 'D');
    if (quick >= 0) return this.placeOf(quick);
    return this.pageIn(beginningOf(this.file, num < 0 ? list.other(i) : new Ref(num, 0), 'D'));
  }
}
