import { CJK } from '../../fonts/characters.ts';
import { greatest, lastOf, least, median, type NonEmpty, pairs } from '../../syntax/arrays.ts';
import { type Block, SENTENCE_END } from '../layout/blocks.ts';
import { withShortLeader } from '../lines/contents.ts';
import type { Line } from '../lines/lines.ts';
import { comesNext, type Marker, markerOf } from '../lines/list-markers.ts';
import { movedSpans, NO_SPANS, type Span } from '../lines/spans.ts';

/** A small letter, also behind a number, or an ideograph, which has no capital form. */
const CONTINUES =
  /^(?:[\p{Ll}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、，]|\d[\d.,]*(?:%|st|nd|rd|th)?,?\s\p{Ll}|\d+(?:st|nd|rd|th),)/u;

/** The next item of a list is at most so many texts away. */
const FARTHEST = 12;

export interface Text {
  readonly page: number;
  readonly lines: NonEmpty<Line>;
  /** The spans of lines that hold an end of a footnote. */
  readonly notes: ReadonlyMap<Line, readonly Span[]>;
  /** Whether each line is an entry of its own. */
  readonly apart: boolean;
  /** The list item that tags put its first line in. */
  readonly place: ItemPlace | undefined;
}

/** The part of a tag that tells list items (ISO 32000-1, 14.8.4.3.3). */
interface ItemPlace {
  readonly item: number;
  readonly label: boolean;
  readonly depth: number;
}

/** Whether tags begin a list item with this text. A tag is believed where a mark stands there. */
export function beginsItem(text: string, place: ItemPlace | undefined, before: ItemPlace | undefined): boolean {
  return place !== undefined && place.item !== before?.item && (place.label || markerOf(text) !== undefined);
}

/** The mark of an item that tags tell from its text, whatever it is; it may stand on a line of its own. */
function labelOf(text: string): Marker {
  const [whole = '', label = ''] = /^(\S{1,8})(?:\s+|$)/u.exec(text) ?? [];
  const rest = text.slice(whole.length);
  const digits = /^\(?(\d{1,3})[.)]$/.exec(label)?.[1];
  if (digits !== undefined) return { kind: 'number', mark: label, value: Number(digits), rest };
  const says = /[\p{L}\p{N}]/u.test(label) && label !== 'o';
  return says ? { kind: 'letter', mark: '', value: 0, rest: text } : { kind: 'bullet', mark: label, value: 0, rest };
}

/** Word's bullet of the second depth is the letter o of a fixed-pitch face. */
export function withBullet(line: Line): Line {
  const { text, fixed } = line;
  return /^o \S/.test(text) && fixed > 0 && fixed < 2 / text.length ? { ...line, text: `◦${text.slice(1)}` } : line;
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
  // The item of tags that the last block is, and the depth of the first item of its list.
  let last: ItemPlace | undefined;
  let outermost = 0;
  marked.forEach(({ page, lines, notes, apart, place, marker: found }, i) => {
    const [first] = lines;
    const declared = beginsItem(first.text, place, last);
    const marker = declared ? (found ?? labelOf(first.text)) : found;
    const text = lines.map((line) => withShortLeader(line.text));
    const spans = lines.map((line, k) => (text[k] === line.text ? (notes.get(line) ?? line.spans) : NO_SPANS));
    if (marker === undefined || !(declared || isItem(marker, marked, i))) {
      const before = blocks.at(-1);
      const isSame = place !== undefined && place.item === last?.item;
      // Text below an item, indented to where the item's text begins, belongs to it.
      if (before?.kind === 'item' && (isSame || continuesItem(texts[i - 1], first, open.at(-1)))) {
        blocks[blocks.length - 1] = {
          ...before,
          lines: [...before.lines, ...text],
          spans: [...before.spans, ...spans],
        };
        return;
      }
      open = [];
      last = undefined;
      if (apart) {
        const line = { kind: 'paragraph', page, open: false, continues: false } as const;
        for (const [k, words] of text.entries())
          blocks.push({ ...line, lines: [words], spans: [spans[k] ?? NO_SPANS] });
        return;
      }
      const [left, right] = [least(lines.map((line) => line.x0)), greatest(lines.map((line) => line.x1))];
      const full = lastOf(lines).x1 > left + 0.6 * (right - left);
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
    if (declared && last === undefined) outermost = place?.depth ?? 0;
    last = declared ? place : undefined;
    open = open.filter(({ x }) => x <= first.x0 + 0.5 * first.size);
    const level = open.at(-1);
    if (level === undefined || first.x0 > level.x + 0.8 * first.size) {
      open.push({ x: first.x0, kind: marker.kind, value: marker.value });
    } else level.value = marker.value;
    const mark =
      marker.kind === 'letter' && marker.mark !== ''
        ? `${marker.mark}${CJK.test(marker.mark.slice(-1)) ? '' : ' '}`
        : '';
    const moved = movedSpans(spans[0] ?? NO_SPANS, first.text.length - marker.rest.length, mark.length);
    blocks.push({
      kind: 'item',
      page,
      depth: last === undefined ? open.length - 1 : Math.max(0, last.depth - outermost),
      mark: marker.kind === 'number' ? `${marker.value}.` : '-',
      lines: [mark + withShortLeader(marker.rest), ...text.slice(1)],
      spans: [moved, ...spans.slice(1)],
    });
  });
  return blocks;
}

/** A number, a letter or a dash alone is no list: another item before or after it follows on. */
function isItem({ kind, mark, value }: Marker, texts: readonly Marked[], i: number): boolean {
  if (kind === 'bullet' && mark !== '—' && mark !== '–') return true;
  for (const step of [-1, 1]) {
    const near = step < 0 ? texts.slice(Math.max(0, i - FARTHEST), i).reverse() : texts.slice(i + 1, i + 1 + FARTHEST);
    for (const { marker } of near) {
      if (marker?.kind !== kind || (kind === 'bullet' && marker.mark !== mark)) continue;
      if (kind === 'letter' && /^\(?[a-z]/i.test(mark)) {
        if (step < 0 ? comesNext(marker.mark, mark) : comesNext(mark, marker.mark)) return true;
        continue;
      }
      if (kind !== 'number') return true;
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
