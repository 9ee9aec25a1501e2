import { Failure } from './failure.ts';

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

/**
 * The text of a file that a person wrote: UTF-8, or UTF-16 behind a byte order mark, as PowerShell and Excel write it. The
 * mark is left out. Any other encoding is refused by its first line, because a guess would turn letters into others.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    const lines = new TextDecoder(encoding).decode(bytes).split('\n');
    const line = 1 + lines.findIndex((text) => text.includes('\ufffd'));
    throw new Failure('refused', `${name}: line ${line} is no UTF-8 text`, {
      hint: 'Save it as UTF-8, then try again.',
      cause,
    });
  }
}
