// Cuts text into sentences, and long sentences into pieces.

/** Characters. Longer sentences are cut at a comma or a space: a voice takes a second for each, and a stall is more audible than a cut. */
const LONGEST = 400;

/** A point behind these ends no sentence. */
const ABBREVIATED =
  /(?:^|[\s(["“])(?:Dr|Mr|Mrs|Ms|Prof|St|Gen|Sen|Rep|Capt|Lt|Col|Rev|Hon|Jr|Sr|vs?|cf|viz|ca|approx|incl|Figs?|Eqs?|Tab|Secs?|Sect|Ch|Chap|Vol|Nos?|Nr|Refs?|pp?|para|Ed|Eds|al|e\.\s?g|i\.\s?e|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|(?:\p{Lu}\.)*\p{Lu}|\d+)\.$/u;

export function sentencesOf(text: string, language = 'en'): string[] {
  const segments = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text.replace(/\s+/g, ' ').trim());
  const sentences: string[] = [];
  for (const { segment } of segments) {
    const piece = segment.trim();
    if (piece === '') continue;
    const before = sentences.at(-1);
    const joins = before !== undefined && (goesOn(before, piece) || !/[\p{L}\p{N}]/u.test(piece));
    if (joins) sentences[sentences.length - 1] = `${before} ${piece}`;
    else sentences.push(piece);
  }
  return sentences.flatMap(inBreaths);
}

function goesOn(before: string, next: string): boolean {
  // A number and its point alone begin an item; behind other words they end a sentence.
  if (/(?:^|\s)\d+\.$/.test(before)) return /^\d+\.$/.test(before) || /^\p{Ll}/u.test(next);
  return ABBREVIATED.test(before) || /^[\p{Ll},;]/u.test(next);
}

function inBreaths(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > LONGEST) {
    const window = rest.slice(0, LONGEST);
    const cut =
      1 + Math.max(window.lastIndexOf('; '), window.lastIndexOf(': ')) ||
      1 + window.lastIndexOf(', ') ||
      1 + window.lastIndexOf(' ') ||
      // Never between two surrogates.
      (/[\ud800-\udbff]$/.test(window) ? LONGEST - 1 : LONGEST);
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}
