/** U+0000 and lone surrogates. */
const ILL_FORMED = /[\u0000\ud800-\udfff]/gu;

/**
 * Whether all text in a value, as deep as it goes, is well-formed: without U+0000 and lone surrogates. No page can show
 * them, no file name holds them, and PostgreSQL refuses to store them.
 */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.search(ILL_FORMED) < 0;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every((entry) => entry.every(isWellFormed));
}

/** The same text without U+0000, and with U+FFFD in place of lone surrogates. */
export function madeWellFormed(text: string): string {
  return text.replace(ILL_FORMED, (found) => (found === '\0' ? '' : '\ufffd'));
}
