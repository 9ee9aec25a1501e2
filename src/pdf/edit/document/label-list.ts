// Page labels as people write them, in qpdf's words: `1:r,5:D,20:D/1/A-`.
import { Failure } from '../../../contract/base/failure.ts';
import { isRecord, parsedJson } from '../../../contract/base/present.ts';

const STYLES = { D: 'decimal', R: 'upper-roman', r: 'roman', A: 'upper-letters', a: 'letters' } as const;

type Sign = keyof typeof STYLES;

interface LabelItem {
  readonly page: number;
  /** The style of the numbers; null for a prefix alone. */
  readonly style: (typeof STYLES)[Sign] | null;
  readonly prefix: string | null;
  readonly start: number;
}

const SIGNS = Object.keys(STYLES) as Sign[]; // its own keys
const MOST_START = 1_000_000_000;

export function signOf(style: LabelItem['style']): Sign | undefined {
  return SIGNS.find((sign) => STYLES[sign] === style);
}

export function numberingOf(sign: string | undefined): LabelItem['style'] {
  const style = SIGNS.find((known) => known === sign);
  return style === undefined ? null : STYLES[style];
}

export function formatLabels(items: readonly LabelItem[]): string {
  return items
    .map(({ page, style, prefix, start }) => {
      const more = prefix === null ? (start === 1 ? '' : `/${start}`) : `/${start}/${prefix.replace(/[\r\n]+/g, ' ')}`;
      return `${page}:${signOf(style) ?? ''}${more}\n`;
    })
    .join('');
}

const FORMS =
  'Write PAGE:STYLE/START/PREFIX, such as 1:r,5:D,20:D/1/A-. Styles: D 1 2 3, r i ii iii, R I II III, a a b c, A A B C; none is the prefix alone.';

/** Parses the lines of `formatLabels`, the same with commas between them, or JSON. Throws a usage Failure. */
export function parseLabels(text: string): LabelItem[] {
  const plain = text.replace(/^\ufeff/, '');
  const items = /^\s*[[{]/.test(plain) ? fromJson(plain) : fromWords(plain);
  const sorted = items.toSorted((a, b) => a.page - b.page);
  const twice = sorted.find(({ page }, index) => sorted[index + 1]?.page === page);
  if (twice !== undefined) throw new Failure('usage', `page ${twice.page} has two labels`, { hint: FORMS });
  if (sorted.length === 0) throw new Failure('usage', 'there are no labels in it', { hint: FORMS });
  return sorted;
}

function fromWords(text: string): LabelItem[] {
  const words = text.includes('\n') ? text.split(/\r?\n/) : text.split(',');
  return words.flatMap((word) => {
    if (word.trim() === '') return [];
    const match = /^\s*(\d{1,9}):([DRrAa]?)(?:\/(\d{0,10})(?:\/(.*))?)?$/.exec(word);
    const [page, start] = [Number(match?.[1] ?? 0), Number(match?.[3] || 1)];
    if (match === null || page < 1 || start < 1 || start > MOST_START) {
      throw new Failure('usage', `'${word.trim()}' is no page label`, { hint: FORMS });
    }
    return [{ page, style: numberingOf(match[2]), prefix: match[4] ?? null, start }];
  });
}

function fromJson(text: string): LabelItem[] {
  const value = parsedJson(text);
  if (value === undefined) throw new Failure('usage', 'the labels are no valid JSON', { hint: FORMS });
  const list = isRecord(value) ? value.labels : value;
  if (!Array.isArray(list)) throw new Failure('usage', 'the JSON holds no list of labels', { hint: FORMS });
  return list.map((item: unknown, index) => {
    const { page, style = null, prefix = null, start = 1 } = isRecord(item) ? item : {};
    const isStyle = style === null || Object.values(STYLES).some((known) => known === style);
    const isPrefix = prefix === null || typeof prefix === 'string';
    if (!isCount(page) || !isCount(start) || !isStyle || !isPrefix) {
      throw new Failure('usage', `label ${index + 1} is none: expected page, style, start and prefix`, {
        hint: `Styles: ${Object.values(STYLES).join(', ')}, or null.`,
      });
    }
    return { page, style: style as LabelItem['style'], prefix, start }; // just looked at
  });
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_START;
}
