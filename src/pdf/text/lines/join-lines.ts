import { CJK } from '../../fonts/characters.ts';

/** Joins lines of text. A word broken at a line's end is made whole, unless the document also writes it with the hyphen. */
export function joinLines(lines: readonly string[], vocabulary: ReadonlySet<string>): string {
  return joinedLines(lines, vocabulary).text;
}

/** The same, with where each line begins in the text. */
export function joinedLines(
  lines: readonly string[],
  vocabulary: ReadonlySet<string>,
): { readonly text: string; readonly starts: readonly number[] } {
  let text = '';
  const starts = lines.map((raw) => {
    const line = raw.trim();
    if (line !== '') text = text === '' ? line : join(text, line, vocabulary);
    return text.length - line.length;
  });
  return { text, starts };
}

/** An address that the end of a line cuts, and the rest of it: addresses are never hyphenated. */
const CUT_ADDRESS = /(?:https?:\/\/|www\.).*(?:([-_?&=])|[./])$/i;
const REST_OF_ADDRESS = /^[a-z\d][\w%~+#-]*[./]\w/;

function join(text: string, line: string, vocabulary: ReadonlySet<string>): string {
  // A paragraph is long, and what matters stands at its end.
  const last = text.slice(text.lastIndexOf(' ') + 1);
  const [end = '', url] = /\]\(([^()\s]+)\)$/.exec(last) ?? [];
  // A link that goes on in the next line is one link.
  if (url !== undefined && /^\[[^[\]]+\]\(([^()\s]+)\)/.exec(line)?.[1] === url)
    return join(text.slice(0, -end.length), line.slice(1), vocabulary);
  const cut = CUT_ADDRESS.exec(last);
  if (cut !== null && (cut[1] === undefined ? REST_OF_ADDRESS : /^\w/).test(line)) return text + line;
  const [, first = ''] = /(\p{L}+)[-\u2010]$/u.exec(last) ?? [];
  const [second = ''] = /^\p{L}+/u.exec(line) ?? [];
  // Among capitals, as in titles, words are broken like others; elsewhere two of them are names: NATO-EU.
  const inCapitals = first.length > 2 && second.length > 2 && !/\p{Ll}/u.test(text.slice(-50) + line);
  if (second !== '' && (inCapitals || /\p{Ll}$/u.test(first))) {
    const has = (word: string) => vocabulary.has(word.toLowerCase());
    // Both parts of a compound are words of their own; those of a broken word seldom are.
    const isCompound = has(`${first}-${second}`) || (has(first) && has(second));
    const kept = isCompound && !has(first + second);
    if (!(inCapitals || /^\p{Ll}/u.test(second)) || kept) return text + line;
    return text.slice(0, -1) + line;
  }
  if (cut === null && /[\p{L}\d][-\u2010/]$/u.test(last) && /^[\p{L}\d]/u.test(line)) return text + line;
  return CJK.test(text.slice(-1)) || CJK.test(line.slice(0, 1)) ? text + line : `${text} ${line}`;
}

/** Adds the unbroken words of a line in lower case, with inner hyphens. */
export function addWords(line: string, vocabulary: Set<string>): void {
  for (const word of line.match(/\p{L}+(?:-\p{L}+)*(?![-\u2010]$)/gu) ?? []) {
    if (word.length > 3) vocabulary.add(word.toLowerCase());
  }
}
