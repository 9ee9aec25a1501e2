import { serialize } from '../../syntax/serialize.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import type { Input, Numbered } from '../input.ts';
import { type LayerSet, readLayers } from '../layers.ts';

const LISTS = ['Order', 'RBGroups', 'Locked', 'AS'] as const;
const PLAIN = ['Name', 'Creator', 'Intent', 'ListMode'] as const;

export class PickedLayers {
  private readonly input: Input;
  private readonly set: LayerSet | undefined;
  private readonly groups: ReadonlySet<number>;

  constructor(input: Input) {
    this.input = input;
    this.set = readLayers(input.file, input.catalog);
    this.groups = new Set(this.set?.groups.map(({ num }) => num));
  }

  /** The catalog's entry, when all that the pages lead to has been copied; empty where no layer has. */
  write({ copier }: Numbered): string {
    if (this.set === undefined) return '';
    const { groups, hidden, config } = this.set;
    const copied = ({ num }: Ref): boolean => (copier.map[num] ?? 0) > 0;
    const kept = groups.filter(copied);
    if (kept.length === 0) return '';
    const text = (value: Value): string => serialize(value, ({ num }) => `${copier.map[num]} 0 R`);
    const entries: string[] = [];
    for (const key of PLAIN) {
      const value = this.input.file.resolve(config.get(key));
      if (value !== null) entries.push(`/${key} ${text(this.narrowed(value, copied) ?? null)}`);
    }
    const off = hidden.filter(copied);
    if (off.length > 0) entries.push(`/OFF${text(off)}`);
    for (const key of LISTS) {
      const list = this.narrowed(config.get(key) ?? null, copied);
      if (Array.isArray(list) && list.length > 0) entries.push(`/${key}${text(list)}`);
    }
    return `/OCProperties<</OCGs${text(kept)}/D<<${entries.join('')}>>>>`;
  }

  /** The value without the layers that stay behind; nesting is bounded by the parser, references are to arrays. */
  private narrowed(value: Value, copied: (ref: Ref) => boolean, depth = 0): Value | undefined {
    if (value instanceof Ref && this.groups.has(value.num)) return copied(value) ? value : undefined;
    const found = this.input.file.resolve(value);
    if (depth > 20) return undefined;
    if (Array.isArray(found)) {
      const items = found.map((item) => this.narrowed(item, copied, depth + 1)).filter((item) => item !== undefined);
      return items.length === 0 ? undefined : items;
    }
    if (!(found instanceof Dict)) return found;
    const fresh = new Dict();
    for (const [key, item] of found) fresh.set(key, this.narrowed(item, copied, depth + 1) ?? []);
    return fresh;
  }
}
