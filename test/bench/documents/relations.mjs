// Tables compared as ICDAR 2013 compares them: relations of filled cells to their next filled neighbours on the right and below.

const IGNORED = /<br\s*\/?>|<[^>]+>|&#x?[0-9a-f]+;/gi;
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** Spaces, case, escapes and emphasis do not count. */
export function cleaned(text) {
  return text
    .replace(IGNORED, '')
    .replace(/&(lt|gt|amp);/g, (entity) => ENTITIES[entity])
    .replace(/\\(.)/g, '$1')
    .replace(/[*_`~]/g, '')
    .normalize('NFKC')
    .replace(/[\s\u00ad]/g, '')
    .replace(/[‐-―−]/g, '-')
    .toLowerCase();
}

/** Cells placed on a grid, from rows of cells that stand where they begin, as in HTML. */
export function placed(rows) {
  const cells = [];
  const taken = new Set();
  rows.forEach((row, r) => {
    let c = 0;
    for (const { text, colspan = 1, rowspan = 1 } of row) {
      while (taken.has(`${r},${c}`)) c++;
      for (let i = 0; i < rowspan; i++) for (let j = 0; j < colspan; j++) taken.add(`${r + i},${c + j}`);
      cells.push({ r0: r, r1: r + rowspan - 1, c0: c, c1: c + colspan - 1, text: cleaned(text) });
      c += colspan;
    }
  });
  return cells;
}

/** The tables of a Markdown text: HTML first, then those of pipes. */
export function tablesIn(markdown) {
  const html = [...markdown.matchAll(/<table[\s\S]*?<\/table>/gi)].map(([table]) =>
    placed(
      [...table.matchAll(/<tr[\s\S]*?<\/tr>/gi)].map(([row]) =>
        [...row.matchAll(/<t[dh]([^>]*)>([\s\S]*?)<\/t[dh]>/gi)].map(([, attributes, text]) => ({
          text,
          colspan: Number(/colspan="?(\d+)/i.exec(attributes)?.[1] ?? 1),
          rowspan: Number(/rowspan="?(\d+)/i.exec(attributes)?.[1] ?? 1),
        })),
      ),
    ),
  );
  const lines = markdown.replace(/<table[\s\S]*?<\/table>/gi, '').split('\n');
  const cellsOf = (line) =>
    line
      .trim()
      .replace(/^\|/, '')
      .replace(/(?<!\\)\|\s*$/, '')
      .split(/(?<!\\)\|/)
      .map((text) => ({ text }));
  const piped = [];
  for (let i = 1; i < lines.length; i++) {
    if (!/^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[i]) || !lines[i - 1].includes('|')) continue;
    const rows = [cellsOf(lines[i - 1])];
    for (i++; i < lines.length && lines[i].includes('|'); i++) rows.push(cellsOf(lines[i]));
    piped.push(placed(rows));
  }
  return [...html, ...piped];
}

/** How often each relation occurs in a table. */
export function relationsOf(cells) {
  const at = new Map();
  let [bottom, right] = [0, 0];
  for (const cell of cells) {
    if (cell.text === '') continue;
    for (let r = cell.r0; r <= cell.r1; r++) for (let c = cell.c0; c <= cell.c1; c++) at.set(`${r},${c}`, cell);
    [bottom, right] = [Math.max(bottom, cell.r1), Math.max(right, cell.c1)];
  }
  const counts = new Map();
  for (const cell of cells) {
    if (cell.text === '') continue;
    const beside = new Set();
    const below = new Set();
    const first = (from, to, key) => {
      for (let i = from; i <= to; i++) if (at.has(key(i))) return at.get(key(i));
      return undefined;
    };
    for (let r = cell.r0; r <= cell.r1; r++) beside.add(first(cell.c1 + 1, right, (c) => `${r},${c}`));
    for (let c = cell.c0; c <= cell.c1; c++) below.add(first(cell.r1 + 1, bottom, (r) => `${r},${c}`));
    for (const [way, others] of [
      ['right', beside],
      ['below', below],
    ])
      for (const other of others) {
        if (other === undefined) continue;
        const key = [cell.text, other.text, way].join('\u0001');
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  }
  return counts;
}

/** Relations of several tables together. */
export function allRelations(tables) {
  const all = new Map();
  for (const table of tables) for (const [key, n] of relationsOf(table)) all.set(key, (all.get(key) ?? 0) + n);
  return all;
}

/** The F measure of two counts of relations. */
export function agreement(truth, read) {
  const sum = (counts) => [...counts.values()].reduce((total, n) => total + n, 0);
  const hits = [...read].reduce((total, [key, n]) => total + Math.min(n, truth.get(key) ?? 0), 0);
  return hits === 0 ? 0 : (2 * hits) / (sum(truth) + sum(read));
}

export function groupBy(list, keyOf) {
  const groups = new Map();
  for (const each of list) {
    const key = keyOf(each);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return groups;
}
