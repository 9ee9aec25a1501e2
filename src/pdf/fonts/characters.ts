const PLAIN = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2030-\u205e]*$/;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2060\ufeff\ufffe\uffff]/g;
/** Latin and Armenian ligatures, Kangxi radicals, Arabic presentation forms: shapes, not other characters. */
const SHAPES = /[\ufb00-\ufb06\ufb13-\ufb17\u2f00-\u2fdf\uf900-\ufaff\ufb1d-\ufdfb\ufe70-\ufefc]/g;
const RADICALS = /[\u2e80-\u2ef3]/g;
/** Forms of punctuation for vertical lines; not braces, which formulas have above and below them. */
const UPRIGHT = /[\ufe10-\ufe19\ufe30-\ufe36\ufe39-\ufe44\ufe47\ufe48]/g;
/** Symbol and Wingdings characters that producers leave in the private use area. */
const SYMBOLS: Readonly<Record<string, string>> = {
  '\uf0b7': '•',
  '\uf0a7': '▪',
  '\uf06e': '■',
  '\uf071': '❑',
  '\uf0a8': '◻',
  '\uf0d8': '➢',
  '\uf0fc': '✓',
  '\uf0e0': '→',
  '\uf0e8': '➔',
  '\uf02d': '-',
  '\uf0b0': '°',
  '\uf06d': 'μ',
  '\uf0b4': '×',
  '\uf0a3': '≤',
  '\uf0b3': '≥',
  '\uf0b1': '±',
};
const SYMBOL = /[\uf000-\uf0ff]/g;

/** The characters that people see: no controls, no ligatures. Right-to-left shapes keep their place. */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(CONTROLS, '')
    .replace(SHAPES, (shape) => asDrawn(shape.normalize('NFKC')))
    .replace(RADICALS, ideographOf)
    .replace(UPRIGHT, (sign) => fullWidth(sign.normalize('NFKC')))
    .replace(SYMBOL, (symbol) => SYMBOLS[symbol] ?? symbol)
    .normalize('NFC');
}

function fullWidth(text: string): string {
  return text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
}

/** Several right-to-left letters of one glyph, as in lam-alef, ordered as displayed; marks follow their letter. */
export function asDrawn(text: string): string {
  if (text.length < 2 || !RTL.test(text)) return text;
  return (text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []).reverse().join('');
}

export const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
/** Scripts without spaces between words. */
export const CJK =
  /[\u2e80-\u303f\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** The length of a text in code points. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) pairs++;
  }
  return text.length - pairs;
}

// CJK radicals used for the same ideograph: fonts draw both with one glyph, and PDF writers take either. From Unicode's
// EquivalentUnifiedIdeograph.txt; NFKC knows only the Kangxi radicals.

const FIRST = 0x2e80;
/** A space for those that are no ideograph. */
const IDEOGRAPHS = [
  ...' 厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵 旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂',
  ...'肀聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟',
];

function ideographOf(radical: string): string {
  const ideograph = IDEOGRAPHS[radical.charCodeAt(0) - FIRST];
  return ideograph === undefined || ideograph === ' ' ? radical : ideograph;
}
