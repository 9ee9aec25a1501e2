/**
 * The language of a text (BCP 47), undefined where it is too short or mixed to tell. In: the text of a document. A script
 * that more than half of the letters have decides by itself. Languages in Latin letters are told by their commonest words:
 * the winner has a twelfth of all words and twice the count of any other. Running text has a quarter to a half of its words
 * in its own list; lists of names, tables and formulas have fewer, and stay undecided. Cost: one pass over the text.
 */
export function languageOf(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < FEWEST_LETTERS) return undefined;
  for (const [script, language] of SCRIPTS) {
    if ((text.match(script)?.length ?? 0) > letters / 2) return language;
  }
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const ranked = [...COMMON]
    .map(([language, common]) => ({ language, count: words.filter((word) => common.has(word)).length }))
    .sort((a, b) => b.count - a.count);
  const [first, second] = ranked;
  if (first === undefined || second === undefined || first.count < Math.max(FEWEST_WORDS, words.length / 12))
    return undefined;
  return first.count >= 2 * second.count ? first.language : undefined;
}

const FEWEST_LETTERS = 40;
const FEWEST_WORDS = 4;

const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Bengali}/gu, 'bn'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Hiragana}|\p{Script=Katakana}/gu, 'ja'],
  [/\p{Script=Han}/gu, 'zh'],
];

/** Words that are common in one language; those that several share are left out, so that a close relative does not count. */
const COMMON = new Map(
  Object.entries({
    en: 'the of and to is that it for was with are this from have be by which or not you they',
    de: 'der die und das ist nicht ein eine auf mit den von zu dem sich des auch wird werden bei',
    fr: 'les des est une dans pour qui que pas sur au avec par du ce sont cette aux ou être',
    it: 'di che è della il per non una sono con del gli nel alla dei più anche delle questo lo',
    es: 'que el los las por una para con del es se más como pero sus este ha son al lo',
    pt: 'que não uma os para com do da em são mais dos como ao pelo das foi ou também seu',
    nl: 'het een van de en niet dat zijn voor met op te wordt ook bij naar deze worden aan als',
    pl: 'nie się na jest że oraz przez które jako dla tego może lub jak od są być który po jej',
    sv: 'och att det som är inte för på med av den ett till har från om kan vid eller ska',
    tr: 've bir bu için ile olarak olan daha çok gibi kadar sonra ise ancak olduğu her ne da de',
  }).map(([language, words]) => [language, new Set(words.split(' '))] as const),
);
