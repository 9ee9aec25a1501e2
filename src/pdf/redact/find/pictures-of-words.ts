import { grown, meets, type Rect } from '../../page/geometry.ts';
import { toUserSpace } from '../../page/space.ts';
import type { Findings } from '../content/page-edit.ts';
import type { Readers } from './readers.ts';
import { hasLetters, type Reading } from './readings.ts';

/** A word that was recognised in the drawing of a page, with its box in points from the top left of the displayed page. */
interface Recognised {
  readonly text: string;
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
}

export interface RecognisedPage {
  readonly lines: readonly (readonly Recognised[])[];
  readonly width: number;
  readonly height: number;
}

/** Recognises the words of pages, from 1; undefined where nothing on this machine can. */
export type Recognise = (pages: readonly number[]) => Promise<ReadonlyMap<number, RecognisedPage> | undefined>;

/** Something on a page that may hold words and was not read. */
export interface Unread {
  /** From 1. */
  readonly page: number;
  readonly what: 'no text' | 'pictures' | 'outlines' | 'patterns';
  readonly count: number;
}

/** The smallest picture that may hold a word, in points. */
const [LEAST_WIDE, LEAST_HIGH] = [20, 6];
/** The fewest shapes that may be a word. */
const LEAST_SHAPES = 4;

/** Runs OCR on pages with pictures, outlines or patterns, and reports what nothing could read. */
export async function readPictures(
  { plain }: Pick<Readers, 'plain'>,
  recognise: Recognise | undefined,
): Promise<{ readonly readings: ReadonlyMap<number, Reading>; readonly unread: readonly Unread[] }> {
  const unread = plain.findings.flatMap((findings, page) => {
    const shown = plain.spaces[page]?.shown;
    return shown === undefined ? [] : drawnWords(findings, shown).map((item) => ({ page: page + 1, ...item }));
  });
  const readings = new Map<number, Reading>();
  const pages = [...new Set(unread.map(({ page }) => page))];
  const read = pages.length === 0 ? undefined : await recognise?.(pages);
  if (read === undefined) return { readings, unread };
  for (const [page, { lines, width, height }] of read) {
    const space = plain.spaces[page - 1];
    if (space === undefined || lines.length === 0) continue;
    const inSpace = ([x0, y0, x1, y1]: Recognised['box']) =>
      toUserSpace({ x: x0 / width, y: y0 / height, w: (x1 - x0) / width, h: (y1 - y0) / height }, space);
    readings.set(page, { reader: 'OCR', characters: lines.flatMap((line) => charactersOf(line, inSpace)) });
  }
  return { readings, unread: unread.filter(({ page }) => !read.has(page)) };
}

/** Each letter gets the box of its whole word: OCR gives no positions of letters. */
function charactersOf(words: readonly Recognised[], inSpace: (box: Recognised['box']) => Rect): Reading['characters'] {
  const last = words.at(-1);
  const characters = words.flatMap((word) => {
    const box = grown(inSpace(word.box), 1);
    const size = Math.min(box.x1 - box.x0, box.y1 - box.y0);
    const letters = [...word.text].map((text) => ({ text, box, size, generated: false }));
    return [...letters, { text: ' ', box, size, generated: true }];
  });
  return last === undefined ? [] : [...characters, { text: '\n', box: inSpace(last.box), size: 1, generated: true }];
}

function drawnWords({ letters, pictureBoxes, shapes, patterns }: Findings, shown: Rect): Omit<Unread, 'page'>[] {
  const pictures = pictureBoxes.filter(
    (box) => meets(box, shown) && box.x1 - box.x0 >= LEAST_WIDE && box.y1 - box.y0 >= LEAST_HIGH,
  ).length;
  const outlines = shapes.filter((box) => meets(box, shown)).length;
  const least = letters.some(({ drawn }) => drawn !== undefined) ? 1 : LEAST_SHAPES;
  const hasText = hasLetters(letters.map(({ text, box, size }) => ({ text, box, size, generated: false })));
  const all: Omit<Unread, 'page'>[] = [
    { what: 'no text', count: hasText ? 0 : 1 },
    { what: 'pictures', count: pictures },
    { what: 'outlines', count: outlines >= least ? outlines : 0 },
    { what: 'patterns', count: patterns },
  ];
  return all.filter(({ count }) => count > 0);
}
