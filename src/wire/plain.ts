/** Characters of a server's text that a message repeats. */
const LONGEST = 300;

/**
 * Makes a text printable: escape sequences, controls (C0, C1), line ends, and marks that reorder or hide text (bidi,
 * zero width) become spaces.
 */
export function plain(text: string): string {
  const line = text
    .slice(0, 8 * LONGEST)
    .replace(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
