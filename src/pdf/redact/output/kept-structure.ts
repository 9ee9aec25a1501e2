// Rebuilds what an output keeps besides pages: title, language, bookmarks and tags that hold nothing secret.

import { listOf } from '../../file/read/entries.ts';
import { bookmarksOf } from '../../structure/bookmarks.ts';
import { destinationsOf } from '../../structure/destination-pages.ts';
import type { Input } from '../../structure/input.ts';
import { outlineLinks } from '../../structure/outline-links.ts';
import { Damage } from '../../syntax/damage.ts';
import { Dict, dictOf, Name, PdfString, Ref, type Value } from '../../syntax/values.ts';
import { name, type OutputDocument } from '../objects/output-document.ts';
import { STANDARD_NAMES } from '../objects/standard-names.ts';

/** How much of a part was kept, and how much was dropped because it may reveal something. */
export interface KeptPart {
  readonly part: 'title' | 'language' | 'bookmarks' | 'tags' | 'fields';
  readonly kept: number;
  readonly left: number;
}

interface KeptPage {
  readonly ref: Ref;
  /** Marked content by MCID: whether part of it was removed. */
  readonly marked: ReadonlyMap<number, boolean>;
}

export interface StructureCopy {
  readonly input: Input;
  readonly output: OutputDocument;
  readonly pages: readonly KeptPage[];
  /** Kept annotations: object number in the source to reference in the output. */
  readonly annotations: ReadonlyMap<number, Ref>;
  /** Whether a value, and a text in it, may stay. */
  readonly keeps: (value: Value) => boolean;
}

const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i;
const MOST_DEPTH = 200;

/** Entries for the catalog, the title for the document information, and counts. */
export function keepStructure(keeping: StructureCopy): {
  readonly entries: Record<string, Value | undefined>;
  readonly title: Value | undefined;
  readonly parts: KeptPart[];
} {
  const { file, catalog } = keeping.input;
  const entries: Record<string, Value | undefined> = {};
  const parts: KeptPart[] = [];
  const note = (part: KeptPart['part'], all: number, kept: number) => {
    if (all > 0) parts.push({ part, kept, left: all - kept });
  };
  const given = file.resolve(file.dict(file.xref.trailer.get('Info'))?.get('Title'));
  const hasTitle = given instanceof PdfString && given.bytes.length > 0;
  const title = hasTitle && keeping.keeps(given) ? given : undefined;
  note('title', hasTitle ? 1 : 0, title === undefined ? 0 : 1);
  const language = file.resolve(catalog.get('Lang'));
  if (language instanceof PdfString && LANGUAGE.test(Buffer.from(language.bytes).toString('latin1'))) {
    if (keeping.keeps(language)) entries.Lang = language;
    note('language', 1, entries.Lang === undefined ? 0 : 1);
  }
  try {
    const bookmarks = keepBookmarks(keeping);
    entries.Outlines = bookmarks.root;
    note('bookmarks', bookmarks.all, bookmarks.kept);
    const tags = new TagCopy(keeping);
    entries.StructTreeRoot = tags.copy();
    if (entries.StructTreeRoot !== undefined) entries.MarkInfo = dictOf({ Marked: true });
    note('tags', tags.all, tags.kept);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
  }
  return { entries, title, parts };
}

interface KeptBookmark {
  readonly ref: Ref;
  readonly title: PdfString;
  readonly above: KeptBookmark | undefined;
  readonly page: Ref | undefined;
}

/** Bookmarks with the pages they lead to. Children of a dropped one move up to its place. */
function keepBookmarks({ input, output, pages, keeps }: StructureCopy) {
  const destinations = destinationsOf(input);
  const root = output.reserve();
  const items: (KeptBookmark | undefined)[] = [];
  for (const { dict, parent } of bookmarksOf(input)) {
    const above = items[parent];
    const title = input.file.resolve(dict.get('Title'));
    const page = destinations.pageOf(dict.get('Dest')) ?? destinations.pageOfAction(dict.get('A'));
    const isKept = title instanceof PdfString && keeps(title);
    items.push(isKept ? { ref: output.reserve(), title, above, page: pages[page ?? -1]?.ref } : above);
  }
  const kept = [...new Set(items)].filter((item) => item !== undefined);
  const links = outlineLinks(kept, ({ above }) => ({ parent: above, closed: true }));
  for (const [item, { previous, next, first, last, count }] of links) {
    const dest = item?.page && [item.page, name('Fit')];
    const own = item ? { Title: item.title, Parent: item.above?.ref ?? root, Dest: dest } : { Type: name('Outlines') };
    const beside = { Prev: previous?.ref, Next: next?.ref, First: first?.ref, Last: last?.ref };
    output.set(item?.ref ?? root, dictOf({ ...own, ...beside, Count: count === 0 ? undefined : count }));
  }
  return { root: kept.length === 0 ? undefined : root, all: items.length, kept: kept.length };
}

interface KeptKids {
  readonly refs: Value[];
  readonly changed: boolean;
  readonly isEmpty: boolean;
}

const TEXTS = ['Alt', 'ActualText', 'E', 'T', 'Lang'];

/** Copies the structure tree (14.7). An element with removed content loses its texts, as do its ancestors. */
class TagCopy {
  all = 0;
  kept = 0;
  private readonly keeping: StructureCopy;
  private readonly roles: Dict | undefined;
  private readonly seen = new Set<number>();
  /** The elements of marked content, by page and MCID. */
  private readonly owners: Ref[][];
  private readonly ownersOfObjects: Ref[] = [];

  constructor(keeping: StructureCopy) {
    this.keeping = keeping;
    const { file, catalog } = keeping.input;
    this.roles = file.dict(file.dict(catalog.get('StructTreeRoot'))?.get('RoleMap'));
    this.owners = keeping.pages.map(() => []);
  }

  copy(): Ref | undefined {
    const { input, output, pages } = this.keeping;
    const root = input.file.dict(input.catalog.get('StructTreeRoot'));
    if (root === undefined) return undefined;
    const ref = output.reserve();
    const kids = this.kidsOf(root, ref, undefined, 0).refs;
    if (kids.length === 0) return undefined;
    const numbers: Value[] = [];
    for (const [page, list] of this.owners.entries()) {
      const dict = pages[page] === undefined ? undefined : output.get(pages[page].ref);
      if (list.length === 0 || !(dict instanceof Dict)) continue;
      dict.set('StructParents', page);
      numbers.push(page, output.add(Array.from(list, (owner) => owner ?? null)));
    }
    for (const [i, owner] of this.ownersOfObjects.entries()) numbers.push(pages.length + i, owner);
    const parents = output.add(dictOf({ Nums: numbers }));
    const next = pages.length + this.ownersOfObjects.length;
    output.set(ref, dictOf({ Type: name('StructTreeRoot'), K: kids, ParentTree: parents, ParentTreeNextKey: next }));
    return ref;
  }

  /** Copies the content of an element that is kept. */
  private kidsOf(element: Dict, ref: Ref, page: number | undefined, depth: number): KeptKids {
    const { file } = this.keeping.input;
    const list = file.resolve(element.get('K'));
    const kids = Array.isArray(list) ? list : element.has('K') ? [element.get('K') ?? null] : [];
    const refs: Value[] = [];
    let changed = false;
    for (const kid of kids) {
      const value = file.resolve(kid);
      if (value instanceof Dict && value.has('S')) {
        const made = this.element(kid, value, ref, page, depth + 1);
        if (made === undefined) continue;
        changed ||= made.changed;
        if (made.ref !== undefined) refs.push(made.ref);
        continue;
      }
      const made = this.content(value, ref, page);
      changed ||= made === undefined || made.changed;
      if (made !== undefined) refs.push(made.value);
    }
    return { refs, changed, isEmpty: kids.length === 0 };
  }

  private element(
    kid: Value,
    element: Dict,
    parent: Ref,
    above: number | undefined,
    depth: number,
  ): { readonly changed: boolean; readonly ref: Ref | undefined } | undefined {
    const { output, keeps, pages, input } = this.keeping;
    if (depth > MOST_DEPTH || (kid instanceof Ref && this.seen.has(kid.num))) return undefined;
    if (kid instanceof Ref) this.seen.add(kid.num);
    this.all++;
    const page = element.has('Pg') ? this.pageOf(element.get('Pg')) : above;
    const ref = output.reserve();
    const { refs, changed, isEmpty } = this.kidsOf(element, ref, page, depth);
    if (refs.length === 0 && !isEmpty) return { changed, ref: undefined };
    this.kept++;
    const texts = changed
      ? []
      : TEXTS.flatMap((key) => {
          const text = input.file.resolve(element.get(key));
          return text instanceof PdfString && keeps(text) ? [[key, text] as const] : [];
        });
    const attributes = listOf(input.file, [element.get('A') ?? null]).flatMap((item) => this.attributes(item));
    const made = dictOf({
      Type: name('StructElem'),
      S: name(this.roleOf(element.get('S'))),
      P: parent,
      Pg: page === undefined ? undefined : pages[page]?.ref,
      K: refs.length === 0 ? undefined : refs,
      A: attributes.length === 0 ? undefined : attributes,
    });
    for (const [key, text] of texts) made.set(key, text);
    output.set(ref, made);
    return { changed, ref };
  }

  /** Marked content or an annotation; undefined for what is not in the output. */
  private content(value: Value, owner: Ref, above: number | undefined) {
    const { pages, annotations, output, input } = this.keeping;
    if (value instanceof Dict && value.name('Type') === 'OBJR') {
      const object = value.get('Obj');
      const ref = object instanceof Ref ? annotations.get(object.num) : undefined;
      const dict = ref === undefined ? undefined : output.get(ref);
      if (ref === undefined || !(dict instanceof Dict) || dict.has('StructParent')) return undefined;
      dict.set('StructParent', pages.length + this.ownersOfObjects.length);
      this.ownersOfObjects.push(owner);
      return { value: dictOf({ Type: name('OBJR'), Obj: ref }), changed: false };
    }
    if (value instanceof Dict && value.has('Stm')) return undefined;
    const mcid = value instanceof Dict ? input.file.resolve(value.get('MCID')) : value;
    const page = value instanceof Dict && value.has('Pg') ? this.pageOf(value.get('Pg')) : above;
    if (typeof mcid !== 'number' || page === undefined) return undefined;
    const changed = pages[page]?.marked.get(mcid);
    const owners = this.owners[page];
    if (changed === undefined || owners === undefined || owners[mcid] !== undefined) return undefined;
    owners[mcid] = owner;
    return { value: dictOf({ Type: name('MCR'), Pg: pages[page]?.ref, MCID: mcid }), changed };
  }

  private pageOf(value: Value | undefined): number | undefined {
    return destinationsOf(this.keeping.input).pageOf([value ?? null]);
  }

  /** Maps a type to a standard one: custom names may reveal something. */
  private roleOf(value: Value | undefined): string {
    let role = value;
    for (let steps = 0; steps < 10 && role instanceof Name; steps++) {
      if (STANDARD_NAMES.has(role.value)) return role.value;
      role = this.keeping.input.file.resolve(this.roles?.get(role.value));
    }
    return 'NonStruct';
  }

  /** Attributes whose keys and values are standard names or numbers. */
  private attributes(item: Value): Value[] {
    const { file } = this.keeping.input;
    const list = file.resolve(item);
    if (Array.isArray(list)) return list.flatMap((entry) => this.attributes(entry));
    if (!(list instanceof Dict)) return [];
    const known = [...list].flatMap(([key, value]) => {
      const resolved = file.resolve(value);
      const stays = typeof resolved === 'number' || (resolved instanceof Name && STANDARD_NAMES.has(resolved.value));
      return STANDARD_NAMES.has(key) && stays ? [[key, resolved] as const] : [];
    });
    return known.some(([key]) => key === 'O') && known.length > 1 ? [new Dict(known)] : [];
  }
}
