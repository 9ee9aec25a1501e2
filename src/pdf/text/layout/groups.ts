import { CJK, RTL } from '../../fonts/characters.ts';
import { greatest, lastOf, least, listAt, median, type NonEmpty, pairs, runsOf } from '../../syntax/arrays.ts';
import { isGrey } from '../content/fill-colour.ts';
import { isEntry } from '../lines/contents.ts';
import type { Line } from '../lines/lines.ts';
import { markerOf } from '../lines/list-markers.ts';

export interface Group {
  readonly lines: NonEmpty<Line>;
  /** Space above and below within the region, in em of its own size; Infinity at the region's ends. */
  readonly above: number;
  readonly below: number;
  readonly code: boolean;
  /** Whether each line is an entry of its own. */
  readonly apart: boolean;
}

/** Sizes that differ by less than this share are equal. */
const SAME_SIZE = 0.08;

/** A word and a number above the title of a chapter, such as "Chapter 1", and how far above it in em. */
const CHAPTER = /^\p{Lu}\p{L}{3,}\s+(?:\d{1,3}|[IVXLC]+|\p{Lu})$/u;
const FARTHEST_TITLE = 2.6;

/** Bullets of typeset lists, which program code does not have. */
const BULLET = /^[•◦▪‣]\s.*\p{L}/u;

/** How many lines above and below count as neighbours. */
const NEIGHBOURS = 4;

/**
 * `largest`: fixed-pitch lines up to this size may be code; larger ones are headings. 0: no line is code. `columnEnd`: the
 * right edge of the column that the lines are in.
 */
export function groupsOf(lines: readonly Line[], largest: number, columnEnd: number): Group[] {
  const pitches = typicalPitches(lines, largest);
  const code = lines.map((line) => line.mono && line.size <= largest && !BULLET.test(line.text));
  if (code.includes(true)) settleCode(lines, code, pitches);
  const rtl = lines.filter((line) => RTL.test(line.text)).length > 0.5 * lines.length;
  const read = lines.map((line, at) => ({
    at,
    line,
    read: rtl ? { ...line, x0: -line.x1, x1: -line.x0 } : line,
    code: code[at] === true,
  }));
  const edges = read.map((group) => group.read);
  const inner = hangingIndent(edges);
  const left = inner ?? usualLeft(edges);
  const references = referencesIn(lines);
  const runs = runsOf(read, (item, run) => {
    const before = lastOf(run);
    const { at } = item;
    if (item.code !== before.code || references.has(item.line)) return false;
    if (item.code) return item.line.y - before.line.y <= 3.6 * pitchAt(pitches, item.line);
    if (inner !== undefined && beginsEntry(before.read, item.read, read[at + 1]?.read, inner)) return false;
    // Text that runs round a figure is narrower beside it: a line is short in comparison with its neighbours.
    const near = read.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS).map(({ read: { x1 } }) => x1);
    return !parted(before.read, item.read, pitches, left, greatest(near));
  });
  return runs.map((run, i): Group => {
    const [{ line: first, code: isCode }, { line: last }] = [run[0], lastOf(run)];
    const [before, after] = [runs[i - 1]?.at(-1)?.line, runs[i + 1]?.[0].line];
    const [, ...others] = run.map(({ line }) => line);
    return {
      lines: [first, ...others],
      above: before === undefined ? Infinity : (first.y - before.y) / first.size,
      below: after === undefined ? Infinity : (after.y - last.y) / last.size,
      code: isCode,
      apart: !isCode && !rtl && areEntries([first, ...others], columnEnd, largest),
    };
  });
}

/**
 * Whether lines are entries of their own, as in addresses, glossaries and verse: each of them ends although the next word
 * would have had room in the column, and a quarter of them although it would have had room in the usual width of them.
 */
function areEntries(lines: NonEmpty<Line>, columnEnd: number, largest: number): boolean {
  if (lines.length < 3 || lines[0].bold || lines[0].size > largest) return false;
  const usual = median(lines.map(({ x1 }) => x1)) ?? 0;
  const ends = pairs(lines).map(([before, line]) => before.x1 + firstWord(line) + 0.5 * line.size);
  return ends.every((end) => end < columnEnd) && ends.filter((end) => end < usual).length >= 0.25 * ends.length;
}

/**
 * In em, how far lines hang; the fewest entries; the share of indented lines with one edge, and of the last and first
 * lines that end a sentence.
 */
const HANG = { least: 0.8, most: 5, entries: 3, inner: 0.85, last: 0.8, first: 0.5 };

/**
 * The left edge of the indented lines of entries with a hanging indent, as in bibliographies: lines begin at one of two
 * places, and sentences end before the outer one. Where first lines are indented, sentences end before the inner one.
 */
function hangingIndent(lines: readonly Line[]): number | undefined {
  const outer = least(lines.map((line) => line.x0));
  const indented = lines.filter((line) => line.x0 > outer + HANG.least * line.size);
  const inner = usualLeft(indented);
  const isInner = (line: Line) => Math.abs(line.x0 - inner) <= 1;
  const size = lines[0]?.size ?? 1;
  if (inner > outer + HANG.most * size || indented.filter(isInner).length < HANG.inner * indented.length)
    return undefined;
  const steps = pairs(lines);
  const share = (list: readonly [Line, Line][]) => list.filter(([{ text }]) => END.test(text)).length / list.length;
  const ends = steps.filter(([before, line]) => isInner(before) && !isInner(line));
  const starts = steps.filter(([before, line]) => !isInner(before) && isInner(line));
  if (ends.length < HANG.entries || share(ends) < HANG.last || share(starts) > HANG.first) return undefined;
  return inner;
}

/** Whether `line` begins an entry: behind an indented line, or behind an entry of one line and above an indented one. */
function beginsEntry(before: Line, line: Line, next: Line | undefined, inner: number): boolean {
  if (line.x0 > inner - 1) return false;
  return before.x0 > inner - 1 || (END.test(before.text) && next !== undefined && next.x0 > inner - 1);
}

const REFERENCE = /^\[(\d{1,3})\]\s+\P{Ll}/u;

/** Lines that begin an entry of a list of references: a number in brackets that counts on from one entry to the next. */
function referencesIn(lines: readonly Line[]): ReadonlySet<Line> {
  const numbered = lines.flatMap((line) => {
    const number = REFERENCE.exec(line.text)?.[1];
    return number === undefined ? [] : [{ line, number: Number(number) }];
  });
  const steps = pairs(numbered).filter(([before, after]) => after.number === before.number + 1);
  return new Set(steps.flat().map(({ line }) => line));
}

/** The usual distance of lines by their size; lines of headings stand at their own. */
function typicalPitches(lines: readonly Line[], largest: number): Map<number, number> {
  const pitches = new Map<number, number[]>();
  for (const [before, line] of pairs(lines)) {
    const pitch = line.y - before.y;
    if (largest > 0 && line.size > largest) continue;
    if (sameSize(before, line) && pitch > 0.5 * line.size && pitch <= 2.6 * line.size)
      listAt(pitches, Math.round(line.size)).push(pitch);
  }
  return new Map(
    [...pitches].flatMap(([size, list]) => {
      const pitch = list.sort((a, b) => a - b)[Math.floor(list.length * 0.4)];
      return pitch === undefined ? [] : [[size, pitch]];
    }),
  );
}

function pitchAt(pitches: ReadonlyMap<number, number>, line: Line): number {
  return Math.min(pitches.get(Math.round(line.size)) ?? 1.25 * line.size, 2 * line.size);
}

function sameSize(a: Line, b: Line): boolean {
  return Math.abs(a.size - b.size) <= SAME_SIZE * Math.max(a.size, b.size);
}

/** The x at which most lines begin. */
function usualLeft(lines: readonly Line[]): number {
  const counts = new Map<number, number>();
  for (const line of lines) counts.set(Math.round(line.x0), (counts.get(Math.round(line.x0)) ?? 0) + 1);
  let [left, most] = [0, 0];
  for (const [x, count] of counts) if (count > most) [left, most] = [x, count];
  return left;
}

function parted(before: Line, line: Line, pitches: ReadonlyMap<number, number>, left: number, right: number): boolean {
  const { size } = line;
  if (!sameSize(before, line) || isEntry(before)) return true;
  if (before.bold !== line.bold)
    // A bold opening that ends within a line continues in it; a line that is wholly bold above one that is not is a
    // heading.
    return !(line.bold && /^\p{Ll}/u.test(line.text) && line.y - before.y < 1.2 * pitchAt(pitches, line));
  if (titles(before, line, right)) return true;
  const pitch = line.y - before.y;
  const isLabel = CHAPTER.test(before.text) && !CHAPTER.test(line.text);
  const most = isLabel ? FARTHEST_TITLE * size : 1.3 * pitchAt(pitches, line);
  if (pitch < -0.5 * size || pitch > most) return true;
  if (BULLET.test(line.text) || (BULLET.test(before.text) && line.x0 < before.x0 - 0.5 * size)) return true;
  if (markerOf(line.text) !== undefined && (line.x0 <= before.x0 + 3 * size || before.x1 < right - 2 * size))
    return true;
  // An indented first line; but the second line of a numbered title hangs below the text of the first.
  const hangs = before.bold && line.bold && NUMBER.test(before.text);
  const centred = line.x1 < before.x1 && Math.abs(line.x0 + line.x1 - before.x0 - before.x1) < size;
  if (!hangs && !centred && line.x0 > left + 0.8 * size && line.x0 < left + 5 * size && before.x0 < left + 0.4 * size)
    return true;
  // A line that ends early, at the end of a sentence, before one that begins a sentence.
  const room = right - before.x1;
  const short = room > 0.2 * (right - left) && room > firstWord(line);
  return short && END.test(before.text) && START.test(line.text);
}

/** Whether text begins like a sentence. Scripts without capitals begin with any letter. */
const END = /[.!?:)\]"”’。！？：）」』]$/;
const START = /^[\p{Lu}\p{Lo}\d"“(「『（]/u;

/** A number of several parts and a title: a section's heading, whatever its style. */
const SECTION = /^\d+(\.\d+)+\.?\s+\p{Lu}/u;

const NUMBER = /^\d+(\.\d+)*\.?\s/;

/**
 * Whether an italic, coloured, numbered or capital line is a title: it ends early, without the end of a sentence, above
 * one that begins a sentence.
 */
function titles(before: Line, line: Line, right: number): boolean {
  if (SECTION.test(line.text) && before.x1 + firstWord(line) < right) return true;
  const looks =
    (before.italic && !line.italic) ||
    isColoured(before, line) ||
    SECTION.test(before.text) ||
    (isCapitals(before.text) && !isCapitals(line.text));
  if (!looks || before.x1 + firstWord(line) >= right) return false;
  return !/[.,;:!?]["”’)]?$/.test(before.text) && /^[\p{Lu}\d"“(]/u.test(line.text);
}

function isColoured({ colour }: Line, line: Line): boolean {
  return colour !== undefined && colour !== line.colour && !isGrey(colour);
}

function isCapitals(text: string): boolean {
  return /\p{Lu}{4}/u.test(text) && !/\p{Ll}/u.test(text);
}

/** The width of a line's first word and the space before it: a line with that much room left ends early. */
function firstWord({ text, x0, x1 }: Line): number {
  // Lines of scripts without spaces are broken at any character.
  const length = CJK.test(text[0] ?? '') ? 1 : text.indexOf(' ') + 1;
  return length === 0 ? x1 - x0 : ((x1 - x0) * length) / text.length;
}

/** A lone fixed-pitch line within prose is prose; a line in other characters between fixed-pitch lines is code. */
function settleCode(lines: readonly Line[], code: boolean[], pitches: ReadonlyMap<number, number>): void {
  const close = (a: Line | undefined, b: Line | undefined) =>
    a !== undefined && b !== undefined && Math.abs(b.y - a.y) < 1.15 * pitchAt(pitches, b);
  for (const [i, line] of lines.entries()) {
    const [before, after] = [lines[i - 1], lines[i + 1]];
    if (before === undefined || (code[i] === true) === (code[i - 1] === true)) continue;
    if (code[i] === true) {
      if (code[i + 1] === true || !close(before, line) || Math.abs(before.x0 - line.x0) >= 0.5 * line.size) continue;
      if (close(line, after) || line.text.length < 40) code[i] = false;
    } else if (line.x0 >= before.x0 - 0.5 * line.size) {
      const pitch = pitchAt(pitches, before);
      if (line.fixed > 0.2) code[i] = line.y - before.y < 1.6 * pitch;
      else if (after !== undefined && code[i + 1] === true) code[i] = after.y - before.y < 2.4 * pitch;
    }
  }
}
