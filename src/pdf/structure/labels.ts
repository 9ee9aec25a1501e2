// Page labels (ISO 32000-1, 12.4.2).
import { nameAt } from '../file/read/entries.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { serialize } from '../syntax/serialize.ts';
import type { Dict, Value } from '../syntax/values.ts';
import { type Input, readOnce, readOrLeave } from './input.ts';
import { readNumbers } from './name-trees.ts';

const STYLES = ['D', 'R', 'r', 'A', 'a'];

export interface LabelRange {
  readonly page: number;
  /** /S: D, R, r, A or a; without it the label is the prefix alone. */
  readonly style?: string | undefined;
  readonly prefix?: Value | undefined;
  readonly start: number;
}

/** The label ranges of a document in order; undefined where it has none. */
export function readLabels(file: PdfFile, catalog: Dict): LabelRange[] | undefined {
  const root = catalog.get('PageLabels');
  if (file.dict(root) === undefined) return undefined;
  const ranges: LabelRange[] = [];
  for (const [page, value] of readNumbers(file, root, 'page labels')) {
    const label = file.dict(value);
    if (label === undefined || !Number.isInteger(page) || page < 0) continue;
    const start = file.resolve(label.get('St'));
    const style = nameAt(file, label, 'S');
    ranges.push({
      page,
      style: style !== undefined && STYLES.includes(style) ? style : undefined,
      prefix: file.resolve(label.get('P')) ?? undefined,
      start: typeof start === 'number' && Number.isInteger(start) && start >= 1 ? start : 1,
    });
  }
  return ranges.length === 0 ? undefined : ranges.sort((a, b) => a.page - b.page);
}

/** The label ranges of the pages from `first` to before `end`, relative to `first`. Pages without one have their number. */
function labelsBetween(ranges: readonly LabelRange[], first: number, end: number): LabelRange[] {
  let within: LabelRange = { page: 0, style: 'D', start: 1 };
  const cut: LabelRange[] = [];
  for (const range of ranges) {
    if (range.page <= first) within = range;
    else if (range.page < end) cut.push({ ...range, page: range.page - first });
  }
  const { page, style, prefix, start } = within;
  cut.unshift({ page: 0, style, prefix, start: start + first - page });
  return cut;
}

/** Consecutive pages of an input that are consecutive in the output. */
export interface PageRun {
  readonly input: Input;
  readonly place: number;
  readonly count: number;
}

export class Labels {
  private readonly ranges = new Map<number, readonly LabelRange[]>();

  survey(input: Input): void {
    const stored = readOnce(input, readInputLabels);
    if (stored !== undefined) this.ranges.set(input.index, stored);
  }

  /** The catalog's entry. Where any input has labels, pages without one get their output number, as viewers show it. */
  write(runs: Iterable<PageRun>): string {
    if (this.ranges.size === 0) return '';
    const ranges: LabelRange[] = [];
    let before = 0;
    for (const { input, place, count } of runs) {
      const replaced = this.ranges.get(input.index);
      const plain: LabelRange[] = [{ page: 0, style: 'D', start: before + 1 }];
      const labels = replaced === undefined ? plain : labelsBetween(replaced, place, place + count);
      for (const range of labels) ranges.push({ ...range, page: range.page + before });
      before += count;
    }
    return writeLabels(ranges);
  }
}

function readInputLabels(input: Input): LabelRange[] | undefined {
  return readOrLeave(input, 'page labels', undefined, () => readLabels(input.file, input.catalog));
}

export function writeLabels(ranges: readonly LabelRange[]): string {
  const entries = ranges.map(({ page, style, prefix, start }) => {
    const s = style === undefined ? '' : `/S/${style}`;
    const p = prefix === undefined ? '' : `/P ${serialize(prefix, () => 'null')}`;
    return `${page}<<${s}${p}${start === 1 ? '' : `/St ${start}`}>>`;
  });
  return `/PageLabels<</Nums[${entries.join(' ')}]>>`;
}
