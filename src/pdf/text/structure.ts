// Owns making blocks of the pages of a document: headings, paragraphs, lists, code, tables. Knows nothing of Markdown.
import type { Block } from './blocks.ts';
import { codeLines } from './code.ts';
import { type DocumentStyle, styleOf } from './document-style.ts';
import { withoutFurniture } from './furniture.ts';
import { type Group, groupsOf } from './groups.ts';
import { type HeadingStyle, headingStyle, levelsOf } from './headings.ts';
import { itemsOf } from './lists.ts';
import type { PageLayout } from './page-layout.ts';

interface Found {
  readonly page: number;
  readonly group?: Group;
  readonly heading?: HeadingStyle | undefined;
  readonly block?: Block;
}

/** The blocks of a document in the order of reading, and how many running heads and feet were left out. */
export function structureOf(all: readonly PageLayout[]): { blocks: Block[]; removed: number } {
  const { pages, removed } = withoutFurniture(all);
  const style = styleOf(pages);
  const found: Found[] = pages.flatMap((page, i) => foundOn(page, i + 1, style));
  const levelOf = levelsOf(found.flatMap((each) => each.heading ?? []));
  const blocks: Block[] = [];
  let run: Found[] = [];
  const endRun = () => {
    blocks.push(...itemsOf(run.map((each) => ({ page: each.page, lines: each.group!.lines }))));
    run = [];
  };
  for (const each of found) {
    const { page, group, heading, block } = each;
    if (group !== undefined && heading === undefined && !group.code) {
      run.push(each);
      continue;
    }
    endRun();
    if (block !== undefined) blocks.push(block);
    else if (group?.code === true) blocks.push({ kind: 'code', page, lines: codeLines(group.lines) });
    else if (heading !== undefined) {
      blocks.push({ kind: 'heading', page, level: levelOf(heading), lines: group!.lines.map((line) => line.text) });
    }
  }
  endRun();
  return { blocks, removed };
}

function foundOn(page: PageLayout, number: number, style: DocumentStyle): Found[] {
  const contents = isContents(page);
  const top = topOf(page);
  return page.regions.flatMap((region): Found[] => {
    if (region.kind === 'table') return [{ page: number, block: { kind: 'table', page: number, table: region.table } }];
    return groupsOf(region.lines, style.mono ? 0 : 1.12 * style.body).map((group) => ({
      page: number,
      group,
      heading: contents && group.lines[0]!.y > top + 1 ? undefined : headingStyle(group, style),
    }));
  });
}

/** A page of a table of contents: titles with page numbers apart from them. Its bold entries are no headings. */
function isContents(page: PageLayout): boolean {
  const lines = page.regions.flatMap((region) => (region.kind === 'lines' ? region.lines : []));
  const entries = lines.filter(
    (line) => (line.parted || /\.{4}|(\. ){4}/.test(line.text)) && /\s(\d{1,4}|[ivxlcdm]+)$/i.test(line.text),
  );
  return entries.length >= 5 && entries.length > 0.4 * lines.length;
}

function topOf(page: PageLayout): number {
  return Math.min(
    ...page.regions.flatMap((region) => (region.kind === 'lines' ? region.lines.map((line) => line.y) : [])),
  );
}
