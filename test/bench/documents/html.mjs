// A document as HTML and CSS for Chromium.

import { escaped } from './truth.mjs';
import { randomOf } from './words.mjs';

const FONTS = [
  'Liberation Sans',
  'Liberation Serif',
  'DejaVu Sans',
  'DejaVu Serif',
  'URW Bookman',
  'P052',
  'C059',
  'Nimbus Sans',
  'Nimbus Roman',
  'Liberation Sans Narrow',
];

/** Faces of scripts; DejaVu for others. */
const SCRIPT_FONTS = {
  zh: ['Noto Sans CJK SC', 'Noto Serif CJK SC', 'WenQuanYi Zen Hei'],
  ja: ['Noto Sans CJK JP', 'Noto Serif CJK JP'],
  ko: ['Noto Sans CJK KR', 'Noto Serif CJK KR'],
};

/** `seed`: of the style of the page, which has no part in the truth. */
export function htmlOf(document, seed) {
  const random = randomOf(seed * 15_485_863 + 11);
  const { slide = false, columns = 1, script } = document;
  const font = script === undefined ? random.pick(FONTS) : fontOf(script, seed);
  const size = slide ? random.int(14, 20) : random.pick([8, 9, 9.5, 10, 10, 11, 12]);
  const narrow = columns > 1;
  const page = slide
    ? 'size: 254mm 143mm; margin: 12mm 15mm'
    : `size: ${random.pick(['A4', 'letter'])}; margin: ${random.int(15, 28)}mm ${narrow ? random.int(14, 20) : random.int(16, 32)}mm`;
  const right = script === 'he' || script === 'ar';
  const css = `
@page { ${page} }
body { margin: 0; font: ${size}pt/${random.pick([1.2, 1.35, 1.5])} "${font}"; ${right ? 'direction: rtl;' : ''}${script === 'ko' ? ' word-break: keep-all;' : ''} }
${document.vertical ? 'html { writing-mode: vertical-rl; }' : ''}
main { ${narrow ? `column-count: ${columns}; column-gap: ${random.int(14, 26)}pt; column-rule: ${document.columnRule ? '0.5pt solid #666' : 'none'};` : ''} }
p { margin: 0 0 ${random.pick([0.4, 0.7, 1])}em; text-align: ${random.pick(['left', 'justify'])}; ${random.chance(0.2) ? 'text-indent: 1.5em;' : ''} }
p.caption { text-align: ${random.pick(['left', 'center'])}; text-indent: 0; font-size: 0.92em; ${random.chance(0.4) ? 'font-style: italic;' : ''} }
p.note { font-size: 0.8em; margin: 0.2em 0; text-indent: 0; }
hr.notes { border: 0; border-top: 0.5pt solid black; width: 30%; margin: 1.5em 0 0.3em; }
li { margin: ${random.pick([0, 0.15, 0.4])}em 0; }
pre { font: 0.9em "DejaVu Sans Mono"; ${random.chance(0.4) ? 'background: #eeeeee;' : ''} padding: 0.5em; white-space: pre; ${narrow ? 'font-size: 0.7em;' : ''} }
aside { width: 32%; ${random.chance(0.6) ? 'background: #e8eef5;' : 'border: 0.5pt solid #555;'} padding: 8pt; box-sizing: border-box; font-size: 0.9em; }
figure { background: #d5d9e2; margin: 0 0 0.8em; }
.beside { display: flex; justify-content: space-between; gap: ${random.int(24, 50)}pt; align-items: flex-start; margin-bottom: 1em; }
table { border-collapse: collapse; font-size: ${random.pick([1, 1, 0.9])}em; margin: 0.6em 0 1.2em; line-height: 1.2; }
h1, h2, h3 { margin: 1.2em 0 0.5em; break-after: avoid; font-weight: normal; font-size: 1em; line-height: 1.25; }
.toc { display: flex; gap: 4pt; } .toc i { flex: 1; overflow: hidden; white-space: nowrap; font-style: normal; direction: rtl; }
${headingCss(document.look ?? { size: 1.5, bold: true })}`;
  const body = document.blocks.map((block) => blockHtml(block)).join('\n');
  return `<!doctype html>${script === undefined ? '' : `<html lang="${script}">`}<meta charset="utf-8"><style>${css}</style><body><main>${body}</main></body>`;
}

export function fontOf(script, seed) {
  const fonts = SCRIPT_FONTS[script] ?? ['DejaVu Sans'];
  return fonts[seed % fonts.length];
}

function headingCss(look) {
  return [1, 2, 3]
    .map((level) => {
      const size = 1 + ((look.size - 1) * (4 - level)) / 3;
      const signs = [
        `font-size: ${size.toFixed(2)}em`,
        look.bold ? 'font-weight: bold' : '',
        look.italic ? 'font-style: italic' : '',
        look.colour ? `color: ${look.colour}` : '',
        look.centred ? 'text-align: center' : '',
      ];
      return `h${level} { ${signs.filter(Boolean).join('; ')} }`;
    })
    .concat(look.caps ? 'h1 { text-transform: uppercase }' : '')
    .join('\n');
}

function blockHtml(block) {
  const text = escaped(block.text ?? '');
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${[block.number, text].filter(Boolean).join(' ')}</h${block.level}>`;
    case 'run-in':
      return `<p><b>${escaped(block.title)}</b>&emsp;${text}</p>`;
    case 'paragraph':
      return `<p>${text}</p>`;
    case 'caption':
      return `<p class="caption">${text}</p>`;
    case 'figure': {
      const place =
        block.side === undefined
          ? 'height: 90pt'
          : `float: ${block.side}; width: 40%; height: 110pt; margin-${block.side === 'left' ? 'right' : 'left'}: 12pt`;
      return `<figure style="${place}"></figure>${block.caption === undefined ? '' : `<p class="caption">${escaped(block.caption)}</p>`}`;
    }
    case 'list':
      return listHtml(block);
    case 'code':
      return `<pre>${escaped(block.lines.join('\n'))}</pre>`;
    case 'notes':
      return `<hr class="notes">${block.notes.map((note, i) => `<p class="note"><sup>${i + 1}</sup> ${escaped(note)}</p>`).join('')}`;
    case 'aside':
      return `<aside style="float: ${block.side}; margin-${block.side === 'left' ? 'right' : 'left'}: 16pt">${block.blocks.map(blockHtml).join('')}</aside>`;
    case 'contents':
      return block.entries.map((entry) => entryHtml(entry, block.leader)).join('');
    case 'table':
      return tableHtml(block);
    case 'beside':
      return `<div class="beside">${block.tables.map(tableHtml).join('')}</div>`;
  }
  throw new Error(`no HTML of a ${block.kind}`);
}

function listHtml({ items, ordered, ideographic }) {
  const tag = ordered ? 'ol' : 'ul';
  return `<${tag}${ideographic ? ' style="list-style: cjk-ideographic"' : ''}>${items.map((item) => `<li>${escaped(item.text)}${item.inner === undefined ? '' : listHtml(item.inner)}</li>`).join('')}</${tag}>`;
}

function entryHtml({ depth, number, text, page }, leader) {
  const dots = leader === 'dots' ? '.'.repeat(200) : '';
  return `<div class="toc" style="margin-left: ${depth * 1.5}em"><span>${[number, escaped(text)].filter(Boolean).join(' ')}</span><i>${dots}</i><span>${page}</span></div>`;
}

function tableHtml({ look, columns, heads, rows, aligns, kinds }) {
  const occupied = [];
  const html = rows.map((row, r) => {
    let column = 0;
    const cells = row.map((cell) => {
      while (occupied[column] > r) column += 1;
      const { colspan = 1, rowspan = 1 } = cell;
      for (let c = column; c < column + colspan; c++) occupied[c] = r + rowspan;
      const style = cellCss(look, {
        r,
        column,
        colspan,
        last: column + colspan === columns,
        head: r < heads,
        lastHead: r === heads - 1,
        end: r + rowspan === rows.length,
        align: aligns[column],
        long: kinds[column] === 'sentence',
      });
      column += colspan;
      return `<td${colspan > 1 ? ` colspan="${colspan}"` : ''}${rowspan > 1 ? ` rowspan="${rowspan}"` : ''} style="${style}">${escaped(cell.text)}</td>`;
    });
    return `<tr style="break-inside: avoid">${cells.join('')}</tr>`;
  });
  return `<table style="${look.full ? 'width: 100%;' : ''}${look.rules === 'box' ? `border: ${look.width}pt solid ${look.line};` : ''}"><thead>${html.slice(0, heads).join('')}</thead><tbody>${html.slice(heads).join('')}</tbody></table>`;
}

function cellCss(look, { r, column, colspan, last, head, lastHead, end, align, long }) {
  const line = `${look.width}pt solid ${look.line}`;
  const dark = look.shade === '#333399';
  const shaded =
    (look.rules === 'stripes' && r % 2 === 0) ||
    (look.rules === 'head' && head) ||
    (look.rules === 'first-column' && column === 0) ||
    (look.rules === 'grid' && head && look.bold);
  const borders = {
    grid: [`border: ${line}`],
    rows: [`border-bottom: ${line}`, r === 0 ? `border-top: ${line}` : ''],
    columns: [last ? '' : `border-right: ${line}`],
    booktabs: [
      r === 0 ? 'border-top: 1pt solid black' : '',
      lastHead || end ? `border-bottom: ${end ? 1 : 0.5}pt solid black` : '',
      head && colspan > 1 ? 'border-bottom: 0.5pt solid black' : '',
    ],
    box: [last ? '' : `border-right: ${line}`, lastHead ? `border-bottom: ${line}` : ''],
    'first-column': [`border-bottom: ${line}`],
  };
  return [
    `padding: ${look.padY}pt ${look.padX}pt`,
    `text-align: ${head && (colspan > 1 || look.centred) ? 'center' : align}`,
    `vertical-align: ${head ? 'bottom' : look.middle ? 'middle' : 'top'}`,
    long ? 'min-width: 110pt' : '',
    head && look.bold ? 'font-weight: bold' : '',
    shaded ? `background: ${look.shade}${dark ? '; color: white' : ''}; print-color-adjust: exact` : '',
    ...(borders[look.rules] ?? []),
  ]
    .filter(Boolean)
    .join('; ');
}
