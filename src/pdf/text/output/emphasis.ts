// Writes bold and italic words (CommonMark 0.31, 6.2) and the marks of footnotes in Markdown.
import { CJK } from '../../fonts/characters.ts';
import { lastOf, pairs, runsOf } from '../../syntax/arrays.ts';
import type { Block } from '../layout/blocks.ts';
import { joinedLines } from '../lines/join-lines.ts';
import type { Span } from '../lines/spans.ts';

export type Style = 'bold' | 'italic';

/** The styles that set words apart in a document: not one that most of its text is set in. */
export function stylesOf(blocks: readonly Block[]): Style[] {
  const amounts = { bold: 0, italic: 0, all: 0 };
  for (const block of blocks) {
    if (block.kind !== 'paragraph' && block.kind !== 'item') continue;
    for (const line of block.lines) amounts.all += line.length;
    for (const { from, to, bold, italic } of block.spans.flat()) {
      if (bold) amounts.bold += to - from;
      if (italic) amounts.italic += to - from;
    }
  }
  return (['bold', 'italic'] as const).filter((style) => amounts[style] > 0 && amounts[style] < 0.5 * amounts.all);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Text in which a mark might become part of something else, such as code. */
const UNSAFE = /[\\`]|<[a-z/!?]/i;

interface MarkedLines {
  readonly lines: readonly string[];
  readonly spans: readonly (readonly Span[])[];
}

/** The joined lines of a block, with marks around what is set apart and for footnotes. */
export function emphasised(
  { lines, spans }: MarkedLines,
  vocabulary: ReadonlySet<string>,
  styles: readonly Style[],
): string {
  const { text, starts } = joinedLines(lines, vocabulary);
  const placed = spans.flatMap((list, i) => {
    const [line = '', start = 0, next = text.length] = [lines[i], starts[i], starts[i + 1]];
    const by = start - line.length + line.trimStart().length;
    return list.map((span) => ({ ...span, from: Math.max(start, span.from + by), to: Math.min(next, span.to + by) }));
  });
  const marks = placed.flatMap(({ from, to, instead }): Mark[] =>
    instead === undefined ? [] : [{ from, to, instead }],
  );
  if (!UNSAFE.test(text)) {
    for (const [ranges, mark] of emphasisIn(text, placed, styles))
      for (const { from, to } of ranges) for (const at of [from, to]) marks.push({ from: at, to: at, instead: mark });
  }
  marks.sort((a, b) => a.from - b.from || a.to - b.to);
  const written = marks.length > 0 || LITERAL.test(text) ? escaped : (part: string) => part;
  let [result, at] = ['', 0];
  for (const { from, to, instead } of marks) {
    const before = written(text.slice(at, from));
    result += (instead.startsWith('\n') ? before.trimEnd() : before) + instead;
    at = to;
  }
  return result + written(text.slice(at));
}

interface Mark extends Range {
  readonly instead: string;
}

/** What is emphasised, by the mark for it. */
function emphasisIn(text: string, spans: readonly Span[], styles: readonly Style[]): [readonly Range[], string][] {
  // Raised numbers neither begin nor end what is set apart, and a note begins anew.
  let plain = text;
  for (const { from, to, raised, startsNote } of spans)
    if (raised) plain = plain.slice(0, from) + (startsNote ? '\n' : ' ').repeat(to - from) + plain.slice(to);
  const oneStyle = styles.filter((style) => spans.some((span) => span[style])).length === 1;
  const runs = (style: Style) => {
    const parts = styles.includes(style) ? spans.filter((span) => span[style] && !span.raised) : [];
    const whole = runsOf(parts, ({ from }, run) => /^ *$/.test(plain.slice(lastOf(run).to, from)));
    return whole.flatMap((run) => cut({ from: run[0].from, to: lastOf(run).to }, plain, oneStyle));
  };
  const says = (kind: RegExp) => (run: Range) => kind.test(plain.slice(run.from, run.to)) && !isLabel(run, text);
  const bold = runs('bold').filter(says(/[\p{L}\p{N}]/u));
  // A single italic letter is a variable.
  const italic = runs('italic')
    .flatMap((run) => partsOf(run, bold).flatMap((part) => cut(part, plain, oneStyle)))
    .filter(says(/\p{L}{2}/u))
    .filter((run) => !bold.some(({ from, to }) => from === run.to || to === run.from));
  return [
    [bold, '**'],
    [italic, '*'],
  ];
}

/** A few words that stand alone are not set apart from anything: labels in a chart, page numbers. */
function isLabel({ from, to }: Range, text: string): boolean {
  return text.length - (to - from) <= 2 && text.split(' ').length < 4;
}

const WORD = /[\p{L}\p{N}\p{M}\p{Cs}]/u;

/**
 * The longest range within a range that marks may enclose: they stand at the ends of words, or beside a space, where
 * CommonMark takes the first for a beginning and the second for an end. Words of ideographs have no ends;
 * where two styles nest, marks between letters would be ambiguous.
 */
function cut({ from, to }: Range, text: string, anywhere: boolean): Range[] {
  const stands = (inner = ' ', outer = ' ') => {
    if (/\s/.test(inner)) return false;
    if (/\s/.test(outer)) return true;
    return WORD.test(inner) && (!WORD.test(outer) || (anywhere && (CJK.test(inner) || CJK.test(outer))));
  };
  let [start, end] = [from, to];
  while (start < end && !stands(text[start], text[start - 1])) start++;
  while (start < end && !stands(text[end - 1], text[end])) end--;
  return start < end ? [{ from: start, to: end }] : [];
}

/** The parts of a run that are inside or outside of bold ones, where it crosses one: marks must nest. */
function partsOf(run: Range, bold: readonly Range[]): Range[] {
  const crosses = bold.some(
    ({ from, to }) =>
      (from < run.from && to > run.from && to < run.to) || (from > run.from && from < run.to && to > run.to),
  );
  if (!crosses) return [run];
  const within = bold.flatMap(({ from, to }) => [from, to]).filter((at) => at > run.from && at < run.to);
  return pairs([run.from, ...within, run.to]).map(([from, to]) => ({ from, to }));
}

/** Asterisks of the text that would be taken for marks. */
const LITERAL = /\*(?=[^\s*]).*[^\s*]\*/;

function escaped(text: string): string {
  return text.replaceAll('*', '\\*');
}

/** Whether a block begins with the mark of a footnote. */
export function isNote(spans: MarkedLines['spans']): boolean {
  return spans[0]?.[0]?.startsNote === true;
}
