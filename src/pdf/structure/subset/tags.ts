// Tags of picked pages: the elements their content belongs to, and above these what they stand in. The pages find them
// under the keys they had.

import type { Copier } from '../../copy/copier.ts';
import type { ObjectChange } from '../../copy/new-entries.ts';
import { greatest } from '../../long-lists.ts';
import { nameAt } from '../../read/entries.ts';
import { Dict, PdfString, Ref, type Value } from '../../syntax/values.ts';
import { WATCHED } from '../../syntax/watched-names.ts';
import { checkCount, type Input, listOf, valueText } from '../input.ts';
import { leaves, type Node, nameOf, writeNames, writeNodes } from '../name-trees.ts';

interface Leaf {
  readonly ref: Ref | undefined;
  readonly list: readonly Value[];
  readonly keys: readonly number[];
}

/** Collects the keys of all that is copied: pages, annotations, forms, images. */
export class Keys implements ObjectChange {
  readonly names = WATCHED.StructParent;
  readonly found = new Set<number>();
  private readonly copier: Copier;

  constructor(copier: Copier) {
    this.copier = copier;
  }

  change(num: number): undefined {
    this.collect(this.copier.file.object(num));
  }

  private collect(value: Value): void {
    if (Array.isArray(value)) for (const item of value) this.collect(item);
    if (!(value instanceof Dict)) return;
    for (const [key, item] of value) {
      const found = key === 'StructParent' || key === 'StructParents' ? this.copier.file.resolve(item) : undefined;
      if (typeof found === 'number') this.found.add(found);
      else this.collect(item);
    }
  }
}

export class PickedTags {
  private readonly input: Input;
  private readonly root: Dict | undefined;
  private readonly leaves: Leaf[] = [];

  constructor(input: Input) {
    const { file, catalog } = input;
    this.input = input;
    this.root = file.dict(catalog.get('StructTreeRoot'));
    for (const { list, ref } of leaves(file, this.root?.get('ParentTree'), 'Nums', 'tags')) {
      const keys = list.filter((key, i) => i % 2 === 0 && typeof key === 'number').map(Number);
      this.leaves.push({ ref, list: ref === undefined ? list : [], keys });
    }
  }

  get any(): boolean {
    return this.leaves.length > 0;
  }

  /** Plans the elements of the keys; what they lead to is copied after this. Returns the catalog's entries. */
  async copy(keys: ReadonlySet<number>, copier: Copier): Promise<string> {
    const { file, catalog } = this.input;
    const { root } = this;
    if (root === undefined) return '';
    const parents = this.parentsOf(keys);
    if (parents.size === 0) return '';
    const kept = this.elements(parents);
    const { writer } = copier;
    const number = writer.allocate();
    const at = catalog.get('StructTreeRoot');
    if (at instanceof Ref) copier.assign(at.num, number);
    const ids = new Map<string, string>();
    for (const [num, dict] of kept) {
      const values = new Map<string, string | undefined>([['K', this.kidsOf(dict, kept, copier)]]);
      // Elements elsewhere are not part of the output; one of them would bring all below it along.
      values.set('Ref', undefined);
      if (dict.get('Pg') instanceof Ref && !copied(dict.get('Pg'), copier)) values.set('Pg', undefined);
      if (!kept.has(numOf(dict.get('P')))) values.set('P', `${number} 0 R`);
      copier.changes.set(num, values);
      const id = file.resolve(dict.get('ID'));
      if (id instanceof PdfString) ids.set(nameOf(id), valueText(new Ref(num, 0), copier));
    }
    const tops = rootKids(file.resolve(root.get('K')), root.get('K')).filter((kid) => kept.has(numOf(kid)));
    const entries = [`/Type/StructTreeRoot/K[${tops.map((kid) => valueText(kid, copier)).join(' ')}]`];
    const nodes = await this.writeParents(parents, copier);
    entries.push(
      `/ParentTree ${await writeNodes(writer, nodes)} 0 R/ParentTreeNextKey ${greatest(parents.keys()) + 1}`,
    );
    if (ids.size > 0) entries.push(`/IDTree ${await writeNames(writer, ids)} 0 R`);
    for (const key of ['RoleMap', 'ClassMap', 'Namespaces']) {
      const value = root.get(key);
      if (value !== undefined) entries.push(`/${key} ${valueText(value, copier)}`);
    }
    await writer.object(number, `<<${entries.join('')}>>`);
    const marks = catalog.get('MarkInfo');
    return `/StructTreeRoot ${number} 0 R${marks === undefined ? '' : `/MarkInfo ${valueText(marks, copier)}`}`;
  }

  /** What the parent tree has under the keys, in their order. */
  private parentsOf(keys: ReadonlySet<number>): Map<number, Value> {
    const { file } = this.input;
    const found: [number, Value][] = [];
    for (const { ref, list, keys: own } of this.leaves) {
      if (!own.some((key) => keys.has(key))) continue;
      const items = ref === undefined ? list : listOf(file, file.dict(ref)?.get('Nums'));
      for (let i = 0; i + 1 < items.length; i += 2) {
        const key = items[i];
        if (typeof key === 'number' && keys.has(key)) found.push([key, items[i + 1]!]);
      }
    }
    return new Map(found.sort(([a], [b]) => a - b));
  }

  /** The elements that own content of the pages, and those above them, by object. */
  private elements(parents: ReadonlyMap<number, Value>): Map<number, Dict> {
    const { file, catalog } = this.input;
    const top = numOf(catalog.get('StructTreeRoot'));
    const kept = new Map<number, Dict>();
    for (const value of parents.values()) {
      const list = file.resolve(value);
      for (const item of Array.isArray(list) ? list : [value]) {
        let next: Value | undefined = item;
        while (next instanceof Ref && next.num !== top && !kept.has(next.num)) {
          const dict = file.dict(next);
          if (dict === undefined || !dict.has('S')) break;
          kept.set(next.num, dict);
          checkCount(file, kept.size, 'tags');
          next = dict.get('P');
        }
      }
    }
    return kept;
  }

  /** /K with what stays: elements kept, content of the pages, objects copied. */
  private kidsOf(element: Dict, kept: ReadonlyMap<number, Dict>, copier: Copier): string | undefined {
    const { file } = this.input;
    const kids = element.get('K');
    const list = file.resolve(kids);
    const here = element.get('Pg') === undefined || copied(element.get('Pg'), copier);
    const stay = (Array.isArray(list) ? list : [kids ?? null]).filter((kid) => {
      if (kept.has(numOf(kid))) return true;
      const found = file.resolve(kid);
      if (typeof found === 'number') return here;
      if (!(found instanceof Dict) || found.has('S')) return false;
      if (nameAt(file, found, 'Type') === 'OBJR') return copied(found.get('Obj'), copier);
      return found.has('Pg') ? copied(found.get('Pg'), copier) : here;
    });
    return stay.length === 0 ? undefined : `[${stay.map((kid) => valueText(kid, copier)).join(' ')}]`;
  }

  private async writeParents(parents: ReadonlyMap<number, Value>, copier: Copier): Promise<Node[]> {
    const { writer } = copier;
    const nodes: Node[] = [];
    const entries = [...parents];
    for (let i = 0; i < entries.length; i += 64) {
      const part = entries.slice(i, i + 64);
      const first = String(part[0]![0]);
      const last = String(part.at(-1)![0]);
      const num = writer.allocate();
      const texts = part.map(([key, value]) => `${key} ${valueText(value, copier)}`);
      await writer.object(num, `<</Limits[${first} ${last}]/Nums[${texts.join(' ')}]>>`);
      nodes.push({ num, first, last });
    }
    return nodes;
  }
}

function rootKids(found: Value, kids: Value | undefined): readonly Value[] {
  return Array.isArray(found) ? found : [kids ?? null];
}

function numOf(value: Value | undefined): number {
  return value instanceof Ref ? value.num : -1;
}

function copied(value: Value | undefined, { map }: Copier): boolean {
  return value instanceof Ref && (map[value.num] ?? 0) > 0;
}
