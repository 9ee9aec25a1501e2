// Owns the page tree (ISO 32000-1, 7.7.3): its leaves in order, and what they inherit. Knows nothing of writing.
import { Failure } from '../../contract/failure.ts';
import { Damage } from './damage.ts';
import { Parser } from './parse.ts';
import type { PdfFile } from './reader.ts';
import { Scan, scanValue } from './scan.ts';
import { BRACKET_CLOSE, BRACKET_OPEN, LESS, skipSpace } from './syntax.ts';
import { Ref } from './values.ts';

/** Attributes a page takes from the nodes above it when it has none of its own (7.7.3.4). */
export const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;
export type Inheritable = (typeof INHERITABLE)[number];

/** Values from the nodes above, as bytes of the file. */
export type Inherited = Readonly<Partial<Record<Inheritable, Uint8Array>>>;

export interface Page {
  /** Its object; 0 where the page stands directly in its parent's /Kids, and then `direct` is its dictionary. */
  readonly num: number;
  readonly direct?: Uint8Array;
  /** What it inherits and has not itself. */
  readonly inherited: Inherited;
  /** Degrees it is turned by, its own or inherited. */
  readonly rotate: number;
  /** The value of /Resources as it stands in the page or above; undefined where there is none. */
  readonly resources: Uint8Array | undefined;
}

export interface PageTree {
  readonly pages: readonly Page[];
  /** Object numbers of the nodes above the pages, the root first. */
  readonly nodes: readonly number[];
  /** The tree is as it should be: it can be moved as it is. */
  readonly sound: boolean;
}

interface Node {
  readonly num: number;
  readonly inherited: Inherited;
  /** Number of pages before the first of this node's. */
  readonly before: number;
  readonly count: number | undefined;
}

const NOTHING: Inherited = {};
/** Nothing is a document with more pages; a tree of them is made to exhaust memory. */
const MAX_PAGES = 2_000_000;

/** Walks /Kids from the root. /Count is never believed, a node is visited once, and a dictionary without /Kids is a page. */
export function readPages(file: PdfFile): PageTree {
  const root = file.dict(file.xref.trailer.get('Root'))?.get('Pages');
  if (!(root instanceof Ref)) throw new Damage('the catalog names no page tree');
  return new Walk(file).from(root.num);
}

/** As `readPages`; a file without pages is refused. */
export function requirePages(file: PdfFile): PageTree {
  const tree = readPages(file);
  if (tree.pages.length > 0) return tree;
  throw new Failure('unprocessable', `${file.name} has no pages`, {
    kind: 'no-pages',
    hint: 'There is nothing to work on in it.',
  });
}

class Walk {
  private readonly file: PdfFile;
  private readonly seen: Uint8Array;
  private readonly scan = new Scan();
  private readonly pages: Page[] = [];
  private readonly nodes: number[] = [];
  private sound = true;

  constructor(file: PdfFile) {
    this.file = file;
    this.seen = new Uint8Array(file.xref.size);
  }

  from(root: number): PageTree {
    const todo: (Kid | Node)[] = [{ num: root, parent: 0, inherited: NOTHING }];
    for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
      if ('before' in item) {
        if (item.count !== this.pages.length - item.before) this.sound = false;
        continue;
      }
      const node = this.visit(item);
      if (node === undefined) continue;
      todo.push(node.node);
      for (let i = node.kids.length - 1; i >= 0; i--) todo.push(node.kids[i]!);
    }
    return { pages: this.pages, nodes: this.nodes, sound: this.sound };
  }

  /** Notes a page, or returns what is below a node. */
  private visit(kid: Kid): { node: Node; kids: Kid[] } | undefined {
    const { file } = this;
    const entries =
      kid.direct === undefined ? this.entriesOf(kid.num) : shallow(kid.direct, 0, kid.direct.length, this.scan);
    if (entries === undefined) {
      this.sound = false;
      return undefined;
    }
    const buf = kid.direct ?? file.buf;
    const bytes = (key: string): Uint8Array | undefined => {
      const place = entries.get(key);
      return place === undefined ? undefined : buf.slice(place[0], place[1]);
    };
    const own: Inherited = Object.fromEntries(
      INHERITABLE.flatMap((key) => {
        const value = bytes(key);
        return value === undefined ? [] : [[key, value]];
      }),
    );
    const kids = bytes('Kids');
    const type = text(bytes('Type'));
    const parent = text(bytes('Parent'));
    if (kid.parent === 0 ? parent !== undefined : Number.parseInt(parent ?? '', 10) !== kid.parent) this.sound = false;
    if (kids === undefined) {
      if (type === '/Pages' && kid.parent !== 0) {
        // An empty inner node, or a damaged one: no page is made of it.
        this.sound = false;
        if (!entries.has('Contents') && !entries.has('MediaBox')) return undefined;
      }
      if (type !== '/Page') this.sound = false;
      this.note(kid, own);
      return undefined;
    }
    if (type !== '/Pages') this.sound = false;
    this.nodes.push(kid.num);
    const inherited = Object.keys(own).length === 0 ? kid.inherited : { ...kid.inherited, ...own };
    const count = Number(text(bytes('Count')) ?? Number.NaN);
    const node = { num: kid.num, inherited, before: this.pages.length, count };
    return { node, kids: this.kids(kids, kid.num, inherited) };
  }

  private note(kid: Kid, own: Inherited): void {
    if (this.pages.length >= MAX_PAGES) {
      throw new Failure('unprocessable', `${this.file.name} has more than ${MAX_PAGES} pages`, { kind: 'limit' });
    }
    const missing = INHERITABLE.filter((key) => own[key] === undefined && kid.inherited[key] !== undefined);
    const inherited =
      missing.length === 0 ? NOTHING : Object.fromEntries(missing.map((key) => [key, kid.inherited[key]!]));
    const page = {
      num: kid.num,
      inherited,
      rotate: this.turn(own.Rotate ?? kid.inherited.Rotate),
      resources: own.Resources ?? kid.inherited.Resources,
    };
    this.pages.push(kid.direct === undefined ? page : { ...page, direct: kid.direct });
  }

  /** The entries of a dictionary object not visited before. */
  private entriesOf(num: number): Entries | undefined {
    const { file, seen, scan } = this;
    if (num >= seen.length || seen[num] === 1 || !file.has(num)) return undefined;
    seen[num] = 1;
    if (!file.scanObject(num, scan)) return undefined;
    const start = skipSpace(file.buf, file.pos, file.limit);
    if (file.buf[start] !== LESS || file.buf[start + 1] !== LESS) return undefined;
    return shallow(file.buf, start, file.limit, scan);
  }

  private kids(value: Uint8Array, parent: number, inherited: Inherited): Kid[] {
    let bytes = value;
    const start = skipSpace(bytes, 0, bytes.length);
    if (bytes[start] !== BRACKET_OPEN) {
      // /Kids may itself be a reference to an array.
      const ref = new Parser(bytes).value();
      if (!(ref instanceof Ref) || !this.file.scanObject(ref.num, this.scan)) throw new Damage('/Kids is no array');
      bytes = this.file.buf.slice(this.file.pos, this.scan.end);
    }
    const parser = new Parser(bytes, skipSpace(bytes, 0, bytes.length) + 1);
    const list: Kid[] = [];
    for (;;) {
      parser.skip();
      const byte = parser.buf[parser.pos];
      if (byte === BRACKET_CLOSE) return list;
      const from = parser.pos;
      const item = parser.value();
      if (item instanceof Ref) list.push({ num: item.num, parent, inherited });
      else {
        this.sound = false;
        if (byte === LESS)
          list.push({ num: 0, parent, inherited, direct: padded(parser.buf.subarray(from, parser.pos)) });
      }
    }
  }

  private turn(value: Uint8Array | undefined): number {
    if (value === undefined) return 0;
    const degrees = this.file.resolve(new Parser(padded(value)).value());
    return typeof degrees === 'number' && degrees % 90 === 0 ? ((degrees % 360) + 360) % 360 : 0;
  }
}

interface Kid {
  readonly num: number;
  readonly parent: number;
  readonly inherited: Inherited;
  readonly direct?: Uint8Array;
}

/** Places of the values of a dictionary, by key. */
export type Entries = ReadonlyMap<string, readonly [start: number, end: number]>;

/** The places of the values of the dictionary at `pos`, which must be whole in the buffer. */
export function shallow(buf: Uint8Array, pos: number, limit: number, scan: Scan): Entries {
  const entries = new Map<string, [number, number]>();
  const parser = new Parser(buf, pos + 2, limit);
  for (;;) {
    parser.skip();
    const byte = buf[parser.pos];
    if (byte === 0x3e) return entries;
    if (byte !== 0x2f) throw new Damage('a dictionary has a value without a key');
    const key = parser.name();
    parser.skip();
    const start = parser.pos;
    if (!scanValue(buf, start, limit, scan, false)) throw new Damage('a value does not end');
    entries.set(key, [start, scan.end]);
    parser.pos = scan.end;
  }
}

/** A copy with a blank behind it, so that the last token ends. */
export function padded(bytes: Uint8Array): Uint8Array {
  const longer = new Uint8Array(bytes.length + 12).fill(0x20);
  longer.set(bytes);
  return longer;
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('latin1');
}
