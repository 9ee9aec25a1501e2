// What the files of a split are called: as the service names them, or as a pattern says.

import { Failure } from '../contract/failure.ts';
import type { PageSpan } from '../contract/field.ts';
import { EXTENSIONS, isDeviceName, PDF } from '../contract/media.ts';
import { field, say } from '../contract/wording.ts';
import { stemOf } from './frame/names.ts';

const ENDING = `.${EXTENSIONS[PDF]?.[0] ?? 'pdf'}`;

/** What pages become one file. */
export interface Segment {
  readonly span: PageSpan;
  /** What it is called: the bookmark that it begins with, or under which it stands. */
  readonly title: string | undefined;
}

/** What may stand in a pattern, in braces. */
const WORDS = ['stem', 'n', 'title', 'first', 'last'] as const;
type Word = (typeof WORDS)[number];

/** Bytes of a name; file systems take 255, and a number may come behind it. */
const MOST_BYTES = 200;

/** Names that are asked for twice get a number: page-001.pdf and page-001-2.pdf. */
export function nameFiles(
  segments: readonly Segment[],
  pageCount: number,
  source: string,
  pattern: string | undefined,
): string[] {
  const words = pattern === undefined ? undefined : partsOf(pattern);
  const stem = source === '' || source === '-' ? 'stdin' : stemOf(source);
  const width = String(segments.length).length;
  const isMixed = segments.some(({ span: [first, last] }) => first !== last);
  const taken = new Set<string>();
  return segments.map(({ span, title }, i) => {
    const [first, last] = span;
    const values = { stem, n: String(i + 1).padStart(width, '0'), title: title ?? '', first, last };
    const wanted = words === undefined ? usualName(span, pageCount, isMixed) : patternName(words, values);
    for (let time = 1; ; time++) {
      const name = `${time === 1 ? wanted : `${wanted}-${time}`}${ENDING}`;
      // Some file systems hold A.pdf and a.pdf for one.
      const key = name.toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return name;
    }
  });
}

/**
 * page-001 as the service names it, with more digits where there are more pages; pages-001-003 for several. Where files of
 * one run have both (`isMixed`), a page is pages-004, so that names sort as the pages do.
 */
function usualName([start, end]: PageSpan, count: number, isMixed: boolean): string {
  const width = Math.max(3, String(count).length);
  const digits = (page: number): string => String(page).padStart(width, '0');
  return start === end ? `page${isMixed ? 's' : ''}-${digits(start)}` : `pages-${digits(start)}-${digits(end)}`;
}

type Part = string | { readonly word: Word };

/** The pattern, taken apart. Throws for braces around anything else. */
function partsOf(pattern: string): Part[] {
  return pattern
    .replace(/\.pdf$/i, '')
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      if (!/^\{.*\}$/.test(part)) return part;
      const word = WORDS.find((each) => `{${each}}` === part);
      if (word !== undefined) return { word };
      const known = WORDS.map((each) => `{${each}}`).join(', ');
      throw new Failure('usage', say`${field('name')}: ${part} stands for nothing`, { hint: `It may have ${known}.` });
    });
}

function patternName(parts: readonly Part[], values: Readonly<Record<Word, string | number>>): string {
  const text = parts.map((part) => (typeof part === 'string' ? part : String(values[part.word]))).join('');
  // What has no title leaves the hyphen before it.
  const name = fileName(text).replace(/[-_ ]+$/, '');
  return name === '' ? `part-${values.n}` : name;
}

/** A text as a name that every file system takes: no folders, no control characters, not too long, no dot at its ends. */
function fileName(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  let name = '';
  let bytes = 0;
  for (const character of plain) {
    bytes += Buffer.byteLength(character);
    if (bytes > MOST_BYTES) break;
    name += character;
  }
  const trimmed = name.trim();
  return isDeviceName(trimmed) ? `_${trimmed}` : trimmed;
}
