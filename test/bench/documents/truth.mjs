// What a document says, as Markdown in the form that score.mjs takes.

const IDEOGRAPHS = '一二三四五六七八九十';

export function truthOf({ blocks }) {
  return `${blocks.map(blockTruth).filter(Boolean).join('\n\n')}\n`;
}

function blockTruth(block) {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${[block.number, block.text].filter(Boolean).join(' ')}`;
    case 'run-in':
      return `### ${block.title}\n\n${block.text}`;
    case 'paragraph':
    case 'caption':
      return block.text;
    case 'figure':
      return block.caption ?? '';
    case 'list':
      return listTruth(block, 0);
    case 'code':
      return `\`\`\`\n${block.lines.join('\n')}\n\`\`\``;
    case 'notes':
      return block.notes.map((note, i) => `${i + 1} ${note}`).join('\n\n');
    case 'aside':
    case 'wrapped':
      return block.blocks.map(blockTruth).join('\n\n');
    case 'contents':
      return block.entries.map(({ number, text, page }) => [number, text, page].filter(Boolean).join(' ')).join('\n\n');
    case 'table':
      return tableTruth(block);
    case 'beside':
      return block.tables.map(tableTruth).join('\n\n');
  }
  throw new Error(`no truth of a ${block.kind}`);
}

function listTruth({ items, ordered, ideographic }, depth) {
  const mark = (i) => (ideographic ? `- ${IDEOGRAPHS[i]}、` : ordered ? `${i + 1}. ` : '- ');
  return items
    .map((item, i) => {
      const line = `${'  '.repeat(depth)}${mark(i)}${item.text}`;
      return item.inner === undefined ? line : `${line}\n${listTruth(item.inner, depth + 1)}`;
    })
    .join('\n');
}

function tableTruth({ rows }) {
  const span = (kind, n) => (n > 1 ? ` ${kind}="${n}"` : '');
  const cell = ({ text, colspan, rowspan }) =>
    `<td${span('colspan', colspan)}${span('rowspan', rowspan)}>${escaped(text)}</td>`;
  return `<table>\n${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n')}\n</table>`;
}

export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
