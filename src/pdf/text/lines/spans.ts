import type { Word } from '../content/page-content.ts';

/** A part of a line's text that is set apart from the rest. Offsets count code units. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly bold: boolean;
  readonly italic: boolean;
  /** Smaller and above the baseline: a number or sign that refers to a note. */
  readonly raised: boolean;
  /** What Markdown has in its place: the mark of a footnote. */
  readonly instead?: string;
  /** A note begins here. */
  readonly startsNote?: true;
}

export const NO_SPANS: readonly Span[] = [];

/** Mathematical faces: TeX's, and those named so. Their letters are signs, whatever their shape. */
export const MATH =
  /^(cm(mi|sy|ex|mib|bsy)|lm(mi|sy|ex)|ms[ab]m|eu[fs]m|euex|rsfs|[tp]x(mi|sy|ex)|mt(mi|sy|ex))|math|symbol/i;

/** The span of a word that stands at `from`; undefined for plain words. */
export function spanOf({ face, text }: Word, from: number, length: number, raised: boolean): Span | undefined {
  const { bold, italic, name } = face;
  if (!raised && !((bold || italic) && !MATH.test(name) && text !== '')) return undefined;
  return { from, to: from + length, bold, italic, raised };
}

/** Adds a span to those from `first` on; it continues the last one if it is set like it and only a space is between. */
export function addSpan(spans: Span[], span: Span, first: number): void {
  const last = spans.length > first ? spans.at(-1) : undefined;
  const joins = last !== undefined && span.from - last.to <= 1 && isAlike(last, span);
  if (joins) spans[spans.length - 1] = { ...last, to: span.to };
  else spans.push(span);
}

function isAlike(a: Span, b: Span): boolean {
  return a.bold === b.bold && a.italic === b.italic && a.raised === b.raised;
}

/** The spans of what stands behind the first `skip` code units, which `by` others replace. */
export function movedSpans(spans: readonly Span[], skip: number, by: number): readonly Span[] {
  const moved = spans.map((span) => ({
    ...span,
    from: Math.max(span.from, skip) - skip + by,
    to: span.to - skip + by,
  }));
  return moved.flatMap((span) => (span.to > by ? span : span.instead === undefined ? [] : { ...span, to: span.from }));
}
