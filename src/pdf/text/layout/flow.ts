import type { Table } from '../tables/tables.ts';
import { type Block, SENTENCE_END } from './blocks.ts';

/** Joins paragraphs, items and code that continue across a break; each stays on the page it begins on. */
export function joinAcrossBreaks(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    // A note, caption or page number between two parts of a sentence is put behind it.
    const at = result.length - (last?.kind === 'paragraph' && ASIDE.test(last.lines[0] ?? '') ? 2 : 1);
    const before = result[at];
    const joined = before === undefined ? undefined : join(before, block);
    if (joined === undefined) result.push(block);
    else result[at] = joined;
  }
  return result;
}

const ASIDE = /^([∗*†‡§¶⁰¹²³⁴-⁹]|\d{1,3}(\s?\p{Lu}|\s*https?:|$)|(Figure|Fig\.|Table)\s\d)/u;

function join(last: Block, next: Block): Block | undefined {
  if (last.kind === 'code' && next.kind === 'code' && last.page !== next.page) {
    return { ...last, lines: [...last.lines, ...next.lines] };
  }
  if (last.kind === 'table' && next.kind === 'table' && last.page !== next.page) return joinTables(last, next);
  if (next.kind !== 'paragraph' || (last.kind !== 'paragraph' && last.kind !== 'item')) return undefined;
  const end = last.lines.at(-1) ?? '';
  const broken = /\p{L}[-\u2010]$/u.test(end) && next.continues;
  const open = last.kind === 'paragraph' ? last.open : !SENTENCE_END.test(end) && last.page !== next.page;
  if (!broken && !(open && next.continues)) return undefined;
  const joined = { ...last, lines: [...last.lines, ...next.lines], spans: [...last.spans, ...next.spans] };
  return joined.kind === 'paragraph' ? { ...joined, open: next.open } : joined;
}

/** Joins a table that continues with the same columns at the top of a page; a repeated head is left out. */
function joinTables(last: Block & { kind: 'table' }, next: Block & { kind: 'table' }): Block | undefined {
  const [above, below] = [last.table, next.table];
  if (above.columns !== below.columns) return undefined;
  const texts = (row: Table['rows'][number] | undefined) => row?.map((cell) => cell.text).join('\n');
  let again = 0;
  while (again < below.rows.length - 1 && texts(above.rows[again]) === texts(below.rows[again])) again++;
  return { ...last, table: { ...above, rows: [...above.rows, ...below.rows.slice(again)] } };
}
