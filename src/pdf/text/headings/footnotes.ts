// Ties footnotes to their marks: a small, raised number or sign in the text, and a note in smaller type at the foot of
// the same page that begins with it.
import type { Group } from '../layout/groups.ts';
import type { Line } from '../lines/lines.ts';
import type { Span } from '../lines/spans.ts';

const NOTE = /^(\d{1,3}|[*∗†‡§¶]{1,3}|[⁰¹²³⁴-⁹]{1,3})[.)]?\s*(?=[^\s\d.,])/u;
/** Type of notes is smaller than the text by this factor. */
const SMALL = 0.95;
const SIGNS = '*†‡§¶';

interface Reference {
  readonly line: Line;
  readonly span: Span;
  readonly mark: string;
}

/** Labels of notes, unique in a document although pages count anew. */
export class Footnotes {
  private readonly used = new Set<string>();

  /** The spans of lines of a page (from 1) that hold an end of a note, with the marks that Markdown has for it. */
  tie(groups: readonly Group[], page: number): ReadonlyMap<Line, readonly Span[]> {
    const tied = new Map<Line, readonly Span[]>();
    const references = groups.flatMap((group) => group.lines.flatMap(referencesIn));
    if (references.length === 0) return tied;
    const put = (line: Line, span: Span, instead: string) => {
      const others = (tied.get(line) ?? line.spans).filter(({ from, to }) => to <= span.from || from >= span.to);
      tied.set(
        line,
        [...others, { ...span, instead }].sort((a, b) => a.from - b.from),
      );
    };
    const known = new Set<string>();
    for (const group of groups) {
      for (const [i, line] of group.lines.entries()) {
        const [begin = '', sign = ''] = NOTE.exec(line.text) ?? [];
        const mark = markOf(sign);
        const raised = line.spans[0]?.from === 0 && line.spans[0].raised;
        if (mark === '' || known.has(mark) || (i > 0 && !raised) || !isAtFoot(line, groups)) continue;
        const to = references.filter((each) => each.mark === mark && isAbove(each.line, line));
        if (to.length === 0) continue;
        known.add(mark);
        const label = this.labelOf(mark, page);
        // A number behind a number may be a power.
        const sure = to.filter(({ line, span }) => /[\d*∗†‡§¶]/.test(line.text.slice(span.from, span.to)));
        for (const { line, span } of sure.length > 0 ? sure : to.slice(0, 1)) put(line, span, `[^${label}]`);
        const whole = {
          from: 0,
          to: begin.length,
          bold: false,
          italic: false,
          raised: true,
          startsNote: true,
        } as const;
        put(line, whole, `${i === 0 ? '' : '\n\n'}[^${label}]: `);
      }
    }
    return tied;
  }

  private labelOf(mark: string, page: number): string {
    const name = /\d/.test(mark) ? mark : String(mark.length * (SIGNS.indexOf(mark[0] ?? '') + 1));
    const label = /\d/.test(mark) && !this.used.has(mark) ? mark : `p${page}-${name}`;
    this.used.add(label);
    return label;
  }
}

function referencesIn(line: Line): Reference[] {
  return line.spans.flatMap((span) => {
    if (!span.raised || span.from === 0) return [];
    return { line, span, mark: markOf(line.text.slice(span.from, span.to)) };
  });
}

/** Digits and signs have several characters. */
function markOf(text: string): string {
  return text.normalize('NFKC').replaceAll('∗', '*');
}

function isAbove(text: Line, note: Line): boolean {
  return text.y < note.y && note.size < SMALL * text.size;
}

/** Whether no larger text stands below it in its column, but for a page number. */
function isAtFoot(note: Line, groups: readonly Group[]): boolean {
  return groups.every(({ lines }) =>
    lines.every(
      (line) =>
        line.y <= note.y ||
        line.x0 >= note.x1 ||
        line.x1 <= note.x0 ||
        line.size * SMALL <= note.size ||
        !/\p{L}{2}/u.test(line.text),
    ),
  );
}
