import { greatest, lastOf, type NonEmpty, pushAll, runsOf } from '../../syntax/arrays.ts';
import { around, type TextBox } from '../content/page-content.ts';
import type { Block } from '../layout/blocks.ts';
import { withoutFurniture } from '../layout/furniture.ts';
import { type Group, groupsOf } from '../layout/groups.ts';
import type { PageLayout } from '../layout/page-layout.ts';
import { isEntry } from '../lines/contents.ts';
import type { Line } from '../lines/lines.ts';
import { beginsItem, codeLines, itemsOf, type Text, withBullet } from '../lists/lists.ts';
import type { Table } from '../tables/tables.ts';
import type { ItemPlace } from './content-tags.ts';
import type { DeclaredStructure } from './declared-structure.ts';
import { type DocumentStyle, documentStyle } from './document-style.ts';
import { Footnotes } from './footnotes.ts';
import { type Heading, levelsOf } from './heading-levels.ts';
import { headingText, NAMED } from './headings.ts';
import { headingsOn } from './page-headings.ts';
import { inTaggedOrder } from './reading-order.ts';

/** A heading whose level is known when all headings are. */
interface Titled extends Heading {
  readonly at: number;
  readonly page: number;
  readonly text: string;
}

/**
 * The blocks of a document in reading order, and how many running heads and feet were left out. It empties `all` page
 * by page, so that a long document is not held twice.
 */
export function structureOf(all: PageLayout[], declared: DeclaredStructure): { blocks: Block[]; removed: number } {
  const { pages, removed } = withoutFurniture(all.splice(0), declared.claimsSound);
  const style = documentStyle(pages);
  const blocks: Block[] = [];
  const titles: Titled[] = [];
  const footnotes = new Footnotes();
  let run: Text[] = [];
  const endRun = () => {
    pushAll(blocks, itemsOf(run));
    run = [];
  };
  for (const [i, layout] of pages.entries()) {
    const page = i + 1;
    const found = foundOn(layout, i, style, declared);
    const isText = ({ group, heading }: Found) => group !== undefined && heading === undefined && !group.code;
    const notes = footnotes.tie(
      found.flatMap((each) => (isText(each) && each.group) || []),
      page,
    );
    for (const each of found) {
      const { table, group, heading } = each;
      if (group !== undefined && isText(each)) {
        pushAll(
          run,
          itemsIn(group.lines, i, declared).map((part) => ({ ...part, page, notes, apart: group.apart })),
        );
        continue;
      }
      endRun();
      if (each.alt !== undefined) blocks.push(figureBlock(page, each.alt));
      else if (table !== undefined) blocks.push({ kind: 'table', page, table });
      else if (group?.code === true) blocks.push({ kind: 'code', page, lines: codeLines(group.lines) });
      else if (group !== undefined && heading !== undefined) {
        titles.push({ at: blocks.length, page, text: headingText(group), ...heading });
        blocks.push({ kind: 'heading', page, level: 1, lines: group.lines.map((line) => line.text) });
      }
    }
    pages[i] = NOTHING;
  }
  endRun();
  const authors = authorsOf(titles);
  for (const { at } of authors) {
    const block = blocks[at];
    if (block?.kind === 'heading')
      blocks[at] = { ...block, kind: 'paragraph', spans: [], open: false, continues: false };
  }
  const others = titles.filter((title) => !authors.includes(title));
  const levels = levelsOf(others);
  for (const [i, { at }] of others.entries()) {
    const [block, level] = [blocks[at], levels[i]];
    if (block?.kind === 'heading' && level !== undefined) blocks[at] = { ...block, level };
  }
  return { blocks, removed };
}

/** Authors, dates and places below the title on its page, in smaller letters that are not bold. */
function authorsOf(titles: readonly Titled[]): Titled[] {
  const [first] = titles;
  const authors: Titled[] = [];
  for (const title of titles.slice(1)) {
    const { at, page, style, text, tag, depth } = title;
    if (first === undefined || at !== first.at + 1 + authors.length || tag !== undefined || depth !== undefined) break;
    if (style.size >= first.style.size || style.bold || style.depth > 0 || NAMED.test(text) || page !== first.page)
      break;
    authors.push(title);
  }
  return titles.length > 1 + authors.length ? authors : [];
}

/** An image of Markdown that is nowhere, but says what it shows. */
function figureBlock(page: number, alt: string): Block {
  const lines = [`![${alt.replace(/[\\[\]]/g, '\\$&')}]()`];
  return { kind: 'paragraph', page, lines, spans: [], open: false, continues: false };
}

const NOTHING: PageLayout = { width: 0, height: 0, regions: [], leftOut: { outside: 0, hidden: 0 } };

/** The lines of a group, parted where tags begin a list item. */
function itemsIn(
  lines: NonEmpty<Line>,
  page: number,
  { itemOf }: DeclaredStructure,
): { readonly lines: NonEmpty<Line>; readonly place: ItemPlace | undefined }[] {
  const placed = lines.map((line) => ({ line, place: itemOf(page, line.mark) }));
  const parts = runsOf(placed, ({ line, place }, run) => !beginsItem(line.text, place, lastOf(run).place));
  return parts.map(([first, ...others]) => ({
    lines: [first.line, ...others.map(({ line }) => line)],
    place: first.place,
  }));
}

interface Found {
  readonly table?: Table;
  readonly alt?: string;
  readonly group?: Group;
  readonly heading?: Heading | undefined;
}

/** `number`: of the page, from 0. */
function foundOn(page: PageLayout, number: number, style: DocumentStyle, declared: DeclaredStructure): Found[] {
  const columns = page.regions.flatMap((region) => (region.kind === 'lines' ? around(region.lines) : []));
  const sections = page.regions.flatMap((region): Found[] =>
    region.kind === 'table'
      ? [{ table: region.table }]
      : region.kind === 'figure'
        ? [{ alt: region.alt }]
        : groupsOf(region.lines.map(withBullet), style.mono ? 0 : 1.12 * style.body, columnEnd(columns, region.lines))
            .flatMap((group) => headingsApart(group, number, declared))
            .map((group) => ({ group })),
  );
  const top = isContents(page) ? topOf(page) + 1 : Infinity;
  const groups = sections.flatMap(({ group }) => (group !== undefined && group.lines[0].y <= top ? [group] : []));
  const headings = headingsOn(groups, number, style, declared);
  const ordered = inTaggedOrder(sections, (mark) => declared.orderOf(number, mark));
  return ordered.map((section) => ({ ...section, heading: section.group && headings.get(section.group) }));
}

/** Columns of a page begin no further apart than this where they are one, in em. */
const SAME_COLUMN = 3;

/** The right edge of the column that these lines are in. */
function columnEnd(columns: readonly TextBox[], lines: readonly Line[]): number {
  const { x0 } = around(lines);
  const farthest = SAME_COLUMN * (lines[0]?.size ?? 1);
  return greatest(columns.flatMap((column) => (Math.abs(column.x0 - x0) > farthest ? [] : column.x1)));
}

/** The parts of a group that tags declare to be headings of their own. */
function headingsApart(group: Group, page: number, { headingOf }: DeclaredStructure): Group[] {
  if (group.code || group.lines.length > 4) return [group];
  const placed = group.lines.map((line) => ({ line, heading: headingOf(page, line.mark) }));
  const runs = runsOf(placed, ({ heading }, run) => heading === undefined || heading === lastOf(run).heading);
  return runs.map(([{ line: first }, ...others], i): Group => {
    const lines: NonEmpty<Line> = [first, ...others.map(({ line }) => line)];
    const [before, after] = [runs[i - 1]?.at(-1)?.line, runs[i + 1]?.[0].line];
    return {
      lines,
      above: before === undefined ? group.above : (first.y - before.y) / first.size,
      below: after === undefined ? group.below : (after.y - lastOf(lines).y) / first.size,
      code: false,
      apart: group.apart,
    };
  });
}

/** Whether a page is a table of contents: titles with separate page numbers. Its bold entries are no headings. */
function isContents(page: PageLayout): boolean {
  const lines = page.regions.flatMap((region) => (region.kind === 'lines' ? region.lines : []));
  const entries = lines.filter(isEntry);
  return entries.length >= 5 && entries.length > 0.4 * lines.length;
}

function topOf(page: PageLayout): number {
  return Math.min(
    ...page.regions.flatMap((region) => (region.kind === 'lines' ? region.lines.map((line) => line.y) : [])),
  );
}
