// Owns finding the page that a destination leads to (ISO 32000-1, 12.3.2), by name or not. Knows nothing of the output.
import { beginningOf, entriesOf, firstReference, firstReferenceIn, nameAt, readable } from '../../file/entries.ts';
import type { Page } from '../../file/pages.ts';
import type { PdfFile } from '../../file/reader.ts';
import { Scan } from '../../file/scan.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../../file/values.ts';
import { type Input, salvage } from '../input.ts';
import { type NameBytes, NameList, wholeName } from '../name-list.ts';
import { NameTable } from '../name-table.ts';
import { listDict, listNames } from '../name-trees.ts';
import { StringReader } from '../string-reader.ts';
import { goesByName } from './action.ts';

/** Destinations that have names, each name once: in the tree, and as PDF 1.1 had them. */
export interface Named {
  readonly tree: NameList;
  readonly old: NameList;
}

/** What `pages` says where it is no page from 1: not looked for yet, or none. */
const UNKNOWN = 0;
const NONE = -1;
/** The name read last. */
const string = new StringReader();
const scan = new Scan();

export class Targets {
  readonly file: PdfFile;
  private readonly count: number;
  private readonly input: Input;
  /** The place of each page, from 1, by its object. */
  private readonly places: Int32Array;
  private names: Named | undefined;
  /** Of each name its place in the tree, or behind those in the old list. */
  private values = new NameTable(0);
  /** The page of each of these places: links and bookmarks ask for the same ones, a manual's thousands of times. */
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
    const listed = (read: () => NameList): NameList => salvage(this.input, 'names', new NameList(), read);
    const tree = listed(() => listNames(file, file.dict(catalog.get('Names'))?.get('Dests'), 'names'));
    const old = listed(() => listDict(file.dict(catalog.get('Dests'))));
    this.values = tableOf(tree, old);
    this.pages = new Int32Array(tree.count + old.count);
    return { tree, old };
  }

  /** The page's place, or undefined where nobody can say. */
  pageOf(destination: Value | undefined): number | undefined {
    if (destination === undefined) return undefined;
    const quick = destination instanceof Ref ? firstReference(this.file, destination.num, 'D') : -1;
    if (quick >= 0) return this.placeOf(quick);
    const found = beginningOf(this.file, destination, 'D');
    if (found instanceof PdfString) return this.pageNamed(wholeName(found.bytes));
    return found instanceof Name ? this.pageNamed(wholeName(Buffer.from(found.value, 'latin1'))) : this.pageIn(found);
  }

  /** The page that a name leads to. Its bytes may be those of the file at hand. */
  pageNamed(name: NameBytes): number | undefined {
    // What is read now may take their place.
    const { buf, start, end } = this.names === undefined ? wholeName(name.buf.slice(name.start, name.end)) : name;
    const { tree, old } = this.named;
    const value = this.values.get(buf, start, end);
    if (value < 0) return undefined;
    return value < tree.count ? this.pageOfEntry(tree, value) : this.pageOfEntry(old, value - tree.count);
  }

  /** The page that an entry of a list leads to; looked for once. */
  pageOfEntry(list: NameList, i: number): number | undefined {
    const { tree } = this.named;
    const place = list === tree ? i : tree.count + i;
    if (this.pages[place] === UNKNOWN) this.pages[place] = (this.findPage(list, i) ?? NONE - 1) + 1;
    const page = this.pages[place]!;
    return page > 0 ? page - 1 : undefined;
  }

  private findPage(list: NameList, i: number): number | undefined {
    const num = list.reference(i);
    const { values } = list;
    const place = num < 0 ? list.place(i) : -1;
    const quick =
      num < 0
        ? firstReferenceIn(values.bytes, values.start(place), values.end(place), 'D')
        : firstReference(this.file, num, 'D');
    if (quick >= 0) return this.placeOf(quick);
    return this.pageIn(beginningOf(this.file, num < 0 ? values.parsed(place) : new Ref(num, 0), 'D'));
  }

  /** The page that an action goes to; undefined where it does something else. */
  pageOfAction(action: Value | undefined): number | undefined {
    const { file } = this;
    if (action instanceof Ref && readable(file, action.num) && file.scanObject(action.num, scan)) {
      if (goesByName(file.buf, file.pos, scan.end, string)) return this.pageNamed(string);
    }
    const dict = entriesOf(this.file, action, ['S', 'D']);
    return nameAt(this.file, dict, 'S') === 'GoTo' ? this.pageOf(dict?.get('D')) : undefined;
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
}

/** The places of the names in two lists, the first of which goes first where both have one. Settles that one. */
function tableOf(tree: NameList, old: NameList): NameTable {
  const table = new NameTable(tree.count + old.count);
  for (let i = 0; i < tree.count; i++) table.add(tree, i, i);
  if (table.size < tree.count) {
    tree.settle();
    return tableOf(tree, old);
  }
  for (let i = 0; i < old.count; i++) table.add(old, i, tree.count + i);
  return table;
}
