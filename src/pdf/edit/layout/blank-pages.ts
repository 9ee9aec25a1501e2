// Inserts empty pages. Labels continue: an empty page takes the next number.
import type { Draft } from '../../../contract/base/ports.ts';
import { operands } from '../../content/operands.ts';
import type { Assembly } from '../../file/copy/assemble.ts';
import { type NewEntries, UNCHANGED } from '../../file/copy/new-entries.ts';
import { rewrite } from '../../file/copy/rewrite.ts';
import { catalogOf } from '../../file/read/entries.ts';
import type { Pace } from '../../file/read/pace.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { Source } from '../../file/read/source.ts';
import { viewOf } from '../../page/view.ts';
import { readLabels, writeLabels } from '../../structure/labels.ts';

interface BlankOptions {
  /** The number of blank pages behind each page; page 0 stands for the front. */
  readonly after: ReadonlyMap<number, number>;
  /** In points; left out, the size of the page before or behind. */
  readonly size: readonly [number, number] | undefined;
}

export async function insertBlankPages(
  source: Source,
  draft: Draft,
  id: string,
  pace: Pace,
  { after, size }: BlankOptions,
): Promise<number> {
  const { file, tree } = source;
  let made = tree.pages.length;
  const pages = async (assembly: Assembly): Promise<NewEntries> => {
    const order: number[] = [];
    const insert = async (times: number, like: Page | undefined): Promise<void> => {
      if (times === 0 || like === undefined) return;
      const view = viewOf(file, wholeDictOfPage(file, like), like.rotate);
      const [width, height] = size ?? [view.width, view.height];
      for (let i = 0; i < times; i++) {
        await assembly.add(`/MediaBox[${operands([0, 0, width, height])}]/Resources<<>>`);
        order.push(made++);
      }
    };
    await insert(after.get(0) ?? 0, tree.pages[0]);
    for (const [i, page] of tree.pages.entries()) {
      order.push(i);
      await insert(after.get(i + 1) ?? 0, page);
      if (pace.isOver()) await pace.yield();
    }
    assembly.arrange(order);
    const labels = shiftedLabels(source, after);
    return labels === undefined ? UNCHANGED : new Map([['PageLabels', labels]]);
  };
  await rewrite(source, draft, id, pace, () => UNCHANGED, undefined, { pages });
  return made;
}

function shiftedLabels({ file }: Source, after: ReadonlyMap<number, number>): string | undefined {
  const labels = readLabels(file, catalogOf(file));
  if (labels === undefined) return undefined;
  const moved = labels.map((range) => {
    const before = [...after].reduce((sum, [page, times]) => sum + (page <= range.page && page > 0 ? times : 0), 0);
    // Pages in front get the labels of the first page.
    return range.page === 0 ? range : { ...range, page: range.page + before + (after.get(0) ?? 0) };
  });
  return writeLabels(moved).slice('/PageLabels'.length);
}
