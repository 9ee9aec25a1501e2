// Looks up the structure elements of marked content (ISO 32000-1, 14.7 and 14.8.4.3): headings and table cells.
import { listOf } from '../../file/read/entries.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { Input } from '../../structure/input.ts';
import { readNumbers } from '../../structure/name-trees.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';

/** A heading of a level (1 to 6), a heading of an unknown level (0), or no heading. */
export type Tag = number | 'none' | undefined;

/** Most elements between marked content and its heading, such as spans and links. */
const MOST_ABOVE = 8;
const MOST_ROLES = 8;
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

export class HeadingTags {
  private readonly input: Input;
  private readonly pages: readonly Page[];
  private readonly roles: Dict;
  private readonly parents: ReadonlyMap<number, Value>;
  private readonly known = new Map<number, Tag>();
  private lists = new Map<number, readonly Value[]>();

  /** @throws Damage */
  constructor(input: Input, pages: readonly Page[]) {
    const { file, catalog } = input;
    const root = file.dict(catalog.get('StructTreeRoot'));
    this.input = input;
    this.pages = pages;
    this.roles = file.dict(root?.get('RoleMap')) ?? new Dict();
    this.parents = readNumbers(file, root?.get('ParentTree'), 'tags');
  }

  /** The tag of marked content of a page (from 0). @throws Damage */
  tagOf(page: number, mark: number): Tag {
    if (this.parents.size === 0 || mark < 0) return undefined;
    const element = this.listOf(page)[mark];
    if (!(element instanceof Ref)) return undefined;
    if (!this.known.has(element.num)) this.known.set(element.num, this.climb(element));
    return this.known.get(element.num);
  }

  /** The cell that marked content is in, with its row and table. @throws Damage */
  cellOf(page: number, mark: number): CellPlace | undefined {
    if (this.parents.size === 0 || mark < 0) return undefined;
    let value: Value | undefined = this.listOf(page)[mark];
    let [cell, row]: (Ref | undefined)[] = [];
    for (let i = 0; i < MOST_ABOVE && value instanceof Ref; i++) {
      const dict = this.input.file.dict(value);
      const role = this.roleOf(dict?.name('S'));
      if (cell === undefined && (role === 'TD' || role === 'TH')) cell = value;
      else if (cell !== undefined && row === undefined && role === 'TR') row = value;
      if (role === 'Table') return cell && row ? { cell, row, table: value } : undefined;
      value = dict?.get('P');
    }
    return undefined;
  }

  private climb(element: Ref): Tag {
    const { file } = this.input;
    let value: Value | undefined = element;
    for (let i = 0; i < MOST_ABOVE; i++) {
      const dict = file.dict(value);
      const role = this.roleOf(dict?.name('S'));
      if (dict === undefined || role === undefined) return undefined;
      const level = /^H(\d*)$/.exec(role)?.[1];
      if (level !== undefined) return Math.min(6, Number(level));
      if (role === 'Title') return 1;
      if (OTHERS.has(role)) return 'none';
      if (ENDS.has(role)) return undefined;
      value = dict.get('P');
    }
    return undefined;
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
