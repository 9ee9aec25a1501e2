// Letters drawn in two parts: TeX's early fonts set separate accents and strokes over a letter or sign.

const MARKS: ReadonlyMap<string, string> = new Map([
  ['`', '\u0300'],
  ['´', '\u0301'],
  ['ˆ', '\u0302'],
  ['˜', '\u0303'],
  ['¯', '\u0304'],
  ['˘', '\u0306'],
  ['˙', '\u0307'],
  ['¨', '\u0308'],
  ['˚', '\u030a'],
  ['˝', '\u030b'],
  ['ˇ', '\u030c'],
  ['¸', '\u0327'],
  ['˛', '\u0328'],
  ['\u0338', '\u0338'],
  ['\u20d7', '\u20d7'],
  ['/', '\u0338'],
  ['↦', '↦'],
]);
const DOTLESS: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };

export function isAccent(text: string): boolean {
  return text.length === 1 && MARKS.has(text);
}

/** The letter with the accent that is drawn over it; undefined where they only touch. */
export function accented(letter: string, accent: string): string | undefined {
  if (accent === '↦') return letter === '→' ? accent : undefined;
  const mark = MARKS.get(accent) ?? accent;
  const takes = mark === '\u0338' ? /^\p{Sm}$/u : /^[\p{L}\p{N}\p{Sm}]$/u;
  return takes.test(letter) ? ((DOTLESS[letter] ?? letter) + mark).normalize('NFC') : undefined;
}
