// Documents of running text: headings by every sign there is, columns, sidebars, notes, lists, code, contents, other scripts.
import { codeLines, foreign, label, paragraph, randomOf, sentence, title } from './words.mjs';

/** How headings are set off from the text; `size`: of the first level, in em. */
const LOOKS = {
  size: { size: 1.8 },
  weight: { size: 1, bold: true },
  colour: { size: 1.15, colour: '#1f4e79' },
  capitals: { size: 1, caps: true, bold: true },
  numbered: { size: 1.3, bold: true, numbered: true },
  'numbered-light': { size: 1.1, numbered: true },
  italic: { size: 1, italic: true },
  centred: { size: 1.1, bold: true, centred: true },
};

/** A family that came later stands last: what the others draw from their seeds stays. */
const MORE_LOOKS = { ...LOOKS, 'colour-alone': { size: 1, colour: '#b03a2e' } };

/** Every family makes one document of `random`. `look`: of its headings. */
const FAMILIES = {
  ...Object.fromEntries(Object.keys(LOOKS).map((look) => [`headings-${look}`, (random) => chapter(random, look)])),
  'headings-run-in': (random) => ({
    blocks: [
      heading(random, 1),
      para(random),
      ...random.times(4, () => ({ kind: 'run-in', title: title(random, 2, 4), text: paragraph(random) })),
    ],
  }),
  'headings-only-one': (random) => ({
    blocks: [
      heading(random, 1),
      {
        kind: 'list',
        ordered: random.chance(0.5),
        items: random.times(random.int(12, 25), () => ({ text: sentence(random, 5, 14) })),
      },
    ],
  }),
  lists: (random) => ({
    blocks: [heading(random, 1), para(random), listIn(random, 0), para(random), listIn(random, 0), para(random)],
  }),
  code: (random) => ({
    blocks: [
      heading(random, 1),
      para(random),
      { kind: 'code', lines: codeLines(random) },
      para(random),
      { kind: 'code', lines: codeLines(random) },
      para(random),
    ],
  }),
  notes: (random) => ({
    blocks: [
      heading(random, 1),
      ...random.times(3, () => para(random)),
      { kind: 'notes', notes: random.times(random.int(1, 4), () => sentence(random)) },
    ],
  }),
  sidebar: (random) => ({
    blocks: [
      heading(random, 1),
      {
        kind: 'aside',
        side: random.pick(['left', 'right']),
        blocks: [{ kind: 'paragraph', text: paragraph(random, 3) }, listIn(random, 1)],
      },
      ...random.times(5, () => para(random)),
    ],
  }),
  wrapped: (random) => ({
    blocks: [
      heading(random, 1),
      para(random),
      { kind: 'figure', side: random.pick(['left', 'right']) },
      ...random.times(3, () => para(random)),
    ],
  }),
  'figure-caption': (random) => ({
    blocks: [
      heading(random, 1),
      para(random),
      { kind: 'figure', caption: `Figure ${random.int(1, 9)}: ${title(random, 4, 8)}` },
      para(random),
      para(random),
    ],
  }),
  'columns-2': (random) => ({ ...chapter(random, 'weight', 10), columns: 2 }),
  'columns-2-ruled': (random) => ({ ...chapter(random, 'numbered', 10), columns: 2, columnRule: true }),
  'columns-2-figure': (random) => {
    const { blocks } = chapter(random, 'size', 8);
    blocks.splice(3, 0, { kind: 'figure', caption: `Figure 1: ${title(random, 4, 8)}` });
    return { blocks, columns: 2 };
  },
  'columns-3': (random) => ({ ...chapter(random, 'weight', 12), columns: 3 }),
  contents: (random) => ({
    blocks: [
      { kind: 'heading', level: 1, text: 'Contents' },
      { kind: 'contents', leader: random.pick(['dots', 'dots', 'space']), entries: entriesOf(random) },
    ],
  }),
  'running-heads': (random) => ({ ...chapter(random, 'size', 24), running: title(random) }),
  'right-to-left': (random) => scriptPage(random, random.pick(['he', 'ar'])),
  'headings-colour-alone': (random) => chapter(random, 'colour-alone'),
};

/** Families that need a font for ideographs and Hangul, which not every machine has. */
const CJK_FAMILIES = {
  chinese: (random) => scriptPage(random, 'zh'),
  'chinese-list': (random) => scriptList(random, 'zh'),
  'chinese-columns': (random) => ({ ...scriptPage(random, 'zh', 8), columns: 2 }),
  japanese: (random) => scriptPage(random, 'ja'),
  'japanese-list': (random) => scriptList(random, 'ja'),
  'japanese-vertical': (random) => ({ ...scriptPage(random, 'ja'), vertical: true }),
  korean: (random) => scriptPage(random, 'ko'),
  'korean-columns': (random) => ({ ...scriptPage(random, 'ko', 6), columns: 2 }),
};

const LATEX = [
  'headings-size',
  'headings-numbered',
  'headings-run-in',
  'lists',
  'columns-2',
  'columns-2-ruled',
  'columns-3',
  'contents',
  'running-heads',
  'notes',
  'code',
];
const WRITER = [
  'headings-size',
  'headings-weight',
  'headings-colour',
  'headings-capitals',
  'headings-italic',
  'headings-centred',
  'headings-only-one',
  'lists',
  'code',
  'columns-2',
  'columns-3',
  'running-heads',
  'contents',
  'right-to-left',
  'chinese',
  'japanese',
  'korean',
];

export function textDocuments(seed, { cjk }) {
  const documents = [];
  Object.entries({ ...FAMILIES, ...(cjk ? CJK_FAMILIES : {}) }).forEach(([family, make], i) => {
    const random = randomOf(seed * 104_729 + i * 31 + 7);
    const printers = [
      'html',
      'html',
      ...(LATEX.includes(family) ? ['latex'] : []),
      ...(WRITER.includes(family) ? ['writer'] : []),
    ];
    for (const printer of printers) {
      const document = make(random);
      const look = MORE_LOOKS[document.look ?? random.pick(['size', 'weight', 'numbered'])];
      documents.push({ columns: 1, ...document, look, printer, tags: { family, printer } });
    }
  });
  return documents.map(numbered);
}

/** Headings of a numbered look get their numbers, which stand in the text as in the truth. */
function numbered(document) {
  if (!document.look.numbered) return document;
  const counts = [0, 0, 0, 0];
  const blocks = document.blocks.map((block) => {
    if (block.kind !== 'heading') return block;
    counts[block.level] += 1;
    counts.fill(0, block.level + 1);
    return { ...block, number: counts.slice(1, block.level + 1).join('.') };
  });
  return { ...document, blocks };
}

function chapter(random, look, paragraphs = random.int(4, 8)) {
  const blocks = [heading(random, 1)];
  for (let i = 0; i < paragraphs; i++) {
    if (i > 0 && random.chance(0.45)) blocks.push(heading(random, random.int(2, 3)));
    blocks.push(para(random));
  }
  return { look, blocks: inOrder(blocks) };
}

/** No level is left out: a third-level heading stands below a second-level one. */
function inOrder(blocks) {
  let last = 1;
  return blocks.map((block) => {
    if (block.kind !== 'heading') return block;
    const level = Math.min(block.level, last + 1);
    last = level;
    return { ...block, level };
  });
}

function heading(random, level) {
  return { kind: 'heading', level, text: title(random) };
}

function para(random) {
  return { kind: 'paragraph', text: paragraph(random) };
}

function listIn(random, depth) {
  const items = random.times(random.int(2, 5), () => ({
    text: sentence(random, 3, 18),
    ...(depth < 2 && random.chance(0.3) ? { inner: listIn(random, depth + 1) } : {}),
  }));
  return { kind: 'list', ordered: random.chance(0.35), items };
}

function entriesOf(random) {
  let [page, chapterNumber, sectionNumber] = [1, 0, 0];
  const numbers = random.chance(0.6);
  return random.times(random.int(10, 28), (i) => {
    page += random.int(0, 6);
    const depth = i === 0 || random.chance(0.4) ? 0 : 1;
    if (depth === 0) [chapterNumber, sectionNumber] = [chapterNumber + 1, 0];
    else sectionNumber += 1;
    const number = numbers ? (depth === 0 ? `${chapterNumber}` : `${chapterNumber}.${sectionNumber}`) : '';
    return { depth, number, text: random.chance(0.5) ? title(random) : label(random), page: String(page) };
  });
}

/** A title in the script, without its full stop. */
function scriptHeading(random, script, level) {
  return { kind: 'heading', level, text: foreign(random, script, random.int(2, 4)).slice(0, -1) };
}

function scriptPage(random, script, paragraphs = 2) {
  const blocks = [];
  for (let i = 0; i < 3; i++) {
    blocks.push(scriptHeading(random, script, i === 0 ? 1 : 2));
    blocks.push(
      ...random.times(paragraphs, () => ({
        kind: 'paragraph',
        text: random
          .times(3, () => foreign(random, script, random.int(6, 14)))
          .join(['zh', 'ja'].includes(script) ? '' : ' '),
      })),
    );
  }
  return { script, look: 'size', blocks };
}

/** Lists counted with ideographs, as 一、二、三、. */
function scriptList(random, script) {
  const list = (ideographic) => ({
    kind: 'list',
    ordered: true,
    ideographic,
    items: random.times(random.int(3, 8), () => ({ text: foreign(random, script, random.int(4, 30)) })),
  });
  const [first, last] = scriptPage(random, script).blocks.slice(1, 3);
  return { script, look: 'size', blocks: [scriptHeading(random, script, 1), first, list(true), last, list(false)] };
}
