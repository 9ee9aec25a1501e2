// The page tree (ISO 32000-1, 7.7.3): its pages in order, and what they inherit.
import { Failure } from '../../../contract/base/failure.ts';
import {
  BRACKET_CLOSE,
  BRACKET_OPEN,
  GREATER,
  LESS,
  latin1,
  padded,
  SLASH,
  skipSpace,
} from '../../syntax/characters.ts';
import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { isKey, KEYS, type Scan, scanValue } from '../../syntax/scan.ts';
import { Name, Ref, type Value } from '../../syntax/values.ts';
import type { PdfFile } from './pdf-file.ts';
import { MAX_OBJECTS } from './xref-table.ts';

/** Attributes a page takes from the nodes above it when it has none of its own (7.7.3.4). */
const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;
type Inheritable = (typeof INHERITABLE)[number];

/** Inherited values, as bytes of the file. */
type Inherited = Readonly<Partial<Record<Inheritable, Uint8Array>>>;

export interface Page {
  /** The page's object; 0 for a direct object in its parent's /Kids, whose dictionary is `direct`. */
  readonly num: number;
  readonly direct?: Uint8Array;
  readonly inherited: Inherited;
  /** The object of its own /Resources; 0 where these are direct or missing. */
  readonly resources: number;
  readonly rotate: number;
}

export interface PageTree {
  readonly pages: readonly Page[];
  /** Object numbers of the nodes above the pages, the root first. */
  readonly nodes: readonly number[];
  /** The tree follows the rules and can be moved as it is. */
  readonly wellFormed: boolean;
  /** The /Count of its root; -1 where there is none. */
  readonly statedCount: number;
  /** A node above the pages has a /Rotate, which a page without one would take. */
  readonly inheritsRotate: boolean;
}

interface Node {
  readonly num: number;
  readonly inherited: Inherited;
  readonly before: number;
  readonly count: number;
  /** Object numbers; 0 for a direct object, whose bytes are then in `direct` under its index. */
  readonly kids: Int32Array;
  readonly direct?: ReadonlyMap<number, Uint8Array>;
  next: number;
}

const NOTHING: Inherited = {};
const LEAF = 1;
const NODE = 2;
/** No document has more pages: a larger tree is made to exhaust memory. */
const MAX_PAGES = 500_000;

/** Walks /Kids from the root. /Count is never believed, a node is visited once, and a dictionary without /Kids is a page. */
export function readPages(file: PdfFile): PageTree {
  const walk = new Walk(file, false);
  walk.from(rootOf(file));
  const { pages, nodes, wellFormed, statedCount, inheritsRotate } = walk;
  return { pages, nodes, wellFormed, statedCount, inheritsRotate };
}

export function countPages(file: PdfFile): number {
  const walk = new Walk(file, true);
  walk.from(rootOf(file));
  return walk.count;
}

function rootOf(file: PdfFile): number {
  const catalog = file.xref.trailer.get('Root');
  const root = file.dict(catalog)?.get('Pages');
  if (!(root instanceof Ref)) throw new Damage('the catalog names no page tree');
  if (catalog instanceof Ref && catalog.num === root.num) throw new Damage('the catalog is its own page tree');
  return root.num;
}

class Walk {
  private readonly file: PdfFile;
  private readonly seen: Uint8Array;
  private readonly countOnly: boolean;
  readonly pages: Page[] = [];
  readonly nodes: number[] = [];
  count = 0;
  wellFormed = true;
  statedCount = -1;
  inheritsRotate = false;

  constructor(file: PdfFile, countOnly: boolean) {
    this.file = file;
    this.countOnly = countOnly;
    this.seen = new Uint8Array(file.xref.size);
  }

  from(root: number): void {
    const first = this.visit({ num: root, parent: 0, inherited: NOTHING });
    if (first === undefined) {
      // The root is a page: there is no tree that could be moved.
      this.wellFormed = false;
      return;
    }
    this.statedCount = first.count;
    const open = [first];
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
      if (node.next === node.kids.length) {
        if (node.count !== this.count - node.before) this.wellFormed = false;
        open.pop();
        continue;
      }
      const { num: parent, inherited } = node;
      const i = node.next++;
      const direct = node.direct?.get(i);
      const num = node.kids[i] ?? 0;
      const below = this.visit(direct === undefined ? { num, parent, inherited } : { num, parent, inherited, direct });
      if (below !== undefined) open.push(below);
    }
  }

  /** Notes a page, or returns the node. */
  private visit(kid: Kid): Node | undefined {
    const dict = this.scanKid(kid);
    if (dict === undefined) {
      this.wellFormed = false;
      return undefined;
    }
    const parent = dict.valueOf('Parent') === undefined ? 0 : referenceIn(dict, 'Parent');
    if (kid.parent !== parent) this.wellFormed = false;
    const list = bytesOf(dict, 'Kids');
    const type = bytesOf(dict, 'Type');
    if (kid.num > 0) this.seen[kid.num] = list === undefined ? LEAF : NODE;
    if (list === undefined) {
      if (!this.isName(type, 'Page')) {
        this.wellFormed = false;
        // An empty node, or a dictionary that is here by mistake: it is no page.
        if (type !== undefined && dict.valueOf('Contents') === undefined && dict.valueOf('MediaBox') === undefined) {
          return undefined;
        }
      }
      this.note(kid, dict);
      return undefined;
    }
    this.nodes.push(kid.num);
    if (!this.isName(type, 'Pages')) this.wellFormed = false;
    const inherited = this.below(kid, dict);
    const count = this.countIn(bytesOf(dict, 'Count'));
    return { num: kid.num, inherited, before: this.count, count, next: 0, ...this.kids(list, kid.num) };
  }

  /** /Count; -1 if it is not a whole number. 3.0 counts as one here; qpdf takes it for 0. */
  private countIn(value: Uint8Array | undefined): number {
    const text = value === undefined ? '' : latin1(value, 0, value.length);
    if (/^\d+$/.test(text)) return Number(text);
    const target = value !== undefined && text.endsWith('R') ? this.valueIn(value) : null;
    return typeof target === 'number' && Number.isInteger(target) ? target : -1;
  }

  private valueIn(bytes: Uint8Array): Value {
    return this.file.resolve(new Parser(padded(bytes)).value());
  }

  /** Whether a value, or what it refers to, is this name. */
  private isName(value: Uint8Array | undefined, name: string): boolean {
    // Nearly every page has the name itself: it is compared without being parsed.
    if (value?.[0] === SLASH) return isKey(value, 0, value.length, name);
    const target = value === undefined ? null : this.valueIn(value);
    return target instanceof Name && target.value === name;
  }

  private below(kid: Kid, dict: Scan): Inherited {
    const entries = INHERITABLE.flatMap((key) => {
      const value = bytesOf(dict, key);
      return value === undefined ? [] : [[key, this.file.plain(value, kid.num)] as const];
    });
    if (entries.some(([key]) => key === 'Rotate')) this.inheritsRotate = true;
    return entries.length === 0 ? kid.inherited : { ...kid.inherited, ...Object.fromEntries(entries) };
  }

  private note(kid: Kid, dict: Scan): void {
    if (++this.count > MAX_PAGES) {
      throw new Failure('unprocessable', `${this.file.name} has more than ${MAX_PAGES} pages`, { kind: 'limit' });
    }
    if (this.countOnly) return;
    const { num, direct } = kid;
    let inherited = NOTHING;
    if (kid.inherited !== NOTHING) {
      const missing = INHERITABLE.flatMap((key) => {
        const value = dict.valueOf(key) === undefined ? kid.inherited[key] : undefined;
        return value === undefined ? [] : [[key, value] as const];
      });
      if (missing.length > 0) inherited = Object.fromEntries(missing);
    }
    const turn = bytesOf(dict, 'Rotate') ?? kid.inherited.Rotate;
    const rotate = turn === undefined ? 0 : this.turn(turn);
    const resources = referenceIn(dict, 'Resources') ?? 0;
    this.pages.push({ num, inherited, resources, rotate, ...(direct === undefined ? {} : { direct }) });
  }

  /** Scans a dictionary that was not visited before. */
  private scanKid({ num, direct }: Kid): Scan | undefined {
    const { file, seen } = this;
    if (direct !== undefined) return scanValue(direct, 0, KEYS);
    if (num >= seen.length || seen[num] === NODE || !file.has(num)) return undefined;
    // A page listed twice counts twice; a node met twice closes a circle.
    if (seen[num] === LEAF) this.wellFormed = false;
    const object = file.scanObject(num, KEYS);
    return object?.isDict === true && object.bytes[object.end - 1] === GREATER ? object : undefined;
  }

  private kids(value: Uint8Array, parent: number): Pick<Node, 'kids' | 'direct'> {
    let bytes = value;
    const start = skipSpace(bytes, 0, bytes.length);
    if (bytes[start] !== BRACKET_OPEN) {
      // /Kids may itself be a reference to an array.
      const ref = new Parser(bytes).value();
      const array = ref instanceof Ref ? this.file.scanObject(ref.num) : undefined;
      if (array === undefined) throw new Damage('/Kids is no array');
      bytes = array.bytes.subarray(array.start, array.end);
    }
    const parser = new Parser(bytes, skipSpace(bytes, 0, bytes.length) + 1);
    const list: number[] = [];
    const direct = new Map<number, Uint8Array>();
    for (;;) {
      parser.skip();
      const byte = parser.buf[parser.pos];
      if (byte === BRACKET_CLOSE) break;
      const from = parser.pos;
      const item = parser.value();
      if (item instanceof Ref) list.push(Math.min(item.num, MAX_OBJECTS));
      else {
        this.wellFormed = false;
        if (byte !== LESS) continue;
        direct.set(list.length, padded(this.file.plain(parser.buf.slice(from, parser.pos), parent)));
        list.push(0);
      }
    }
    const kids = new Int32Array(list);
    return direct.size === 0 ? { kids } : { kids, direct };
  }

  private turn(value: Uint8Array): number {
    const degrees = this.valueIn(value);
    return typeof degrees === 'number' && degrees % 90 === 0 ? ((degrees % 360) + 360) % 360 : 0;
  }
}

/** A copy of the bytes of an entry's value: a page outlives the window it was read from. */
function bytesOf(dict: Scan, key: string): Uint8Array | undefined {
  const place = dict.valueOf(key);
  return place === undefined ? undefined : dict.bytes.slice(place.start, place.end);
}

/** The object that an entry refers to; undefined where it is no reference. */
function referenceIn(dict: Scan, key: string): number | undefined {
  const place = dict.valueOf(key);
  return place === undefined ? undefined : dict.referenceAt(place.start);
}

interface Kid {
  readonly num: number;
  readonly parent: number;
  readonly inherited: Inherited;
  readonly direct?: Uint8Array;
}
