import { entryAt } from '../../../contract/base/present.ts';
import { centreOf, grown, holds, type Rect } from '../../page/geometry.ts';
import type { Letter } from '../content/page-edit.ts';
import type { Character } from '../probe/page-probe.ts';
import { findIn, type Match, type SearchQuery } from '../words/detectors.ts';
import { findTerm, type Seen, searchableText, seenText, termsOf } from '../words/seen-text.ts';
import { boxesOver } from './match-boxes.ts';
import type { Reader, Reading } from './readings.ts';

export interface Place {
  readonly kind: string;
  /** Index of the term; undefined for kinds and expressions. */
  readonly term: number | undefined;
  readonly boxes: readonly Rect[];
  readonly readers: Set<Reader>;
}

/** A page on which one reader sees less than the others. */
export interface Difference {
  /** From 1. */
  readonly page: number;
  readonly reader: Reader;
  readonly what:
    | 'reads no text where others do'
    | 'misses words that others find'
    | 'sees other letters than the text says';
  readonly count: number;
}

interface Hit {
  readonly kind: string;
  readonly term: number | undefined;
  readonly characters: readonly Character[];
}

/** Searches all readings of a page. Readers that find the same place share it; its boxes are those of the first. */
export class PageSearch {
  private readonly wanted: SearchQuery;
  private readonly match: Match;
  /** The letters of the page as our own reader has them. */
  private readonly letters: readonly Letter[];
  readonly places: Place[] = [];
  private readonly counts = new Map<Reader, number>();
  /** Kinds and expressions by text: readers mostly agree. */
  private readonly known = new Map<string, ReturnType<typeof findIn>>();

  constructor(wanted: SearchQuery, match: Match, letters: readonly Letter[]) {
    this.wanted = wanted;
    this.match = match;
    this.letters = letters;
  }

  add(reading: Reading): readonly Place[] {
    const fresh: Place[] = [];
    const { reader, characters } = reading;
    const hits = this.hitsIn(characters);
    this.counts.set(reader, Math.max(this.counts.get(reader) ?? 0, hits.length));
    const before = this.places.slice();
    for (const hit of hits) {
      const same = coveredBy(hit, before, reader);
      for (const place of same ?? []) place.readers.add(reader);
      if (same !== undefined) continue;
      const { kind, term } = hit;
      const place = { kind, term, boxes: boxesOver(hit.characters, this.letters), readers: new Set([reader]) };
      if (place.boxes.length === 0) continue;
      fresh.push(place);
      this.places.push(place);
    }
    return fresh;
  }

  /** How many places a reader misses, by count, since its positions may be guesses. */
  missedBy(reader: Reader): number {
    const most = Math.max(0, ...this.counts.values());
    const missed = this.places.filter(({ readers }) => !readers.has(reader)).length;
    return Math.min(missed, most - (this.counts.get(reader) ?? 0));
  }

  private hitsIn(characters: readonly Character[]): Hit[] {
    const hits: Hit[] = termHits(this.wanted.terms, characters).map(({ term, start, end }) => ({
      kind: 'text',
      term,
      characters: characters.slice(start, end),
    }));
    if (this.wanted.kinds.length + this.wanted.expressions.length === 0) return hits;
    const { text, from } = searchableText(characters);
    for (const { start, end, kind } of entryAt(this.known, text, () => findIn(text, this.wanted, this.match))) {
      const indexes = [...new Set(from.slice(start, end))];
      hits.push({ kind, term: undefined, characters: indexes.flatMap((i) => characters[i] ?? []) });
    }
    return hits;
  }
}

/** Occurrences of terms in a text, as ranges of its characters. */
export function termHits(
  terms: readonly string[],
  characters: readonly Seen[],
): { readonly term: number; readonly start: number; readonly end: number }[] {
  const seen = seenText(characters);
  return terms.flatMap((spelling, term) =>
    termsOf(spelling).flatMap((variant) =>
      [...findTerm(variant, seen, characters)].map(([start, end]) => ({ term, start, end })),
    ),
  );
}

/** The known places that contain a hit; undefined for a new one. pdf.js guesses positions within a piece of text. */
function coveredBy({ characters, kind }: Hit, places: readonly Place[], reader: Reader): readonly Place[] | undefined {
  const letters = characters.filter(({ text, generated }) => !generated && text.trim() !== '');
  const guesses = reader === 'pdf.js';
  const near = places.filter((place) => place.kind === kind);
  const used = new Set<Place>();
  let inside = 0;
  for (const { box, size } of letters) {
    const slack = guesses ? 0.5 * size : 1;
    const over = near.find((place) => place.boxes.some((rect) => holds(grown(rect, slack), centreOf(box))));
    if (over === undefined) continue;
    used.add(over);
    inside++;
  }
  return inside >= letters.length * (guesses ? 0.5 : 1) && letters.length > 0 ? [...used] : undefined;
}
