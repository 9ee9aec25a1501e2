// Owns what a document finds by name (ISO 32000-1, 7.7.4): destinations, attachments, scripts and the like, through a
// merge. Knows nothing of what the names lead to.
import type { PdfFile } from '../file/reader.ts';
import { encodeName } from '../file/serialize.ts';
import { Dict, Ref, type Value } from '../file/values.ts';
import type { Writer } from '../file/writer.ts';
import { checkCount, type Input, type Placed, salvage, written } from './input.ts';
import { readNames, writeNames } from './trees.ts';
import { Unique } from './unique.ts';

type Renames = ReadonlyMap<string, string>;

/** One kind of names: those of the inputs, and the entries of the output. */
class Kind {
  /** What each input has: the root of its tree or, for the old kind of destinations, a dictionary. */
  readonly roots = new Map<number, Value>();
  private readonly entries = new Map<number, ReadonlyMap<string, Value>>();
  private readonly renames = new Map<number, Renames>();
  private readonly output = new Map<string, string>();
  private lone: string | undefined;
  private readonly flat: boolean;
  private readonly destinations: boolean;

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
    const read = () => (this.flat ? (file.dict(root) ?? new Dict()) : readNames(file, root, 'names'));
    const entries = salvage<Map<string, Value>>(input, 'names', new Dict(), () => {
      const found = read();
      if (this.destinations) dropDead(file, found);
      return found;
    });
    checkCount(file, entries.size, 'names');
    this.entries.set(index, entries);
  }

  namesOf(index: number): Iterable<string> {
    return this.entries.get(index)?.keys() ?? [];
  }

  rename(index: number, renames: Renames): void {
    this.renames.set(index, renames);
  }

  place(index: number, { copier }: Placed): void {
    const root = this.roots.get(index);
    if (root === undefined) return;
    const entries = this.entries.get(index);
    if (entries === undefined) {
      this.lone = written(root, copier);
      return;
    }
    const renames = this.renames.get(index);
    for (const [name, value] of entries) this.output.set(renames?.get(name) ?? name, written(value, copier));
    // The values of this input are text now; there may be many of them.
    this.entries.delete(index);
  }

  /** The root in the output as text; undefined where there is nothing. */
  async write(writer: Writer): Promise<string | undefined> {
    if (this.lone !== undefined) return this.lone;
    if (this.output.size === 0) return undefined;
    if (!this.flat) return `${await writeNames(writer, this.output)} 0 R`;
    const num = writer.allocate();
    const pairs = [...this.output].map(([name, value]) => `/${encodeName(name)} ${value}`);
    await writer.object(num, `<<${pairs.join('')}>>`);
    return `${num} 0 R`;
  }
}

export class Names {
  private readonly inputs: Input[] = [];
  /** Destinations of PDF 1.1, whose names are name objects. */
  private readonly old = new Kind(true, true);
  private readonly kinds = new Map<string, Kind>([['Dests', new Kind(false, true)]]);
  private readonly renamed = new Map<number, Renames>();

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
      const unique = new Unique('-');
      for (const { index } of this.inputs) for (const kind of kinds) unique.know(kind.namesOf(index), index);
      for (const { index } of this.inputs) {
        const renames = new Map<string, string>();
        for (const kind of kinds) unique.rename(kind.namesOf(index), index, renames);
        if (renames.size === 0) continue;
        for (const kind of kinds) kind.rename(index, renames);
        if (kinds.includes(this.old)) this.renamed.set(index, renames);
      }
    }
  }

  /** Kinds that several inputs have. */
  private shared(): Kind[][] {
    const dests = this.kinds.get('Dests');
    // Viewers look up a destination in both places, whatever kind of name a link has: they are one set of names.
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
function dropDead(file: PdfFile, destinations: Map<string, Value>): void {
  const dead = new Map<number, boolean>();
  const isDead = (value: Value): boolean => {
    const found = file.resolve(value);
    const list = found instanceof Dict ? file.resolve(found.get('D')) : found;
    const page = Array.isArray(list) ? list[0] : undefined;
    if (!(page instanceof Ref)) return page === null;
    let gone = dead.get(page.num);
    if (gone === undefined) {
      gone = file.object(page.num) === null;
      dead.set(page.num, gone);
    }
    return gone;
  };
  const values = [...destinations.values()];
  const step = Math.ceil(values.length / SAMPLE);
  if (!values.some((value, i) => i % step === 0 && isDead(value))) return;
  for (const [name, value] of destinations) if (isDead(value)) destinations.delete(name);
}
