// Owns leaving out shared resources that a page does not use, so that a page split off does not carry the whole file's.

import type { Copier } from './copier.ts';
import { nameAt, numberAt } from './entries.ts';
import { dictOfPage } from './page-dict.ts';
import type { Page } from './pages.ts';
import { decodeName, Parser } from './parse.ts';
import type { PdfFile } from './reader.ts';
import { isKey, KEYS, Scan, scanValue } from './scan.ts';
import { encodeName } from './serialize.ts';
import { ends, LESS, latin1, padded, REFERENCE, SLASH, skipSpace } from './syntax.ts';
import { Dict, Ref, type Value } from './values.ts';

/** Categories of /Resources whose entries content refers to by name. */
const CATEGORIES = ['XObject', 'Font', 'ExtGState', 'Pattern', 'Shading', 'ColorSpace'];
/** Content longer than this is not looked through; the page then keeps all its resources. */
const MAX_CONTENT = 32 << 20;
const MAX_NESTED = 500;

/** Places of the values of a dictionary, by key. */
type Entries = ReadonlyMap<string, readonly [start: number, end: number]>;

interface RawDict {
  readonly bytes: Uint8Array;
  readonly entries: Entries;
}

interface Parts {
  readonly own: RawDict;
  readonly categories: ReadonlyMap<string, RawDict>;
}

export class Pruner {
  private readonly file: PdfFile;
  private readonly scan = new Scan();
  private readonly dicts = new Map<number, RawDict | undefined>();
  private readonly parts = new Map<Uint8Array, Parts>();
  private readonly complete = new Map<number, boolean>();
  /** How many pages have a resource dictionary, by its object or, where it is inherited, by its bytes. */
  private readonly users = new Map<number | Uint8Array, number>();
  /** What each page may share. */
  private readonly shared = new Map<Page, readonly (number | Uint8Array)[]>();

  constructor(file: PdfFile, pages: readonly Page[]) {
    this.file = file;
    for (const page of pages) {
      const keys = this.sharers(page);
      this.shared.set(page, keys);
      for (const key of keys) this.users.set(key, (this.users.get(key) ?? 0) + 1);
    }
  }

  /** A step that writes the resources the page uses; undefined where they stay as they are. */
  resources(page: Page, copier: Copier): (() => void) | undefined {
    if (!this.shared.get(page)!.some((key) => (this.users.get(key) ?? 0) > 1)) return undefined;
    const parts = this.partsOf(page);
    if (parts === undefined) return undefined;
    const { own, categories } = parts;
    const used = this.namesUsed(page);
    if (used === undefined) return undefined;
    const kept = new Map<string, string[]>();
    for (const [category, dict] of categories) {
      const names = [...dict.entries.keys()].filter((name) => used.has(name));
      if (!names.every((name) => this.standsAlone(category, valueIn(dict, name)))) return undefined;
      kept.set(category, names);
    }
    return () => this.write(own, categories, kept, copier);
  }

  /** A page's resources, taken apart; once for all that inherit them, of whom there may be thousands. */
  private partsOf(page: Page): Parts | undefined {
    const inherited = page.inherited.Resources;
    const known = inherited === undefined ? undefined : this.parts.get(inherited);
    if (known !== undefined) return known;
    const own = this.dictOf(this.resourcesOf(page));
    if (own === undefined) return undefined;
    const categories = new Map<string, RawDict>();
    for (const name of CATEGORIES) {
      const dict = this.dictOf(valueIn(own, name));
      if (dict !== undefined) categories.set(name, dict);
    }
    if (inherited !== undefined) this.parts.set(inherited, { own, categories });
    return { own, categories };
  }

  private write(
    own: RawDict,
    categories: ReadonlyMap<string, RawDict>,
    kept: ReadonlyMap<string, string[]>,
    copier: Copier,
  ) {
    const { writer } = copier;
    writer.text('<<');
    for (const [key, [start]] of own.entries) {
      writer.text(`/${encodeName(key)} `);
      const category = categories.get(key);
      if (category === undefined) {
        copier.value(own.bytes, start, own.bytes.length);
        continue;
      }
      writer.text('<<');
      for (const name of kept.get(key) ?? []) {
        writer.text(`/${encodeName(name)} `);
        copier.value(category.bytes, category.entries.get(name)![0], category.bytes.length);
      }
      writer.text('>>');
    }
    writer.text('>>');
  }

  /** What several pages may share: the resources themselves and their categories. */
  private sharers(page: Page): (number | Uint8Array)[] {
    const inherited = page.inherited.Resources;
    if (inherited !== undefined) return [inherited];
    if (page.resources > 0) return [page.resources];
    const own = this.dictOf(this.resourcesOf(page));
    if (own === undefined) return [];
    return CATEGORIES.flatMap((name) => refOf(valueIn(own, name))?.num ?? []);
  }

  /** The value of /Resources of a page or of a node above it. */
  private resourcesOf(page: Page): Uint8Array | undefined {
    const { file, scan } = this;
    if (page.inherited.Resources !== undefined) return page.inherited.Resources;
    if (page.direct === undefined) file.scanObject(page.num, scan, KEYS);
    else scanValue(page.direct, 0, page.direct.length, scan, KEYS);
    const buf = page.direct ?? file.buf;
    // Of a key given twice the last one counts, as for who shares them (pages.ts).
    for (let i = scan.keyCount - 3; i >= 0; i -= 3) {
      if (!isKey(buf, scan.keys[i]!, scan.keys[i + 1]!, 'Resources')) continue;
      const value = buf.slice(skipSpace(buf, scan.keys[i + 1]!, scan.keys[i + 2]!), scan.keys[i + 2]!);
      return page.direct === undefined ? file.plain(value, page.num) : value;
    }
    return undefined;
  }

  /** Names in the page's content; undefined where it cannot be read. Names in strings count too: rather one too many. */
  private namesUsed(page: Page): Set<string> | undefined {
    const { file } = this;
    try {
      const contents = dictOfPage(file, page)?.get('Contents');
      const names = new Set<string>();
      for (const stream of this.streamsOf(contents)) {
        const found = file.streamBytes(stream.num, MAX_CONTENT);
        if (found === undefined) return undefined;
        collectNames(found.bytes, names);
      }
      return names;
    } catch {
      // Content that cannot be decoded is moved as it is, and with it all that it may need.
      return undefined;
    }
  }

  private streamsOf(contents: Value | undefined): Ref[] {
    const list = contents instanceof Ref ? this.file.object(contents.num) : contents;
    if (Array.isArray(list)) return list.filter((item) => item instanceof Ref);
    return contents instanceof Ref && list instanceof Dict ? [contents] : [];
  }

  /** Whether the thing brings its own resources; one that does not uses the page's, by names not seen in its content. */
  private standsAlone(category: string, value: Uint8Array | undefined): boolean {
    if (category !== 'XObject' && category !== 'Font' && category !== 'Pattern') return true;
    const ref = value === undefined ? undefined : refOf(value);
    if (ref === undefined) return category !== 'Font' || value === undefined;
    const known = this.complete.get(ref.num);
    if (known !== undefined) return known;
    const alone = this.bringsItsOwn(ref, new Set());
    this.complete.set(ref.num, alone);
    return alone;
  }

  private bringsItsOwn(ref: Ref, seen: Set<number>): boolean {
    if (seen.has(ref.num)) return true;
    seen.add(ref.num);
    if (seen.size > MAX_NESTED) return false;
    const dict = this.file.dict(ref);
    if (dict === undefined) return true;
    const subtype = nameAt(this.file, dict, 'Subtype');
    const drawn = subtype === 'Form' || subtype === 'Type3' || numberAt(this.file, dict, 'PatternType') === 1;
    if (!drawn) return true;
    const resources = this.file.dict(dict.get('Resources'));
    if (resources === undefined) return false;
    return CATEGORIES.slice(0, 2).every((name) => {
      const inner = this.file.dict(resources.get(name));
      return (
        inner === undefined ||
        [...inner.values()].every((item) => !(item instanceof Ref) || this.bringsItsOwn(item, seen))
      );
    });
  }

  private dictOf(value: Uint8Array | undefined): RawDict | undefined {
    if (value === undefined) return undefined;
    const ref = refOf(value);
    if (ref === undefined) return this.rawDict(padded(value));
    if (!this.dicts.has(ref.num)) {
      const { file, scan } = this;
      const there = file.scanObject(ref.num, scan);
      this.dicts.set(
        ref.num,
        there ? this.rawDict(padded(file.plain(file.buf.slice(file.pos, scan.end), ref.num))) : undefined,
      );
    }
    return this.dicts.get(ref.num);
  }

  private rawDict(bytes: Uint8Array): RawDict | undefined {
    const { scan } = this;
    if (bytes[skipSpace(bytes, 0, bytes.length)] !== LESS) return undefined;
    if (!scanValue(bytes, 0, bytes.length, scan, KEYS)) return undefined;
    const entries = new Map<string, [number, number]>();
    for (let i = 0; i < scan.keyCount; i += 3) {
      const start = scan.keys[i]!;
      const end = scan.keys[i + 1]!;
      const after = scan.keys[i + 2]!;
      entries.set(decodeName(latin1(bytes, start + 1, end)), [skipSpace(bytes, end, after), after]);
    }
    return { bytes, entries };
  }
}

function valueIn(dict: RawDict, key: string): Uint8Array | undefined {
  const place = dict.entries.get(key);
  return place === undefined ? undefined : dict.bytes.subarray(place[0], place[1]);
}

function refOf(value: Uint8Array | undefined): Ref | undefined {
  if (value === undefined || value[value.length - 1] !== REFERENCE) return undefined;
  const parsed = new Parser(value).value();
  return parsed instanceof Ref ? parsed : undefined;
}

function collectNames(bytes: Uint8Array, names: Set<string>): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let pos = buffer.indexOf(SLASH); pos >= 0; pos = buffer.indexOf(SLASH, pos)) {
    const start = ++pos;
    while (pos < bytes.length && !ends(bytes[pos]!)) pos++;
    names.add(decodeName(latin1(bytes, start, pos)));
  }
}
