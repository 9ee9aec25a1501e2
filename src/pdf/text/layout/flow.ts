import type { Block } from './blocks.ts';

/** Blocks with paragraphs, items and code that go on across a break made whole; each stays on the page it begins on. */
export function joinAcrossBreaks(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    const joined = last === undefined ? undefined : join(last, block);
    if (joined === undefined) result.push(block);
    else result[result.length - 1] = joined;
  }
  return result;
}

function join(last: Block, next: Block): Block | undefined {
  if (last.kind === 'code' && next.kind === 'code' && last.page !== next.page) {
    return { ...last, lines: [...last.lines, ...next.lines] };
  }
  if (next.kind !== 'paragraph' || (last.kind !== 'paragraph' && last.kind !== 'item')) return undefined;
  const end = last.lines.at(-1) ?? '';
  const broken = /\p{L}[-\u2010]$/u.test(end) && next.continues;
  const open = last.kind === 'paragraph' ? last.open : !/[.!?:;]["”’)\]]?$/.test(end) && last.page !== next.page;
  if (!broken && !(open && next.continues)) return undefined;
  const lines = [...last.lines, ...next.lines];
  return last.kind === 'paragraph' ? { ...last, lines, open: next.open } : { ...last, lines };
}
