// Recognises entries of tables of contents: titles with page numbers, apart from them or behind dots.
import type { Line } from './lines.ts';

const PAGE = /\s?(\d{1,4}|[ivxlcdm]+)$/i;
/** Dots, or ellipses, which have three of them. */
const LEADER = /\s*(?:(?:[.…]\s?){4,}|(?:\.\s){2,}|(?:…\s?){2,})\s*(?=(?:\d{1,4}|[ivxlcdm]+)$)/i;

/** Whether a line is a title with its page, complete in itself. */
export function isEntry({ text, parted }: Line): boolean {
  return (parted && PAGE.test(text)) || leadsToPage(text);
}

function leadsToPage(text: string): boolean {
  return hasDots(text) && LEADER.test(text);
}

/** Replaces leader dots between a title and its page by one sign. */
export function withShortLeader(text: string): string {
  return hasDots(text) ? text.replace(LEADER, ' … ') : text;
}

function hasDots(text: string): boolean {
  return text.includes('..') || text.includes('. .') || text.includes('……');
}
