// Which part of a linearized file each object belongs to (ISO 32000-1, Annex F.3), by what uses it.
import { Failure } from '../../contract/failure.ts';
import type { Pace } from '../pace.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';
import { catalogOf } from '../structure/input.ts';
import { latin1 } from '../syntax/characters.ts';
import { Damage } from '../syntax/damage.ts';
import { KEYS } from '../syntax/scan.ts';
import { Name, Ref } from '../syntax/values.ts';

/** Object numbers, in the order in which they are written. */
export interface Parts {
  /** The catalog, and what is needed to open the document. */
  readonly opening: readonly number[];
  /** The first page, then all that it uses. */
  readonly firstPage: readonly number[];
  /** Each other page, then what no other page uses. */
  readonly pages: readonly (readonly number[])[];
  /** What several of the other pages use. */
  readonly shared: readonly number[];
  readonly outlines: readonly number[];
  /** Bookmarks that are shown at once stand with the first page. */
  readonly outlinesFirst: boolean;
  readonly rest: readonly number[];
  /** Of each page: what others use too. The first page has none. */
  readonly sharedBy: readonly (readonly number[])[];
}

/** Entries of the catalog that are needed at once. */
const OPENING = ['ViewerPreferences', 'PageMode', 'Threads', 'OpenAction', 'AcroForm'];
/** Steps from objects to objects, of all pages together: where pages share thousands of objects, there is one for each page. */
const MOST_STEPS = 20_000_000;

/** Bits of what uses an object. */
const [BY_OPENING, BY_OUTLINES, BY_FIRST, BY_REST] = [1, 2, 4, 8];

export async function partsOf(source: Source, pace: Pace): Promise<Parts> {
  const { file, tree } = source;
  const root = file.xref.trailer.get('Root');
  if (!(root instanceof Ref)) throw new Damage('the trailer names no catalog');
  const { size } = file.xref;
  const isPage = new Uint8Array(size);
  for (const { num } of tree.pages) isPage[num] = 1;
  const users = new Uint8Array(size);
  /** How many of the other pages use it. */
  const pageCount = new Int32Array(size);
  const known = new Map<number, Int32Array>();
  let steps = 0;
  /** What an object refers to; of a page, without the tree that it hangs in. */
  const refsOf = (num: number): Int32Array => {
    const cached = known.get(num);
    if (cached !== undefined) return cached;
    const scan = file.scanObject(num, KEYS);
    if (scan === undefined) return NONE;
    const type = scan.valueOf('Type');
    // Others than those of the tree are no part of a page either.
    if (type !== undefined && latin1(scan.bytes, type.start, type.end).trim() === '/Page') isPage[num] = 1;
    const tree = isPage[num] === 1 ? scan.valueOf('Parent') : undefined;
    const found: number[] = [];
    for (let i = 0; i < scan.edits.length; i += 3) {
      const [at = 0, , to = -1] = scan.edits.slice(i, i + 3);
      const isAbove = tree !== undefined && at >= tree.start && at < tree.end;
      if (to >= 0 && to < size && !isAbove) found.push(to);
    }
    const refs = Int32Array.from(found);
    known.set(num, refs);
    return refs;
  };
  /** All that can be reached without passing another page, in the order of numbers. */
  const reach = (starts: Iterable<number>, page?: number): number[] => {
    const seen = new Set<number>();
    const todo = [...starts];
    for (let num = todo.pop(); num !== undefined; num = todo.pop()) {
      if (seen.has(num) || !file.has(num)) continue;
      const refs = refsOf(num);
      if (isPage[num] === 1 && num !== page) continue;
      seen.add(num);
      for (const next of refs) todo.push(next);
      if (++steps > MOST_STEPS) {
        throw new Failure('unprocessable', `${file.name}: its pages share too many objects to be linearized`, {
          kind: 'limit',
        });
      }
    }
    return [...seen].sort((a, b) => a - b);
  };
  const uses: number[][] = [];
  for (const [i, { num }] of tree.pages.entries()) {
    const found = reach([num], num);
    for (const each of found) {
      if (i === 0) users[each] = users[each]! | BY_FIRST;
      else pageCount[each] = pageCount[each]! + 1;
    }
    uses.push(found);
    if (pace.isOver()) await pace.yield();
  }
  const catalog = catalogOf(file);
  const refsIn = (value: unknown): number[] => {
    if (value instanceof Ref) return [value.num];
    if (Array.isArray(value)) return value.flatMap(refsIn);
    return value instanceof Map ? [...value.values()].flatMap(refsIn) : [];
  };
  /** Who uses what, beside pages: how often, for what one entry alone uses is its own. */
  const others = new Int32Array(size);
  const mark = (value: unknown, bit: number): number[] => {
    const found = reach(refsIn(value));
    for (const each of found) {
      users[each] = users[each]! | bit;
      others[each] = others[each]! + 1;
    }
    return found;
  };
  let pageTree: number[] = [];
  for (const [key, value] of catalog) {
    const bit = OPENING.includes(key) ? BY_OPENING : key === 'Outlines' ? BY_OUTLINES : BY_REST;
    const found = mark(value, bit);
    if (key === 'Pages') pageTree = found;
  }
  for (const [key, value] of file.xref.trailer) if (key !== 'Root') mark(value, BY_REST);

  const mode = file.resolve(catalog.get('PageMode'));
  const parts = {
    opening: [root.num] as number[],
    first: [] as number[],
    firstShared: [] as number[],
    shared: [] as number[],
    outlines: [] as number[],
    rest: [] as number[],
  };
  const own = new Uint8Array(size);
  const placed = new Uint8Array(size);
  for (const { num } of tree.pages) placed[num] = 1;
  placed[root.num] = 1;
  for (let num = 1; num < size; num++) {
    if (num === root.num || !file.has(num)) continue;
    const by = users[num]!;
    const pages = pageCount[num]!;
    if (by === 0 && pages === 0) continue;
    placed[num] = 1;
    if ((by & BY_OUTLINES) !== 0) parts.outlines.push(num);
    else if ((by & BY_OPENING) !== 0) parts.opening.push(num);
    else if (by === BY_FIRST && pages === 0) parts.first.push(num);
    else if ((by & BY_FIRST) !== 0) parts.firstShared.push(num);
    else if (by === 0 && pages === 1) own[num] = 1;
    else if (pages > 1) parts.shared.push(num);
    else parts.rest.push(num);
  }
  // What only pages outside the tree lead to: nothing that others refer to is left out.
  const lost: number[] = [];
  for (let num = 1; num < size; num++) if (placed[num] === 1) lost.push(...unplaced(refsOf(num), placed, file));
  // The list grows while it is gone through.
  for (const num of lost) lost.push(...unplaced(refsOf(num), placed, file));
  // The root of the bookmarks comes first of them.
  const outline = catalog.get('Outlines');
  if (outline instanceof Ref)
    parts.outlines.sort((a, b) => Number(b === outline.num) - Number(a === outline.num) || a - b);
  const [firstPage] = tree.pages;
  const first = firstPage?.num ?? 0;
  const outlinesFirst = mode instanceof Name && mode.value === 'UseOutlines' && parts.outlines.length > 0;
  const section = [first, ...[...parts.first, ...parts.firstShared].filter((num) => num !== first)];
  if (outlinesFirst) section.push(...parts.outlines);
  const inSections = new Uint8Array(size);
  for (const num of [...section, ...parts.shared]) inSections[num] = 1;
  const inTree = new Set(pageTree);
  return {
    opening: parts.opening,
    firstPage: section,
    pages: tree.pages.slice(1).map(({ num }, i) => {
      const mine = (uses[i + 1] ?? []).filter((each) => own[each] === 1 && each !== num);
      return [num, ...mine];
    }),
    shared: parts.shared,
    outlines: parts.outlines,
    outlinesFirst,
    rest: [...parts.rest.filter((num) => inTree.has(num)), ...parts.rest.filter((num) => !inTree.has(num)), ...lost],
    sharedBy: uses.map((found, i) => {
      if (i === 0) return [];
      const times = (num: number): number =>
        (((users[num] ?? 0) & BY_FIRST) !== 0 ? 1 : 0) + pageCount[num]! + others[num]!;
      return found.filter((num) => inSections[num] === 1 && times(num) > 1);
    }),
  };
}

const NONE = new Int32Array(0);

/** Those that have no place yet, which they have from then on. */
function unplaced(refs: Int32Array, placed: Uint8Array, file: PdfFile): number[] {
  const found: number[] = [];
  for (const num of refs) {
    if (placed[num] === 1 || !file.has(num)) continue;
    placed[num] = 1;
    found.push(num);
  }
  return found;
}
