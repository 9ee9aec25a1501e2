// A document as a flat OpenDocument file for LibreOffice: a text, a slide or a sheet.

import { fontOf } from './html.mjs';
import { escaped } from './truth.mjs';
import { randomOf } from './words.mjs';

const NAMESPACES = Object.entries({
  office: 'office',
  style: 'style',
  text: 'text',
  table: 'table',
  draw: 'drawing',
  svg: 'svg-compatible',
  fo: 'xsl-fo-compatible',
  presentation: 'presentation',
})
  .map(([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');
const KINDS = { writer: 'text', impress: 'presentation', calc: 'spreadsheet' };
const FONTS = ['Liberation Sans', 'Liberation Serif', 'DejaVu Sans', 'Nimbus Roman'];

export function officeOf(document, seed) {
  const random = randomOf(seed * 49_979_687 + 17);
  const { printer, script } = document;
  const slide = printer === 'impress';
  const [styles, style] = styleSheet();
  const font = script === undefined ? random.pick(FONTS) : fontOf(script, seed);
  const size = slide ? random.int(14, 20) : random.pick([9, 10, 11, 12]);
  const write = {
    style,
    printer,
    size,
    gap: random.pick([3, 6]),
    look: document.look ?? { size: 1.5, bold: true },
    right: script === 'he' || script === 'ar',
  };
  const body = { writer: writerBody, impress: impressBody, calc: calcBody }[printer](document, write);
  const kind = KINDS[printer];
  const [wide, high] = slide ? ['25.4cm', '14.3cm'] : ['21cm', '29.7cm'];
  const text = `<style:text-properties style:font-name="${font}" fo:font-family="'${font}'" fo:font-size="${size}pt" style:font-size-complex="${size}pt" style:font-family-complex="${font}" style:font-size-asian="${size}pt" style:font-family-asian="${font}"/>`;
  const head =
    document.running === undefined
      ? ''
      : `<style:header><text:p>${escaped(document.running)}</text:p></style:header><style:footer><text:p>Page <text:page-number/></text:p></style:footer>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${NAMESPACES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}">
<office:styles>${['paragraph', 'graphic', 'table-cell'].map((family) => `<style:default-style style:family="${family}">${text}</style:default-style>`).join('')}</office:styles>
<office:automatic-styles>
<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="${wide}" fo:page-height="${high}" fo:margin="${slide ? '1cm' : '2cm'}"${slide ? ' style:print-orientation="landscape"' : ''}/>${head === '' ? '' : '<style:header-style/><style:footer-style/>'}</style:page-layout>
${styles()}</office:automatic-styles>
<office:master-styles><style:master-page style:name="${slide ? 'Default' : 'Standard'}" style:page-layout-name="page">${head}</style:master-page></office:master-styles>
<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`;
}

/** Automatic styles, each written once: `style` gives the name of one, `styles` all of them. */
function styleSheet() {
  const names = new Map();
  const style = (family, properties, page) => {
    const key = `style:family="${family}"${page === undefined ? '' : ` style:master-page-name="${page}"`}>${properties}`;
    if (!names.has(key)) names.set(key, `s${names.size}`);
    return names.get(key);
  };
  const styles = () =>
    [...names].map(([key, name]) => `<style:style style:name="${name}" ${key}</style:style>`).join('\n');
  return [styles, style];
}

function writerBody(document, write) {
  const blocks = document.blocks.map((block) => blockXml(block, write)).join('\n');
  if (document.columns === 1) return blocks;
  const section = write.style(
    'section',
    `<style:section-properties><style:columns fo:column-count="${document.columns}" fo:column-gap="0.7cm"/></style:section-properties>`,
  );
  return `<text:section text:style-name="${section}" text:name="columns">${blocks}</text:section>`;
}

function impressBody(document, write) {
  let y = 1;
  const bare = write.style('graphic', '<style:graphic-properties draw:fill="none" draw:stroke="none"/>');
  const frames = document.blocks.map((block) => {
    const high = block.kind === 'table' ? block.rows.length * 1.7 : 1.5;
    const inner =
      block.kind === 'table' ? tableXml(block, write) : `<draw:text-box>${blockXml(block, write)}</draw:text-box>`;
    const frame = `<draw:frame draw:style-name="${bare}" svg:x="1.5cm" svg:y="${y}cm" svg:width="22cm" svg:height="${high}cm">${inner}</draw:frame>`;
    y += high + 0.8;
    return frame;
  });
  return `<draw:page draw:name="1" draw:master-page-name="Default">${frames.join('\n')}</draw:page>`;
}

function calcBody(document, write) {
  return document.blocks.map((block) => tableXml(block, write, 'sheet')).join('\n');
}

function paragraphXml(
  text,
  { style, gap, right },
  {
    bold = false,
    italic = false,
    size = 0,
    align = right ? 'end' : 'start',
    colour = '',
    above = 0,
    indent = 0,
    tag = 'p',
  } = {},
) {
  const name = style(
    'paragraph',
    `<style:paragraph-properties fo:margin-top="${above}pt" fo:margin-bottom="${gap}pt" fo:text-align="${align}" fo:margin-left="${indent}cm"${right ? ' style:writing-mode="rl-tb"' : ''}/><style:text-properties${bold ? ' fo:font-weight="bold" style:font-weight-complex="bold"' : ''}${italic ? ' fo:font-style="italic"' : ''}${size > 0 ? ` fo:font-size="${size}pt" style:font-size-complex="${size}pt" style:font-size-asian="${size}pt"` : ''}${colour === '' ? '' : ` fo:color="${colour}"`}/>`,
  );
  return `<text:${tag} text:style-name="${name}">${escaped(text)}</text:${tag}>`;
}

function blockXml(block, write) {
  const { size, look, style } = write;
  switch (block.kind) {
    case 'heading': {
      const text = [block.number, block.text].filter(Boolean).join(' ');
      const shown = look.caps && block.level === 1 ? text.toUpperCase() : text;
      const high = Math.round(size * (1 + ((look.size - 1) * (4 - block.level)) / 3) * 10) / 10;
      return paragraphXml(shown, write, {
        ...look,
        size: high,
        above: 12,
        colour: look.colour ?? '',
        align: look.centred ? 'center' : write.right ? 'end' : 'start',
      });
    }
    case 'paragraph':
    case 'caption':
      return paragraphXml(block.text, write);
    case 'list':
      return listXml(block, write, 0);
    case 'code': {
      const name = style(
        'paragraph',
        '<style:text-properties fo:font-family="\'Liberation Mono\'" fo:font-size="9pt"/>',
      );
      return block.lines
        .map(
          (line) =>
            `<text:p text:style-name="${name}">${escaped(line).replace(/^ +/, (spaces) => `<text:s text:c="${spaces.length}"/>`)}</text:p>`,
        )
        .join('\n');
    }
    case 'contents':
      return block.entries.map((entry) => entryXml(entry, block.leader, write)).join('\n');
    case 'table':
      return tableXml(block, write);
  }
  throw new Error(`no OpenDocument of a ${block.kind}`);
}

/** Marks are written, not numbered by LibreOffice: what is drawn is the same. */
function listXml({ items, ordered }, write, depth) {
  return items
    .map((item, i) => {
      const line = paragraphXml(`${ordered ? `${i + 1}.` : '•'} ${item.text}`, write, { indent: 0.6 + 0.7 * depth });
      return item.inner === undefined ? line : `${line}\n${listXml(item.inner, write, depth + 1)}`;
    })
    .join('\n');
}

function entryXml({ depth, number, text, page }, leader, { style }) {
  const name = style(
    'paragraph',
    `<style:paragraph-properties fo:margin-left="${depth * 0.8}cm"><style:tab-stops><style:tab-stop style:position="${16.5 - depth * 0.8}cm" style:type="right"${leader === 'dots' ? ' style:leader-style="dotted" style:leader-text="."' : ''}/></style:tab-stops></style:paragraph-properties>`,
  );
  return `<text:p text:style-name="${name}">${[number, escaped(text)].filter(Boolean).join(' ')}<text:tab/>${page}</text:p>`;
}

function tableXml({ look, columns, heads, rows, aligns, kinds }, write, place = 'text') {
  const { style } = write;
  const share = kinds.map((kind) => (kind === 'sentence' ? 3 : kind === 'phrase' ? 2 : 1));
  const all = share.reduce((sum, each) => sum + each, 0);
  const full = place === 'sheet' ? 2.6 * columns : 17;
  const column = (i) =>
    style(
      'table-column',
      `<style:table-column-properties style:column-width="${((full * share[i]) / all).toFixed(2)}cm"/>`,
    );
  const covered = new Map();
  const lines = rows.map((row, r) => {
    let xml = '';
    let next = 0;
    for (let c = 0; c < columns; c++) {
      if (covered.get(`${r} ${c}`) === true) {
        xml += '<table:covered-table-cell/>';
        continue;
      }
      const cell = row[next++] ?? { text: '' };
      const { colspan = 1, rowspan = 1, text } = cell;
      for (let y = 0; y < rowspan; y++) for (let x = 0; x < colspan; x++) covered.set(`${r + y} ${c + x}`, true);
      const head = r < heads;
      const name = cellStyle(write, look, {
        r,
        column: c,
        head,
        lastHead: r === heads - 1,
        end: r + rowspan === rows.length,
        last: c + colspan === columns,
      });
      const align = { left: 'start', right: 'end', center: 'center' }[head && colspan > 1 ? 'center' : aligns[c]];
      const dark = head && look.rules === 'head' && look.shade === '#333399';
      const paragraph = paragraphXml(
        text,
        { ...write, gap: 0, right: false },
        { align, bold: head && look.bold, colour: dark ? '#ffffff' : '' },
      );
      xml += `<table:table-cell table:style-name="${name}"${colspan > 1 ? ` table:number-columns-spanned="${colspan}"` : ''}${rowspan > 1 ? ` table:number-rows-spanned="${rowspan}"` : ''} office:value-type="string">${paragraph}</table:table-cell>`;
    }
    return `<table:table-row>${xml}</table:table-row>`;
  });
  const sheet = place === 'sheet' ? ` table:style-name="${style('table', '', 'Standard')}"` : '';
  return `<table:table table:name="table"${sheet}>${kinds.map((_, i) => `<table:table-column table:style-name="${column(i)}"/>`).join('')}${lines.join('\n')}</table:table>`;
}

function cellStyle({ style, printer }, look, { r, column, head, lastHead, end, last }) {
  const line = `${Math.max(look.width, 0.5)}pt solid ${look.line}`;
  const { rules } = look;
  const top = (rules === 'grid' || rules === 'rows' || rules === 'booktabs' || rules === 'box') && r === 0;
  const bottom =
    rules === 'grid' ||
    rules === 'rows' ||
    rules === 'first-column' ||
    ((rules === 'booktabs' || rules === 'box') && (lastHead || end));
  const right = rules === 'grid' || rules === 'box' || (rules === 'columns' && !last);
  const left = (rules === 'grid' || rules === 'box') && column === 0;
  const shaded =
    (rules === 'stripes' && r % 2 === 0) || (rules === 'head' && head) || (rules === 'first-column' && column === 0);
  const shade = rules === 'head' || look.shade !== '#333399' ? look.shade : '#dddddd';
  const border = (side, on) => `fo:border-${side}="${on ? line : 'none'}"`;
  const borders = [border('top', top), border('bottom', bottom), border('left', left), border('right', right)].join(
    ' ',
  );
  const padding = `fo:padding="${Math.max(look.padY, 1)}pt"`;
  const middle = look.middle ? 'middle' : 'top';
  // A cell of a slide is a shape: what a text has as properties of the cell, it has as those of a graphic and a paragraph.
  const slide = `<style:graphic-properties draw:fill="${shaded ? 'solid' : 'none'}" draw:fill-color="${shade}" draw:textarea-vertical-align="${middle}" ${padding}/><style:paragraph-properties ${borders}/>`;
  const cell = `<style:table-cell-properties ${padding} ${borders} style:vertical-align="${middle}"${shaded ? ` fo:background-color="${shade}"` : ''} fo:wrap-option="wrap"/><style:paragraph-properties fo:margin-left="${Math.min(look.padX, 10)}pt"/>`;
  return style('table-cell', printer === 'impress' ? slide : cell);
}
