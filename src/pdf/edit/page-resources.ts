import { Failure } from '../../contract/base/failure.ts';
import { entryAt } from '../../contract/base/present.ts';
import type { Copier } from '../file/copy/copier.ts';
import type { Page } from '../file/read/page-tree.ts';
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
  private readonly added: readonly Added[];
  private readonly budget: ResourceBudget;
  /** By what pages share: an object number, or inherited bytes. */
  private readonly shared = new Map<number | Uint8Array, Promise<Merged>>();
  private readonly categories = new Map<string, Promise<string>>();

  constructor(copier: Copier, added: readonly Added[], budget: ResourceBudget = { left: MOST }) {
    this.budget = budget;
    this.copier = copier;
    this.added = added;
  }

  /** `dict`: the page's, with inherited entries. */
  async of(page: Page, dict: Dict): Promise<Merged> {
    const key = page.resources > 0 ? page.resources : page.inherited.Resources;
    if (key === undefined) return this.merge(dict.get('Resources'));
    return entryAt(this.shared, key, async () => {
      const { text, names } = await this.merge(dict.get('Resources'));
      return { text: `${await this.write(text)} 0 R`, names };
    });
  }

  private async merge(value: Value | undefined): Promise<Merged> {
    const { added, copier } = this;
    const { file } = copier;
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
    const { copier, categories } = this;
    const dict = copier.file.dict(given) ?? new Dict();
    const text = () => `${valueText(dict, copier).slice(0, -2)}${extra}>>`;
    if (!(given instanceof Ref)) return text();
    const key = `${given.num} ${extra}`;
    return entryAt(categories, key, async () => {
      const merged = text();
      this.spend(merged.length);
      return `${await this.write(merged)} 0 R`;
    });
  }

  private spend(bytes: number): void {
    this.budget.left -= bytes;
    if (this.budget.left >= 0) return;
    throw new Failure('unprocessable', `${this.copier.file.name}: its pages have too many resources to be changed`, {
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
