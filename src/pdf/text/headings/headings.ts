import { isGrey } from '../content/fill-colour.ts';
import type { Group } from '../layout/groups.ts';
import { CAPTION } from '../lines/captions.ts';
import { markerOf } from '../lines/list-markers.ts';
import type { DocumentStyle } from './document-style.ts';

const NUMBERED = /^(\d+(?:\.\d+)*)[.)]?\s+\p{Lu}/u;
/** The numbers of parts of sections and appendices: 1.2 or A.1, whatever letter the title begins with. */
const PARTS = /^((?:\d+|\p{Lu})(?:\.\d+)+)[.)]?\s+\p{L}/u;
/** Sections of journals, in small capitals no larger than the text. */
const ROMAN = /^[IVX]{1,5}\.\s+\p{Lu}[^\p{Ll}]+$/u;
/** Sections that most documents have, whatever their style. */
export const NAMED =
  /^(abstract|(table of )?contents|(executive )?summary|acknowledge?ments?|references|bibliography|glossary|foreword|preface)$/i;
const DATE =
  /^(\d{1,2}(st|nd|rd|th)? )?(jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.?( \d{1,2})?,? \d{4}$/i;
/** A caption or title that is there again, where its table or chapter goes on. */
const AGAIN = /[([—–-]\s*(continued|cont[’'.]?d?\.?)[)\]]?$/i;
/** An address, or text that links to one. */
const LINK = /\]\(|@|www\.|https?:/;
/** Longer text with a colon is a clause. */
const LONGEST_LABEL = 40;
const ENDS_SENTENCE = /[.,;!]["”’)]?$/;

/** The style that headings of one level share. */
export interface HeadingStyle {
  readonly size: number;
  readonly bold: boolean;
  /** How many numbers it begins with: 2 for "1.2 Title". */
  readonly depth: number;
}

/** The style of a group that may be a heading; undefined for a group that cannot be one, even with a tag or a bookmark. */
export function possibleHeading(group: Group): HeadingStyle | undefined {
  const [first] = group.lines;
  if (first === undefined || group.code || group.lines.some((line) => line.parted || line.turned)) return undefined;
  const text = headingText(group);
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 2 || letters < 0.4 * text.replace(/\s/g, '').length) return undefined;
  if (markerOf(text)?.kind === 'bullet') return undefined;
  return {
    size: first.size,
    bold: group.lines.every((line) => line.bold),
    depth: (NUMBERED.exec(text) ?? PARTS.exec(text))?.[1]?.split('.').length ?? 0,
  };
}

/** The style of a group that looks like a heading among the other text; undefined for other text. `result`: its style if it is one. */
export function headingStyle(group: Group, style: DocumentStyle, result: HeadingStyle): HeadingStyle | undefined {
  const [first] = group.lines;
  const text = headingText(group);
  const ratio = first.size / style.body;
  const { bold } = result;
  const numbered = result.depth > 0;
  if (CAPTION.test(text) || DATE.test(text) || AGAIN.test(text) || text.includes('@')) return undefined;
  const apart = group.above > 1.35 || group.above === Infinity;
  const one = group.lines.length === 1;
  if (one && apart && group.below > 1.25 && (ROMAN.test(text) || NAMED.test(text)))
    return { ...result, size: Math.max(result.size, style.body) };
  const ends = ENDS_SENTENCE.test(text);
  // Names in code begin with a small letter; so does the middle of a sentence.
  const middle = /^\p{Ll}/u.test(text) && (text.length > 40 || group.above < 1.4);
  if (ratio >= 1.18) return text.length <= 200 && !(ends && text.length > 90) && !middle ? result : undefined;
  if (text.length > 120 || ends || middle) return undefined;
  if (ratio >= 1.07 && (bold || numbered || apart)) return result;
  if (ratio < 0.93) return undefined;
  if (bold && !style.bold && !leadsIn(text, result)) return result;
  if (result.depth > 1 && one && apart) return result;
  const alone = one && group.above > 1.5 && group.below < 2.6;
  if (first.italic && !first.mono && alone && text.length < 60 && !/[:?)]$/.test(text)) return result;
  const { colour } = first;
  const coloured = colour !== undefined && colour !== style.colour && !isGrey(colour);
  if (coloured && one && apart && group.below < 2.6 && text.length < 80 && !/[:?)]$/.test(text))
    return LINK.test(text) ? undefined : result;
  return undefined;
}

/** Whether bold text with a colon opens what stands below it: an item of a list, a clause, or a name such as "Note:". */
function leadsIn(text: string, { depth }: HeadingStyle): boolean {
  return /[:：]$/.test(text) && (depth > 0 || text.length > LONGEST_LABEL || !/\s/.test(text));
}

export function headingText({ lines }: Pick<Group, 'lines'>): string {
  return lines.map((line) => line.text).join(' ');
}
