// Documents with tables: what is drawn (`rules`) and what makes them hard (`trait`) vary together.
import { CELLS, label, NUMERIC, name, paragraph, randomOf, sentence, title } from './words.mjs';

/** What is drawn of a table, by the group whose bar it has. */
const RULES = {
  ruled: ['grid'],
  partly: ['rows', 'columns', 'booktabs', 'box', 'stripes', 'head', 'first-column'],
  unruled: ['none'],
};
const TRAITS = [
  'plain',
  'numbers',
  'lines',
  'column-spans',
  'row-spans',
  'nested',
  'empty',
  'beside',
  'narrow',
  'pages',
  'slide',
  'wide-gaps',
];
/** What each printer can draw. LaTeX without further packages has no shades. */
const PRINTERS = {
  html: { rules: Object.values(RULES).flat(), traits: TRAITS },
  latex: {
    rules: ['grid', 'rows', 'columns', 'booktabs', 'box', 'none'],
    traits: ['plain', 'numbers', 'lines', 'column-spans', 'nested', 'empty', 'narrow'],
  },
  writer: {
    rules: Object.values(RULES).flat(),
    traits: ['plain', 'numbers', 'lines', 'column-spans', 'row-spans', 'nested', 'empty'],
  },
  impress: { rules: ['grid', 'rows', 'none', 'stripes', 'head', 'first-column'], traits: ['slide'] },
  calc: { rules: ['grid', 'rows', 'none', 'head'], traits: ['numbers', 'plain', 'empty'] },
};

export function tableDocuments(seed) {
  const random = randomOf(seed * 7919 + 1);
  const documents = [];
  for (const [group, kinds] of Object.entries(RULES)) {
    for (const rules of kinds) {
      for (const [printer, can] of Object.entries(PRINTERS)) {
        if (!can.rules.includes(rules)) continue;
        // Ruled and unruled tables are one kind each and have bars of their own, so there are more of each.
        const most = group === 'partly' ? 3 : 6;
        const traits = shuffled(random, can.traits).slice(0, printer === 'html' ? most * 2 : most);
        for (const trait of traits) documents.push(tableDocument(random, { group, rules, trait, printer }));
      }
    }
  }
  return documents;
}

function shuffled(random, list) {
  return list
    .map((each) => [random.next(), each])
    .sort((a, b) => a[0] - b[0])
    .map(([, each]) => each);
}

function tableDocument(random, { group, rules, trait, printer }) {
  const slide = trait === 'slide';
  const look = lookOf(random, rules, trait);
  const one = () => ({ kind: 'table', look, ...tableOf(random, rules, trait) });
  const tables = trait === 'beside' ? [{ kind: 'beside', tables: [one(), one()] }] : [one()];
  const caption = { kind: 'caption', text: `Table ${random.int(1, 9)}: ${title(random, 3, 8)}` };
  const texts = () => random.times(random.int(1, 2), () => ({ kind: 'paragraph', text: paragraph(random) }));
  const heading = { kind: 'heading', level: 1, text: title(random) };
  let blocks;
  if (printer === 'calc') blocks = tables;
  else if (slide) blocks = [heading, ...tables, ...(random.chance(0.5) ? [listOf(random)] : [])];
  else if (trait === 'narrow')
    blocks = [heading, ...texts(), ...texts(), ...tables, ...texts(), ...texts(), ...texts(), ...texts()];
  else {
    blocks = [...(random.chance(0.6) ? [heading] : []), ...texts(), ...tables, ...texts()];
    if (random.chance(0.5)) blocks.splice(blocks.indexOf(tables[0]) + (random.chance(0.7) ? 0 : 1), 0, caption);
  }
  const columns = trait === 'narrow' ? 2 : 1;
  return { tags: { family: 'tables', group, rules, trait, printer }, printer, slide, columns, blocks };
}

function listOf(random) {
  return { kind: 'list', items: random.times(random.int(2, 3), () => ({ text: sentence(random, 4, 9).slice(0, -1) })) };
}

function lookOf(random, rules, trait) {
  const tight = random.chance(0.3);
  return {
    rules,
    bold: random.chance(0.65),
    shade: random.pick(['#dddddd', '#cfe2f3', '#f3efe0', '#333399', '#e8f5e9']),
    line: random.pick(['#000000', '#888888', '#cccccc']),
    width: random.pick([0.25, 0.5, 1]),
    /** Points left and right of a cell's text, and above and below it. Cells of several lines need room to be told apart. */
    padX:
      trait === 'wide-gaps'
        ? random.int(25, 60)
        : rules === 'grid' || rules === 'columns' || rules === 'box'
          ? random.int(2, 8)
          : random.int(5, 14),
    padY: trait === 'lines' ? random.int(3, 6) : tight ? 0.5 : random.int(1, 6),
    full: trait !== 'wide-gaps' && random.chance(0.4),
    middle: random.chance(0.4),
    centred: random.chance(0.3),
  };
}

function tableOf(random, rules, trait) {
  const slide = trait === 'slide';
  const few = slide || ['narrow', 'beside', 'wide-gaps'].includes(trait);
  const columns = few ? random.int(2, 4) : trait === 'nested' ? random.int(4, 7) : random.int(2, 7);
  const count =
    trait === 'pages'
      ? random.int(45, 70)
      : slide
        ? random.int(3, 5)
        : trait === 'lines'
          ? random.int(3, 7)
          : random.int(3, 14);
  const kinds = kindsOf(random, trait, columns, few);
  const aligns = kinds.map((kind, i) =>
    i > 0 && NUMERIC.includes(kind) ? random.pick(['right', 'right', 'center']) : 'left',
  );
  const makers = kinds.map((kind) => CELLS[kind](random));
  let body = random.times(count, () => makers.map((make) => ({ text: make(random) })));
  const heads = headsOf(random, rules, trait, columns);
  if (trait === 'empty') {
    for (const row of body)
      row.forEach((cell, i) => {
        if (i > 0 && random.chance(0.3)) cell.text = random.chance(0.8) ? '' : '–';
      });
  }
  if (trait === 'column-spans') body = withSpans(random, body, columns);
  if (trait === 'row-spans') body = withGroups(random, body, rules);
  return { columns, heads: heads.length, rows: [...heads, ...body], aligns, kinds };
}

function kindsOf(random, trait, columns, few) {
  const texts = few ? ['name', 'label', 'code'] : ['name', 'names', 'label', 'phrase', 'code', 'date'];
  const all = [...NUMERIC, ...NUMERIC, 'label', 'answer', 'name', 'code', 'date', 'measure'];
  const kinds = random.times(columns, (i) => random.pick(i === 0 ? texts : trait === 'numbers' ? NUMERIC : all));
  if (trait === 'lines') {
    kinds[random.int(columns > 2 ? 1 : 0, columns - 1)] = 'sentence';
    if (random.chance(0.4)) kinds[columns - 1] = 'sentence';
  }
  return kinds;
}

function headsOf(random, rules, trait, columns) {
  const labels = random.times(columns, (i) => ({
    text: i === 0 && random.chance(0.15) ? '' : label(random, 1, columns > 5 ? 2 : 3),
  }));
  if (trait !== 'nested') return [labels];
  const groups = [];
  for (let i = 1; i < columns; ) {
    const wide = Math.min(columns - i, random.int(2, 3));
    groups.push({ text: random.pick([name(random), label(random, 1, 2)]), colspan: wide });
    i += wide;
  }
  // Only lines can show that a cell reaches over both rows.
  if (rules === 'grid') return [[{ text: labels[0].text || 'Item', rowspan: 2 }, ...groups], labels.slice(1)];
  return [[{ text: '' }, ...groups], labels];
}

/** Rows that one cell fills, which name what follows, and totals whose name reaches over two columns. */
function withSpans(random, body, columns) {
  const rows = [];
  body.forEach((row, i) => {
    if (i % random.int(3, 4) === 0) rows.push([{ text: label(random, 2, 3), colspan: columns }]);
    rows.push(row);
  });
  if (columns > 3) rows.push([{ text: 'Total of all', colspan: 2 }, ...body[0].slice(2).map((cell) => ({ ...cell }))]);
  return rows;
}

/** The first cell counts for the rows below too. Only lines show how far it reaches; without them the others are empty. */
function withGroups(random, body, rules) {
  const rows = [];
  for (let i = 0; i < body.length; ) {
    const high = Math.min(body.length - i, random.int(1, 4));
    const [first, ...others] = body[i];
    rows.push(rules === 'grid' || rules === 'rows' ? [{ ...first, rowspan: high }, ...others] : body[i]);
    for (let k = 1; k < high; k++)
      rows.push(rules === 'grid' || rules === 'rows' ? body[i + k].slice(1) : [{ text: '' }, ...body[i + k].slice(1)]);
    i += high;
  }
  return rows;
}
