import { Failure } from '../../contract/failure.ts';
import type { Copier } from '../file/copy/copier.ts';
import type { Page } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { valueText } from '../structure/input.ts';
import { encodeName } from '../syntax/serialize.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';

/** A limit for all pages together: shared dictionaries written once a page would turn megabytes into gigabytes. */
const MOST = 1024 * 1024 * 1024;

export interface Added {
  readonly category: 'Font' | 'XObject' | 'ExtGState' | 'ColorSpace';
  readonly name: string;
  readonly num: number;
}

interface Merged {
  readonly text: string;
  /** The names of the added resources, in order. */
  readonly names: readonly string[];
}

export interface ResourceBudget {
  left: number;
}

/** Adds the same resources to those of pages, shared ones once: else 1 MB would become gigabytes. */
export class PageResources {
  private readonly copier: Copier;
  private readonly file: PdfFile;
  private readonly added: readonly Added[];
  private readonly budget: ResourceBudget;
  /** By what pages share: an object number, or inherited bytes. */
  private readonly shared = new Map<number | Uint8Array, Merged>();
  private readonly categories = new Map<string, string>();

  constructor(copier: Copier, added: readonly Added[], budget: ResourceBudget = { left: MOST }) {
    this.budget = budget;
    this.copier = copier;
    this.file = copier.file;
    this.added = added;
  }

  /** `dict`: the page's, with inherited entries. */
  async of(page: Page, dict: Dict): Promise<Merged> {
    const key = page.resources > 0 ? page.resources : page.inherited.Resources;
    if (key === undefined) return this.merge(dict.get('Resources'));
    const known = this.shared.get(key);
    if (known !== undefined) return known;
    const merged = await this.merge(dict.get('Resources'));
    const num = await this.write(merged.text);
    const shared = { text: `${num} 0 R`, names: merged.names };
    this.shared.set(key, shared);
    return shared;
  }

  private async merge(value: Value | undefined): Promise<Merged> {
    const { file, added, copier } = this;
    const resources = new Dict(file.dict(value) ?? []);
    const taken = new Set<string>();
    const counts = new Map<string, number>();
    const names = added.map(({ category, name }) => {
      const dict = file.dict(resources.get(category));
      let fresh = name;
      let number = counts.get(name) ?? 1;
      while (dict?.has(fresh) === true || taken.has(fresh)) fresh = `${name}${++number}`;
      counts.set(name, number);
      taken.add(fresh);
      return fresh;
    });
    const entries: string[] = [];
    for (const category of new Set(added.map((resource) => resource.category))) {
      const given = resources.get(category);
      resources.delete(category);
      const extra = added.flatMap((resource, i) =>
        resource.category === category ? [`/${encodeName(names[i] ?? resource.name)} ${resource.num} 0 R`] : [],
      );
      entries.push(`/${category} ${await this.category(given, extra.join(''))}`);
    }
    const text = `${valueText(resources, copier).slice(0, -2)}${entries.join('')}>>`;
    this.spend(text.length);
    return { text, names };
  }

  private async category(given: Value | undefined, extra: string): Promise<string> {
    const { file, copier, categories } = this;
    const dict = file.dict(given) ?? new Dict();
    const text = () => `${valueText(dict, copier).slice(0, -2)}${extra}>>`;
    if (!(given instanceof Ref)) return text();
    const key = `${given.num} ${extra}`;
    const known = categories.get(key);
    if (known !== undefined) return known;
    const merged = text();
    this.spend(merged.length);
    const fresh = `${await this.write(merged)} 0 R`;
    categories.set(key, fresh);
    return fresh;
  }

  private spend(bytes: number): void {
    this.budget.left -= bytes;
    if (this.budget.left >= 0) return;
    throw new Failure('unprocessable', `${this.file.name}: its pages have too many resources to be changed`, {
      kind: 'limit',
    });
  }

  private async write(text: string): Promise<number> {
    const { writer } = this.copier;
    const num = writer.allocate();
    await writer.object(num, text);
    return num;
  }
}
