// Owns what a document finds by name (ISO 32000-1, 7.7.4): destinations, attachments, scripts and the like, through a
// merge. Knows nothing of what the names lead to.
import { encodeName } from '../file/serialize.ts';
import type { Value } from '../file/values.ts';
import type { Writer } from '../file/writer.ts';
import type { Pace } from '../pace.ts';
import { dropDead, holdLone, takeOver } from './destinations.ts';
import { checkCount, type Input, type Placed, salvage, written } from './input.ts';
import { areDistinct, NameList } from './name-list.ts';
import { listDict, listNames, writeList } from './name-trees.ts';
import { type Renames, renamesOf } from './renames.ts';

/** One kind of names: those of the inputs, and the entries of the output. */
class Kind {
  /** What each input has: the root of its tree or, for the old kind of destinations, a dictionary. */
  readonly roots = new Map<number, Value>();
  /** The names of each input, once they were read. */
  readonly lists = new Map<number, NameList>();
  private readonly output = new NameList();
  private lone: string | undefined;
  private readonly flat: boolean;
  private readonly destinations: boolean;
  /** New names, of each input that has some. */
  renames: ReadonlyMap<number, Renames> = new Map();

  /** `flat`: a dictionary, not a tree. `destinations`: what the names lead to is looked at. */
  constructor(flat: boolean, destinations: boolean) {
    this.flat = flat;
    this.destinations = destinations;
  }

  /** Reads the names of an input; a tree that comes alone moves as it is and is not read. */
  read(input: Input): void {
    const { file, index } = input;
    const root = this.roots.get(index);
    if (root === undefined) return;
    const list = salvage(input, 'names', new NameList(), () => {
      const found = this.flat ? listDict(file.dict(root)) : listNames(file, root, 'names');
      if (this.destinations) dropDead(file, found);
      return found;
    });
    checkCount(file, list.count, 'names');
    this.lists.set(index, list);
  }

  /** Takes over a tree that comes alone. */
  place(index: number, { copier }: Placed): void {
    const root = this.roots.get(index);
    if (root !== undefined && !this.lists.has(index)) this.lone = written(root, copier);
  }

  /** Takes over the names of an input. */
  async gather(index: number, { copier }: Placed, pace: Pace): Promise<void> {
    const list = this.lists.get(index);
    if (list === undefined) return;
    this.lists.delete(index);
    const { output } = this;
    const held = this.destinations && !this.flat ? await holdLone(list, output.values, copier, pace) : undefined;
    takeOver(list, output, copier, held, this.renames.get(index));
  }

  /** The root in the output as text; undefined where there is nothing. */
  async write(writer: Writer): Promise<string | undefined> {
    const { lone, output } = this;
    if (lone !== undefined) return lone;
    if (output.count === 0) return undefined;
    if (!this.flat) return `${await writeList(writer, output)} 0 R`;
    const num = writer.allocate();
    writer.begin(num, false);
    writer.text('<<');
    for (let i = 0; i < output.count; i++) {
      writer.text(`/${encodeName(output.text(i))} `);
      output.writeValue(writer, i);
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

  constructor() {
    this.old = new Kind(true, true);
    this.kinds = new Map([['Dests', new Kind(false, true)]]);
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
        kind = new Kind(false, false);
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
      const lists = new Map(
        this.inputs.map(({ index }) => [index, kinds.flatMap((kind) => kind.lists.get(index) ?? [])] as const),
      );
      if (areDistinct([...lists.values()].flat())) continue;
      for (const own of lists.values()) for (const list of own) list.settle();
      const renames = renamesOf(lists);
      for (const kind of kinds) kind.renames = renames;
    }
  }

  /** Kinds that several inputs have. */
  private shared(): Kind[][] {
    // Viewers look up a destination in both places, whatever kind of name a link has: they are one set of names.
    const dests = this.kinds.get('Dests');
    const sets = [...this.kinds.values()].map((kind) => (kind === dests ? [kind, this.old] : [kind]));
    return sets.filter((kinds) => new Set(kinds.flatMap(({ roots }) => [...roots.keys()])).size > 1);
  }

  /** New names of an input's destinations, for the links to them; undefined where none changes. */
  destinations({ index }: Input): Renames | undefined {
    return this.old.renames.get(index);
  }

  /** Whether an input has names of a kind. */
  has(kind: string, index: number): boolean {
    return this.kinds.get(kind)?.roots.has(index) === true;
  }

  place({ index }: Input, placed: Placed): void {
    this.old.place(index, placed);
    for (const kind of this.kinds.values()) kind.place(index, placed);
  }

  /** To be called when all else that the input needs has been copied: then it is known what nothing but a name leads to. */
  async gather({ index }: Input, placed: Placed, pace: Pace): Promise<void> {
    await this.old.gather(index, placed, pace);
    for (const kind of this.kinds.values()) await kind.gather(index, placed, pace);
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
