// Prunes the resources of pages that are split off: a page keeps those entries of a shared /Resources that its content names.
//
// Resources are pruned only where several pages share them, where the content can be read, and where every form, pattern and
// Type 3 font that is kept brings its own: one that does not draws with the page's, by names that its content alone has. A name
// too many is kept rather than one too few: names in strings count. The cost is one reading of the content of each page.
import { entryAt } from '../../../contract/base/present.ts';
import { ends, latin1, padded, REFERENCE, SLASH } from '../../syntax/characters.ts';
import { unlessRefused } from '../../syntax/damage.ts';
import { decodeName, Parser } from '../../syntax/parser.ts';
import { KEYS, type Span, scanValue } from '../../syntax/scan.ts';
import { encodeName } from '../../syntax/serialize.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { nameAt, numberAt } from '../read/entries.ts';
import { dictOfPage } from '../read/page-dict.ts';
import type { Page } from '../read/page-tree.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Copier } from './copier.ts';

/** Categories of /Resources whose entries content refers to by name. */
const CATEGORIES = ['XObject', 'Font', 'ExtGState', 'Pattern', 'Shading', 'ColorSpace'];
/** Content longer than this is not looked through; the page then keeps all its resources. */
const MAX_CONTENT = 32 << 20;
const MAX_NESTED = 500;

interface RawDict {
  readonly bytes: Uint8Array;
  readonly entries: ReadonlyMap<string, Span>;
}

interface Parts {
  readonly resources: RawDict;
  readonly categories: ReadonlyMap<string, RawDict>;
}

export class Pruner {
  private readonly file: PdfFile;
  private readonly dicts = new Map<number, RawDict | undefined>();
  private readonly parts = new Map<Uint8Array, Parts>();
  private readonly complete = new Map<number, boolean>();
  /** The number of pages with a resource dictionary, by its object or, where it is inherited, by its bytes. */
  private readonly users = new Map<number | Uint8Array, number>();
  /** The keys of `users` that each page has. */
  private readonly shared = new Map<Page, readonly (number | Uint8Array)[]>();

  constructor(file: PdfFile, pages: readonly Page[]) {
    this.file = file;
    for (const page of pages) {
      const keys = this.sharers(page);
      this.shared.set(page, keys);
      for (const key of keys) this.users.set(key, (this.users.get(key) ?? 0) + 1);
    }
  }

  resources(page: Page, copier: Copier): (() => void) | undefined {
    if (this.shared.get(page)?.some((key) => (this.users.get(key) ?? 0) > 1) !== true) return undefined;
    const parts = this.partsOf(page);
    if (parts === undefined) return undefined;
    const { resources, categories } = parts;
    const used = this.namesUsed(page);
    if (used === undefined) return undefined;
    const kept = new Map<string, string[]>();
    for (const [category, dict] of categories) {
      const names = [...dict.entries.keys()].filter((name) => used.has(name));
      if (!names.every((name) => this.standsAlone(category, valueIn(dict, name)))) return undefined;
      kept.set(category, names);
    }
    return () => this.write(resources, categories, kept, copier);
  }

  /** A page's resources, taken apart; once for all pages that inherit them, which may be thousands. */
  private partsOf(page: Page): Parts | undefined {
    const inherited = page.inherited.Resources;
    const known = inherited === undefined ? undefined : this.parts.get(inherited);
    if (known !== undefined) return known;
    const resources = this.dictOf(this.resourcesOf(page));
    if (resources === undefined) return undefined;
    const categories = new Map<string, RawDict>();
    for (const name of CATEGORIES) {
      const dict = this.dictOf(valueIn(resources, name));
      if (dict !== undefined) categories.set(name, dict);
    }
    if (inherited !== undefined) this.parts.set(inherited, { resources: resources, categories });
    return { resources: resources, categories };
  }

  private write(
    resources: RawDict,
    categories: ReadonlyMap<string, RawDict>,
    kept: ReadonlyMap<string, string[]>,
    copier: Copier,
  ) {
    const { writer } = copier;
    writer.text('<<');
    for (const [key, { start }] of resources.entries) {
      writer.text(`/${encodeName(key)} `);
      const category = categories.get(key);
      if (category === undefined) {
        copier.value(resources.bytes, start);
        continue;
      }
      writer.text('<<');
      const names = new Set(kept.get(key));
      for (const [name, { start }] of category.entries) {
        if (!names.has(name)) continue;
        writer.text(`/${encodeName(name)} `);
        copier.value(category.bytes, start);
      }
      writer.text('>>');
    }
    writer.text('>>');
  }

  /** The dictionaries of a page that other pages may share: its resources or their categories. */
  private sharers(page: Page): (number | Uint8Array)[] {
    const inherited = page.inherited.Resources;
    if (inherited !== undefined) return [inherited];
    if (page.resources > 0) return [page.resources];
    const resources = this.dictOf(this.resourcesOf(page));
    if (resources === undefined) return [];
    return CATEGORIES.flatMap((name) => refOf(valueIn(resources, name))?.num ?? []);
  }

  private resourcesOf(page: Page): Uint8Array | undefined {
    const { file } = this;
    const { inherited, direct, num } = page;
    if (inherited.Resources !== undefined) return inherited.Resources;
    const dict = direct === undefined ? file.scanObject(num, KEYS) : scanValue(direct, 0, KEYS);
    const place = dict?.valueOf('Resources');
    if (dict === undefined || place === undefined) return undefined;
    const value = dict.bytes.slice(place.start, place.end);
    return direct === undefined ? file.plain(value, num) : value;
  }

  /** Names in the page's content; undefined where it cannot be read. Names in strings count too. */
  private namesUsed(page: Page): Set<string> | undefined {
    const { file } = this;
    // Content that is damaged or too large is moved as it is, with all resources that it may need.
    return unlessRefused(undefined, () => {
      const contents = dictOfPage(file, page)?.get('Contents');
      const names = new Set<string>();
      for (const stream of this.streamsOf(contents)) {
        const decoded = file.streamBytes(stream.num, MAX_CONTENT);
        if (decoded === undefined) return undefined;
        collectNames(decoded.bytes, names);
      }
      return names;
    });
  }

  private streamsOf(contents: Value | undefined): Ref[] {
    const list = contents instanceof Ref ? this.file.object(contents.num) : contents;
    if (Array.isArray(list)) return list.filter((item) => item instanceof Ref);
    return contents instanceof Ref && list instanceof Dict ? [contents] : [];
  }

  /** Whether an entry brings its own resources; else it uses those of the page, by names that the page's content lacks. */
  private standsAlone(category: string, value: Uint8Array | undefined): boolean {
    if (category !== 'XObject' && category !== 'Font' && category !== 'Pattern') return true;
    const ref = value === undefined ? undefined : refOf(value);
    if (ref === undefined) return category !== 'Font' || value === undefined;
    return entryAt(this.complete, ref.num, () => this.bringsItsOwn(ref, new Set()));
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
      const { file } = this;
      const value = file.scanObject(ref.num);
      const bytes = value === undefined ? undefined : file.plain(value.bytes.slice(value.start, value.end), ref.num);
      this.dicts.set(ref.num, bytes === undefined ? undefined : this.rawDict(padded(bytes)));
    }
    return this.dicts.get(ref.num);
  }

  private rawDict(bytes: Uint8Array): RawDict | undefined {
    const dict = scanValue(bytes, 0, KEYS);
    return dict?.isDict === true ? { bytes, entries: new Map(dict.entries()) } : undefined;
  }
}

function valueIn(dict: RawDict, key: string): Uint8Array | undefined {
  const place = dict.entries.get(key);
  return place === undefined ? undefined : dict.bytes.subarray(place.start, place.end);
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
    while (pos < bytes.length && !ends(bytes[pos])) pos++;
    names.add(decodeName(latin1(bytes, start, pos)));
  }
}
