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
const LETTER = /^\(?([a-zA-Z]|[ivx]{1,5})[.)]\s+(?=\S)/;

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
