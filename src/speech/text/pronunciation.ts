// Pronunciations that a person gives: a JSON object, or lines `word==spoken`, `re:expression==spoken` and `word=/PHONES/`.
import { Failure } from '../../contract/base/failure.ts';

export interface Pronunciations {
  apply(text: string): string;
  /** Words whose sounds are given (ARPABET), for engines that can be told. Lower case. */
  readonly phones: ReadonlyMap<string, readonly string[]>;
}

/** Entries: more than anybody writes by hand. Every one is tried on every sentence. */
const MOST_FIXES = 2_000;
const MOST_LENGTH = 500;

/** ARPABET as flite takes it: vowels carry a stress of 0 or 1. */
const VOWELS = new Set('aa ae ah ao aw ax ay eh er ey ih iy ow oy uh uw'.split(' '));
const CONSONANTS = new Set('b ch d dh f g hh jh k l m n ng p r s sh t th v w y z zh'.split(' '));

export const NO_FIXES: Pronunciations = { apply: (text) => text, phones: new Map() };

interface Fix {
  readonly pattern: RegExp;
  readonly spoken: string;
}

/** @throws Failure of code `usage` that names the line. */
export function readPronunciations(text: string | undefined): Pronunciations {
  if (text === undefined || text.trim() === '') return NO_FIXES;
  const phones = new Map<string, readonly string[]>();
  const fixes: Fix[] = [];
  const entries = text.trimStart().startsWith('{') ? fromJson(text) : fromLines(text);
  if (entries.length > MOST_FIXES) throw wrong(`expected at most ${MOST_FIXES} entries, found ${entries.length}`);
  for (const { word, spoken, place } of entries) {
    if (word.length > MOST_LENGTH || spoken.length > MOST_LENGTH)
      throw wrong(`${place}: longer than ${MOST_LENGTH} characters`);
    const sounds = /^\/(.*)\/$/.exec(spoken)?.[1];
    if (sounds !== undefined) phones.set(plainWord(word, place), readPhones(sounds, place));
    else fixes.push({ pattern: patternOf(word, place), spoken });
  }
  return {
    phones,
    apply: (sentence) => fixes.reduce((all, { pattern, spoken }) => all.replace(pattern, spoken), sentence),
  };
}

interface Entry {
  readonly word: string;
  readonly spoken: string;
  readonly place: string;
}

function fromJson(text: string): Entry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const at = /position (\d+)/.exec(cause instanceof Error ? cause.message : '')?.[1];
    const line = at === undefined ? '' : `line ${text.slice(0, Number(at)).split('\n').length}: `;
    throw wrong(`${line}it begins as JSON and is none`, cause);
  }
  return Object.entries(value as object).map(([word, spoken]) => {
    if (typeof spoken !== 'string' || word === '') throw wrong(`expected text for '${word}'`);
    return { word, spoken, place: `'${word}'` };
  });
}

function fromLines(text: string): Entry[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    const place = `line ${i + 1}`;
    if (line.trim() === '' || line.trimStart().startsWith('#')) return [];
    const [, word, spoken] = /^(.*?)==(.*)$/.exec(line) ?? /^([^=]+)=\s*(\/.*\/)\s*$/.exec(line) ?? [];
    if (word === undefined || spoken === undefined || word.trim() === '') {
      throw wrong(`${place}: expected word==said or word=/PHONES/, found '${line.trim().slice(0, 60)}'`);
    }
    return [{ word: word.trim(), spoken: spoken.trim(), place }];
  });
}

function patternOf(word: string, place: string): RegExp {
  if (!word.startsWith('re:')) {
    const edge = (character: string | undefined, side: string) =>
      character !== undefined && /[\p{L}\p{N}]/u.test(character) ? side : '';
    const [before, behind] = [edge(word[0], '(?<![\\p{L}\\p{N}])'), edge(word.at(-1), '(?![\\p{L}\\p{N}])')];
    return new RegExp(`${before}${word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}${behind}`, 'gu');
  }
  const expression = word.slice(3);
  // A repetition of a repetition may take forever on one sentence.
  if (/[+*}]\)?[^()]*\)[+*{]/.test(expression))
    throw wrong(`${place}: an expression that repeats a repetition may never end`);
  try {
    return new RegExp(expression, 'gu');
  } catch (cause) {
    throw wrong(`${place}: '${expression}' is no regular expression`, cause);
  }
}

function plainWord(word: string, place: string): string {
  if (/^[a-z']+$/i.test(word)) return word.toLowerCase();
  throw wrong(`${place}: sounds are given for one word of letters a to z, found '${word}'`);
}

function readPhones(text: string, place: string): string[] {
  const phones = text.trim().toLowerCase().split(/\s+/);
  const read = phones.map((phone) => {
    const [, name = '', stress] = /^([a-z]+)([0-2])?$/.exec(phone) ?? [];
    if (VOWELS.has(name)) return `${name}${stress === '1' || stress === '2' ? 1 : 0}`;
    return CONSONANTS.has(name) && stress === undefined ? name : undefined;
  });
  const bad = phones[read.indexOf(undefined)];
  if (bad !== undefined) throw wrong(`${place}: '${bad}' is no sound of ARPABET, such as P IY1 D IY1`);
  return read.flatMap((phone) => phone ?? []);
}

function wrong(message: string, cause?: unknown): Failure {
  return new Failure('usage', `pronunciation fixes: ${message}`, {
    hint: 'Write a JSON object, or lines such as SQL==sequel, re:v(\\d)==version $1, pdftool=/P IY1 D IY1 EH1 F T UW1 L/.',
    cause,
  });
}
