// Writes a workbook (ECMA-376, SpreadsheetML) with a sheet for each table. Texts stand in their cells, so that no
// program takes one for a formula; equal tables give equal bytes.
import { strToU8 } from 'fflate/browser';
import type { Table } from '../tables/tables.ts';
import { type PlacedCell, placedCells } from './table-grid.ts';
import { zipped } from './zipped.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const WIDEST = 60;

/** `name` is shown on the sheet's tab; names must differ. */
export function workbook(sheets: readonly { readonly name: string; readonly table: Table }[]): Uint8Array {
  const formats = new Map<string, number>();
  const bodies = sheets.map(({ table }) => sheetOf(table, formats));
  const perSheet = (write: (n: number) => string) => sheets.map((_, i) => write(i + 1)).join('');
  const relation = (n: number, type: string, target: string) =>
    `<Relationship Id="rId${n}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (inner: string) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${inner}</Relationships>`;
  const part = (name: string, type: string) => `<Override PartName="/xl/${name}" ContentType="${TYPES}.${type}+xml"/>`;
  const files: Record<string, string> = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('workbook.xml', 'sheet.main')}${part('styles.xml', 'styles')}${perSheet((n) => part(`worksheets/sheet${n}.xml`, 'worksheet'))}</Types>`,
    '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.map(({ name }, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      perSheet((n) => relation(n, 'worksheet', `worksheets/sheet${n}.xml`)) +
        relation(sheets.length + 1, 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': stylesOf([...formats.keys()]),
    ...Object.fromEntries(bodies.map((body, i) => [`xl/worksheets/sheet${i + 1}.xml`, body])),
  };
  return zipped(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

function sheetOf(table: Table, formats: Map<string, number>): string {
  const cells = placedCells(table);
  const rows = table.rows.map((_, row) => {
    const written = cells.filter((cell) => cell.row === row).map((cell) => writeCell(cell, formats));
    return `<row r="${row + 1}">${written.join('')}</row>`;
  });
  const widths = Array.from({ length: table.columns }, (_, column) => {
    const lengths = cells.flatMap((cell) => (cell.column === column && cell.colspan === 1 ? cell.text.length : []));
    const width = Math.min(WIDEST, lengths.reduce((most, length) => Math.max(most, length), 6) + 2);
    return `<col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`;
  });
  const merged = cells
    .filter(({ colspan, rowspan }) => colspan > 1 || rowspan > 1)
    .map(({ row, column, colspan, rowspan }) => {
      const [from, to] = [addressOf(row, column), addressOf(row + rowspan - 1, column + colspan - 1)];
      return `<mergeCell ref="${from}:${to}"/>`;
    });
  const merges = merged.length === 0 ? '' : `<mergeCells count="${merged.length}">${merged.join('')}</mergeCells>`;
  return `${HEAD}<worksheet xmlns="${MAIN}"><cols>${widths.join('')}</cols><sheetData>${rows.join('')}</sheetData>${merges}</worksheet>`;
}

function writeCell({ row, column, text, number }: PlacedCell, formats: Map<string, number>): string {
  const at = addressOf(row, column);
  if (text === '') return '';
  if (number === undefined)
    return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
  const format = `${number.grouped ? '#,##0' : '0'}${number.decimals === 0 ? '' : `.${'0'.repeat(number.decimals)}`}`;
  const style = formats.get(format) ?? formats.size + 1;
  formats.set(format, style);
  return `<c r="${at}" s="${style}"><v>${number.value}</v></c>`;
}

/** One style for each number format, after the plain one. Numbers below 164 are reserved for standard formats. */
function stylesOf(formats: readonly string[]): string {
  const list = formats.map((format, i) => `<numFmt numFmtId="${164 + i}" formatCode="${format}"/>`).join('');
  const styles = formats.map((_, i) => `<xf numFmtId="${164 + i}" xfId="0" applyNumberFormat="1"/>`).join('');
  const numbers = formats.length === 0 ? '' : `<numFmts count="${formats.length}">${list}</numFmts>`;
  return `${HEAD}<styleSheet xmlns="${MAIN}">${numbers}<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length + 1}"><xf xfId="0"/>${styles}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

function addressOf(row: number, column: number): string {
  let letters = '';
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26))
    letters = String.fromCharCode(65 + ((n - 1) % 26)) + letters;
  return `${letters}${row + 1}`;
}

/** XML cannot express most control characters. */
function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('>', '&gt;');
}
