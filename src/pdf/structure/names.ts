// Owns what a document finds by name (ISO 32000-1, 7.7.4): destinations, attachments, scripts and the like, through a
// merge. Knows nothing of what the names lead to.
import { DROPPED } from '../file/copier.ts';
import type { PdfFile } from '../file/reader.ts';
import { encodeName } from '../file/serialize.ts';
import { at, skipSpace } from '../file/syntax.ts';
import { Dict, Ref, type Value } from '../file/values.ts';
import type { Writer } from '../file/writer.ts';
import { checkCount, type Input, type Placed, salvage, written } from './input.ts';
import { NameList } from './name-list.ts';
import { NameTable } from './name-table.ts';
import { listDict, listNames, writeList, writeValue } from './name-trees.ts';
import { type Renames, renameCollisions } from './renames.ts';

/** One kind of names: those of the inputs, and the entries of the output. */
class Kind {
  /** What each input has: the root of its tree or, for the old kind of destinations, a dictionary. */
  readonly roots = new Map<number, Value>();
  /** The names of each input, once they were read. */
  readonly lists = new Map<number, NameList<Value>>();
  private readonly output: NameList<string>;
  private lone: string | undefined;
  private readonly flat: boolean;
  private readonly destinations: boolean;
  readonly table: NameTable;
  readonly renames = new Map<number, Renames>();

  /** `flat`: a dictionary, not a tree. `destinations`: what the names lead to is looked at. */
  constructor(table: NameTable, flat: boolean, destinations: boolean) {
    this.table = table;
    this.output = new NameList(table);
    this.flat = flat;
    this.destinations = destinations;
  }

  /** Reads the names of an input; a tree that comes alone moves as it is and is not read. */
  read(input: Input): void {
    const { file, index } = input;
    const root = this.roots.get(index);
    if (root === undefined) return;
    const list = salvage(input, 'names', new NameList<Value>(this.table), () => {
      const found = this.flat ? listDict(this.table, file.dict(root)) : listNames(file, root, 'names', this.table);
      if (this.destinations) dropDead(file, found);
      return found;
    });
    checkCount(file, list.count, 'names');
    this.lists.set(index, list);
  }

  place(index: number, { copier }: Placed): void {
    const root = this.roots.get(index);
    if (root === undefined) return;
    const list = this.lists.get(index);
    if (list === undefined) {
      this.lone = written(root, copier);
      return;
    }
    const { output } = this;
    const renames = this.renames.get(index);
    for (let i = 0; i < list.count; i++) {
      const id = renames?.of(list.id(i)) ?? list.id(i);
      const num = list.reference(i);
      const fresh = num < 0 ? DROPPED : copier.ref(num);
      if (fresh !== DROPPED) output.refer(id, fresh);
      else output.add(id, num < 0 ? written(list.other(i), copier) : 'null');
    }
    this.lists.delete(index);
  }

  /** The root in the output as text; undefined where there is nothing. */
  async write(writer: Writer): Promise<string | undefined> {
    const { lone, output, table } = this;
    if (lone !== undefined) return lone;
    if (output.count === 0) return undefined;
    if (!this.flat) return `${await writeList(writer, output)} 0 R`;
    const num = writer.allocate();
    writer.begin(num, false);
    writer.text('<<');
    for (let i = 0; i < output.count; i++) {
      writer.text(`/${encodeName(table.text(output.id(i)))} `);
      writeValue(writer, output, i);
    }
    writer.text('>>');
    await writer.end();
    return `${num} 0 R`;
  }
}

export class Names {
  private readonly inputs: Input[] = [];
  /** Destinations of PDF 1.1, whose names are name objects. */
  private readonly old: Kind;
  private readonly kinds: Map<string, Kind>;
  private readonly renamed = new Map<number, Renames>();

  constructor() {
    // Viewers look up a destination in both places, whatever kind of name a link has: they are one set of names.
    const destinations = new NameTable();
    this.old = new Kind(destinations, true, true);
    this.kinds = new Map([['Dests', new Kind(destinations, false, true)]]);
  }

  survey(input: Input): void {
    const { index, file, catalog } = input;
    this.inputs.push(input);
    const dests = catalog.get('Dests');
    if ((file.dict(dests)?.size ?? 0) > 0) this.old.roots.set(index, dests!);
    for (const [name, root] of file.dict(catalog.get('Names')) ?? []) {
      if (file.dict(root) === undefined) continue;
      let kind = this.kinds.get(name);
      if (kind === undefined) {
        kind = new Kind(new NameTable(), false, false);
        this.kinds.set(name, kind);
      }
      kind.roots.set(index, root);
    }
  }

  /** Reads the names of an input, of the kinds that another one has too. Every input was surveyed before. */
  read(input: Input): void {
    for (const kinds of this.shared()) for (const kind of kinds) kind.read(input);
  }

  /** Finds the names that collide. */
  settle(): void {
    for (const kinds of this.shared()) {
      const lists = this.inputs.map(({ index }) => kinds.flatMap((kind) => kind.lists.get(index) ?? []));
      for (const [i, renames] of renameCollisions(kinds[0]!.table, lists, '-').entries()) {
        if (renames.size === 0) continue;
        const { index } = this.inputs[i]!;
        for (const kind of kinds) kind.renames.set(index, renames);
        if (kinds.includes(this.old)) this.renamed.set(index, renames);
      }
    }
  }

  /** Kinds that several inputs have. */
  private shared(): Kind[][] {
    const dests = this.kinds.get('Dests');
    const sets = [...this.kinds.values()].map((kind) => (kind === dests ? [kind, this.old] : [kind]));
    return sets.filter((kinds) => new Set(kinds.flatMap(({ roots }) => [...roots.keys()])).size > 1);
  }

  /** New names of an input's destinations, for the links to them; undefined where none changes. */
  destinations({ index }: Input): Renames | undefined {
    return this.renamed.get(index);
  }

  /** Whether an input has names of a kind. */
  has(kind: string, index: number): boolean {
    return this.kinds.get(kind)?.roots.has(index) === true;
  }

  place({ index }: Input, placed: Placed): void {
    this.old.place(index, placed);
    for (const kind of this.kinds.values()) kind.place(index, placed);
  }

  /** The catalog's entries. */
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

/** How many destinations are looked at before all are: in a document that is whole, none is dead. */
const SAMPLE = 64;

/**
 * Takes out the destinations whose page is null: pages that were cut out of a larger document bring along the names of all
 * of it, and those lead nowhere (a page of such a manual had 1,500 of them).
 */
function dropDead(file: PdfFile, destinations: NameList<Value>): void {
  const dead = new Map<number, boolean>();
  const isDead = (i: number): boolean => {
    const num = destinations.reference(i);
    const found = file.resolve(num < 0 ? destinations.other(i) : new Ref(num, 0));
    const list = found instanceof Dict ? file.resolve(found.get('D')) : found;
    const page = Array.isArray(list) ? list[0] : undefined;
    if (!(page instanceof Ref)) return page === null;
    let gone = dead.get(page.num);
    if (gone === undefined) {
      gone = isNull(file, page.num);
      dead.set(page.num, gone);
    }
    return gone;
  };
  const step = Math.ceil(destinations.count / SAMPLE);
  for (let i = 0; i < destinations.count; i += step) {
    if (!isDead(i)) continue;
    destinations.remove(isDead);
    return;
  }
}

function isNull(file: PdfFile, num: number): boolean {
  return !file.fetch(num) || at(file.buf, skipSpace(file.buf, file.pos, file.limit), 'null');
}
