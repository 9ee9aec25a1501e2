// Merges layers (optional content, ISO 32000-1, 8.11): what was hidden stays hidden. Picked pages keep those they use.

import { listOf, nameAt } from '../file/read/entries.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Writer } from '../file/write/writer.ts';
import { serialize } from '../syntax/serialize.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';
import { checkCount, type Input, type Numbered, readOnce, readOrLeave, valueText } from './input.ts';

/** Entries of the configuration that are joined as they are. */
const LISTS = ['Order', 'RBGroups', 'Locked', 'AS'] as const;

interface LayerSet {
  readonly groups: readonly Ref[];
  /** Layers that are hidden initially. */
  readonly hidden: readonly Ref[];
  readonly config: Dict;
}

export function readLayers(file: PdfFile, catalog: Dict): LayerSet | undefined {
  const properties = file.dict(catalog.get('OCProperties'));
  if (properties === undefined) return undefined;
  const groups = refsOf(file, properties.get('OCGs'));
  checkCount(file, groups.length, 'layers');
  const config = file.dict(properties.get('D')) ?? new Dict();
  const off = refsOf(file, config.get('OFF'));
  if (nameAt(file, config, 'BaseState') !== 'OFF') return { groups, hidden: off, config };
  // /BaseState OFF hides all but those in ON; one in both lists is hidden (8.11.4.3: ON applies first, then OFF).
  const shown = new Set(refsOf(file, config.get('ON')).map(({ num }) => num));
  for (const { num } of off) shown.delete(num);
  return { groups, hidden: groups.filter(({ num }) => !shown.has(num)), config };
}

function refsOf(file: PdfFile, value: Value | undefined): Ref[] {
  return listOf(file, value).filter((item) => item instanceof Ref);
}

const FIRST = ['Name', 'Creator', 'Intent', 'ListMode'] as const;

/** Most levels of /Order. */
const MAX_DEPTH = 20;

export class Layers {
  private readonly sets = new Map<number, LayerSet>();
  private readonly groups: string[] = [];
  private readonly hidden: string[] = [];
  private readonly lists = new Map<(typeof LISTS)[number], string[]>(LISTS.map((key) => [key, []]));
  private readonly configs: string[] = [];
  private readonly first: string[] = [];

  survey(input: Input): void {
    const set = readOnce(input, readInputLayers);
    if (set !== undefined) this.sets.set(input.index, set);
  }

  place({ index, file, catalog, picked }: Input, { copier }: Numbered): void {
    const set = this.sets.get(index);
    if (set === undefined || picked !== undefined) return;
    this.take(set, file, (value) => valueText(value, copier));
    for (const item of listOf(file, file.dict(catalog.get('OCProperties'))?.get('Configs'))) {
      this.configs.push(valueText(item, copier));
    }
  }

  /** Takes over the layers that picked pages use, which is known when all they refer to has been copied. */
  finish({ index, file, picked }: Input, { copier }: Numbered): void {
    const set = this.sets.get(index);
    if (set === undefined || picked === undefined) return;
    const { groups, hidden } = set;
    const isCopied = ({ num }: Ref): boolean => (copier.map[num] ?? 0) > 0;
    const kept = groups.filter(isCopied);
    if (kept.length === 0) {
      this.sets.delete(index);
      return;
    }
    const text = (value: Value): string =>
      serialize(value, ({ num }) => ((copier.map[num] ?? 0) > 0 ? `${copier.map[num]} 0 R` : 'null'));
    const known = new Set(groups.map(({ num }) => num));
    /** The value without layers that are left out. The parser bounds nesting; references are to arrays. */
    const narrowed = (value: Value, depth = 0): Value | undefined => {
      if (value instanceof Ref && known.has(value.num)) return isCopied(value) ? value : undefined;
      const target = file.resolve(value);
      if (depth > MAX_DEPTH) return undefined;
      if (Array.isArray(target)) {
        const stays = target.map((item) => narrowed(item, depth + 1)).filter((item) => item !== undefined);
        return stays.length === 0 ? undefined : stays;
      }
      if (!(target instanceof Dict)) return target;
      return new Dict([...target].map(([key, item]) => [key, narrowed(item, depth + 1) ?? []]));
    };
    this.take({ ...set, groups: kept, hidden: hidden.filter(isCopied) }, file, text, narrowed);
  }

  async write(writer: Writer): Promise<string> {
    if (this.sets.size === 0) return '';
    const lists = [['OFF', this.hidden] as const, ...this.lists].filter(([, items]) => items.length > 0);
    const config = [...this.first, ...lists.map(([key, items]) => `/${key}[${items.join(' ')}]`)].join('');
    const configs = this.configs.length === 0 ? '' : `/Configs[${this.configs.join(' ')}]`;
    const num = writer.allocate();
    await writer.object(num, `<</OCGs[${this.groups.join(' ')}]/D<<${config}>>${configs}>>`);
    return `/OCProperties ${num} 0 R`;
  }

  /** `narrowed`: a value without what is left out. */
  private take(
    { groups, hidden, config }: LayerSet,
    file: PdfFile,
    text: (value: Value) => string,
    narrowed = (value: Value): Value | undefined => value,
  ): void {
    this.groups.push(...groups.map(text));
    this.hidden.push(...hidden.map(text));
    for (const [key, items] of this.lists) {
      const list = file.resolve(narrowed(config.get(key) ?? null));
      if (Array.isArray(list)) items.push(...list.map(text));
    }
    if (this.first.length > 0) return;
    for (const key of FIRST) {
      const value = narrowed(config.get(key) ?? null) ?? null;
      if (value !== null) this.first.push(`/${key} ${text(value)}`);
    }
  }
}

function readInputLayers(input: Input): LayerSet | undefined {
  return readOrLeave(input, 'layers', undefined, () => readLayers(input.file, input.catalog));
}
