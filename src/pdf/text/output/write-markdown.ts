import type { Block } from '../layout/blocks.ts';
import { joinLines } from '../lines/join-lines.ts';
import type { Cell, Table } from '../tables/tables.ts';

/** Markdown of one block. `joined`: lines of a paragraph become one line, and broken words whole. */
export function writeBlock(block: Block, joined: boolean, vocabulary: ReadonlySet<string>): string {
  const flow = (lines: readonly string[], indent: string) =>
    joined ? joinLines(lines, vocabulary) : lines.map((line) => line.trim()).join(`\n${indent}`);
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${joinLines(block.lines, vocabulary)}`;
    case 'paragraph':
      return escapeStart(flow(block.lines, ''));
    case 'item': {
      const indent = '  '.repeat(block.depth);
      const hanging = indent + ' '.repeat(block.mark.length + 1);
      return `${indent}${block.mark} ${flow(block.lines, hanging)}`;
    }
    case 'code': {
      const fence = block.lines.some((line) => line.includes('```')) ? '````' : '```';
      return `${fence}\n${block.lines.join('\n')}\n${fence}`;
    }
    case 'table':
      return writeTable(block.table);
  }
}

/** Escapes characters at the start of a line that Markdown would take for a heading, a quotation, a fence or a tag. */
function escapeStart(text: string): string {
  return text.replace(/^(#{1,6} |>|```|~~~|<!--|<\/?[a-z])/gim, '\\$1');
}

function writeTable({ rows, columns }: Table): string {
  const spans = rows.some((row) => row.some((cell) => cell.colspan > 1 || cell.rowspan > 1));
  if (spans) return writeHtml(rows);
  const line = (cells: readonly Cell[]) => {
    const texts = cells.map((cell) => cell.text.replaceAll('|', '\\|'));
    while (texts.length < columns) texts.push('');
    return `| ${texts.join(' | ')} |`;
  };
  const [head = [], ...body] = rows;
  return [line(head), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n');
}

/** Cells that span others have no form in Markdown's own tables. */
function writeHtml(rows: readonly (readonly Cell[])[]): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const lines = rows.map((row, i) => {
    const tag = i === 0 ? 'th' : 'td';
    const cells = row.map(({ text, colspan, rowspan }) => {
      const spans = `${colspan > 1 ? ` colspan="${colspan}"` : ''}${rowspan > 1 ? ` rowspan="${rowspan}"` : ''}`;
      return `<${tag}${spans}>${escaped(text)}</${tag}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return ['<table>', ...lines, '</table>'].join('\n');
}
