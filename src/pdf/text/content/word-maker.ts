import { asDrawn, cleanText, RTL } from '../../fonts/characters.ts';
import { accented, isAccent } from '../../fonts/drawn-accents.ts';
import { type Face, NO_FACE } from '../../fonts/faces.ts';
import { listAt, runsOf } from '../../syntax/arrays.ts';
import { BLACK, type PackedColour } from './fill-colour.ts';
import type { Word } from './page-content.ts';

/** A gap of this share of the em separates two words. Kerning stays below 0.1; the narrowest justified space is 0.17. */
const WORD_GAP = 0.15;
/** The same in text without space characters, as TeX sets it: every gap is a space there, the narrowest one 0.15, in Palatino. */
const WORD_GAP_WITHOUT_SPACES = 0.12;
/** Glyphs that overlap by more than this, in em, belong to two words. */
const OVERLAP = 0.35;
/** The widest gap between right-to-left letters that are shown in reading order, each to the left of the one before, in em. */
const TOUCHING = 0.08;
/** Marks stand off the baseline by less than this, in em. */
const RAISED_MARK = 0.35;
/** Widest spacing of letters in a word, in em. Wider spacing separates cells: a table row may be one string. */
const LETTER_SPACING = 1;
/** A word drawn again this close, in em, is the same word made bold. */
const AGAIN = 0.2;
/** A word that is drawn again in part lies this close, in points. */
const ON_IT = 1;
/** A page that is drawn twice may repeat a word so often; a bound, since each is compared with all before it. */
const MOST_PLACES = 200;

const MARK = /^\p{M}/u;
const MARKS_AT_END = /\p{M}+$/u;

/** What glyphs shown together have in common. `tilted`: not along an axis, so that they share no baseline. */
export interface GlyphStyle {
  readonly face: Face;
  readonly size: number;
  readonly y: number;
  readonly mark: number;
  readonly tilted: boolean;
  readonly colour: PackedColour;
  readonly hidden: boolean;
}

interface Draft extends Omit<GlyphStyle, 'tilted' | 'hidden'> {
  hidden?: boolean;
  text: string;
  x0: number;
  x1: number;
  spaced: boolean;
}

interface Held {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  readonly pen: number;
  readonly style: GlyphStyle;
}

export class WordMaker {
  private readonly words: Word[] = [];
  /** The first places of each text. */
  private readonly seen = new Map<string, Word[]>();
  private word: Draft | undefined;
  private pen = 0;
  private lastGlyphAt = Number.NaN;
  private letterAt = Number.NEGATIVE_INFINITY;
  private lastGlyph = '';
  /** The word without its last glyph, where only character spacing joins that glyph to it. */
  private loose: { readonly text: string; readonly x1: number } | undefined;
  /** An accent that waits for the letter under it. */
  private held: Held | undefined;
  private spaced = false;
  private gap = WORD_GAP_WITHOUT_SPACES;
  /** Where the glyphs begin that were shown last; `fresh`: the next one begins others. */
  private shownAt = { x: 0, y: 0 };
  private fresh = false;
  private isOffLine = false;
  private style: GlyphStyle = { face: NO_FACE, size: 0, y: 0, mark: 0, tilted: false, colour: BLACK, hidden: false };

  begin(style: GlyphStyle): void {
    const { word } = this;
    const { face, size, y, mark, tilted, hidden } = style;
    if (word !== undefined) {
      const same = word.face === face && word.mark === mark && Math.abs(word.size - size) < 0.05 * size;
      if (!same) this.end();
      this.isOffLine = same && Math.abs(word.y - y) > 0.05 * size && !(tilted && this.style.tilted);
    }
    if (!hidden && Math.abs(this.style.y - y) > 0.5 * size) this.spaced = false;
    this.style = style;
    this.fresh = true;
  }

  /** Ends the word if this glyph is on another line. Indic marks are raised or lowered within their word. */
  private leave(text: string, x0: number): void {
    const { word, style } = this;
    if (!this.isOffLine || word === undefined) return;
    const { y, size } = style;
    const isOn = x0 > word.x0 && x0 < word.x1 + WORD_GAP * size && Math.abs(y - word.y) < RAISED_MARK * size;
    if (isOn && MARK.test(text) && !RTL.test(text)) return;
    this.isOffLine = false;
    this.end();
  }

  /** Adds a glyph from `x0` to `x1`; `pen`: where the file expects the next one. */
  glyph(text: string, x0: number, x1: number, pen: number): void {
    this.leave(text, x0);
    const { held, word, style } = this;
    if (held !== undefined) {
      this.held = undefined;
      const { size } = style;
      const over = (held.x0 + held.x1) / 2;
      const [reach, rise] = [0.1 * size, style.y - held.style.y];
      const meets = over > x0 - reach && over < x1 + reach && rise > -0.15 * size && rise < 0.6 * size;
      const whole = meets ? accented(text, held.text) : undefined;
      if (whole === undefined) this.putBack(held);
      this.place(whole ?? text, x0, x1, pen);
      return;
    }
    if (!isAccent(text)) {
      this.place(text, x0, x1, pen);
      return;
    }
    const over = (x0 + x1) / 2;
    if (word !== undefined && over > this.lastGlyphAt && over < word.x1) {
      const whole = accented(this.lastGlyph, text);
      if (whole !== undefined) {
        word.text = word.text.slice(0, word.text.length - this.lastGlyph.length) + whole;
        this.lastGlyph = whole;
        this.pen = pen;
        return;
      }
    }
    this.held = { text, x0, x1, pen, style };
  }

  /** An accent that stands alone is a character like others. */
  private putBack(held: Held): void {
    const { style } = this;
    this.begin(held.style);
    this.place(held.text, held.x0, held.x1, held.pen);
    this.begin(style);
  }

  private place(text: string, x0: number, x1: number, pen: number): void {
    const { face, size, y, mark, tilted, colour, hidden } = this.style;
    this.leave(text, x0);
    if (tilted) this.continueTilted(x0);
    if (isSpace(text)) {
      this.gap = WORD_GAP;
      // Some producers leave invisible spaces over visible words.
      if (hidden && this.word !== undefined && this.word.hidden !== true) return;
      this.pen = pen;
      if (tilted && this.word !== undefined) this.word.text += ' ';
      else {
        this.end();
        this.spaced = true;
      }
      return;
    }
    if ((this.word?.hidden ?? hidden) !== hidden) this.end();
    let { word } = this;
    if (word !== undefined && (x0 + x1) / 2 < word.x0 && !tilted && RTL.test(word.text) && !MARK.test(text)) {
      if (RTL.test(text) && Math.abs(word.x0 - x1) < TOUCHING * size) {
        this.putBefore(word, text, x0, pen);
        return;
      }
      this.end();
      word = undefined;
    }
    if (word !== undefined) {
      if (text === this.lastGlyph && Math.abs(x0 - this.lastGlyphAt) < 0.1 * size && x1 - x0 > 0.2 * size) return;
      if (!tilted && !this.joins(x0, word)) this.end();
      // The word may have ended, or have been split before its last glyph.
      word = this.word;
    }
    if (word === undefined) {
      word = { text: '', x0, x1, y, size, face, mark, colour, spaced: this.spaced };
      if (hidden) word.hidden = true;
      this.word = word;
      this.spaced = false;
      this.letterAt = Number.NEGATIVE_INFINITY;
    }
    // A soft hyphen with a width is drawn as a hyphen; one without is invisible.
    this.append(word, text === '\u00ad' ? (x1 - x0 > 0.1 * size ? '-' : '') : asDrawn(text), x0);
    word.x0 = Math.min(word.x0, x0);
    word.x1 = Math.max(word.x1, x1);
    this.lastGlyph = text;
    this.lastGlyphAt = x0;
    // A mark without a width does not move the next letter back.
    this.pen = x0 === x1 && MARK.test(text) && !RTL.test(text) ? Math.max(this.pen, pen) : pen;
  }

  /**
   * Marks are held behind their letter. Right-to-left text that is shown from left to right has them before it: there
   * they stand nearer to the start of this letter than to that of the last.
   */
  private append(word: Draft, text: string, x0: number): void {
    if (MARK.test(text)) {
      word.text += text;
      return;
    }
    const marks = RTL.test(text) ? (MARKS_AT_END.exec(word.text)?.[0] ?? '') : '';
    const areBefore = marks !== '' && Math.abs(x0 - this.lastGlyphAt) < Math.abs(this.lastGlyphAt - this.letterAt);
    word.text = areBefore ? word.text.slice(0, -marks.length) + text + marks : word.text + text;
    this.letterAt = x0;
  }

  /** Puts a letter before its word, which is stored as displayed, from left to right. A space shown before it is on its right. */
  private putBefore(word: Draft, text: string, x0: number, pen: number): void {
    word.spaced = false;
    word.text = asDrawn(text) + word.text;
    word.x0 = x0;
    [this.lastGlyph, this.lastGlyphAt, this.pen] = [text, x0, pen];
  }

  /** Tilted words share no baseline that would join them to a line later: their line is one word, with its spaces. */
  private continueTilted(x0: number): void {
    const { word, style, fresh, shownAt } = this;
    this.fresh = false;
    if (fresh) this.shownAt = { x: x0, y: style.y };
    if (word === undefined) return;
    const gap = fresh ? Math.hypot(x0 - shownAt.x, style.y - shownAt.y) - (this.pen - shownAt.x) : x0 - this.pen;
    if (Math.abs(gap) > LETTER_SPACING * style.size) this.end();
    else if (gap > WORD_GAP * style.size && !word.text.endsWith(' ')) word.text += ' ';
  }

  /** Whether a glyph at `x0` continues the word. */
  private joins(x0: number, word: Draft): boolean {
    const { size } = this.style;
    const [gap, drawn] = [(x0 - this.pen) / size, (x0 - word.x1) / size];
    const spacing = (this.pen - word.x1) / size;
    if (spacing > WORD_GAP && drawn < WORD_GAP && drawn > -OVERLAP) {
      // Spacing that is taken back here separated the glyph before from its word.
      if (this.loose !== undefined) this.splitLast(word, this.loose);
      this.loose = undefined;
      return true;
    }
    if (gap > this.gap || gap < -OVERLAP || drawn > LETTER_SPACING) return false;
    this.loose = drawn > WORD_GAP ? { text: word.text, x1: word.x1 } : undefined;
    return true;
  }

  /** Moves the last glyph of a word to the next. */
  private splitLast(word: Draft, { text, x1 }: { readonly text: string; readonly x1: number }): void {
    const [last, lastAt] = [this.lastGlyph, this.lastGlyphAt];
    const rest = { ...word, text: word.text.slice(text.length), x0: lastAt, spaced: false };
    Object.assign(word, { text, x1 });
    this.end();
    [this.word, this.lastGlyph, this.lastGlyphAt] = [rest, last, lastAt];
  }

  finish(): Word[] {
    if (this.held !== undefined) this.putBack(this.held);
    this.held = undefined;
    this.end();
    return withoutParts(this.words);
  }

  private end(): void {
    const { word } = this;
    if (word === undefined) return;
    this.word = undefined;
    this.lastGlyph = '';
    this.loose = undefined;
    word.text = cleanText(word.text).trimEnd();
    if (word.text === '') return;
    const near = AGAIN * word.size;
    const places = listAt(this.seen, word.text);
    const before = places.find(({ x0, y }) => Math.abs(x0 - word.x0) < near && Math.abs(y - word.y) < near);
    if (before !== undefined) {
      if (word.hidden !== true) delete before.hidden;
      return;
    }
    if (places.length < MOST_PLACES) places.push(word);
    this.words.push(word);
  }
}

/**
 * Leaves out words that lie on a word with the same letters and more: a shadow, or text drawn again in a font that
 * lacks some of them.
 */
function withoutParts(words: readonly Word[]): Word[] {
  const parts = new Set<Word>();
  const sorted = [...words].sort((a, b) => a.y - b.y);
  for (const line of runsOf(sorted, (word, [first]) => word.y - first.y < ON_IT)) {
    line.sort((a, b) => a.x0 - b.x0 || b.text.length - a.text.length);
    let whole: Word | undefined;
    for (const word of line) {
      if (whole !== undefined && isPart(word, whole)) parts.add(word);
      else if (whole === undefined || word.x1 > whole.x1) whole = word;
    }
  }
  return words.filter((word) => !parts.has(word));
}

function isPart(word: Word, whole: Word): boolean {
  if (word.x1 > whole.x1 + ON_IT || Math.abs(word.size - whole.size) > 0.05 * word.size) return false;
  // A conjunct consonant that is drawn below its letter has no width of its own.
  if (word.text.length >= whole.text.length || word.x0 === word.x1) return false;
  let at = 0;
  for (const letter of whole.text) if (letter === word.text[at]) at++;
  return at === word.text.length;
}

function isSpace(text: string): boolean {
  if (text.length !== 1) return false;
  const code = text.charCodeAt(0);
  return (code > 0 && code <= 0x20) || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000;
}
