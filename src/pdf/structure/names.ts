// Merges the name trees of several inputs (ISO 32000-1, 7.7.4): destinations, attachments, scripts and the like. Inputs are
// first surveyed, then read. Out: one sorted tree for each kind of names, and the new names of those that collided, which
// renaming.ts puts into links and scripts. A kind that one input alone has is copied unread. Where pages are picked,
// destinations on others are left out. Invariant: a name of the output leads where it led in its input. Cost: one reading
// of each tree, one pass over all names, and a sort.

import type { Copier } from '../file/copy/copier.ts';
import { readable } from '../file/read/entries.ts';
import type { Pace } from '../file/read/pace.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Writer } from '../file/write/writer.ts';
import { listAt } from '../syntax/arrays.ts';
import { NAMES } from '../syntax/scan.ts';
import { encodeName } from '../syntax/serialize.ts';
import { Ref, type Value } from '../syntax/values.ts';
import { WATCHED } from '../syntax/watched-names.ts';
import { type Destinations, destinationsOf, explicitIn } from './destination-pages.ts';
import { checkCount, type Input, type Numbered, readOnce, readOrLeave, valueText } from './input.ts';
import { readNames, writeNames } from './name-trees.ts';
import { Unique } from './unique.ts';

/** New names by the old ones. */
type Renames = ReadonlyMap<string, string>;

class Kind {
  readonly roots = new Map<number, Value>();
  readonly lists = new Map<number, Map<string, Value>>();
  private readonly output = new Map<string, string>();
  private lone: string | undefined;
  private readonly flat: boolean;
  private readonly destinations: boolean;
  renames: ReadonlyMap<number, Renames> = new Map();

  /** `flat`: a dictionary, not a tree. `destinations`: values are destinations. */
  constructor(flat: boolean, destinations: boolean) {
    this.flat = flat;
    this.destinations = destinations;
  }

  /** Reads the names of an input; a tree that one input alone has is copied unread. */
  read(input: Input): void {
    const { file, index, picked } = input;
    const root = this.roots.get(index);
    if (root === undefined || this.lists.has(index)) return;
    if (picked !== undefined && this.destinations) {
      const { tree, old } = readOnce(input, readByPage);
      this.lists.set(index, new Map(picked.places.flatMap((place) => (this.flat ? old : tree).get(place) ?? [])));
      return;
    }
    const list = readOrLeave(input, 'names', new Map<string, Value>(), () => {
      const tree = this.flat ? new Map(file.dict(root)) : readNames(file, root, 'names');
      if (this.destinations) dropDead(file, tree);
      return tree;
    });
    checkCount(file, list.size, 'names');
    this.lists.set(index, list);
  }

  place(index: number, { copier }: Numbered): void {
    const root = this.roots.get(index);
    if (root !== undefined && !this.lists.has(index)) this.lone = valueText(root, copier);
  }

  async gather(index: number, { copier }: Numbered, pace: Pace): Promise<void> {
    const list = this.lists.get(index);
    if (list === undefined) return;
    this.lists.delete(index);
    const texts = this.destinations && !this.flat ? await inlineTexts(list, copier, pace) : undefined;
    const renames = this.renames.get(index);
    for (const [name, value] of list) {
      const text = value instanceof Ref ? texts?.get(value.num) : undefined;
      this.output.set(renames?.get(name) ?? name, text ?? valueText(value, copier));
    }
  }

  /** The root in the output as text; undefined where it is empty. */
  async write(writer: Writer): Promise<string | undefined> {
    const { lone, output } = this;
    if (lone !== undefined) return lone;
    if (output.size === 0) return undefined;
    if (!this.flat) return `${await writeNames(writer, output)} 0 R`;
    const num = writer.allocate();
    const entries = [...output].map(([name, text]) => `/${encodeName(name)} ${text}`);
    await writer.object(num, `<<${entries.join('')}>>`);
    return `${num} 0 R`;
  }
}

export class Names {
  private readonly inputs: Input[] = [];
  /** Destinations of PDF 1.1, whose names are name objects. */
  private readonly old = new Kind(true, true);
  private readonly kinds = new Map([['Dests', new Kind(false, true)]]);

  /** `alone`: only destinations, not what belongs to the whole document. */
  survey(input: Input, alone: boolean): void {
    const { index, file, catalog } = input;
    this.inputs.push(input);
    const dests = catalog.get('Dests');
    if (dests !== undefined && (file.dict(dests)?.size ?? 0) > 0) this.old.roots.set(index, dests);
    for (const [name, root] of file.dict(catalog.get('Names')) ?? []) {
      if (file.dict(root) === undefined || (alone && name !== 'Dests')) continue;
      const kind = this.kinds.get(name) ?? new Kind(false, false);
      this.kinds.set(name, kind);
      kind.roots.set(index, root);
    }
  }

  /** Reads those kinds of names that another input has too. Every input was surveyed before. */
  read(input: Input): void {
    for (const kinds of this.shared()) for (const kind of kinds) kind.read(input);
    if (input.picked === undefined) return;
    this.old.read(input);
    this.kinds.get('Dests')?.read(input);
  }

  settle(): void {
    for (const kinds of this.shared()) {
      const unique = new Unique('-');
      const namesOf = (index: number): string[] => kinds.flatMap((kind) => [...(kind.lists.get(index)?.keys() ?? [])]);
      for (const { index } of this.inputs) unique.know(namesOf(index), index);
      const renames = this.inputs.map(({ index }) => [index, unique.rename(namesOf(index), index)] as const);
      const some = new Map(renames.filter(([, renamed]) => renamed.size > 0));
      for (const kind of kinds) kind.renames = some;
    }
  }

  private shared(): Kind[][] {
    // Viewers look up a destination in both places, whatever kind of name a link has: names must be unique over both.
    const dests = this.kinds.get('Dests');
    const sets = [...this.kinds.values()].map((kind) => (kind === dests ? [kind, this.old] : [kind]));
    return sets.filter((kinds) => new Set(kinds.flatMap(({ roots }) => [...roots.keys()])).size > 1);
  }

  /** New names of an input's destinations, for the links to them; undefined where none changes. */
  destinations({ index }: Input): Renames | undefined {
    return this.old.renames.get(index);
  }

  has(kind: string, index: number): boolean {
    return this.kinds.get(kind)?.roots.has(index) === true;
  }

  place({ index }: Input, placed: Numbered): void {
    this.old.place(index, placed);
    for (const kind of this.kinds.values()) kind.place(index, placed);
  }

  /** Call it when all else of the input is copied: only then is it known which objects only a name refers to. */
  async gather({ index }: Input, placed: Numbered, pace: Pace): Promise<void> {
    await this.old.gather(index, placed, pace);
    for (const kind of this.kinds.values()) await kind.gather(index, placed, pace);
  }

  async write(writer: Writer): Promise<string> {
    const old = await this.old.write(writer);
    const roots: string[] = [];
    for (const [name, kind] of this.kinds) {
      const root = await kind.write(writer);
      if (root !== undefined) roots.push(`/${encodeName(name)} ${root}`);
    }
    return `${old === undefined ? '' : `/Dests ${old}`}${roots.length === 0 ? '' : `/Names<<${roots.join('')}>>`}`;
  }
}

/** Names and their values, by the index of the page they lead to. */
type ByPage = ReadonlyMap<number, readonly (readonly [name: string, value: Value])[]>;

function readByPage(input: Input): { readonly tree: ByPage; readonly old: ByPage } {
  const destinations = destinationsOf(input);
  const byPage = (names: Destinations): ByPage => {
    const byPage = new Map<number, [string, Value][]>();
    for (const [name, value] of names) {
      const page = readOrLeave(input, 'names', undefined, () => destinations.pageOf(value));
      if (page !== undefined) listAt(byPage, page).push([name, value]);
    }
    return byPage;
  };
  const { tree, old } = destinations.named;
  return { tree: byPage(tree), old: byPage(old) };
}

// Values of names, above all destinations (ISO 32000-1, 12.3.2).

/** Most bytes of an object that is moved into the tree. A destination has 40; a lookup reads a whole leaf of them. */
const MOST_INLINE = 128;

/** The text of a small object to write in place of references to it; undefined where it stays an object. */
function inlineText(num: number, copier: Copier): string | undefined {
  const { file } = copier;
  if (copier.map[num] !== 0 || !readable(file, num)) return undefined;
  const value = file.scanObject(num, NAMES);
  const short = value !== undefined && value.end - value.start <= MOST_INLINE;
  // Behind the page only a position on it may follow.
  return short && !value.isStream && (value.names & ~WATCHED.XYZ) === 0 ? copier.text(value) : undefined;
}

/** Texts of small objects that one name alone refers to, to write into the tree: a manual has 18,000 of them. */
async function inlineTexts(
  names: ReadonlyMap<string, Value>,
  copier: Copier,
  pace: Pace,
): Promise<ReadonlyMap<number, string>> {
  const users = new Map<number, number>();
  for (const value of names.values()) {
    if (value instanceof Ref && copier.map[value.num] === 0) users.set(value.num, (users.get(value.num) ?? 0) + 1);
  }
  const nums = [...users].filter(([num, count]) => count === 1 && copier.file.has(num)).map(([num]) => num);
  const texts = new Map<number, string>();
  for (const num of nums.sort((a, b) => a - b)) {
    const text = inlineText(num, copier);
    if (text !== undefined) texts.set(num, text);
    if (pace.isOver()) await pace.yield();
  }
  return texts;
}

/** Removes destinations without a page: a page cut out of a manual had all 1,500 names of the manual. */
function dropDead(file: PdfFile, destinations: Map<string, Value>): void {
  const dead = new Map<number, boolean>();
  const isDead = (value: Value): boolean => {
    const [page] = explicitIn(file, value);
    if (!(page instanceof Ref)) return page === null;
    const gone = dead.get(page.num) ?? file.object(page.num) === null;
    dead.set(page.num, gone);
    return gone;
  };
  for (const [name, value] of destinations) if (isDead(value)) destinations.delete(name);
}
