// Tables of contents: titles with the pages they stand on, apart from them or led to by dots.
import type { Line } from './lines.ts';

const PAGE = /\s?(\d{1,4}|[ivxlcdm]+)$/i;
const LEADER = /\s*(?:\.\s?){4,}\s*(?=(?:\d{1,4}|[ivxlcdm]+)$)/i;

/** A title with its page, which nothing goes on from. */
export function isEntry({ text, parted }: Line): boolean {
  return (parted && PAGE.test(text)) || LEADER.test(text);
}

/** Leader dots between a title and its page become one sign. */
export function withShortLeader(text: string): string {
  return text.includes('..') || text.includes('. .') ? text.replace(LEADER, ' … ') : text;
}
