// Layers (optional content, ISO 32000-1, 8.11) through a merge: what was hidden stays hidden.
import { nameAt } from '../read/entries.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';
import type { Writer } from '../write/writer.ts';
import { checkCount, type Input, listOf, type Numbered, valueText } from './input.ts';

/** Lists of the configuration that are joined as they are. */
const LISTS = ['Order', 'RBGroups', 'Locked', 'AS'] as const;

export interface LayerSet {
  /** The groups in the document's order. */
  readonly groups: readonly Ref[];
  /** Those of them that are hidden when the document is opened. */
  readonly hidden: readonly Ref[];
  /** The default configuration. */
  readonly config: Dict;
}

/** The layers of a document; undefined where it has none. */
export function readLayers(file: PdfFile, catalog: Dict): LayerSet | undefined {
  const properties = file.dict(catalog.get('OCProperties'));
  if (properties === undefined) return undefined;
  const groups = refsOf(file, properties.get('OCGs'));
  checkCount(file, groups.length, 'layers');
  const config = file.dict(properties.get('D')) ?? new Dict();
  const off = refsOf(file, config.get('OFF'));
  if (nameAt(file, config, 'BaseState') !== 'OFF') return { groups, hidden: off, config };
  // All are hidden but those named; one named on both lists is hidden (8.11.4.3: first ON, then OFF).
  const shown = new Set(refsOf(file, config.get('ON')).map(({ num }) => num));
  for (const { num } of off) shown.delete(num);
  return { groups, hidden: groups.filter(({ num }) => !shown.has(num)), config };
}

function refsOf(file: PdfFile, value: Value | undefined): Ref[] {
  return listOf(file, value).filter((item) => item instanceof Ref);
}

export class Layers {
  private readonly sets = new Map<number, LayerSet>();
  private readonly groups: string[] = [];
  private readonly hidden: string[] = [];
  private readonly lists = new Map<string, string[]>(LISTS.map((key) => [key, []]));
  private readonly configs: string[] = [];
  private readonly first: string[] = [];

  survey({ index, file, catalog }: Input): void {
    const set = readLayers(file, catalog);
    if (set !== undefined) this.sets.set(index, set);
  }

  place({ index, file, catalog }: Input, { copier }: Numbered): void {
    const set = this.sets.get(index);
    if (set === undefined) return;
    const { groups, hidden, config } = set;
    for (const ref of groups) this.groups.push(copier.reference(ref.num));
    for (const ref of hidden) this.hidden.push(copier.reference(ref.num));
    for (const key of LISTS) {
      for (const item of listOf(file, config.get(key))) this.lists.get(key)!.push(valueText(item, copier));
    }
    for (const item of listOf(file, file.dict(catalog.get('OCProperties'))?.get('Configs'))) {
      this.configs.push(valueText(item, copier));
    }
    if (this.first.length > 0) return;
    for (const key of ['Name', 'Creator', 'Intent', 'ListMode']) {
      const value = config.get(key);
      if (value !== undefined) this.first.push(`/${key} ${valueText(value, copier)}`);
    }
  }

  /** The catalog's entry; empty where no input has layers. */
  async write(writer: Writer): Promise<string> {
    if (this.sets.size === 0) return '';
    const lists = [['OFF', this.hidden] as const, ...this.lists].filter(([, items]) => items.length > 0);
    const config = [...this.first, ...lists.map(([key, items]) => `/${key}[${items.join(' ')}]`)].join('');
    const configs = this.configs.length === 0 ? '' : `/Configs[${this.configs.join(' ')}]`;
    const num = writer.allocate();
    await writer.object(num, `<</OCGs[${this.groups.join(' ')}]/D<<${config}>>${configs}>>`);
    return `/OCProperties ${num} 0 R`;
  }
}
