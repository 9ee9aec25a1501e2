export interface Marker {
  /** The marker to write: a hyphen, or the number with its point. */
  readonly kind: 'bullet' | 'number' | 'letter';
  readonly mark: string;
  readonly value: number;
  readonly rest: string;
}

/** The dingbats among them are check marks, squares and arrows, not telephones, envelopes or crosses of the dead. */
const BULLET = /^([•◦▪▫■□●○‣⁃∙·◆◇►▶★☞✓-✘✦✧❍-❖➔-➾*–—-])\s+(?=\S)/u;
/** Bullets that are never letters or dashes may touch their text. */
const GLUED = /^([•◦▪▫●○‣∙◆►✓✔✦❍-❖➔-➾])(?=\S)/u;
const NUMBER = /^\(?(\d{1,3})[.)]\s+(?=\S)/;
/** Ideographic numbers, in full width and without a space; the mark is written unchanged. */
const IDEOGRAPH = /^(?:[（(][一二三四五六七八九十]{1,3}[）)]|[一二三四五六七八九十]{1,3}[、．]|[①-⑳])\s*(?=\S)/u;
const FULL_WIDTH = /^[（(]?([\d０-９]{1,3})[、．）]\s*(?=\S)/u;
/** Check boxes, ticked or not, as in Markdown. */
const BOX = /^\[[ x]\]\s+(?=\S)/;
const LETTER = /^\(?([a-zA-Z]|[ivx]{1,5}|[IVX]{1,5})[.)]\s+(?=\S)/;

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 };

export function markerOf(text: string): Marker | undefined {
  const bullet = BULLET.exec(text) ?? GLUED.exec(text);
  if (bullet !== null) return { kind: 'bullet', mark: bullet[0].trim(), value: 0, rest: text.slice(bullet[0].length) };
  const ideograph = IDEOGRAPH.exec(text);
  if (ideograph !== null)
    return { kind: 'letter', mark: ideograph[0].trim(), value: 0, rest: text.slice(ideograph[0].length) };
  const [whole, digits] = NUMBER.exec(text) ?? FULL_WIDTH.exec(text) ?? [];
  if (whole !== undefined && digits !== undefined) {
    const value = Number(digits.normalize('NFKC'));
    return { kind: 'number', mark: whole.trim(), value, rest: text.slice(whole.length) };
  }
  const letter = LETTER.exec(text) ?? BOX.exec(text);
  if (letter !== null) return { kind: 'letter', mark: letter[0].trim(), value: 0, rest: text.slice(letter[0].length) };
  return undefined;
}

/** Whether a mark of letters comes right behind another: b) behind a), iv. behind iii.; not P. behind A., which are names. */
export function comesNext(before: string, mark: string): boolean {
  const [a, b] = [lettersOf(before), lettersOf(mark)];
  const isSameCase = (a === a.toLowerCase()) === (b === b.toLowerCase());
  if (!isSameCase || before.replace(a, '') !== mark.replace(b, '')) return false;
  if (a.length === 1 && b.length === 1 && b.charCodeAt(0) === a.charCodeAt(0) + 1) return true;
  return romanOf(b) === romanOf(a) + 1;
}

function lettersOf(mark: string): string {
  return /[a-z]+/i.exec(mark)?.[0] ?? '';
}

/** The value of a Roman number; NaN of other letters. */
export function romanOf(letters: string): number {
  const digits = [...letters.toLowerCase()].map((letter) => ROMAN[letter] ?? NaN);
  return digits.reduce((sum, digit, i) => sum + (digit < (digits[i + 1] ?? 0) ? -digit : digit), 0);
}
