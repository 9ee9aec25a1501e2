// Resources of forms (/DR) through a merge: different fonts of one name get names of their own.
import type { Copier } from '../file/copy/copier.ts';
import { encodeName } from '../syntax/serialize.ts';
import { Dict, type Value } from '../syntax/values.ts';
import { equalValues } from './equal-values.ts';
import { type Input, valueText } from './input.ts';

interface Variant {
  readonly input: Input;
  readonly value: Value;
  readonly name: string;
}

export class Resources {
  /** The resources of the inputs by category and name: different ones may have the same name. */
  private readonly categories = new Map<string, Map<string, Variant[]>>();
  private readonly taken = new Set<string>();
  private readonly renames = new Map<number, Map<string, string>>();
  private readonly texts = new Map<string, string[]>();

  survey(input: Input, value: Value | undefined): void {
    for (const [category, list] of input.file.dict(value) ?? []) {
      const resources = input.file.resolve(list);
      // /ProcSet is an array that readers ignore today.
      if (!(resources instanceof Dict)) continue;
      const names = this.categories.get(category) ?? new Map<string, Variant[]>();
      this.categories.set(category, names);
      for (const [name, item] of resources) {
        const variants = names.get(name) ?? [];
        names.set(name, variants);
        this.choose(input, category, name, item, variants);
      }
    }
  }

  private choose(input: Input, category: string, name: string, value: Value, variants: Variant[]): void {
    const free = !this.taken.has(`${category}/${name}`);
    const known = variants.find((other) => equalValues(other.input.file, other.value, input.file, value));
    // Only fonts are named by what is not a resource itself; of the rest the first one stays.
    if (known === undefined && !free && category !== 'Font') return;
    let fresh = known?.name ?? name;
    if (known === undefined) {
      for (let number = input.index + 1; this.taken.has(`${category}/${fresh}`); number++) fresh = `${name}_${number}`;
      this.taken.add(`${category}/${fresh}`);
      variants.push({ input, value, name: fresh });
    }
    if (fresh === name || category !== 'Font') return;
    const renames = this.renames.get(input.index) ?? new Map<string, string>();
    this.renames.set(input.index, renames.set(name, fresh));
  }

  /** New names of an input's fonts; undefined where none changes. */
  fonts(index: number): ReadonlyMap<string, string> | undefined {
    return this.renames.get(index);
  }

  place(index: number, copier: Copier): void {
    for (const [category, names] of this.categories) {
      const texts = this.texts.get(category) ?? [];
      this.texts.set(category, texts);
      for (const variants of names.values()) {
        for (const { input, value, name } of variants) {
          if (input.index === index) texts.push(`/${encodeName(name)} ${valueText(value, copier)}`);
        }
      }
    }
  }

  write(): string {
    const categories = [...this.texts].map(([category, texts]) => `/${encodeName(category)}<<${texts.join('')}>>`);
    return categories.length === 0 ? '' : `/DR<<${categories.join('')}>>`;
  }
}
