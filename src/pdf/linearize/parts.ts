// Assigns each object to its part of a linearized file (ISO 32000-1, Annex F.3), in writing order.
//
// Every page, every thumbnail, every entry of the catalog and of the trailer is a user; a user reaches objects along references,
// but never passes through another page. Who reaches an object decides its part (`partOf`), as in qpdf, whose `--check`
// recomputes it. Each object that is led to is in exactly one part. The cost is one walk per user, MOST_STEPS at most.

import { Failure } from '../../contract/base/failure.ts';
import { catalogOf, catalogRef } from '../file/read/entries.ts';
import type { Pace } from '../file/read/pace.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Source } from '../file/read/source.ts';
import { latin1 } from '../syntax/characters.ts';
import { KEYS, type Scan } from '../syntax/scan.ts';
import { Name, Ref, refsIn } from '../syntax/values.ts';

/** Object numbers, in the order in which they are written. */
export interface Parts {
  /** The catalog, and what is needed to open the document. */
  readonly opening: readonly number[];
  /** The first page, then all that it uses. */
  readonly firstPage: readonly number[];
  /** Each other page, then what no other page uses. */
  readonly pages: readonly (readonly number[])[];
  /** Objects that several of the other pages use. */
  readonly shared: readonly number[];
  readonly outlines: readonly number[];
  /** Bookmarks that are shown at once stand with the first page. */
  readonly outlinesFirst: boolean;
  readonly rest: readonly number[];
  readonly sharedBy: readonly (readonly number[])[];
}

/** Entries of the catalog that are needed at once. */
const OPENING = ['ViewerPreferences', 'PageMode', 'Threads', 'OpenAction', 'AcroForm'];
/** Steps from object to object, over all pages: pages that share thousands of objects take one step each for every one. */
const MOST_STEPS = 20_000_000;

/** Bits of the users of an object, besides the pages behind the first. */
const [BY_OPENING, BY_OUTLINES, BY_FIRST, BY_REST] = [1, 2, 4, 8];

type Part = 'outlines' | 'opening' | 'first' | 'firstShared' | 'own' | 'shared' | 'rest' | undefined;

export async function partsOf(source: Source, pace: Pace): Promise<Parts> {
  const { file, tree } = source;
  const root = catalogRef(file);
  const catalog = catalogOf(file);
  const references = new References(source);
  const users = new Users(file.xref.size);
  const uses: number[][] = [];
  for (const [i, { num }] of tree.pages.entries()) {
    const reached = references.reach([num], num);
    users.addPage(reached, i === 0);
    uses.push(reached);
    if (pace.isOver()) await pace.yield();
  }
  for (const thumbnails of references.thumbnails.values()) users.add(references.reach(thumbnails), BY_REST);
  let pageTree: ReadonlySet<number> = new Set();
  for (const [key, value] of catalog) {
    const reached = references.reach(refsIn(value));
    users.add(reached, OPENING.includes(key) ? BY_OPENING : key === 'Outlines' ? BY_OUTLINES : BY_REST);
    if (key === 'Pages') pageTree = new Set(reached);
  }
  for (const [key, value] of file.xref.trailer) {
    if (key !== 'Root') users.add(references.reach(refsIn(value)), BY_REST);
  }

  const parts: Record<NonNullable<Part>, number[]> = {
    ...{ opening: [root.num], first: [], firstShared: [], own: [] },
    ...{ shared: [], outlines: [], rest: [] },
  };
  const placed = new Set([root.num, ...tree.pages.map(({ num }) => num)]);
  for (let num = 1; num < file.xref.size; num++) {
    const part = num === root.num || !file.has(num) ? undefined : users.partOf(num);
    if (part === undefined) continue;
    placed.add(num);
    parts[part].push(num);
  }
  const outline = catalog.get('Outlines');
  // The root of the bookmarks comes before them.
  if (outline instanceof Ref) {
    parts.outlines.sort((a, b) => Number(b === outline.num) - Number(a === outline.num) || a - b);
  }
  const mode = file.resolve(catalog.get('PageMode'));
  const outlinesFirst = mode instanceof Name && mode.value === 'UseOutlines' && parts.outlines.length > 0;
  const first = tree.pages[0]?.num ?? 0;
  const section = [first, ...[...parts.first, ...parts.firstShared].filter((num) => num !== first)];
  if (outlinesFirst) section.push(...parts.outlines);
  const inSections = new Set([...section, ...parts.shared]);
  const ownObjects = new Set(parts.own);
  return {
    opening: parts.opening,
    firstPage: section,
    pages: tree.pages
      .slice(1)
      .map(({ num }, i) => [num, ...(uses[i + 1] ?? []).filter((used) => ownObjects.has(used) && used !== num)]),
    shared: parts.shared,
    outlines: parts.outlines,
    outlinesFirst,
    rest: [
      ...parts.rest.filter((num) => pageTree.has(num)),
      ...parts.rest.filter((num) => !pageTree.has(num)),
      ...references.unplaced(placed),
    ],
    sharedBy: uses.map((reached, i) =>
      i === 0 ? [] : reached.filter((num) => inSections.has(num) && users.countOf(num) > 1),
    ),
  };
}

/** References from object to object, each object scanned once. */
class References {
  /** The objects below the thumbnails of pages, by page. A thumbnail is not part of its page (F.3.6). */
  readonly thumbnails = new Map<number, readonly number[]>();
  private readonly file: PdfFile;
  /** The pages of the tree; pages that stand outside of it are added when they are met. */
  private readonly pages: Set<number>;
  private readonly known = new Map<number, Int32Array>();
  private steps = 0;

  constructor({ file, tree }: Source) {
    this.file = file;
    this.pages = new Set(tree.pages.map(({ num }) => num));
  }

  /** All that can be reached from `starts` without passing through a page other than `page`, in the order of numbers. */
  reach(starts: Iterable<number>, page?: number): number[] {
    const { file, pages } = this;
    const seen = new Set<number>();
    const todo = [...starts];
    for (let num = todo.pop(); num !== undefined; num = todo.pop()) {
      if (seen.has(num) || !file.has(num)) continue;
      const refs = this.of(num);
      if (num !== page && pages.has(num)) continue;
      seen.add(num);
      for (const next of refs) todo.push(next);
      if (++this.steps > MOST_STEPS) {
        throw new Failure('unprocessable', `${file.name}: its pages share too many objects to be linearized`, {
          kind: 'limit',
        });
      }
    }
    return [...seen].sort((a, b) => a - b);
  }

  /** Objects that only pages outside the tree lead to, from all that is placed on: nothing that is referred to is left out. */
  unplaced(placed: Set<number>): number[] {
    const lost: number[] = [];
    const todo = [...placed].sort((a, b) => a - b);
    // Both lists grow during the loop.
    for (const num of todo) {
      for (const next of [...this.of(num), ...(this.thumbnails.get(num) ?? [])]) {
        if (placed.has(next) || !this.file.has(next)) continue;
        placed.add(next);
        lost.push(next);
        todo.push(next);
      }
    }
    return lost;
  }

  /** The objects that an object refers to, except a page's parent and its thumbnail. */
  private of(num: number): Int32Array {
    const known = this.known.get(num);
    if (known !== undefined) return known;
    const scan = this.file.scanObject(num, KEYS);
    if (scan === undefined) return NONE;
    if (isPage(scan)) this.pages.add(num);
    const without = this.pages.has(num) ? [scan.valueOf('Parent'), scan.valueOf('Thumb')] : [];
    const [, thumbnail] = without;
    const refs: number[] = [];
    const shown: number[] = [];
    for (const [at, to] of scan.placedReferences()) {
      if (to >= this.file.xref.size) continue;
      const outside = without.find((span) => span !== undefined && at >= span.start && at < span.end);
      if (outside === undefined) refs.push(to);
      else if (outside === thumbnail) shown.push(to);
    }
    if (shown.length > 0) this.thumbnails.set(num, shown);
    const list = Int32Array.from(refs);
    this.known.set(num, list);
    return list;
  }
}

const NONE = new Int32Array(0);

function isPage(scan: Scan): boolean {
  const type = scan.valueOf('Type');
  return type !== undefined && latin1(scan.bytes, type.start, type.end).trim() === '/Page';
}

class Users {
  private readonly bits: Uint8Array;
  /** The number of pages behind the first that use it. */
  private readonly pages: Int32Array;
  /** The number of its users besides pages. */
  private readonly others: Int32Array;

  constructor(size: number) {
    this.bits = new Uint8Array(size);
    this.pages = new Int32Array(size);
    this.others = new Int32Array(size);
  }

  addPage(reached: readonly number[], isFirst: boolean): void {
    for (const num of reached) {
      if (isFirst) this.bits[num] = (this.bits[num] ?? 0) | BY_FIRST;
      else this.pages[num] = (this.pages[num] ?? 0) + 1;
    }
  }

  add(reached: readonly number[], bit: number): void {
    for (const num of reached) {
      this.bits[num] = (this.bits[num] ?? 0) | bit;
      this.others[num] = (this.others[num] ?? 0) + 1;
    }
  }

  countOf(num: number): number {
    const first = ((this.bits[num] ?? 0) & BY_FIRST) === 0 ? 0 : 1;
    return first + (this.pages[num] ?? 0) + (this.others[num] ?? 0);
  }

  /** The part of an object; undefined where nobody uses it. `own`: one page behind the first has it alone. */
  partOf(num: number): Part {
    const by = this.bits[num] ?? 0;
    const pages = this.pages[num] ?? 0;
    if (by === 0 && pages === 0) return undefined;
    if ((by & BY_OUTLINES) !== 0) return 'outlines';
    if ((by & BY_OPENING) !== 0) return 'opening';
    if (by === BY_FIRST && pages === 0) return 'first';
    if ((by & BY_FIRST) !== 0) return 'firstShared';
    if (by === 0 && pages === 1) return 'own';
    return pages > 1 ? 'shared' : 'rest';
  }
}
