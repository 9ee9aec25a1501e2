// Merges the tags of several inputs into one tree (logical structure, ISO 32000-1, 14.7).
//
// In: the inputs, surveyed, then read. Out: one root whose kids are those of all inputs, and one parent tree in which
// the keys of each input are raised by an offset. renaming.ts changes the keys on pages and annotations and the names
// inside the tags to match. Where pages are picked, the elements that own their content stay, with their ancestors and
// empty kids, and links to other elements lead nowhere.
// Invariant: the elements of marked content are found by the same key as before, plus the offset. All inputs must be
// tagged, or the output has no tags: it must not be marked as tagged when pages lack tags. Cost: the leaves of the
// parent trees are copied whole; elements are visited only where pages are picked or identifiers collide.
import { type Copier, DROPPED } from '../file/copy/copier.ts';
import { listOf, nameAt, numberAt } from '../file/read/entries.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Writer } from '../file/write/writer.ts';
import { encodeName } from '../syntax/serialize.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../syntax/values.ts';
import { equalValues } from './equal-values.ts';
import { checkCount, type Input, MAX_ITEMS, type Numbered, readOnce, readOrLeave, valueText } from './input.ts';
import { type Leaf, leaves, type Node, nameKey, readNames, writeNames, writeNodes } from './name-trees.ts';
import type { Renamings } from './renaming.ts';
import { Unique } from './unique.ts';

/** A leaf of the parent tree, with its smallest and largest key. */
interface ParentLeaf {
  readonly leaf: Leaf;
  readonly first: number;
  readonly last: number;
}

interface SourceTags {
  readonly root: Dict;
  readonly kids: readonly Value[];
  readonly leaves: readonly ParentLeaf[];
  /** The number of keys it takes. */
  readonly keys: number;
}

interface Tree extends SourceTags {
  readonly input: Input;
  /** Elements by identifier; left out where identifiers cannot collide. */
  readonly ids: ReadonlyMap<string, Value>;
  /** Added to the keys of the parent tree. */
  offset: number;
  changes: Renamings;
}

const PER_LEAF = 64;

/** Merges role maps or class maps. */
class NameMap {
  private readonly known = new Map<string, { readonly input: Input; readonly value: Value }>();
  private readonly texts: string[] = [];
  private readonly pending = new Map<number, [string, Value][]>();

  /** Adds the map of an input; returns new names for those that already mean something else. */
  survey(input: Input, map: Dict | undefined): Map<string, string> {
    const renames = new Map<string, string>();
    const entries: [string, Value][] = [];
    for (const [name, value] of map ?? []) {
      const other = this.known.get(name);
      if (other !== undefined && equalValues(other.input.file, other.value, input.file, value)) continue;
      let fresh = name;
      for (let number = input.index + 1; this.known.has(fresh); number++) fresh = `${name}_${number}`;
      if (fresh !== name) renames.set(name, fresh);
      this.known.set(fresh, { input, value });
      entries.push([fresh, value]);
    }
    this.pending.set(input.index, entries);
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

/** A role map in which each role leads to the end of its chain: roles between may mean something else elsewhere. */
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

const NEW_NAMESPACE = 'http://iso.org/pdf2/ssn';

/** Lists of the root that are joined as they are. */
const LISTS = ['Namespaces', 'PronunciationLexicon', 'AF'] as const;

export class Tags {
  private readonly inputs: Input[] = [];
  private readonly untagged: string[] = [];
  private readonly tagged = new Set<number>();
  private readonly trees = new Map<number, Tree>();
  private readonly writer: Writer;
  private number: number | undefined;
  /** The number of one Document above those of the inputs, and its namespace. */
  private above: number | undefined;
  private namespace: string | undefined;
  private nextKey = 0;
  private readonly roles = new NameMap();
  private readonly classes = new NameMap();
  private readonly kids: string[] = [];
  private readonly nodes: Node[] = [];
  private readonly direct: { readonly num: number; readonly text: string }[] = [];
  private readonly ids = new Map<string, string>();
  private readonly lists = new Map<(typeof LISTS)[number], string[]>(LISTS.map((key) => [key, []]));

  /** `root`: the number of the tree's root; left out, one is allocated when there are tags. */
  constructor(writer: Writer, root: number | undefined) {
    this.writer = writer;
    this.number = root;
  }

  private get root(): number {
    this.number ??= this.writer.allocate();
    return this.number;
  }

  private get parent(): number {
    return this.above ?? this.root;
  }

  survey(input: Input): void {
    this.inputs.push(input);
    if (readOnce(input, readKids).length === 0) this.untagged.push(input.file.name);
    else this.tagged.add(input.index);
  }

  /** Whether the output is tagged: it must not be marked as tagged when pages lack tags. */
  get kept(): boolean {
    return this.untagged.length === 0;
  }

  /** Reads an input's keys and identifiers, where all inputs are tagged. Every input was surveyed before. */
  read(input: Input): void {
    if (!this.kept) return;
    const tags = readOnce(input, readTags);
    // Of picked pages, only the identifiers of remaining elements are kept.
    const isAlone = input.picked !== undefined && this.inputs.length === 1;
    const ids = isAlone ? new Map<string, Value>() : readOnce(input, readIds);
    if (tags === undefined || ids === undefined) this.untagged.push(input.file.name);
    else this.trees.set(input.index, { ...tags, input, ids, offset: 0, changes: {} });
  }

  /** Resolves collisions of keys, identifiers, roles and classes; returns warnings. */
  settle(): string[] {
    if (!this.kept) {
      if (this.untagged.length === this.inputs.length) return [];
      const names = this.untagged.length > 3 ? `${this.untagged.length} of the inputs` : this.untagged.join(', ');
      return [`tags are not kept: ${names} ${this.untagged.length === 1 ? 'has' : 'have'} none`];
    }
    // PDF 2.0 has a single Document below the root (ISO 32000-2, annex L).
    const trees = [...this.trees.values()];
    const isNew = ({ input, kids }: Tree): boolean => kids.every((kid) => isNewDocument(input.file, kid));
    if (trees.length > 1 && trees.every(isNew)) this.above = this.writer.allocate();
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

  has({ index }: Input): boolean {
    return this.kept && this.trees.has(index);
  }

  /** The changes inside the input's objects; undefined where there are none. */
  changes({ index }: Input): Renamings | undefined {
    if (this.kept) return this.trees.get(index)?.changes;
    return this.tagged.has(index) ? { untagged: true } : undefined;
  }

  place(input: Input, placed: Numbered): void {
    const tree = this.trees.get(input.index);
    if (tree === undefined || !this.kept) return;
    const { copier } = placed;
    const at = input.catalog.get('StructTreeRoot');
    // Elements name the root as their parent. Where pages are picked, it is known later whether any element stays.
    if (input.picked !== undefined) {
      if (at instanceof Ref && copier.map[at.num] === 0) copier.assign(at.num, DROPPED);
      return;
    }
    if (at instanceof Ref) copier.assign(at.num, this.parent);
    this.placeKids(tree, placed, at instanceof Ref);
    for (const node of tree.leaves) this.placeLeaf(tree, node, placed);
    for (const [id, value] of tree.ids) this.ids.set(tree.changes.ids?.get(id) ?? id, valueText(value, copier));
    this.placeMaps(tree, placed);
  }

  private placeMaps({ input, root, kids }: Tree, placed: Numbered): void {
    if (this.above !== undefined) {
      this.namespace ??= valueText(input.file.dict(kids[0])?.get('NS') ?? null, placed.copier);
    }
    this.roles.place(input, placed);
    this.classes.place(input, placed);
    for (const [key, items] of this.lists) {
      for (const item of listOf(input.file, root.get(key))) items.push(valueText(item, placed.copier));
    }
  }

  /** An element without a language inherits that of its document, which is set on it where the output's differs. */
  private placeKids({ input, kids }: Tree, { copier }: Numbered, linked: boolean): void {
    const { file } = input;
    const language = this.otherLanguage(input);
    for (const kid of kids) {
      if (kid instanceof Ref && (language !== undefined || !linked)) {
        const values = new Map<string, string>();
        if (!linked) values.set('P', `${this.parent} 0 R`);
        if (language !== undefined && file.dict(kid)?.has('Lang') === false) {
          values.set('Lang', valueText(language, copier));
        }
        if (values.size > 0) copier.changes.set(kid.num, values);
      }
      this.kids.push(valueText(kid, copier));
    }
  }

  /** The language of an input, where it is not that of the output, which is the first input's. */
  private otherLanguage({ file, catalog }: Input): PdfString | undefined {
    const language = file.resolve(catalog.get('Lang'));
    const [first] = this.inputs;
    if (!(language instanceof PdfString) || first === undefined) return undefined;
    const isSame = equalValues(file, language, first.file, first.catalog.get('Lang') ?? null);
    return isSame ? undefined : language;
  }

  /** Takes over the tags of picked pages: the elements of `keys`. What these refer to is copied afterwards. */
  async finish(input: Input, placed: Numbered, keys: ReadonlySet<number>): Promise<void> {
    const tree = this.trees.get(input.index);
    const { copier } = placed;
    if (tree === undefined || input.picked === undefined || !this.kept) {
      await copier.release(() => false);
      return;
    }
    const { file } = input;
    const parents = parentsOf(tree, keys);
    const kept = elementsOf(input, parents);
    keepEmpty(file, kept, copier);
    await copier.release((num) => kept.has(num));
    if (parents.size === 0) return;
    const at = input.catalog.get('StructTreeRoot');
    if (at instanceof Ref) copier.assign(at.num, this.parent);
    const language = this.otherLanguage(input);
    for (const [num, dict] of kept) {
      const stays = (kid: Value): boolean => staysBelow(dict, kid, kept, copier);
      // Elements elsewhere are not part of the output; a reference would bring along all below them.
      const refs = listOf(file, dict.get('Ref')).filter((other) => kept.has(numOf(other)));
      const values = new Map<string, string | undefined>([
        ['K', listText(kidsIn(file, dict).filter(stays), copier)],
        ['Ref', listText(refs, copier)],
      ]);
      if (dict.get('Pg') instanceof Ref && !isCopied(dict.get('Pg'), copier)) values.set('Pg', undefined);
      if (!kept.has(numOf(dict.get('P')))) {
        values.set('P', `${this.parent} 0 R`);
        if (language !== undefined && !dict.has('Lang')) values.set('Lang', valueText(language, copier));
      }
      copier.plan(num, values);
      const id = file.resolve(dict.get('ID'));
      if (!(id instanceof PdfString)) continue;
      const name = nameKey(id);
      this.ids.set(tree.changes.ids?.get(name) ?? name, valueText(new Ref(num, 0), copier));
    }
    for (const kid of tree.kids) if (kept.has(numOf(kid))) this.kids.push(valueText(kid, copier));
    await this.writeParents(parents, tree.offset, copier);
    this.placeMaps(tree, placed);
  }

  private async writeParents(parents: ReadonlyMap<number, Value>, offset: number, copier: Copier): Promise<void> {
    const entries = [...parents].map(([key, value]) => [key + offset, value] as const);
    for (let i = 0; i < entries.length; i += PER_LEAF) {
      const part = entries.slice(i, i + PER_LEAF);
      const [first, last] = [String(part[0]?.[0]), String(part.at(-1)?.[0])];
      const num = this.writer.allocate();
      const texts = part.map(([key, value]) => `${key} ${valueText(value, copier)}`);
      await this.writer.object(num, `<</Limits[${first} ${last}]/Nums[${texts.join(' ')}]>>`);
      this.nodes.push({ num, first, last });
    }
  }

  private placeLeaf({ input, offset }: Tree, { leaf, first, last }: ParentLeaf, { copier }: Numbered): void {
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
      const values = { Limits: limits, Kids: undefined, ...(offset > 0 && { Nums: nums }) };
      copier.changes.set(ref.num, new Map(Object.entries(values)));
    }
    this.nodes.push({ num, first: String(first + offset), last: String(last + offset) });
  }

  async write(): Promise<string> {
    const { writer } = this;
    // It may turn out that no picked page is tagged.
    if (!this.kept || this.kids.length === 0) return '';
    for (const { num, text } of this.direct) await writer.object(num, text);
    const ids = this.ids.size === 0 ? '' : `/IDTree ${await writeNames(writer, this.ids)} 0 R`;
    const parents = this.nodes.length === 0 ? '' : `/ParentTree ${await writeNodes(writer, this.nodes)} 0 R`;
    const lists = [...this.lists].map(([key, items]) => (items.length === 0 ? '' : `/${key}[${items.join(' ')}]`));
    const kids = `/K[${this.kids.join(' ')}]`;
    if (this.above !== undefined) {
      const document = `<</Type/StructElem/S/Document/NS ${this.namespace}/P ${this.root} 0 R${kids}>>`;
      await writer.object(this.above, document);
    }
    const entries = [
      `/Type/StructTreeRoot${this.above === undefined ? kids : `/K[${this.above} 0 R]`}`,
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

function readKids(input: Input): readonly Value[] {
  return readOrLeave(input, 'tags', [], () => kidsOf(input, rootOf(input)));
}

function kidsOf({ file }: Input, root: Dict | undefined): readonly Value[] {
  const kids = root?.get('K') ?? null;
  const target = file.resolve(kids);
  if (Array.isArray(target)) return target.filter((kid) => kid instanceof Ref || kid instanceof Dict);
  return target instanceof Dict ? [kids] : [];
}

function readIds(input: Input): ReadonlyMap<string, Value> | undefined {
  return readOrLeave(input, 'tags', undefined, () => readNames(input.file, rootOf(input)?.get('IDTree'), 'tags'));
}

function readTags(input: Input): SourceTags | undefined {
  return readOrLeave(input, 'tags', undefined, () => {
    const root = rootOf(input);
    if (root === undefined) return undefined;
    const { file } = input;
    const all: ParentLeaf[] = [];
    let largest = -1;
    for (const leaf of leaves(file, root.get('ParentTree'), 'Nums', 'tags')) {
      const keys = leaf.list.filter((key, i) => i % 2 === 0 && typeof key === 'number' && Number.isInteger(key));
      if (keys.length === 0) continue;
      const first = keys.reduce<number>((least, key) => Math.min(least, Number(key)), Number.POSITIVE_INFINITY);
      const last = keys.reduce<number>((most, key) => Math.max(most, Number(key)), 0);
      largest = Math.max(largest, last);
      // Its list is read again when it is written: all lists of a large document do not fit in memory together.
      all.push({ leaf: leaf.ref === undefined ? leaf : { ...leaf, list: [] }, first, last });
    }
    checkCount(file, largest, 'tagged pages');
    // Pages may have keys that lead nowhere; they must not lead to the next input's tags.
    const next = numberAt(file, root, 'ParentTreeNextKey') ?? 0;
    const keys = Math.max(largest + 1, Number.isInteger(next) && next <= MAX_ITEMS ? next : 0);
    return { root, kids: kidsOf(input, root), leaves: all, keys };
  });
}

/** The entries of the parent tree for these keys, in order. */
function parentsOf({ input: { file }, leaves }: Tree, keys: ReadonlySet<number>): Map<number, Value> {
  const sorted = [...keys].sort((a, b) => a - b);
  const pairs: [number, Value][] = [];
  for (const { leaf, first, last } of leaves) {
    if (!sorted.some((key) => key >= first && key <= last)) continue;
    const items = leaf.ref === undefined ? leaf.list : listOf(file, file.dict(leaf.ref)?.get('Nums'));
    for (let i = 0; i + 1 < items.length; i += 2) {
      const [key, value = null] = [items[i], items[i + 1]];
      if (typeof key === 'number' && keys.has(key)) pairs.push([key, value]);
    }
  }
  return new Map(pairs.sort(([a], [b]) => a - b));
}

/** The elements that own content of the pages, and their ancestors, by object. */
function elementsOf({ file, catalog }: Input, parents: ReadonlyMap<number, Value>): Map<number, Dict> {
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

/** Adds empty elements, such as cells of tables, below those whose content stays as a whole. */
function keepEmpty(file: PdfFile, kept: Map<number, Dict>, copier: Copier): void {
  const known = new Map<number, boolean>();
  // The loop also visits elements that it adds.
  for (const element of kept.values()) {
    const kids = kidsIn(file, element);
    const stays = (kid: Value): boolean => staysBelow(element, kid, kept, copier);
    if (!kids.every((kid) => stays(kid) || isEmpty(file, kid, known))) continue;
    for (const kid of kids) {
      const dict = known.get(numOf(kid)) === true ? file.dict(kid) : undefined;
      if (dict !== undefined) kept.set(numOf(kid), dict);
    }
    checkCount(file, kept.size, 'tags');
  }
}

/** Deeper elements are not taken for empty: cells hold a paragraph or two levels of a list. */
const MOST_EMPTY = 16;

/** Whether it is an element without content. `known`: of elements that were looked at before. */
function isEmpty(file: PdfFile, kid: Value, known: Map<number, boolean>, depth = 0): boolean {
  const dict = file.dict(kid);
  if (!(kid instanceof Ref) || dict?.has('S') !== true || depth === MOST_EMPTY) return false;
  const before = known.get(kid.num);
  if (before !== undefined) return before;
  known.set(kid.num, false);
  const found = kidsIn(file, dict).every((below) => isEmpty(file, below, known, depth + 1));
  known.set(kid.num, found);
  return found;
}

function kidsIn(file: PdfFile, element: Dict): readonly Value[] {
  const kids = element.get('K') ?? null;
  const list = file.resolve(kids);
  if (Array.isArray(list)) return list;
  return list === null ? [] : [kids];
}

/** Whether a kid is a kept element, content of the pages or a copied object. */
function staysBelow(element: Dict, kid: Value, kept: ReadonlyMap<number, Dict>, copier: Copier): boolean {
  const { file } = copier;
  if (kept.has(numOf(kid))) return true;
  const target = file.resolve(kid);
  const isHere = element.get('Pg') === undefined || isCopied(element.get('Pg'), copier);
  if (typeof target === 'number') return isHere;
  if (!(target instanceof Dict) || target.has('S')) return false;
  if (nameAt(file, target, 'Type') === 'OBJR') return isCopied(target.get('Obj'), copier);
  return target.has('Pg') ? isCopied(target.get('Pg'), copier) : isHere;
}

function listText(items: readonly Value[], copier: Copier): string | undefined {
  return items.length === 0 ? undefined : `[${items.map((item) => valueText(item, copier)).join(' ')}]`;
}

function isNewDocument(file: PdfFile, element: Value): boolean {
  const dict = file.dict(element);
  const name = file.resolve(file.dict(dict?.get('NS'))?.get('NS'));
  return nameAt(file, dict, 'S') === 'Document' && name instanceof PdfString && nameKey(name) === NEW_NAMESPACE;
}

function numOf(value: Value | undefined): number {
  return value instanceof Ref ? value.num : -1;
}

function isCopied(value: Value | undefined, { map }: Copier): boolean {
  return value instanceof Ref && (map[value.num] ?? 0) > 0;
}
