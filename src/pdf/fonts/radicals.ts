// Radicals that stand where the same ideograph is meant: fonts draw both with one glyph, and writers of PDFs take either.
// From Unicode's EquivalentUnifiedIdeograph.txt; NFKC knows only the Kangxi radicals.

const FIRST = 0x2e80;
/** A space for those that are no ideograph. */
const IDEOGRAPHS = [
  ...' 厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵 旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂',
  ...'肀聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟',
];

/** The ideograph of a character of the block CJK Radicals Supplement. */
export function ideographOf(radical: string): string {
  const ideograph = IDEOGRAPHS[radical.charCodeAt(0) - FIRST];
  return ideograph === undefined || ideograph === ' ' ? radical : ideograph;
}
