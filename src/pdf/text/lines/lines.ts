import { greatest, lastOf, type NonEmpty, runsOf } from '../../syntax/arrays.ts';
import type { PackedColour } from '../content/fill-colour.ts';
import type { TextBox, Word } from '../content/page-content.ts';
import { isReference, isSpace, lineText, readWords } from './line-text.ts';
import { markerOf } from './list-markers.ts';
import { joinPieces, type Piece } from './pieces.ts';
import { NO_SPANS, type Span } from './spans.ts';

/** A line of text as later steps see it. Shares (0 to 1) count characters. */
export interface Line extends TextBox {
  readonly text: string;
  /** What is set apart in its text, in order. */
  readonly spans: readonly Span[];
  readonly y: number;
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  /** Share of its characters in a fixed-pitch face. */
  readonly fixed: number;
  /** The width of a character of a fixed-pitch line, in points; 0 for others. */
  readonly pitch: number;
  /** Parts of it are further apart than words: a row, a running head, an entry of a table of contents. */
  readonly parted: boolean;
  /** The colour of all its words; undefined if they differ. */
  readonly colour: PackedColour | undefined;
  /** The mark of its first word. */
  readonly mark: number;
  /** Text in another direction than most of the page: stamps at an edge, names of axes. */
  readonly turned?: boolean;
}

export function linesOf(pieces: readonly Piece[]): Line[] {
  const sorted = [...pieces].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const rows = runsOf(sorted, onOneLine);
  const right = greatest(pieces.map((piece) => piece.x1));
  return rows.flatMap((row) => {
    row.sort((a, b) => a.x0 - b.x0);
    const [head, next, ...others] = row;
    return next !== undefined && isRunInHead(head, next, lastOf(row).x1, right)
      ? [lineOf(head), lineOf(joinPieces([next, ...others]))]
      : [lineOf(joinPieces(row))];
  });
}

/** Whether it is a run-in heading before its paragraph: bold, set off by more than a word space, without a full stop. */
function isRunInHead(head: Piece, next: Piece, end: number, right: number): boolean {
  if (end < head.x0 + 0.8 * (right - head.x0)) return false;
  const gap = next.x0 - head.x1;
  if (gap > 2.2 * head.size || !head.words.every((word) => word.face.bold)) return false;
  if (next.words.some((word) => word.face.bold) || next.x1 - next.x0 < 0.4 * (head.x1 - head.x0)) return false;
  return /\p{L}{2}/u.test(lineText(head.words)) && !/[.:,;]$/.test(lastOf(head.words).text);
}

function onOneLine(piece: Piece, row: NonEmpty<Piece>): boolean {
  const [first] = row;
  if (Math.abs(piece.y - first.y) > 0.3 * Math.min(piece.size, first.size)) return false;
  return row.every((other) => piece.x0 >= other.x1 - 0.5 * piece.size || piece.x1 <= other.x0 + 0.5 * piece.size);
}

export function lineOf(piece: Piece): Line {
  let [bold, italic, mono, all] = [0, 0, 0, 0];
  for (const { text, face } of piece.words) {
    all += text.length;
    if (face.bold) bold += text.length;
    if (face.italic) italic += text.length;
    if (face.mono) mono += text.length;
  }
  // A footnote in a fixed-pitch face, such as an address, is no code.
  const isMono = mono > 0.8 * all && !isReference(piece.words[0], piece.words[1]);
  const pitch = isMono ? pitchOf(piece.words) : 0;
  const { text, spans } = pitch > 0 ? { text: fixedText(piece.words, pitch), spans: NO_SPANS } : readWords(piece.words);
  return {
    x0: piece.x0,
    y0: piece.y0,
    x1: piece.x1,
    y1: piece.y1,
    text,
    spans,
    y: piece.y,
    size: Math.round(piece.size * 10) / 10,
    bold: bold > 0.8 * all,
    italic: italic > 0.8 * all,
    mono: isMono,
    fixed: mono / Math.max(all, 1),
    pitch,
    parted: hasWideGap(piece.words),
    colour: colourOf(piece.words),
    mark: piece.words[0]?.mark ?? -1,
  };
}

function colourOf(words: readonly Word[]): PackedColour | undefined {
  const [first] = words;
  return first !== undefined && words.every((word) => word.colour === first.colour) ? first.colour : undefined;
}

/** The advance of one character: that of most characters of the longest fixed-pitch word. */
function pitchOf(words: readonly Word[]): number {
  let longest: Word | undefined;
  for (const word of words) {
    if (word.face.mono && /^[\x21-\x7e]+$/.test(word.text) && word.text.length > (longest?.text.length ?? 0))
      longest = word;
  }
  return longest === undefined ? 0 : (longest.x1 - longest.x0) / longest.text.length;
}

/** Fixed-pitch text keeps its inner spaces, which align it. */
function fixedText(words: readonly Word[], pitch: number): string {
  let text = '';
  let before: Word | undefined;
  for (const word of words) {
    if (before !== undefined)
      text += ' '.repeat(Math.max(isSpace(before, word) ? 1 : 0, Math.round((word.x0 - before.x1) / pitch)));
    text += word.text;
    before = word;
  }
  return text;
}

/** In em; no justified line has such a gap. */
const PARTED = 2.5;

function hasWideGap(words: readonly Word[]): boolean {
  for (let i = 1; i < words.length; i++) {
    const [before, word] = [words[i - 1], words[i]];
    if (before === undefined || word === undefined || word.x0 - before.x1 <= PARTED * word.size) continue;
    const numbered = i === 1 && (markerOf(`${before.text} x`) !== undefined || /^[\dIVX.]+$/.test(before.text));
    if (!numbered) return true;
  }
  return false;
}
