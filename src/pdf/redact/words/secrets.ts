import { lastOf, runsOf } from '../../syntax/arrays.ts';
import { folded } from './seen-text.ts';

/** Shorter words are checked only by position: they occur everywhere. */
const LEAST = 3;
/** Words from this length are also searched inside other words. */
const INSIDE = 5;
/** Least length of texts without spaces and punctuation, such as card numbers. */
const LEAST_JOINED = 6;
/** Least length of words searched in binary data. */
const LEAST_IN_DATA = 6;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const CJK = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/;

export function foldedWords(text: string): string[] {
  return folded(text).match(WORD) ?? [];
}

function squeezed(text: string): string {
  return foldedWords(text).join('');
}

/** The removed words and texts, which must not occur in the output. Held in memory only, never reported. */
export class Secrets {
  private readonly short = new Set<string>();
  private readonly long = new Set<string>();
  private readonly joined = new Set<string>();

  /** `isPublic`: whether a word is visible elsewhere, where the user left it. */
  constructor(removed: Iterable<string>, isPublic: (word: string) => boolean = () => false) {
    for (const text of removed) {
      const words = foldedWords(text);
      for (const word of words) {
        const length = [...word].length;
        if (length < (CJK.test(word) ? 2 : LEAST) || isPublic(word)) continue;
        if (length >= INSIDE || CJK.test(word)) this.long.add(word);
        else this.short.add(word);
      }
      const whole = words.join('');
      if (words.length > 1 && whole.length >= LEAST_JOINED && !isPublic(whole)) this.joined.add(whole);
    }
  }

  get words(): readonly string[] {
    return [...this.short, ...this.long, ...this.joined];
  }

  isIn(text: string): boolean {
    if (this.words.length === 0 || text === '') return false;
    const plain = folded(text);
    for (const word of this.long) if (plain.includes(word)) return true;
    if (this.short.size > 0) for (const word of plain.match(WORD) ?? []) if (this.short.has(word)) return true;
    if (this.joined.size === 0) return false;
    const whole = (plain.match(WORD) ?? []).join('');
    for (const text of this.joined) if (whole.includes(text)) return true;
    return false;
  }

  /** Ranges of words that contain a secret, adjacent ones merged: a secret may start and end inside words. */
  runsIn(words: readonly string[]): (readonly [start: number, end: number])[] {
    if (!this.isIn(words.join(' '))) return [];
    const isHit = new Set(words.flatMap((word, i) => (this.isIn(word) ? [i] : [])));
    const owners: number[] = [];
    const whole = words.map(squeezed);
    for (const [i, word] of whole.entries()) for (let unit = 0; unit < word.length; unit++) owners.push(i);
    const text = whole.join('');
    for (const secret of this.joined)
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1))
        for (const owner of owners.slice(at, at + secret.length)) isHit.add(owner);
    const runs = runsOf(
      [...isHit].sort((a, b) => a - b),
      (i, run) => i === lastOf(run) + 1,
    );
    return runs.map((run) => [run[0], lastOf(run) + 1] as const);
  }

  /** Searches binary data for words too long to occur by chance, in one or two bytes a character. */
  isInData(bytes: Uint8Array): boolean {
    const wanted = [...this.long, ...this.joined].filter((word) => word.length >= LEAST_IN_DATA);
    if (wanted.length === 0) return false;
    const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').toLowerCase();
    const narrow = latin.includes('\0') ? latin.replaceAll('\0', '') : latin;
    return wanted.some((word) => latin.includes(word) || narrow.includes(word));
  }
}

/** Visible text of pages, to test whether a word is in it. */
export class VisibleText {
  private readonly words = new Set<string>();
  private readonly parts: string[] = [];
  private readonly whole: string[] = [];

  add(text: string): void {
    for (const word of foldedWords(text)) this.words.add(word);
    this.parts.push(folded(text));
    this.whole.push(squeezed(text));
  }

  has(word: string): boolean {
    if (this.words.has(word)) return true;
    return (
      [...word].length >= INSIDE &&
      (this.parts.some((text) => text.includes(word)) || this.whole.some((text) => text.includes(word)))
    );
  }
}
