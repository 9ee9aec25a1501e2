// Tags (logical structure, ISO 32000-1, 14.7) through a merge: one tree of all, with keys that stay apart. renaming.ts
// changes the keys on pages and annotations, and names inside the tags.
import { numberAt } from '../read/entries.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import { encodeName } from '../syntax/serialize.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../syntax/values.ts';
import type { Writer } from '../write/writer.ts';
import { equalValues } from './equal-values.ts';
import { checkCount, type Input, listOf, MAX_ITEMS, type Numbered, readOrLeave, valueText } from './input.ts';
import { type Leaf, leaves, type Node, readNames, writeNames, writeNodes } from './name-trees.ts';
import type { Changes } from './renaming.ts';
import { Unique } from './unique.ts';

interface Tree {
  readonly input: Input;
  readonly root: Dict;
  /** What the root holds: elements, one or several. */
  readonly kids: readonly Value[];
  /** Leaves of the parent tree, with their smallest and largest key. */
  readonly leaves: readonly { readonly leaf: Leaf; readonly first: number; readonly last: number }[];
  /** Added to the keys of the parent tree. */
  offset: number;
  /** How many keys it takes up. */
  readonly keys: number;
  changes: Changes;
  readonly ids: ReadonlyMap<string, Value>;
}

/** What maps a name to something in a document: roles and classes. */
class NameMap {
  private readonly known = new Map<string, { readonly input: Input; readonly value: Value }>();
  private readonly texts: string[] = [];
  private readonly pending = new Map<number, [string, Value][]>();

  /** Takes what an input maps; returns new names for those that mean something else already. */
  survey(input: Input, map: Dict | undefined): Map<string, string> {
    const renames = new Map<string, string>();
    const own: [string, Value][] = [];
    for (const [name, value] of map ?? []) {
      const other = this.known.get(name);
      if (other !== undefined && equalValues(other.input.file, other.value, input.file, value)) continue;
      let fresh = name;
      for (let number = input.index + 1; this.known.has(fresh); number++) fresh = `${name}_${number}`;
      if (fresh !== name) renames.set(name, fresh);
      this.known.set(fresh, { input, value });
      own.push([fresh, value]);
    }
    this.pending.set(input.index, own);
    return renames;
  }

  place({ index }: Input, { copier }: Numbered): void {
    for (const [name, value] of this.pending.get(index) ?? []) {
      this.texts.push(`/${encodeName(name)} ${valueText(value, copier)}`);
    }
  }

  write(key: string): string {
    return this.texts.length === 0 ? '' : `/${key}<<${this.texts.join('')}>>`;
  }
}

/** A map of roles in which each leads to the last one of its chain: what stands between may mean something else elsewhere. */
function withoutChains(file: PdfFile, map: Dict | undefined): Dict | undefined {
  if (map === undefined) return undefined;
  return new Dict(
    [...map].map(([role, value]) => {
      const passed = new Set([role]);
      let last = file.resolve(value);
      while (last instanceof Name && map.has(last.value) && !passed.has(last.value)) {
        passed.add(last.value);
        last = file.resolve(map.get(last.value));
      }
      return [role, last];
    }),
  );
}

/** Lists of the root that are joined as they are. */
const LISTS = ['Namespaces', 'PronunciationLexicon', 'AF'] as const;

export class Tags {
  private readonly inputs: Input[] = [];
  private readonly untagged: string[] = [];
  private readonly tagged = new Set<number>();
  private readonly trees = new Map<number, Tree>();
  private readonly writer: Writer;
  private readonly root: number;
  private nextKey = 0;
  private readonly roles = new NameMap();
  private readonly classes = new NameMap();
  private readonly kids: string[] = [];
  private readonly nodes: Node[] = [];
  private readonly direct: { readonly num: number; readonly text: string }[] = [];
  private readonly ids = new Map<string, string>();
  private readonly lists = new Map<string, string[]>(LISTS.map((key) => [key, []]));

  constructor(writer: Writer) {
    this.writer = writer;
    this.root = writer.allocate();
  }

  survey(input: Input): void {
    this.inputs.push(input);
    const kids = readOrLeave(input, 'tags', [], () => kidsOf(input, rootOf(input)));
    if (kids.length === 0) this.untagged.push(input.file.name);
    else this.tagged.add(input.index);
  }

  /** Whether the output is tagged: where one input is not, tags of the others would claim to tell of all pages. */
  get kept(): boolean {
    return this.untagged.length === 0;
  }

  /** Reads an input's keys and identifiers, where all inputs are tagged. Every input was surveyed before. */
  read(input: Input): void {
    if (!this.kept) return;
    const read = (): boolean => {
      this.trees.set(input.index, this.treeOf(input, rootOf(input)!));
      return true;
    };
    if (!readOrLeave(input, 'tags', false, read)) this.untagged.push(input.file.name);
  }

  private treeOf(input: Input, root: Dict): Tree {
    const { file } = input;
    const found: Tree['leaves'][number][] = [];
    let largest = -1;
    for (const leaf of leaves(file, root.get('ParentTree'), 'Nums', 'tags')) {
      const keys = leaf.list.filter((key, i) => i % 2 === 0 && typeof key === 'number' && Number.isInteger(key));
      if (keys.length === 0) continue;
      const first = keys.reduce<number>((least, key) => Math.min(least, Number(key)), Number.POSITIVE_INFINITY);
      const last = keys.reduce<number>((most, key) => Math.max(most, Number(key)), 0);
      largest = Math.max(largest, last);
      // Its list is read again when it is written: those of a large document do not fit beside each other.
      found.push({ leaf: leaf.ref === undefined ? leaf : { ...leaf, list: [] }, first, last });
    }
    checkCount(file, largest, 'tagged pages');
    const ids = readNames(file, root.get('IDTree'), 'tags');
    // Pages may have keys that lead to nothing; they must not lead to the next input's tags.
    const next = numberAt(file, root, 'ParentTreeNextKey') ?? 0;
    const keys = Math.max(largest + 1, Number.isInteger(next) && next <= MAX_ITEMS ? next : 0);
    return { input, root, kids: kidsOf(input, root), leaves: found, keys, offset: 0, changes: {}, ids };
  }

  /** Keeps apart keys, identifiers, roles and classes; returns what the person should know. */
  settle(): string[] {
    if (!this.kept) {
      if (this.untagged.length === this.inputs.length) return [];
      const names = this.untagged.length > 3 ? `${this.untagged.length} of the inputs` : this.untagged.join(', ');
      return [`tags are not kept: ${names} ${this.untagged.length === 1 ? 'has' : 'have'} none`];
    }
    const unique = new Unique('-');
    for (const [index, { ids }] of this.trees) unique.know(ids.keys(), index);
    for (const tree of this.trees.values()) {
      const { input, root, ids } = tree;
      tree.offset = this.nextKey;
      this.nextKey += tree.keys;
      tree.changes = {
        tagOffset: tree.offset,
        ids: unique.rename(ids.keys(), input.index),
        roles: this.roles.survey(input, withoutChains(input.file, input.file.dict(root.get('RoleMap')))),
        classes: this.classes.survey(input, input.file.dict(root.get('ClassMap'))),
      };
    }
    return [];
  }

  /** What changes inside the input's objects; undefined where nothing does. */
  changes({ index }: Input): Changes | undefined {
    if (this.kept) return this.trees.get(index)?.changes;
    return this.tagged.has(index) ? { untagged: true } : undefined;
  }

  place(input: Input, placed: Numbered): void {
    const tree = this.trees.get(input.index);
    if (tree === undefined || !this.kept) return;
    const { copier } = placed;
    const { root } = tree;
    const at = input.catalog.get('StructTreeRoot');
    // Elements name the root as their parent.
    if (at instanceof Ref) copier.assign(at.num, this.root);
    this.placeKids(tree, placed, at instanceof Ref);
    for (const node of tree.leaves) this.placeLeaf(tree, node, placed);
    for (const [id, value] of tree.ids) this.ids.set(tree.changes.ids?.get(id) ?? id, valueText(value, copier));
    this.roles.place(input, placed);
    this.classes.place(input, placed);
    for (const key of LISTS) {
      for (const item of listOf(input.file, root.get(key))) this.lists.get(key)!.push(valueText(item, copier));
    }
  }

  /** An element without a language has that of its document, which is no longer the output's where they differ. */
  private placeKids({ input, kids }: Tree, { copier }: Numbered, linked: boolean): void {
    const { file, catalog } = input;
    const language = file.resolve(catalog.get('Lang'));
    const first = this.inputs[0]!;
    const other =
      language instanceof PdfString && !equalValues(file, language, first.file, first.catalog.get('Lang') ?? null);
    for (const kid of kids) {
      if (kid instanceof Ref && (other || !linked)) {
        const values = new Map<string, string>();
        if (!linked) values.set('P', `${this.root} 0 R`);
        if (other && file.dict(kid)?.has('Lang') === false) values.set('Lang', valueText(language, copier));
        if (values.size > 0) copier.changes.set(kid.num, values);
      }
      this.kids.push(valueText(kid, copier));
    }
  }

  private placeLeaf(
    { input, offset }: Tree,
    { leaf, first, last }: Tree['leaves'][number],
    { copier }: Numbered,
  ): void {
    const limits = `[${first + offset} ${last + offset}]`;
    const shifted = (list: readonly Value[]): string => {
      const items = list.map((item, i) => {
        return i % 2 === 0 && typeof item === 'number' ? String(item + offset) : valueText(item, copier);
      });
      return `[${items.join(' ')}]`;
    };
    let num: number;
    if (leaf.ref === undefined) {
      num = copier.writer.allocate();
      this.direct.push({ num, text: `<</Limits${limits}/Nums${shifted(leaf.list)}>>` });
    } else {
      const { file } = input;
      const { ref } = leaf;
      num = copier.ref(ref.num);
      const nums = (): void => copier.writer.text(shifted(listOf(file, file.dict(ref)?.get('Nums'))));
      const values: [string, string | (() => void) | undefined][] = [
        ['Limits', limits],
        ['Kids', undefined],
      ];
      if (offset > 0) values.push(['Nums', nums]);
      copier.changes.set(ref.num, new Map(values));
    }
    this.nodes.push({ num, first: String(first + offset), last: String(last + offset) });
  }

  /** The catalog's entries; empty where the output is not tagged. */
  async write(): Promise<string> {
    const { writer } = this;
    if (!this.kept) return '';
    for (const { num, text } of this.direct) await writer.object(num, text);
    const ids = this.ids.size === 0 ? '' : `/IDTree ${await writeNames(writer, this.ids)} 0 R`;
    const parents = this.nodes.length === 0 ? '' : `/ParentTree ${await writeNodes(writer, this.nodes)} 0 R`;
    const lists = [...this.lists].map(([key, items]) => (items.length === 0 ? '' : `/${key}[${items.join(' ')}]`));
    const entries = [
      `/Type/StructTreeRoot/K[${this.kids.join(' ')}]`,
      `${parents}/ParentTreeNextKey ${this.nextKey}`,
      ids,
      this.roles.write('RoleMap'),
      this.classes.write('ClassMap'),
      ...lists,
    ];
    await writer.object(this.root, `<<${entries.join('')}>>`);
    return `/StructTreeRoot ${this.root} 0 R${this.marks()}`;
  }

  /** /MarkInfo: what holds for all inputs, and doubts of any. */
  private marks(): string {
    const infos = this.inputs.map(({ file, catalog }) => ({ file, info: file.dict(catalog.get('MarkInfo')) }));
    const marked = infos.every(({ file, info }) => file.resolve(info?.get('Marked')) === true);
    const doubts = ['UserProperties', 'Suspects'].filter((key) =>
      infos.some(({ file, info }) => file.resolve(info?.get(key)) === true),
    );
    return `/MarkInfo<</Marked ${marked}${doubts.map((key) => `/${key} true`).join('')}>>`;
  }
}

function rootOf({ file, catalog }: Input): Dict | undefined {
  return file.dict(catalog.get('StructTreeRoot'));
}

function kidsOf({ file }: Input, root: Dict | undefined): readonly Value[] {
  const kids = root?.get('K');
  const found = file.resolve(kids);
  if (Array.isArray(found)) return found.filter((kid) => kid instanceof Ref || kid instanceof Dict);
  return found instanceof Dict ? [kids!] : [];
}
