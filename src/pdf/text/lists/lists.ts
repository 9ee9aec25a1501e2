import { greatest, least } from '../../long-lists.ts';
import { CJK } from '../fonts/characters.ts';
import type { Block } from '../layout/blocks.ts';
import type { Line } from '../layout/lines.ts';
import { withoutLeader } from './contents.ts';
import { type Marker, markerOf } from './list-markers.ts';

export const SENTENCE_END = /[.!?:;。！？：；]["”’)\]」』）]?$/;
/** A small letter; ideographs have none. */
const CONTINUES = /^[\p{Ll}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、，]/u;

interface Text {
  readonly page: number;
  readonly lines: readonly Line[];
}

interface Open {
  /** Where the marks of this depth stand, and their texts begin, in points. */
  readonly x: number;
  readonly kind: Marker['kind'];
  value: number;
}

/** Paragraphs and list items of text that follows on without a heading or table between. */
export function itemsOf(texts: readonly Text[]): Block[] {
  const markers = texts.map(({ lines }) => markerOf(lines[0]?.text ?? ''));
  const blocks: Block[] = [];
  let open: Open[] = [];
  texts.forEach(({ page, lines }, i) => {
    const first = lines[0]!;
    const marker = markers[i];
    const text = lines.map((line) => withoutLeader(line.text));
    if (marker === undefined || !isItem(texts, markers, i)) {
      const last = blocks.at(-1);
      // Text below an item, indented to where the item's text begins, belongs to it.
      if (last?.kind === 'item' && open.length > 0 && continuesItem(texts[i - 1], lines, open.at(-1)!)) {
        blocks[blocks.length - 1] = { ...last, lines: [...last.lines, ...text] };
        return;
      }
      open = [];
      const [left, right] = [least(lines.map((line) => line.x0)), greatest(lines.map((line) => line.x1))];
      // Lines of ideographs are as long as there is room.
      const full = CJK.test(first.text[0]!)
        ? lines.length > 1 && lines.at(-1)!.x1 > right - 1.5 * first.size
        : lines.at(-1)!.x1 > left + 0.6 * (right - left);
      blocks.push({
        kind: 'paragraph',
        page,
        lines: text,
        open: full && !SENTENCE_END.test(text.at(-1) ?? ''),
        continues: CONTINUES.test(text[0] ?? ''),
      });
      return;
    }
    while (open.length > 0 && open.at(-1)!.x > first.x0 + 0.5 * first.size) open.pop();
    const level = open.at(-1);
    if (level === undefined || first.x0 > level.x + 0.8 * first.size) {
      open.push({ x: first.x0, kind: marker.kind, value: marker.value });
    } else level.value = marker.value;
    blocks.push({
      kind: 'item',
      page,
      depth: open.length - 1,
      mark: marker.kind === 'number' ? `${marker.value}.` : '-',
      lines: [
        marker.kind === 'letter'
          ? `${marker.mark}${CJK.test(marker.mark.at(-1)!) ? '' : ' '}${marker.rest}`
          : marker.rest,
        ...text.slice(1),
      ],
    });
  });
  return blocks;
}

function isItem(texts: readonly Text[], markers: readonly (Marker | undefined)[], i: number): boolean {
  const marker = markers[i]!;
  if (marker.kind === 'bullet')
    return marker.mark !== '—' && marker.mark !== '–' ? true : hasSibling(texts, markers, i);
  return hasSibling(texts, markers, i);
}

/** A number alone is no list: another item before or after it follows on. */
function hasSibling(texts: readonly Text[], markers: readonly (Marker | undefined)[], i: number): boolean {
  const marker = markers[i]!;
  const x = texts[i]!.lines[0]!.x0;
  for (const step of [-1, 1]) {
    for (let k = i + step, seen = 0; k >= 0 && k < texts.length && seen < 12; k += step, seen++) {
      const other = markers[k];
      if (other === undefined || other.kind !== marker.kind) continue;
      if (marker.kind !== 'number') return Math.abs(texts[k]!.lines[0]!.x0 - x) < 30;
      if (other.value === marker.value + step) return true;
    }
  }
  return false;
}

function continuesItem(before: Text | undefined, lines: readonly Line[], level: Open): boolean {
  const [first, last] = [lines[0]!, before?.lines.at(-1)];
  if (last === undefined || first.x0 < level.x + 0.6 * first.size) return false;
  return first.y - last.y < 1.6 * first.size && first.y > last.y && Math.abs(first.size - last.size) < 0.5;
}
