// Looks up the structure elements of marked content (ISO 32000-1, 14.7 and 14.8.4.3): headings, table cells,
// list items, figures, and the order that they are read in.
import { listOf } from '../../file/read/entries.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { cleanText } from '../../fonts/characters.ts';
import { rectOf } from '../../page/boxes.ts';
import type { Rect } from '../../page/geometry.ts';
import type { Input } from '../../structure/input.ts';
import { readNumbers } from '../../structure/name-trees.ts';
import { textOf } from '../../syntax/text-strings.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import type { Actual } from './actual-words.ts';

/** A heading of a level (1 to 6), a heading of an unknown level (0), or no heading. */
export type Tag = number | 'none' | undefined;

/** Most elements between marked content and its heading, such as spans and links. */
const MOST_ABOVE = 8;
/** Most elements above marked content in lists within lists. */
const DEEPEST = 32;
const MOST_ROLES = 8;
const MOST_HELD = 2_000;
/** Elements set like headings that are none. */
const OTHERS = new Set(['TOCI', 'TOC', 'Caption']);
/** Elements that cannot be inside a heading: the search ends there. */
const ENDS = new Set(['P', 'L', 'LI', 'LBody', 'Table', 'TR', 'TD', 'TH', 'Sect', 'Div', 'Art', 'Part', 'Document']);

/** The elements around marked content in a table. */
export interface CellPlace {
  readonly cell: Ref;
  readonly row: Ref;
  readonly table: Ref;
}

export interface ItemPlace {
  /** The object number of the item. */
  readonly item: number;
  /** It is the mark of the item, not its text. */
  readonly label: boolean;
  /** How many lists are around its list. */
  readonly depth: number;
}

interface Above {
  readonly element: Ref;
  readonly role: string;
  readonly dict: Dict;
}

export class ContentTags {
  private readonly input: Input;
  private readonly pages: readonly Page[];
  private readonly roles: Dict;
  /** The file claims that its tags are sound. */
  readonly claimsSound: boolean;
  private readonly parents: ReadonlyMap<number, Value>;
  private readonly kids = new Map<number, ReadonlyMap<number, number>>();
  /** Elements that were read last: those high up are above the content of every page. */
  private readonly elements = new Map<number, Above | undefined>();
  private lists = new Map<number, readonly Value[]>();

  /** @throws Damage */
  constructor(input: Input, pages: readonly Page[]) {
    const { file, catalog } = input;
    const root = file.dict(catalog.get('StructTreeRoot'));
    this.input = input;
    this.pages = pages;
    const marks = file.dict(catalog.get('MarkInfo'));
    this.claimsSound = file.resolve(marks?.get('Marked')) === true && file.resolve(marks?.get('Suspects')) !== true;
    this.roles = file.dict(root?.get('RoleMap')) ?? new Dict();
    this.parents = readNumbers(file, root?.get('ParentTree'), 'tags');
  }

  /** The tag of marked content of a page (from 0). @throws Damage */
  tagOf(page: number, mark: number): Tag {
    for (const { role } of this.above(page, mark, MOST_ABOVE)) {
      const level = /^H(\d*)$/.exec(role)?.[1];
      if (level !== undefined) return Math.min(6, Number(level));
      if (role === 'Title') return 1;
      if (OTHERS.has(role)) return 'none';
      if (ENDS.has(role)) return undefined;
    }
    return undefined;
  }

  /** The cell that marked content is in, with its row and table. @throws Damage */
  cellOf(page: number, mark: number): CellPlace | undefined {
    let [cell, row]: (Ref | undefined)[] = [];
    for (const { element, role } of this.above(page, mark, MOST_ABOVE)) {
      if (cell === undefined && (role === 'TD' || role === 'TH')) cell = element;
      else if (cell !== undefined && row === undefined && role === 'TR') row = element;
      if (role === 'Table') return cell && row ? { cell, row, table: element } : undefined;
    }
    return undefined;
  }

  /** The object number of the heading that marked content is in. @throws Damage */
  headingOf(page: number, mark: number): number | undefined {
    for (const { element, role } of this.above(page, mark, MOST_ABOVE))
      if (/^(H\d*|Title)$/.test(role)) return element.num;
    return undefined;
  }

  /** The list item that marked content is in. @throws Damage */
  itemOf(page: number, mark: number): ItemPlace | undefined {
    let [item, label, depth]: [number | undefined, boolean, number] = [undefined, false, -1];
    for (const { element, role } of this.above(page, mark, DEEPEST)) {
      if (role === 'Lbl' && item === undefined) label = true;
      if (role === 'LI') item ??= element.num;
      if (role === 'L') depth++;
      if (role === 'Table' || role === 'TOC') return undefined;
    }
    return item === undefined || depth < 0 ? undefined : { item, label, depth };
  }

  /** Figures of a page (from 0) that say what they show, and where they stand in its user space. @throws Damage */
  figuresOn(page: number): { readonly alt: string; readonly box: Rect }[] {
    const { file } = this.input;
    const known = new Set<number>();
    return this.listOf(page).flatMap((_, mark) => {
      for (const { element, role, dict } of this.above(page, mark, MOST_ABOVE)) {
        if (role !== 'Figure') continue;
        if (known.has(element.num)) return [];
        known.add(element.num);
        const alt = cleanText((textOf(file.resolve(dict.get('Alt'))) ?? '').replace(/\s+/g, ' ')).trim();
        const box = attributesOf(file, dict).flatMap((attribute) => rectOf(file, attribute.get('BBox')) ?? [])[0];
        return alt === '' || box === undefined ? [] : { alt, box };
      }
      return [];
    });
  }

  /** The /ActualText of the outermost element around marked content. @throws Damage */
  actualOf(page: number, mark: number): Actual | undefined {
    if (!this.claimsSound) return undefined;
    let actual: Actual | undefined;
    for (const { element, dict } of this.above(page, mark, MOST_ABOVE)) {
      const text = dict.has('ActualText') ? textOf(this.input.file.resolve(dict.get('ActualText'))) : null;
      if (text !== null) actual = { element: element.num, text };
    }
    return actual;
  }

  /**
   * Where marked content stands in the order of reading: its index in each element above it, from the outside in.
   * Undefined where an element is not among the kids of the one above it. @throws Damage
   */
  orderOf(page: number, mark: number): readonly number[] | undefined {
    if (!this.claimsSound) return undefined;
    const path: number[] = [];
    let below: number | undefined;
    let parent: Value | undefined;
    for (const { element, dict } of this.above(page, mark, DEEPEST)) {
      // Marked content of one element is numbered in its order.
      const index = below === undefined ? mark : this.kidsOf(element.num, dict).get(below);
      if (index === undefined) return undefined;
      path.push(index);
      [below, parent] = [element.num, dict.get('P')];
    }
    if (below === undefined || !(parent instanceof Ref)) return undefined;
    const index = this.kidsOf(parent.num, this.input.file.dict(parent)).get(below);
    return index === undefined ? undefined : [...path, index].reverse();
  }

  /** The index of each kid of an element, by object number. */
  private kidsOf(num: number, element: Dict | undefined): ReadonlyMap<number, number> {
    const known = this.kids.get(num);
    if (known !== undefined) return known;
    const kids = new Map(
      listOf(this.input.file, element?.get('K')).flatMap((kid, i): [number, number][] =>
        kid instanceof Ref ? [[kid.num, i]] : [],
      ),
    );
    const single = element?.get('K');
    if (single instanceof Ref) kids.set(single.num, 0);
    this.kids.set(num, kids);
    return kids;
  }

  /** The elements that marked content is in, from the inside out. */
  private *above(page: number, mark: number, most: number): Generator<Above> {
    if (this.parents.size === 0 || mark < 0) return;
    let value: Value | undefined = this.listOf(page)[mark];
    for (let i = 0; i < most && value instanceof Ref; i++) {
      const known = this.elements.has(value.num) ? this.elements.get(value.num) : this.elementOf(value);
      if (known === undefined) return;
      yield known;
      value = known.dict.get('P');
    }
  }

  private elementOf(element: Ref): Above | undefined {
    const dict = this.input.file.dict(element);
    const role = this.roleOf(dict?.name('S'));
    // The root has no role, and is above everything.
    const above = dict === undefined || role === undefined ? undefined : { element, role, dict };
    if (this.elements.size >= MOST_HELD) this.elements.clear();
    this.elements.set(element.num, above);
    return above;
  }

  /** The standard name for a role that the document defines. */
  private roleOf(name: string | undefined): string | undefined {
    let role = name;
    for (let i = 0; i < MOST_ROLES && role !== undefined; i++) {
      const next = this.roles.name(role);
      if (next === undefined || next === role) break;
      role = next;
    }
    return role;
  }

  /** The elements of a page's marked content, by number; cached for one page. */
  private listOf(page: number): readonly Value[] {
    const known = this.lists.get(page);
    if (known !== undefined) return known;
    const { file } = this.input;
    const { num = 0 } = this.pages[page] ?? {};
    const key = num > 0 ? file.dict(new Ref(num, 0))?.number('StructParents') : undefined;
    const list = key === undefined ? [] : listOf(file, this.parents.get(key));
    this.lists = new Map([[page, list]]);
    return list;
  }
}

/** The attributes of an element: one dictionary or several. */
function attributesOf(file: PdfFile, element: Dict | undefined): Dict[] {
  const given = file.resolve(element?.get('A'));
  const list = Array.isArray(given) ? given.map((item) => file.resolve(item)) : [given];
  return list.filter((attribute) => attribute instanceof Dict);
}
