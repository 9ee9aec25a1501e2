// Turns the blocks of a document into sentences to speak: decides what is left out or replaced by a word, and how long the
// silence behind each sentence is.

import { sayEnglish } from './english.ts';
import type { Pronunciations } from './pronunciation.ts';
import { sentencesOf } from './sentences.ts';
import { toAscii } from './transliterate.ts';

/** A block of text in reading order, its lines joined and hyphenated words put together. */
export interface SpokenBlock {
  /** From 1. */
  readonly page: number;
  readonly kind: 'heading' | 'text' | 'item' | 'code' | 'table';
  /** Level of a heading; 1 is the highest. */
  readonly level?: number;
  readonly text: string;
  /** BCP 47, where another voice than that of the document reads it. */
  readonly language?: string;
}

export interface Sentence {
  readonly page: number;
  /** That of its block. */
  readonly language?: string | undefined;
  /** As the document has it, for subtitles. */
  readonly text: string;
  /** As the voice gets it. */
  readonly spoken: string;
  /** Milliseconds of silence behind it. */
  readonly pause: number;
}

interface ScriptChapter {
  readonly title: string;
  /** Its first sentence, counted from 0. */
  readonly first: number;
}

export interface Script {
  readonly sentences: readonly Sentence[];
  readonly chapters: readonly ScriptChapter[];
  readonly characters: number;
  /** Characters that the voice cannot say, with how often and the first page. */
  readonly unsaid: readonly { readonly character: string; readonly times: number; readonly page: number }[];
}

/** How links, tables and code are spoken: one word instead, not at all, or in full. */
type Asides = 'word' | 'skip' | 'read';

export interface ScriptOptions {
  readonly language: string;
  readonly asides: Asides;
  /** Whether the voice reads ASCII only. */
  readonly ascii: boolean;
  /** The same of the voices that read blocks in other languages, by language. */
  readonly others?: ReadonlyMap<string, Pick<ScriptOptions, 'language' | 'ascii'>>;
  readonly evenPauses: boolean;
  readonly pronunciations: Pronunciations;
  /** Titles of the outline, where chapters begin; without them, chapters begin at the highest headings. */
  readonly marks?: readonly { readonly page: number; readonly title: string }[];
  readonly chapters: boolean;
}

/** Milliseconds of silence. */
const PAUSES = { sentence: 250, paragraph: 600, heading: 800, chapter: 1_200 } as const;
/** Shorter pauses, used where pauses are not evened out. */
const PLAIN_PAUSES = { sentence: 200, paragraph: 450, heading: 600, chapter: 900 } as const;
/** `[pause:2]` in the text stands for two seconds of silence. */
const PAUSE_TAG = /\[pause:(\d{1,2}(?:\.\d)?)\]/i;
const LONGEST_PAUSE = 30_000;

export function writeScript(blocks: readonly SpokenBlock[], options: ScriptOptions): Script {
  const pauses = options.evenPauses ? PAUSES : PLAIN_PAUSES;
  const sentences: Sentence[] = [];
  const chapters: ScriptChapter[] = [];
  const unsaid = new Map<string, { character: string; times: number; page: number }>();
  const starts = options.chapters ? chapterStarts(blocks, options.marks ?? []) : new Map<number, string>();
  let waiting: string | undefined;
  const cites = hasSources(blocks);
  for (const [i, block] of blocks.entries()) {
    waiting = starts.get(i) ?? waiting;
    const before = sentences.length;
    const reader = { ...options, ...options.others?.get(block.language ?? '') };
    for (const { shown, spoken: written, more } of partsOf(block, cites, reader)) {
      const { text: spoken, left } = reader.ascii ? toAscii(written) : { text: written, left: [] };
      for (const character of left) {
        const known = unsaid.get(character);
        const times = written.split(character).length - 1;
        if (known === undefined) unsaid.set(character, { character, times, page: block.page });
        else known.times += times;
      }
      if (!/[\p{L}\p{N}]/u.test(spoken)) continue;
      const { page, language } = block;
      sentences.push({ page, language, text: shown, spoken: ended(spoken), pause: pauses.sentence + more });
    }
    const last = sentences.at(-1);
    if (last === undefined || sentences.length === before) continue;
    if (waiting !== undefined) {
      chapters.push({ title: waiting, first: before });
      const ahead = sentences[before - 1];
      if (ahead !== undefined) sentences[before - 1] = { ...ahead, pause: Math.max(ahead.pause, pauses.chapter) };
      waiting = undefined;
    }
    const behind = block.kind === 'heading' ? pauses.heading : pauses.paragraph;
    sentences[sentences.length - 1] = { ...last, pause: last.pause + behind - pauses.sentence };
  }
  const characters = sentences.reduce((sum, { spoken }) => sum + spoken.length + 1, 0);
  return { sentences, chapters, characters, unsaid: [...unsaid.values()] };
}

interface Part {
  readonly shown: string;
  readonly spoken: string;
  /** Milliseconds of silence that a pause tag adds. */
  readonly more: number;
}

/** Whether a text cites by number: it lists sources so, or names one alone behind a word. */
function hasSources(blocks: readonly SpokenBlock[]): boolean {
  return blocks.some(
    ({ kind, text }) =>
      (kind === 'text' || kind === 'item') && /^\[\d{1,3}\]\s|\p{L}{2}[”"’)]?\s?\[\d{1,3}\]/u.test(text),
  );
}

function partsOf(
  { kind, text }: SpokenBlock,
  cites: boolean,
  { asides, language, pronunciations }: ScriptOptions,
): Part[] {
  if (kind === 'table' || kind === 'code') {
    if (asides === 'skip') return [];
    if (asides === 'word') return [{ shown: `[${kind}]`, spoken: kind === 'table' ? 'Table.' : 'Code.', more: 0 }];
  }
  // Links are replaced first, because points and question marks in addresses end no sentence.
  const [first = '', ...rest] = sayLinks(withoutMarks(text, cites), asides).split(PAUSE_TAG);
  // Behind each tag's seconds comes the text up to the next one.
  const stretches = rest.flatMap((seconds, i) => (i % 2 === 0 ? [{ seconds, text: rest[i + 1] ?? '' }] : []));
  const parts = sayAll(first);
  for (const { seconds, text: behind } of stretches) {
    const last = parts.at(-1);
    const more = Math.min(Number(seconds) * 1000, LONGEST_PAUSE);
    if (last !== undefined) parts[parts.length - 1] = { ...last, more: last.more + more };
    parts.push(...sayAll(behind));
  }
  return parts;

  function sayAll(stretch: string): Part[] {
    return sentencesOf(stretch, language).map((shown) => {
      const fixed = pronunciations.apply(shown);
      const spoken = /^en\b/i.test(language) ? sayEnglish(fixed, { dayFirst: /^en-(?!us)/i.test(language) }) : fixed;
      return { shown, spoken, more: 0 };
    });
  }
}

/** Removes marks of footnotes and, where a text cites by number, numbers of sources in brackets. */
function withoutMarks(text: string, cites: boolean): string {
  return (
    text
      .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
      // Ligatures, such as fi.
      .replace(/[\ufb00-\ufb04]/g, (ligature) => ligature.normalize('NFKC'))
      // Behind a word or a year it leads to a note; behind a variable, a unit or in a formula it is a power.
      .replace(
        /(?<!(?<!\p{L})(?:\p{L}|[kcdmµn]m|ft)|[=+×·/]\s?\p{L}+)(?<=[\p{L}.,;:!?"”’)]|\b(?:1[5-9]|20)\d\d)[⁰¹²³⁴-⁹]+/gu,
        '',
      )
      // Sources are numbered from 1, and in order: [3], [4, 7] and [9–12], and no vector such as [1,0,0,1].
      .replace(/\s?\[(\d{1,3}(?:\s?[,–-]\s?\d{1,3})*)\]/g, (all, list: string) =>
        (cites || /[–-]/.test(list)) && areSources(list) ? '' : all,
      )
      // Behind the end of a clause, and not behind what is numbered, such as Fig.3.
      .replace(
        /(?<!\b(?:Figs?|Nos?|pp?|Secs?|Eqs?|Vol|Ch|Tab|Art|v|vs|Nr|St)\.)(?<=\p{L}[)\]”’"]?[.,;:!?]["”’)]?)\d{1,3}(?:[,–-]\s?\d{1,3})*(?=\s|$)/giu,
        '',
      )
      .replace(/(?<=[\p{L}.,;:!?"”’)])[*†‡§]+(?=\s|$)/gu, '')
      // Rows of points lead the eye to a page number.
      .replace(/(?:(?:\s?\.){4,}|\s…(?=\s\d+$))\s*\d*/g, '.')
  );
}

function areSources(list: string): boolean {
  const numbers = list.split(/\D+/).map(Number);
  return numbers.every((number, i) => number > (numbers[i - 1] ?? 0));
}

/** Replaces addresses by a word; where links are read in full, by their host. */
function sayLinks(text: string, asides: Asides): string {
  const word = (name: string, address: string) => {
    if (asides === 'skip') return '';
    const end = /[.,;:!?)]+$/.exec(address)?.[0] ?? '';
    if (asides === 'word') return `${name}${end}`;
    const body = address.slice(0, address.length - end.length).replace(/^[a-z]+:\/\/(www\.)?/i, '');
    return `${body
      .replace(/[/?#].*$/, '')
      .replaceAll('.', ' dot ')
      .replace('@', ' at ')}${end}`;
  };
  return text
    .replace(/\]\((?:[^()\s]+)\)/g, ']')
    .replace(/(?:mailto:)?[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu, (all) =>
      word('e-mail address', all),
    )
    .replace(/<?\b(?:(?:https?|ftp|file):\/\/|www\.)[^\s<>"”]+>?/gi, (all) => word('link', all.replace(/[<>]/g, '')))
    .replace(/\b(?:doi:\s?)?10\.\d{4,9}\/[^\s,;]+/gi, (all) => word('link', all));
}

/** Adds a full stop, without which a sentence would run into the next one. */
function ended(text: string): string {
  return /[.!?:;]["')]*$/.test(text) ? text : `${text.replace(/[,-]+$/, '')}.`;
}

/** The blocks at which chapters begin: at the titles of the outline, else at the highest level that has several headings. */
function chapterStarts(
  blocks: readonly SpokenBlock[],
  marks: readonly { page: number; title: string }[],
): Map<number, string> {
  const starts = new Map<number, string>();
  for (const { page, title } of marks) {
    const onPage = blocks.flatMap((block, i) => (block.page === page ? [i] : []));
    const named = onPage.find((i) => {
      const block = blocks[i];
      return block?.kind === 'heading' && sameTitle(block.text, title) && !starts.has(i);
    });
    const at = named ?? onPage.find((i) => !starts.has(i)) ?? blocks.findIndex((block) => block.page >= page);
    if (at >= 0 && !starts.has(at)) starts.set(at, title);
  }
  if (starts.size >= 2) return starts;
  for (const level of [1, 2, 3]) {
    const headings = blocks.flatMap((block, i) => (block.kind === 'heading' && block.level === level ? [i] : []));
    // A single heading is the title of the document.
    if (headings.length < 2) continue;
    return new Map(headings.map((i) => [i, blocks[i]?.text ?? '']));
  }
  return starts;
}

function sameTitle(a: string, b: string): boolean {
  const key = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}]/gu, '');
  const [left, right] = [key(a), key(b)];
  return left !== '' && (left === right || left.endsWith(right) || right.endsWith(left));
}
