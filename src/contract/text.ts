const ILL_FORMED = /[\u0000\ud800-\udfff]/gu;

/** Whether a value is free of U+0000 and lone surrogates, which web pages, file names and PostgreSQL cannot hold. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.search(ILL_FORMED) < 0;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every((entry) => entry.every(isWellFormed));
}

/** The same text without U+0000, and with U+FFFD in place of lone surrogates. */
export function madeWellFormed(text: string): string {
  return text.replace(ILL_FORMED, (match) => (match === '\0' ? '' : '\ufffd'));
}
