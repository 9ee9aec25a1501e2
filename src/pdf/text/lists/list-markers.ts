export interface Marker {
  /** What to write: a hyphen, or the number with its point. */
  readonly kind: 'bullet' | 'number' | 'letter';
  readonly mark: string;
  /** For numbers. */
  readonly value: number;
  /** The text after the mark. */
  readonly rest: string;
}

const BULLET = /^([•◦▪▫■□●○‣⁃∙·◆◇►▶➢➤✓✔❑❖*–—-])\s+(?=\S)/u;
/** Bullets that are never letters or dashes may touch their text. */
const GLUED = /^([•◦▪▫●○‣∙◆►➢➤✓✔❑❖])(?=\S)/u;
const NUMBER = /^\(?(\d{1,3})[.)]\s+(?=\S)/;
const LETTER = /^\(?([a-zA-Z]|[ivx]{1,5})[.)]\s+(?=\S)/;

export function markerOf(text: string): Marker | undefined {
  const bullet = BULLET.exec(text) ?? GLUED.exec(text);
  if (bullet !== null) return { kind: 'bullet', mark: bullet[1]!, value: 0, rest: text.slice(bullet[0].length) };
  const number = NUMBER.exec(text);
  if (number !== null) {
    return { kind: 'number', mark: number[0].trim(), value: Number(number[1]), rest: text.slice(number[0].length) };
  }
  const letter = LETTER.exec(text);
  if (letter !== null) return { kind: 'letter', mark: letter[0].trim(), value: 0, rest: text.slice(letter[0].length) };
  return undefined;
}
