// Documents with the source that they were made from beside them: pandoc reads the source, and what it says is the truth.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { agreement } from './relations.mjs';

const READERS = { tex: 'latex', md: 'markdown', rst: 'rst', docx: 'docx', odt: 'odt' };
/** At most so many documents of one repository, since those of one author are alike. */
const MOST = 4;
/** A source and a PDF that agree less in their words are not of one make. */
const LEAST_AGREEMENT = 0.8;
/** Headings that no source writes: templates and bibliographies add them, so a reader gains and loses nothing by them. */
const ADDED =
  /^(abstract|(table of )?contents|references|bibliography|index|list of (figures|tables|listings)|appendi(x|ces))$/;
/** The number before a title, which the source leaves to its template. */
const NUMBER =
  /^(?:(?:part|chapter|capitolo|chapitre|kapitel|section|appendix)\s+)?(?:[\dIVXLC]+(?:[.-]\d+)*|[A-Z](?:\.\d+)*(?=[.:)\s]))[.:)]*\s+/i;

/** A text as readers must agree on it: letters and digits. */
const bare = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const named = (text) => bare(text.replace(/[*_`\\]/g, '').replace(NUMBER, ''));

/** The first letters tell an item. Markdown has no marks like "(a)": they are left to readers. */
const start = (text) => bare(text.replace(/^\(?(?:[a-z]|[ivx]{1,5}|\d{1,2})[.)]\s+/i, '')).slice(0, 40);

function inlineText(inlines) {
  return inlines
    .map(({ t, c }) => {
      if (t === 'Str') return c;
      if (t === 'Space' || t === 'SoftBreak' || t === 'LineBreak') return ' ';
      if (t === 'Code' || t === 'Math') return c[1];
      if (t === 'Quoted' || t === 'Cite' || t === 'Link' || t === 'Span') return inlineText(c[1]);
      return Array.isArray(c) && t !== 'Image' && t !== 'RawInline' && t !== 'Note' ? inlineText(c) : '';
    })
    .join('');
}

/** Headings with their levels, items, and words of a document of pandoc, in order. */
function truthIn({ meta, blocks }, isTex) {
  const truth = { headings: [], items: [], words: '' };
  const title = meta.title === undefined ? '' : inlineText([meta.title].flatMap(({ c }) => c));
  // Level 0: some count from the title, and some below it.
  if (title !== '') truth.headings.push({ level: 0, text: title });
  const said = (block) => {
    const inside = { headings: [], items: [], words: '' };
    walk([block], inside);
    return inside.words;
  };
  const item = (list, into) => {
    if (list[0] !== undefined) into.items.push(said(list[0]).trim());
    walk(list, into);
  };
  const walk = (list, into) => {
    for (const { t, c } of list) {
      if (t === 'Header') {
        // Below the third, LaTeX sets its titles into the line of the text.
        into.headings.push({ level: c[0], text: inlineText(c[2]), runIn: isTex && c[0] > 3 });
        into.words += `${inlineText(c[2])}\n`;
      } else if (t === 'Para' || t === 'Plain') into.words += `${inlineText(c)}\n`;
      else if (t === 'LineBlock') into.words += `${c.map(inlineText).join('\n')}\n`;
      else if (t === 'CodeBlock') into.words += `${c[1]}\n`;
      else if (t === 'BulletList') for (const each of c) item(each, into);
      else if (t === 'OrderedList') for (const each of c[1]) item(each, into);
      else if (t === 'DefinitionList')
        for (const [term, definitions] of c) {
          into.words += `${inlineText(term)} `;
          for (const each of definitions) walk(each, into);
        }
      else if (t === 'Div') walk(c[1], into);
      else if (t === 'BlockQuote') walk(c, into);
      else if (t === 'Table') for (const cell of cellsOf(c)) walk(cell, into);
    }
  };
  walk(blocks, truth);
  return truth;
}

/** The blocks of each cell, and of the caption. */
function cellsOf([, caption, , [, heads], bodies, [, feet]]) {
  const rows = [...heads, ...bodies.flatMap(([, , first, others]) => [...first, ...others]), ...feet];
  return [caption[1], ...rows.flatMap(([, cells]) => cells.map((cell) => cell[4]))];
}

const wordsOf = (text) => {
  const counts = new Map();
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/\p{L}{3,}/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

function readTruth(source, pdf) {
  const type = /\.(\w+)$/.exec(source)[1];
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28, timeout: 60_000 };
    const json = execFileSync('pandoc', ['-f', READERS[type], '-t', 'json', basename(source)], {
      ...options,
      cwd: dirname(source),
    });
    const { headings, items, words } = truthIn(JSON.parse(json), type === 'tex');
    const shown = execFileSync('pdftotext', [pdf, '-'], options);
    const letters = bare(shown);
    // Text that a template leaves out or replaces is not on the page, so no reader can find it.
    const isShown = (text) => /\p{L}/u.test(text) && letters.includes(bare(text).slice(0, 40));
    return {
      agreement: agreement(wordsOf(words), wordsOf(shown.replace(/-\n(?=\p{Ll})/gu, ''))),
      headings: headings.filter(({ text }) => isShown(text)),
      items: items.filter(isShown),
    };
  } catch {
    return { agreement: 0, headings: [], items: [] };
  }
}

function truthOf(source, pdf, folder) {
  const key = createHash('sha256').update(readFileSync(source)).update(readFileSync(pdf)).digest('hex');
  const known = join(folder, 'pairs', `${key}.json`);
  if (existsSync(known)) return JSON.parse(readFileSync(known, 'utf8'));
  mkdirSync(join(folder, 'pairs'), { recursive: true });
  const truth = readTruth(source, pdf);
  writeFileSync(known, JSON.stringify(truth));
  return truth;
}

const counted = (list) => {
  const counts = new Map();
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
};

/** Pages of a slide that grows repeat its title. */
const once = (list, of) => list.filter((each, i) => i === 0 || of(each) !== of(list[i - 1]));

function scored({ headings, items }, markdown) {
  const optional = new Set(headings.filter(({ runIn }) => runIn).map(({ text }) => named(text)));
  const titles = (list) =>
    once(
      list
        .map(({ text, level }) => ({ level, text: named(text) }))
        .filter(({ text }) => text !== '' && !optional.has(text) && !ADDED.test(text.replace(/^tableof/, 'table of '))),
      ({ text }) => text,
    );
  const truth = titles(headings.filter(({ runIn }) => !runIn));
  const lines = markdown.replace(/^```[\s\S]*?^```$/gm, '').split('\n');
  const read = titles(
    lines.flatMap((line) => {
      const [, marks, text] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
      return text === undefined ? [] : [{ level: marks.length, text: text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1') }];
    }),
  );
  const itemsRead = lines.flatMap((line) => /^\s*(?:[-*+]|\d+[.)]) (.*)$/.exec(line)?.[1] ?? []);
  const texts = (list) => counted(list.map(({ text }) => text));
  const starts = items.map(start);
  return {
    // Sources that write most titles with marks of their own have next to none that pandoc knows.
    headings: truth.filter(({ level }) => level > 0).length < 3 ? null : agreement(texts(truth), texts(read)),
    levels: levelsOf(truth, read),
    lists: starts.length < 2 ? null : agreement(counted(starts), counted(itemsRead.map(start).filter(Boolean))),
  };
}

/** The share of the headings that both have whose levels are alike, counted from where most are: a title may stand above. */
function levelsOf(truth, read) {
  const left = new Map();
  for (const { text, level } of read) left.set(text, [...(left.get(text) ?? []), level]);
  const steps = truth.flatMap(({ text, level }) => {
    const other = left.get(text)?.shift();
    return other === undefined || level === 0 ? [] : [other - level];
  });
  return steps.length < 3 ? null : Math.max(...counted(steps).values()) / steps.length;
}

/** `repository`: what the halves are made by. */
export function pairsIn(folder, pdfs, cache) {
  const taken = new Map();
  return pdfs.flatMap((pdf) => {
    const [repository] = relative(folder, pdf).split('/');
    const source = Object.keys(READERS)
      .map((type) => pdf.replace(/\.pdf$/, `.${type}`))
      .find((file) => existsSync(file));
    if (source === undefined || statSync(pdf).size > 4e6 || (taken.get(repository) ?? 0) >= MOST) return [];
    const truth = truthOf(source, pdf, cache);
    if (truth.agreement < LEAST_AGREEMENT || (truth.headings.length < 4 && truth.items.length < 3)) return [];
    taken.set(repository, (taken.get(repository) ?? 0) + 1);
    return [{ pdf, repository, mode: 'rag', score: (markdown) => scored(truth, markdown) }];
  });
}
