// Makes the page tree of a damaged file whole, so that every page that is left keeps its number.
//
// In: a file whose objects can be read. Out: new nodes in a revision, or undefined where the file's own tree needs no
// change. The tree is walked from its root, each node once. An entry of /Kids that is no page is a gap. A gap is filled by
// a page that names this node as its parent and that no /Kids lists (an orphan), else by an empty page of the usual size;
// there are as many gaps as the root's /Count leaves room for. Where the root leads to no page, all orphans go under a new
// root in the order of the file. The cost is one look at each object, and only where orphans are needed.

import { Damage, unlessDamaged } from '../../syntax/damage.ts';
import { Dict, dictOf, Name, Ref, type Value } from '../../syntax/values.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import { freeNumber, type Revision } from './revision.ts';

const MOST_PAGES = 500_000;

export interface Straightened {
  /** Numbers of pages, from 1, that were replaced by empty ones. */
  readonly empty: readonly number[];
  /** Numbers of pages, from 1, that no node of the tree named. */
  readonly stray: readonly number[];
  /** /Count of the file's own root; -1 where it has none. */
  readonly stated: number;
  /** The root is new: the pages are in the order of the file. */
  readonly made: boolean;
}

interface Node {
  readonly num: number;
  readonly dict: Dict;
  readonly kids: Kid[];
}

interface Kid {
  readonly value: Value;
  readonly node?: Node;
  readonly missing?: true;
}

/** Writes a whole page tree; undefined where the file's own needs no change. Throws Damage where there are no pages. */
export function straighten(file: PdfFile, revision: Revision): Straightened | undefined {
  return new Straightening(file, revision).run();
}

class Straightening {
  private readonly file: PdfFile;
  private readonly revision: Revision;
  private readonly seen = new Set<number>();
  private pages = 0;
  private missing = 0;
  private changed = false;
  private next: number;
  private orphans: Orphans | undefined;

  constructor(file: PdfFile, revision: Revision) {
    this.file = file;
    this.revision = revision;
    this.next = freeNumber(file);
  }

  run(): Straightened | undefined {
    const { file } = this;
    const catalog = dictAt(file, file.xref.trailer.get('Root'));
    const ref = catalog?.get('Pages');
    let root = ref instanceof Ref ? this.node(ref.num) : undefined;
    const stated = numberOf(file, root?.dict.get('Count'));
    if (root !== undefined) this.walk(root);
    let made = false;
    if (root !== undefined && this.pages + this.missing === 0 && !this.changed && this.lost().pages.length === 0)
      return undefined;
    if (this.pages === 0) {
      const lost = this.lost().rest();
      if (lost.length > 0) {
        root = this.rootOf(lost, root);
        made = true;
        this.changed = true;
      }
    }
    if (root === undefined || (this.pages === 0 && this.missing === 0)) {
      throw new Damage('its page tree leads to no page');
    }
    // Entries that lead nowhere are no pages where the root does not count them.
    const wanted = made || stated === this.pages ? 0 : Math.min(this.missing, Math.max(0, stated - this.pages));
    const room = stated < 0 && !made ? this.missing : wanted;
    if (room === 0 && !this.changed) return undefined;
    return { stated, ...this.write(root, room, made, catalog) };
  }

  /** Walks the nodes and pages below a root, each node once, without recursion, however deep the file makes it. */
  private walk(root: Node): void {
    const { file, seen } = this;
    const todo = [root];
    for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
      for (const value of this.kidsOf(node)) {
        const num = value instanceof Ref ? value.num : 0;
        const dict = dictAt(file, value);
        const kind = kindOf(file, dict);
        if (num > 0 && seen.has(num) && kind !== 'page') continue;
        if (num > 0) seen.add(num);
        if (kind === 'node' && dict !== undefined) {
          const below = { num, dict, kids: [] };
          node.kids.push({ value, node: below });
          todo.push(below);
        } else if (kind === 'page') {
          node.kids.push({ value });
          if (++this.pages > MOST_PAGES) throw new Damage('its page tree has too many pages');
        } else {
          node.kids.push({ value, missing: true });
          this.missing += 1;
        }
      }
    }
  }

  private node(num: number): Node | undefined {
    const dict = dictAt(this.file, new Ref(num, 0));
    if (dict === undefined || kindOf(this.file, dict) === 'page') return undefined;
    this.seen.add(num);
    return { num, dict, kids: [] };
  }

  private kidsOf({ num, dict }: Node): readonly Value[] {
    const kids = resolved(this.file, dict.get('Kids'));
    if (Array.isArray(kids)) return kids;
    this.changed = true;
    return this.lost().below(num);
  }

  /** A new root for a file whose own leads to no page: all pages in the order of the file. */
  private rootOf(pages: readonly Ref[], before: Node | undefined): Node {
    const num = before?.num ?? this.next++;
    const dict = before?.dict ?? new Dict([['Type', new Name('Pages')]]);
    this.pages = pages.length;
    this.missing = 0;
    return { num, dict, kids: pages.map((value) => ({ value })) };
  }

  private lost(): Orphans {
    this.orphans ??= new Orphans(this.file, this.seen);
    return this.orphans;
  }

  private write(root: Node, places: number, made: boolean, catalog: Dict | undefined): Omit<Straightened, 'stated'> {
    const { file, revision } = this;
    const { xref } = file;
    const empty: number[] = [];
    const placed: number[] = [];
    let room = places;
    let page = 0;
    const counts = new Map<Node, number>();
    // Pages in order, a node after its kids, when its count is known.
    const open: { node: Node; at: number; from: number; kids: Value[] }[] = [{ node: root, at: 0, from: 0, kids: [] }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const kid = top.node.kids[top.at++];
      if (kid === undefined) {
        counts.set(top.node, page - top.from);
        const num = top.node.num > 0 ? top.node.num : this.next++;
        const entries: [string, Value][] = [...top.node.dict].filter(([key]) => key !== 'Kids' && key !== 'Count');
        const dict = new Dict([...entries, ['Kids', top.kids], ['Count', page - top.from]]);
        dict.set('Type', new Name('Pages'));
        const above = open.at(-2);
        if (above === undefined) dict.delete('Parent');
        else dict.set('Parent', new Ref(above.node.num, 0));
        revision.put(xref, num, dict);
        above?.kids.push(new Ref(num, 0));
        open.pop();
        continue;
      }
      if (kid.node !== undefined) {
        open.push({ node: kid.node, at: 0, from: page, kids: [] });
        continue;
      }
      if (kid.missing === true) {
        if (room === 0) continue;
        room -= 1;
        page += 1;
        const lost = this.lost().take(top.node.num);
        (lost === undefined ? empty : placed).push(page);
        top.kids.push(lost ?? this.emptyPage(top.node));
        continue;
      }
      page += 1;
      top.kids.push(kid.value);
      if (made) placed.push(page);
    }
    if (catalog === undefined || !(catalog.get('Pages') instanceof Ref) || made) {
      const num = this.next++;
      const whole = new Dict(catalog).set('Type', new Name('Catalog')).set('Pages', new Ref(root.num, 0));
      revision.put(xref, num, whole);
      xref.trailer.set('Root', new Ref(num, 0));
    }
    return { empty, stray: placed, made };
  }

  private emptyPage(parent: Node): Ref {
    const num = this.next++;
    const sized = this.file.resolve(parent.dict.get('MediaBox')) !== null;
    const entries = { Type: new Name('Page'), Parent: new Ref(parent.num, 0) };
    const page = dictOf({ ...entries, MediaBox: sized ? undefined : this.usualBox(parent) });
    this.revision.put(this.file.xref, num, page);
    return new Ref(num, 0);
  }

  private usualBox({ kids }: Node): Value {
    for (const { value } of kids) {
      const box = resolved(this.file, dictAt(this.file, value)?.get('MediaBox'));
      if (Array.isArray(box) && box.length === 4 && box.every((item) => typeof item === 'number')) return box;
    }
    return [0, 0, 612, 792];
  }
}

/** Pages that the tree does not lead to (orphans), in the order of the file. */
class Orphans {
  readonly pages: { readonly num: number; readonly parent: number; readonly place: number }[] = [];
  private readonly file: PdfFile;
  private readonly seen: Set<number>;

  constructor(file: PdfFile, seen: Set<number>) {
    this.file = file;
    this.seen = seen;
    const { xref } = file;
    for (let num = 1; num < xref.size; num++) {
      if (!file.has(num)) continue;
      const dict = dictAt(file, new Ref(num, 0));
      if (dict?.name('Type') !== 'Page' && !(dict?.has('Kids') === true && dict.has('Parent'))) continue;
      const parent = dict.get('Parent');
      this.pages.push({ num, parent: parent instanceof Ref ? parent.num : 0, place: xref.place[num] ?? 0 });
    }
    this.pages.sort((a, b) => a.place - b.place);
  }

  below(parent: number): Ref[] {
    return this.pages
      .filter((lost) => lost.parent === parent && !this.seen.has(lost.num))
      .map(({ num }) => new Ref(num, 0));
  }

  /** The next page that has this node as its parent. */
  take(parent: number): Ref | undefined {
    const page = this.pages.find((lost) => lost.parent === parent && this.isLost(lost.num));
    if (page === undefined) return undefined;
    this.seen.add(page.num);
    return new Ref(page.num, 0);
  }

  rest(): Ref[] {
    const lost = this.pages.filter(({ num }) => this.isLost(num));
    for (const { num } of lost) this.seen.add(num);
    return lost.map(({ num }) => new Ref(num, 0));
  }

  private isLost(num: number): boolean {
    return !this.seen.has(num) && kindOf(this.file, dictAt(this.file, new Ref(num, 0))) === 'page';
  }
}

/** A dictionary without /Kids is a page, unless it says that it is something else and has no entry of a page. */
function kindOf(file: PdfFile, dict: Dict | undefined): 'node' | 'page' | undefined {
  if (dict === undefined) return undefined;
  if (dict.has('Kids')) return 'node';
  const type = resolved(file, dict.get('Type'));
  const says = type instanceof Name ? type.value : undefined;
  if (says === 'Page' || dict.has('Contents') || dict.has('MediaBox')) return says === 'Pages' ? 'node' : 'page';
  if (says === 'Pages') return 'node';
  return says === undefined && dict.has('Parent') && !dict.has('Subtype') ? 'page' : undefined;
}

function dictAt(file: PdfFile, value: Value | undefined): Dict | undefined {
  const target = resolved(file, value);
  return target instanceof Dict ? target : undefined;
}

function resolved(file: PdfFile, value: Value | undefined): Value {
  return unlessDamaged(null, () => file.resolve(value));
}

function numberOf(file: PdfFile, value: Value | undefined): number {
  const target = resolved(file, value);
  return typeof target === 'number' && Number.isInteger(target) && target >= 0 ? target : -1;
}
