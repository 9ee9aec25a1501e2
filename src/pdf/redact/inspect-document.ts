import type { Rect } from '../geometry.ts';
import { pushAll } from '../long-lists.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';
import { type Dict, Name, Ref, type Value } from '../syntax/values.ts';
import { findIn, type Match, type Wanted } from './find/finders.ts';
import { hiddenPlaces } from './find/hidden-text.ts';
import type { Character } from './find/page-probe.ts';
import type { BuiltPages } from './output/build-document.ts';
import { type Box, toDisplayed } from './page-space.ts';
import { openPlainCopy, type Tools } from './plain-copy.ts';
import type { Region } from './regions.ts';

/** What of a document goes with any redaction, or cannot be seen: counts, and nothing of what it says. */
export interface Counts {
  readonly attachments: number;
  readonly scripts: number;
  readonly layers: number;
  readonly hidden_layers: number;
  readonly signatures: number;
  readonly form_fields: number;
  readonly annotations: number;
  readonly revisions: number;
  readonly bookmarks: number;
  readonly hidden_text: number;
}

export interface Inspection {
  readonly pages: number;
  readonly regions: readonly Region[];
  readonly counts: Counts;
  /** Pages, from 1, in which no text can be found: boxes must be drawn by hand. */
  readonly pagesWithoutText: readonly number[];
  /** Pages, from 1, that will become pictures, for their content cannot be edited with certainty. */
  readonly pagesToPicture: readonly number[];
}

export interface InspectTools extends Tools {
  readonly match: Match;
}

/** Looks for what is wanted on every page, as it would be displayed. */
export async function inspectDocument(source: Source, wanted: Wanted, tools: InspectTools): Promise<Inspection> {
  const pages = source.tree.pages.length;
  const { plain, probe } = await openPlainCopy(source, tools);
  try {
    const regions: Region[] = [];
    const pagesWithoutText: number[] = [];
    for (let page = 0; page < pages; page++) {
      tools.progress('search', page, pages);
      await tools.turn();
      const characters = await probe.characters(page);
      if (!characters.some(({ text, generated }) => !generated && text.trim() !== '')) pagesWithoutText.push(page + 1);
      for (const { box, kind } of boxesOf(characters, wanted, tools.match, plain, page))
        regions.push({ page: page + 1, ...box, kind, id: `r${regions.length + 1}` });
    }
    const pagesToPicture = [...plain.failed.keys()].map((page) => page + 1);
    return { pages, regions, counts: countsOf(source, plain), pagesWithoutText, pagesToPicture };
  } finally {
    probe.close();
  }
}

/** The text of a page in one piece, with the character at each of its places. */
function textOf(characters: readonly Character[]): { text: string; places: readonly number[] } {
  let text = '';
  let divided = false;
  const places: number[] = [];
  for (const [i, { text: said }] of characters.entries()) {
    // Letters that stand far apart have spaces between them that are not in the file.
    if (said === ' ' && isNarrow(characters, i)) continue;
    // A word that is divided at the end of a line is one word: its hyphen and the line end are passed over.
    const isHyphen = said === '\u00ad' || said === '\ufffe' || said === '\u0002';
    const plain = isHyphen || said === '\r' || (divided && said === '\n') ? '' : said === '\n' ? ' ' : said;
    if (said !== '\r') divided = isHyphen;
    for (let unit = 0; unit < plain.length; unit++) places.push(i);
    text += plain;
  }
  return { text, places };
}

/** A gap of this part of the font's size is none between words. */
const NARROW = 0.2;

/** Whether a space is not in the file, and the characters around it stand close together on one line. */
function isNarrow(characters: readonly Character[], at: number): boolean {
  const [before, space, after] = [characters[at - 1], characters[at], characters[at + 1]];
  if (before === undefined || after === undefined || space?.generated !== true) return false;
  const level = Math.min(before.box.y1, after.box.y1) > Math.max(before.box.y0, after.box.y0);
  const gap = after.box.x0 - before.box.x1;
  return level && gap > -before.size && gap < NARROW * before.size;
}

/** Room around what was found, in points: the outlines of letters stand out of their boxes. */
const ROOM = 0.6;
/** A box is at least this part of the font's size in height: some fonts say that their letters are flat. */
const LEAST_HEIGHT = 0.6;

function boxesOf(
  characters: readonly Character[],
  wanted: Wanted,
  match: Match,
  plain: BuiltPages,
  page: number,
): { box: Box; kind: string }[] {
  const { text, places } = textOf(characters);
  const space = plain.spaces[page]!;
  const found: { box: Box; kind: string }[] = [];
  const known = new Set<string>();
  for (const { start, end, kind } of findIn(text, wanted, match)) {
    const indexes = [...new Set(places.slice(start, end))];
    for (const rect of linesOf(indexes.map((i) => characters[i]!))) {
      const box = toDisplayed(rect, space);
      const key = box === undefined ? '' : [box.x, box.y, box.w, box.h].map((each) => each.toFixed(4)).join();
      if (box === undefined || known.has(key)) continue;
      known.add(key);
      found.push({ box: rounded(box), kind });
    }
  }
  return found;
}

/** One box for each line that a match is on. */
function linesOf(characters: readonly Character[]): Rect[] {
  const lines: Rect[] = [];
  let line: Rect | undefined;
  let last: Character | undefined;
  for (const character of characters) {
    if (character.generated || character.text.trim() === '') {
      if (/[\r\n]/.test(character.text)) {
        if (line !== undefined) lines.push(line);
        line = undefined;
      }
      continue;
    }
    const box = tall(character);
    if (line !== undefined && last !== undefined && !goesOn(line, box, character)) {
      lines.push(line);
      line = undefined;
    }
    line = line === undefined ? box : around(line, box);
    last = character;
  }
  if (line !== undefined) lines.push(line);
  return lines.map(({ x0, y0, x1, y1 }) => ({ x0: x0 - ROOM, y0: y0 - ROOM, x1: x1 + ROOM, y1: y1 + ROOM }));
}

/** Whether a character stands on the same line: beside the others, whichever way the line runs. */
function goesOn(line: Rect, box: Rect, { size }: Character): boolean {
  const near = Math.max(2, size * 1.2);
  const down = Math.min(line.y1, box.y1) - Math.max(line.y0, box.y0);
  const across = Math.min(line.x1, box.x1) - Math.max(line.x0, box.x0);
  const besideX = down > 0.3 * Math.min(line.y1 - line.y0, box.y1 - box.y0) && across > -near * 3;
  const besideY = across > 0.3 * Math.min(line.x1 - line.x0, box.x1 - box.x0) && down > -near * 0.6;
  return besideX || besideY;
}

function tall({ box, size }: Character): Rect {
  const lacking = Math.max(0, LEAST_HEIGHT * size - (box.y1 - box.y0), 1 - (box.y1 - box.y0)) / 2;
  const narrow = Math.max(0, 0.2 * size - (box.x1 - box.x0)) / 2;
  // A box that is no taller than wide may be that of text that runs upwards: it is enough as it is.
  return { x0: box.x0 - narrow, x1: box.x1 + narrow, y0: box.y0 - lacking, y1: box.y1 + lacking };
}

function around(a: Rect, b: Rect): Rect {
  return { x0: Math.min(a.x0, b.x0), y0: Math.min(a.y0, b.y0), x1: Math.max(a.x1, b.x1), y1: Math.max(a.y1, b.y1) };
}

/** Six digits are a thousandth of a point; more would say how the box came about. */
function rounded({ x, y, w, h }: Box): Box {
  const six = (value: number) => Math.round(value * 1e6) / 1e6;
  const [left, top] = [six(x), six(y)];
  return { x: left, y: top, w: Math.min(six(w), six(1 - left)), h: Math.min(six(h), six(1 - top)) };
}

export function countsOf(source: Source, plain: Pick<BuiltPages, 'annotations' | 'layers' | 'findings'>): Counts {
  const { file } = source;
  const catalog = file.dict(file.xref.trailer.get('Root'));
  const names = file.dict(catalog?.get('Names'));
  const form = file.dict(catalog?.get('AcroForm'));
  const marks = new Map<string, number>();
  for (const { counts } of plain.annotations)
    for (const [kind, count] of counts) marks.set(kind, (marks.get(kind) ?? 0) + count);
  const of = (kind: string) => marks.get(kind) ?? 0;
  const all = [...marks.values()].reduce((sum, count) => sum + count, 0);
  const hiddenText = plain.findings.reduce((sum, findings) => sum + hiddenPlaces(findings).length, 0);
  return {
    attachments: leaves(file, names?.get('EmbeddedFiles'), 'Names') + of('FileAttachment'),
    scripts: leaves(file, names?.get('JavaScript'), 'Names') + actions(file, catalog),
    layers: plain.layers.count,
    hidden_layers: plain.layers.hiddenCount,
    signatures: fields(file, form?.get('Fields')).signatures,
    form_fields: fields(file, form?.get('Fields')).all,
    annotations: all - of('Link') - of('Widget'),
    revisions: revisionsOf(file),
    bookmarks: outlines(file, catalog),
    hidden_text: hiddenText,
  };
}

const MOST_NODES = 200_000;

/** How many entries a name tree has. */
function leaves(file: PdfFile, root: Value | undefined, key: string): number {
  let count = 0;
  for (const dict of below(file, root, 'Kids')) {
    const list = file.resolve(dict.get(key));
    if (Array.isArray(list)) count += list.length >> 1;
  }
  return count;
}

function* below(file: PdfFile, root: Value | undefined, key: string): Iterable<Dict> {
  const seen = new Set<number>();
  const work: Value[] = [root ?? null];
  for (let value = work.pop(); value !== undefined && seen.size < MOST_NODES; value = work.pop()) {
    if (value instanceof Ref) {
      if (seen.has(value.num)) continue;
      seen.add(value.num);
    }
    const dict = file.dict(value);
    if (dict === undefined) continue;
    yield dict;
    const kids = file.resolve(dict.get(key));
    if (Array.isArray(kids)) pushAll(work, kids);
  }
}

function fields(file: PdfFile, value: Value | undefined): { all: number; signatures: number } {
  let [all, signatures] = [0, 0];
  const roots = file.resolve(value);
  for (const root of Array.isArray(roots) ? roots : [])
    for (const dict of below(file, root, 'Kids')) {
      const type = file.resolve(dict.get('FT'));
      if (!(type instanceof Name)) continue;
      all++;
      if (type.value === 'Sig' && dict.has('V')) signatures++;
    }
  return { all, signatures };
}

function actions(file: PdfFile, catalog: Dict | undefined): number {
  const open = file.dict(catalog?.get('OpenAction'));
  const isScript = (dict: Dict | undefined) => dict?.name('S') === 'JavaScript';
  const more = [...(file.dict(catalog?.get('AA'))?.values() ?? [])].filter((value) =>
    isScript(file.dict(value)),
  ).length;
  return (isScript(open) ? 1 : 0) + more;
}

function outlines(file: PdfFile, catalog: Dict | undefined): number {
  let count = 0;
  const seen = new Set<number>();
  const work: Value[] = [file.dict(catalog?.get('Outlines'))?.get('First') ?? null];
  for (let value = work.pop(); value !== undefined && count < MOST_NODES; value = work.pop()) {
    if (!(value instanceof Ref) || seen.has(value.num)) continue;
    seen.add(value.num);
    const dict = file.dict(value);
    if (dict === undefined) continue;
    count++;
    work.push(dict.get('First') ?? null, dict.get('Next') ?? null);
  }
  return count;
}

/** How often the file was saved by adding to it: its older texts are still in it. */
export function revisionsOf({ windows, size }: PdfFile): number {
  let count = 0;
  const step = 1 << 20;
  for (let at = 0; at < size; at += step) {
    const piece = new Uint8Array(Math.min(step + 4, size - at));
    windows.read(piece, at);
    const view = Buffer.from(piece.buffer);
    for (let found = view.indexOf('%%EOF'); found >= 0 && found < step; found = view.indexOf('%%EOF', found + 5))
      count++;
  }
  const head = new Uint8Array(Math.min(size, 1024));
  windows.read(head, 0);
  // A linearized file has two ends from the beginning.
  const linearized = Buffer.from(head.buffer).includes('/Linearized') ? 1 : 0;
  return Math.max(1, count - linearized);
}
