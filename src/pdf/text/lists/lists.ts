import { CJK } from '../../fonts/characters.ts';
import { greatest, lastOf, least, median, type NonEmpty, pairs } from '../../syntax/arrays.ts';
import { type Block, SENTENCE_END } from '../layout/blocks.ts';
import { withShortLeader } from '../lines/contents.ts';
import type { Line } from '../lines/lines.ts';
import { type Marker, markerOf } from '../lines/list-markers.ts';
import { movedSpans, NO_SPANS, type Span } from '../lines/spans.ts';

/** A small letter, or an ideograph, which has no capital form. */
const CONTINUES = /^[\p{Ll}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、，]/u;

/** The next item of a list is at most so many texts away. */
const FARTHEST = 12;

export interface Text {
  readonly page: number;
  readonly lines: NonEmpty<Line>;
  /** The spans of lines that hold an end of a footnote. */
  readonly notes: ReadonlyMap<Line, readonly Span[]>;
}

interface Marked extends Text {
  readonly marker: Marker | undefined;
}

interface Open {
  /** The left edges of the marks of this depth and of their texts, in points. */
  readonly x: number;
  readonly kind: Marker['kind'];
  value: number;
}

/** Paragraphs and list items of text that follows on without a heading or table between. */
export function itemsOf(texts: readonly Text[]): Block[] {
  const marked = texts.map((text): Marked => ({ ...text, marker: markerOf(text.lines[0].text) }));
  const blocks: Block[] = [];
  let open: Open[] = [];
  marked.forEach(({ page, lines, notes, marker }, i) => {
    const [first] = lines;
    const text = lines.map((line) => withShortLeader(line.text));
    const spans = lines.map((line, k) => (text[k] === line.text ? (notes.get(line) ?? line.spans) : NO_SPANS));
    if (marker === undefined || !isItem(marker, first, marked, i)) {
      const last = blocks.at(-1);
      // Text below an item, indented to where the item's text begins, belongs to it.
      if (last?.kind === 'item' && continuesItem(texts[i - 1], first, open.at(-1))) {
        blocks[blocks.length - 1] = { ...last, lines: [...last.lines, ...text], spans: [...last.spans, ...spans] };
        return;
      }
      open = [];
      const [left, right] = [least(lines.map((line) => line.x0)), greatest(lines.map((line) => line.x1))];
      // Lines of ideographs are as long as there is room.
      const full = CJK.test(first.text.slice(0, 1))
        ? lines.length > 1 && lastOf(lines).x1 > right - 1.5 * first.size
        : lastOf(lines).x1 > left + 0.6 * (right - left);
      blocks.push({
        kind: 'paragraph',
        page,
        lines: text,
        spans,
        open: full && !SENTENCE_END.test(text.at(-1) ?? ''),
        continues: CONTINUES.test(text[0] ?? ''),
      });
      return;
    }
    open = open.filter(({ x }) => x <= first.x0 + 0.5 * first.size);
    const level = open.at(-1);
    if (level === undefined || first.x0 > level.x + 0.8 * first.size) {
      open.push({ x: first.x0, kind: marker.kind, value: marker.value });
    } else level.value = marker.value;
    const mark = marker.kind === 'letter' ? `${marker.mark}${CJK.test(marker.mark.slice(-1)) ? '' : ' '}` : '';
    const moved = movedSpans(spans[0] ?? NO_SPANS, first.text.length - marker.rest.length, mark.length);
    blocks.push({
      kind: 'item',
      page,
      depth: open.length - 1,
      mark: marker.kind === 'number' ? `${marker.value}.` : '-',
      lines: [mark + marker.rest, ...text.slice(1)],
      spans: [moved, ...spans.slice(1)],
    });
  });
  return blocks;
}

/** A number, a letter or a dash alone is no list: another item before or after it follows on. */
function isItem({ kind, mark, value }: Marker, { x0 }: Line, texts: readonly Marked[], i: number): boolean {
  if (kind === 'bullet' && mark !== '—' && mark !== '–') return true;
  for (const step of [-1, 1]) {
    const near = step < 0 ? texts.slice(Math.max(0, i - FARTHEST), i).reverse() : texts.slice(i + 1, i + 1 + FARTHEST);
    for (const { lines, marker } of near) {
      if (marker?.kind !== kind) continue;
      if (kind !== 'number') return Math.abs(lines[0].x0 - x0) < 30;
      if (marker.value === value + step) return true;
    }
  }
  return false;
}

function continuesItem(before: Text | undefined, first: Line, level: Open | undefined): boolean {
  if (before === undefined || level === undefined || first.x0 < level.x + 0.6 * first.size) return false;
  const last = lastOf(before.lines);
  return first.y - last.y < 1.6 * first.size && first.y > last.y && Math.abs(first.size - last.size) < 0.5;
}

export function codeLines(lines: readonly Line[]): string[] {
  const pitches = lines.map((line) => line.pitch).filter((pitch) => pitch > 0);
  const pitch = median(pitches) ?? 0;
  const left = least(lines.map((line) => line.x0));
  const steps = pairs(lines).map(([before, line]) => line.y - before.y);
  const step = [...steps].filter((indent) => indent > 0).sort((a, b) => a - b)[steps.length >> 2] ?? 0;
  const result: string[] = [];
  lines.forEach((line, i) => {
    const before = lines[i - 1];
    const empty = before === undefined || step === 0 ? 0 : Math.round((line.y - before.y) / step) - 1;
    for (let k = 0; k < Math.min(empty, 2); k++) result.push('');
    result.push(' '.repeat(pitch === 0 ? 0 : Math.round((line.x0 - left) / pitch)) + line.text);
  });
  return result;
}
