// Owns telling headings from other text, and their levels. Knows nothing of pages' order.
import type { DocumentStyle } from './document-style.ts';
import type { Group } from './groups.ts';
import { markerOf } from './list-markers.ts';

const CAPTION =
  /^(fig(ure|\.)?|table|tab\.|chart|diagram|exhibit|map|source|note|photo|image|graph|plate|equation)s?\b[\s:.]*(\(?\d|[A-Z]?[.:]|[ivx]+\b)/i;
const NUMBERED = /^(\d+(?:\.\d+)*)[.)]?\s+\p{Lu}/u;
const ENDS_SENTENCE = /[.,;!]["”’)]?$/;

/** What two headings of the same level have in common. */
export interface HeadingStyle {
  readonly size: number;
  readonly bold: boolean;
  readonly caps: boolean;
  readonly italic: boolean;
  /** How many numbers it starts with: 2 for "1.2 Title". */
  readonly depth: number;
}

/** The style of a group that is a heading; undefined for other text. */
export function headingStyle(group: Group, style: DocumentStyle): HeadingStyle | undefined {
  const [first] = group.lines;
  if (first === undefined || group.code || group.lines.length > 4 || group.lines.some((line) => line.parted))
    return undefined;
  const text = group.lines.map((line) => line.text).join(' ');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 2 || letters < 0.4 * text.replace(/\s/g, '').length) return undefined;
  const ratio = first.size / style.body;
  const bold = group.lines.every((line) => line.bold);
  const caps = letters > 3 && text === text.toUpperCase() && text !== text.toLowerCase();
  const numbered = NUMBERED.exec(text);
  const result = {
    size: first.size,
    bold,
    caps,
    italic: first.italic,
    depth: numbered === null ? 0 : numbered[1]!.split('.').length,
  };
  if (CAPTION.test(text) && ratio < 1.4) return undefined;
  const marker = markerOf(text);
  if (marker?.kind === 'bullet') return undefined;
  const ends = ENDS_SENTENCE.test(text);
  // Names in code begin with a small letter; so does the middle of a sentence.
  const middle = /^\p{Ll}/u.test(text) && (text.length > 40 || group.above < 1.4);
  if (ratio >= 1.18) return text.length <= 200 && !(ends && text.length > 90) && !middle ? result : undefined;
  if (text.length > 120 || group.lines.length > 3 || ends || middle) return undefined;
  const apart = group.above > 1.35 || group.above === Infinity;
  if (ratio >= 1.07 && (bold || numbered !== null || apart)) return result;
  if (ratio < 0.93) return undefined;
  if (bold && !style.bold && !(text.endsWith(':') && !/\s/.test(text))) return result;
  const alone = group.lines.length === 1 && group.above > 1.5 && group.below < 2.6;
  if (first.italic && !first.mono && alone && text.length < 60 && !/[:?)]$/.test(text)) return result;
  return undefined;
}

/** Levels (1 to 6) of styles: by size, then weight; numbered ones by the depth of their numbers below the first. */
export function levelsOf(styles: readonly HeadingStyle[]): (style: HeadingStyle) => number {
  const ranks = [...new Map(styles.map((style) => [rankKey(style), style])).values()].sort(
    (a, b) => b.size - a.size || Number(b.bold) - Number(a.bold) || Number(b.caps) - Number(a.caps),
  );
  const level = new Map<string, number>();
  let [current, size] = [0, Infinity];
  let last = '';
  for (const style of ranks) {
    const key = rankKey(style);
    if (style.size < size * 0.97 || key !== last) current++;
    size = style.size;
    last = key;
    level.set(key, Math.min(current, 6));
  }
  return (style) => level.get(rankKey(style)) ?? 6;
}

function rankKey(style: HeadingStyle): string {
  return `${Math.round(style.size * 2) / 2} ${style.bold} ${style.caps && style.depth === 0} ${style.depth}`;
}
