// Writes out English as it is spoken: numbers, dates, money, units, abbreviations and signs become words. Only letters and plain
// punctuation remain, so that every voice reads numbers the same way.
import { toCardinal, toOrdinal } from 'n2words/en-US';

/** `3,500` and `3.25` as they are written. */
const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** Full and short names, also in capitals. May has no short name, and `may` is a verb. */
const MONTH = (() => {
  const names = [
    ...MONTHS,
    ...'Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec'.split(' ').map((name) => `${name}\\.?`),
  ];
  return `(${[...names, ...names.map((name) => name.toUpperCase())].join('|')})`;
})();

/** Titles before a name that begins with a capital, and words that are shortened anywhere. */
const TITLES =
  'Dr Doctor, St Saint, Gen General, Sen Senator, Rep Representative, Capt Captain, Lt Lieutenant, Ed Editor';
const SHORTENED =
  'Mr Mister, Mrs Missis, Ms Miz, Prof Professor, Jr Junior, Sr Senior, Esq Esquire, Inc Incorporated, Ltd Limited, ' +
  'Corp Corporation, Univ University';

function written(list: string, behind: string): [RegExp, string][] {
  const pairs = list.split(', ').map((pair) => pair.split(' ') as [string, string]); // two words each
  return pairs.map(([short, word]) => [new RegExp(String.raw`\b${short}\.${behind}`, 'gu'), word]);
}

/** Abbreviations and their words. Those with a space behind the word are expanded only before a number. */
const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\be\. ?g\.(,)?/gi, 'for example,'],
  [/\bi\. ?e\.(,)?/gi, 'that is,'],
  [/\betc\.(?=\s+\p{Lu}|\s*$)/gu, 'et cetera.'],
  [/\betc\./gi, 'et cetera'],
  [/\bet al\.?/gi, 'and others'],
  [/\bvs?\.(?=\s)/gi, 'versus'],
  [/\bcf\./gi, 'compare'],
  [/\bviz\./gi, 'namely'],
  [/\bca?\.(?=\s*\d)/g, 'about'],
  [/\bapprox\./gi, 'approximately'],
  [/\bincl\./gi, 'including'],
  [/\bw\/o\b/gi, 'without'],
  [/\bFigs?\.?(?=\s*\d)/g, 'figure '],
  [/\bEqs?\.?(?=\s*[\d(])/g, 'equation '],
  [/\bTab\.(?=\s*\d)/g, 'table '],
  [/\bSecs?\.(?=\s*\d)/g, 'section '],
  [/\bSect\.(?=\s*\d)/g, 'section '],
  [/\bCh(?:ap)?\.(?=\s*[\dIVX])/g, 'chapter '],
  [/\bVol\.(?=\s*[\dIVX])/gi, 'volume '],
  [/\b(?:Nos?|Nr)\.(?=\s*\d)/gi, 'number '],
  [/\bRefs?\.(?=\s*[\d[])/g, 'reference '],
  [/\bpp\.(?=\s*\d)/g, 'pages '],
  [/\bp\.(?=\s*\d)/g, 'page '],
  [/\bpara\.(?=\s*\d)/g, 'paragraph '],
  ...written(TITLES, String.raw`(?=\s+\p{Lu})`),
  ...written(SHORTENED, ''),
  [/\bDept\./gi, 'Department'],
  [/\bGovt\./gi, 'Government'],
  [/\ba\.m\./gi, 'A M'],
  [/\bp\.m\./gi, 'P M'],
  [/\bB\.C\.E?\./g, 'B C'],
  [/\bA\.D\./g, 'A D'],
  [/\bU\.S\.A\./g, 'U S A'],
  [/\bU\.S\./g, 'U S'],
  [/\bU\.K\./g, 'U K'],
  [/\bE\.U\./g, 'E U'],
  [/\bPh\.? ?D\.?/g, 'P H D'],
];

/** Units with their words, and a plural that does not end in s. A sign comes before those that it begins with. */
const UNITS = new Map(
  `
  km/h kilometer per hour, m/s meter per second, MB/s megabyte per second, GB/s gigabyte per second,
  kbit/s kilobit per second, Mbit/s megabit per second, mph mile per hour, fps frame per second, dpi dot per inch,
  °C degree Celsius, °F degree Fahrenheit, km kilometer, cm centimeter, mm millimeter, nm nanometer, µm micrometer,
  m meter, ft foot/feet, lbs pound, lb pound, oz ounce, kg kilogram, mg milligram, g gram, ml milliliter,
  mL milliliter, µL microliter, µl microliter, TiB tebibyte, GiB gibibyte, MiB mebibyte, KiB kibibyte, TB terabyte,
  GB gigabyte, MB megabyte, KB kilobyte, kB kilobyte, GHz gigahertz/gigahertz, MHz megahertz/megahertz,
  kHz kilohertz/kilohertz, Hz hertz/hertz, kW kilowatt, MW megawatt, kV kilovolt, mV millivolt, min minute,
  ms millisecond, µs microsecond, ns nanosecond, dB decibel, pt point, px pixel`
    .trim()
    .split(/,\s+/)
    .map((unit): [string, readonly [one: string, several: string]] => {
      const [, sign = '', one = '', several] = /^(\S+) ([^/]+)(?:\/(.+))?$/.exec(unit) ?? [];
      return [sign, [one, several ?? one.replace(/^\w+/, '$&s')]];
    }),
);
const SIGNS_OF_UNITS = [...UNITS.keys()].map((unit) => unit.replace('/', String.raw`\/`)).join('|');
const UNIT = new RegExp(String.raw`(?<![\w.])(${NUMBER})(?:\s|-(?=mm|cm|km|kg))?(${SIGNS_OF_UNITS})(?![\w/])`, 'g');

const CURRENCIES: Readonly<Record<string, readonly [one: string, several: string, part: string, parts: string]>> = {
  $: ['dollar', 'dollars', 'cent', 'cents'],
  '€': ['euro', 'euros', 'cent', 'cents'],
  '£': ['pound', 'pounds', 'penny', 'pence'],
  '¥': ['yen', 'yen', 'sen', 'sen'],
  '₹': ['rupee', 'rupees', 'paisa', 'paise'],
};
const MONEY = new RegExp(
  String.raw`(?:US|A|C)?([$€£¥₹])\s?(${NUMBER})(?:\s?(thousand|million|billion|trillion|bn|m|k|M|B|K)\b)?`,
  'g',
);
/** By the first letter, as in bn, M and million. */
const AMOUNTS: Readonly<Record<string, string>> = { k: 'thousand', m: 'million', b: 'billion' };

const ROMAN = /^(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;
const NUMBERED =
  'Chapter|Part|Book|Volume|Section|Act|Scene|Article|Appendix|Title|Phase|Figure|Table|War|Type|Class|Level|Stage|Lecture|Unit|Module';
const CROWNED =
  'Henry|Louis|George|Edward|Charles|James|William|Elizabeth|Richard|Philip|Frederick|Catherine|Napoleon|Pius|Benedict|Paul|Leo|Gregory|Ramesses|Ptolemy';

const FRACTIONS: Readonly<Record<string, string>> = {
  '1/2': 'one half',
  '1/3': 'one third',
  '2/3': 'two thirds',
  '1/4': 'one quarter',
  '3/4': 'three quarters',
  '1/8': 'one eighth',
  '3/8': 'three eighths',
  '5/8': 'five eighths',
  '7/8': 'seven eighths',
};

/** $2½ million is 2.5 million dollars. */
const HALF_MILLIONS = /(?<=[$€£¥₹]\s?\d[\d,]*)\s?([½¼¾])(?=\s?(?:thousand|million|billion|trillion)\b)/g;
const DECIMALS: Readonly<Record<string, string>> = { '½': '.5', '¼': '.25', '¾': '.75' };

/** A sign such as ½, as the two numbers that it is. */
const FRACTION_SIGN = /(\d)?\s?([½⅓⅔¼¾⅛⅜⅝⅞])/g;

/** `whole`: the last digit of the number before the sign. */
function fraction(_: string, whole: string | undefined, sign: string): string {
  const part = FRACTIONS[sign.normalize('NFKC').replace('\u2044', '/')] ?? sign;
  return whole === undefined ? ` ${part}` : `${whole} and ${part.replace(/^one (?=half)/, 'a ')}`;
}

const TIME = /(?<![\w.:])(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?:\s?([ap])\.?\s?m\b\.?)?(?![\w:])/gi;
/** With and without the area: 555-1234, (973) 645-5993, 973.645.5993, +1 973-645-5993. */
const TELEPHONE =
  /(?<![\w.,–-])(?:\+?1[ .-])?(?:\(\d{3}\)\s?|\d{3}-)\d{3}-\d{4}(?![\w–-])|(?<![\w.,–-])\d{3}(?:-\d{4}|\.\d{3}\.\d{4})(?![\w–-])/g;
/** The first of chapter 15; several are a span. */
const NUMBERED_IN_CHAPTER = /\b(listing|figure|table|example|exhibit|equation|form)\s+(\d{1,3})-(\d{1,3})(?![\w–-])/gi;

/** Signs and their words, with spaces around them. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\s?&\s?/g, ' and '],
  [/(?<=\w) ?\+ ?(?=\w)/g, ' plus '],
  [/\s?(?:=|≡)\s?/g, ' equals '],
  [/\s?≠\s?/g, ' is not '],
  [/\s?[≈≅]\s?/g, ' is about '],
  [/\s?≤\s?|\s?<=\s?/g, ' at most '],
  [/\s?≥\s?|\s?>=\s?/g, ' at least '],
  [/\s<\s/g, ' less than '],
  [/\s>\s/g, ' greater than '],
  [/\s?±\s?/g, ' plus or minus '],
  [/\s?[×⋅]\s?/g, ' times '],
  [/\s?÷\s?/g, ' divided by '],
  [/\s?[→⇒➔]\s?/g, ' to '],
  [/∞/g, ' infinity '],
  [/√/g, ' square root of '],
  [/∑/g, ' sum '],
  [/∫/g, ' integral '],
  [/∈/g, ' in '],
  [/#(?=\d)/g, 'number '],
  [/(?<=\w)\+\+/g, ' plus plus'],
  [/(?<=\b[CF])#/g, ' sharp'],
  [/§§?\s?/g, ' section '],
  [/©/g, ' copyright '],
  [/[®™]/g, ''],
  [/(?<![\w])~ ?(?=[\d\p{L}])/gu, 'about '],
  [/@/g, ' at '],
  [/%/g, ' percent '],
  [/°/g, ' degrees '],
];

/** A sentence as it is spoken. Plain words stay as they are. `dayFirst`: 03/12/2024 is the third of December. */
export function sayEnglish(text: string, { dayFirst = false }: { readonly dayFirst?: boolean } = {}): string {
  let spoken = text.replaceAll('μ', 'µ');
  for (const [pattern, words] of ABBREVIATIONS) spoken = spoken.replace(pattern, words);
  spoken = spoken
    .replace(/([$€£¥₹])\.(?=\d)/g, '$10.')
    .replace(/(\d)°\s?(\d{1,2})['′](?:\s?(\d{1,2}(?:\.\d+)?)(?:["″]|''))?/g, (_, degrees, minutes, seconds) =>
      [`${degrees} degrees ${minutes} minutes`, ...(seconds === undefined ? [] : [`${seconds} seconds`])].join(' '),
    );
  spoken = sayDates(saySmallDigits(spoken), dayFirst);
  spoken = spoken.replace(HALF_MILLIONS, (all, part: string) => DECIMALS[part] ?? all);
  spoken = spoken.replace(MONEY, (_, sign: string, amount: string, scale?: string) => money(sign, amount, scale));
  spoken = spoken
    .replace(FRACTION_SIGN, fraction)
    .replace(/(?<![\w/])24\/7(?![\w/])/g, 'twenty-four seven')
    .replace(/(?<![\w/])([1-7]\/[2-48])(?![\w/])/g, (all: string) => FRACTIONS[all] ?? all)
    .replace(TIME, time)
    .replace(UNIT, (_, amount: string, unit: string) => measured(amount, unit))
    .replace(/(?<![\w.,])(\d+(?:,\d{3})*)(?:st|nd|rd|th)\b/gi, (_, count: string) => ordinal(count))
    .replace(new RegExp(String.raw`\b(${NUMBERED})\s+([IVXLC]+)\b`, 'gi'), (all, word: string, roman: string) =>
      ROMAN.test(roman) ? `${word} ${toCardinal(romanValue(roman))}` : all,
    )
    .replace(new RegExp(String.raw`\b(${CROWNED})\s+([IVX]+)\b`, 'g'), (all, name: string, roman: string) =>
      ROMAN.test(roman) ? `${name} the ${toOrdinal(romanValue(roman))}` : all,
    )
    .replace(NUMBERED_IN_CHAPTER, '$1 $2 dash $3')
    .replace(TELEPHONE, (all) =>
      all
        .split(/\D+/)
        .filter(Boolean)
        .map((digits) => digitByDigit(digits))
        .join(', '),
    )
    // 3-7 and 2010–2015 are spans; 4040-0004 and 555-12-34 are none.
    .replace(/(?<![\w.,–-])(\d[\d.,]*)\s?[–-]\s?(?!0\d)(\d[\d.,]*)(?![\w–-])/g, '$1 to $2')
    .replace(/(?<=\d)-(?=\d)/g, ', ')
    .replace(/(?<![\w.:])(\d{1,3}):(\d{1,3})(?![\w:])/g, '$1 to $2')
    .replace(
      /\b(section|chapter|figure|table|equation|version|appendix)\s+(\d+(?:\.\d+)+)\b/gi,
      (_, what: string, path: string) => {
        return `${what} ${path.split('.').map(cardinal).join(' point ')}`;
      },
    )
    .replace(/(?<![\w.,])[−-](?=\d)/g, 'minus ')
    .replace(/(?<!\w)(1[1-9]|20)(\d)0s\b/g, (_, century: string, decade: string) => decadeOf(century, decade));
  // Names of files, methods and machines.
  spoken = spoken.replace(/(?<=[\p{L}\d])\.(?=\p{Ll}{2})/gu, ' dot ').replace(/(?<=^|[\s(])\.(?=\p{L}{2})/gu, 'dot ');
  for (const [pattern, words] of SIGNS) spoken = spoken.replace(pattern, words);
  spoken = spoken
    .replace(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ')
    .replace(/\d(?:[\d.,]*\d)?/g, (digits) => number(digits));
  return tidy(
    spoken
      .replace(/([\p{Ll}\d])_(?=[\p{L}\d])/gu, '$1 ')
      .replace(/(\p{Ll})(?=\p{Lu}\p{Ll})/gu, '$1 ')
      .replace(/\band\/or\b/gi, 'and or')
      .replace(/(?<=\p{Ll})\((e?s)\)/gu, '$1')
      .replace(/(?<=\p{L})(?:\/| \/ )(?=\p{L})/gu, ' or '),
  );
}

/** Turns brackets and dashes into pauses, and drops quotes and ornaments. */
function tidy(text: string): string {
  return text
    .replace(/\s*[—―]\s*|\s+[–-]+\s+|\s*--+\s*/g, ', ')
    .replace(/[–‐‑]/g, '-')
    .replace(/\s*[([{]\s*/g, ', ')
    .replace(/\s*[)\]}]\s*(?=[.,;:!?])/g, '')
    .replace(/\s*[)\]}]\s*/g, ', ')
    .replace(/["“”„«»*|^\\_<>~`=]/g, ' ')
    .replace(/[‘’]/g, "'")
    .replace(/\.{2,}|…/g, '.')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/([,;:])(?:\s*[,;:])+/g, '$1')
    .replace(/[,;:]\s*([.!?])/g, '$1')
    .replace(/([.!?])(?:\s*[.,])+/g, '$1')
    .replace(/^[\s,;:.]+/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Reads superscripts as powers (10²³, 10⁻⁹) and subscripts as numbers (H₂O). */
function saySmallDigits(text: string): string {
  const plain = (digits: string) =>
    [...digits].map((digit) => '0123456789'['⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉'.indexOf(digit) % 10]).join('');
  return text
    .replace(/(?<=[\d\p{L})])(⁻?)([⁰¹²³⁴-⁹]+)/gu, (_, minus: string, digits: string) => {
      if (minus === '' && digits === '²') return ' squared';
      if (minus === '' && digits === '³') return ' cubed';
      return ` to the power of ${minus === '' ? '' : 'minus '}${plain(digits)}`;
    })
    .replace(/[₀-₉]+/g, (digits) => ` ${plain(digits)}`);
}

function sayDates(text: string, dayFirst: boolean): string {
  return text
    .replace(/(?<![\w-])(\d{4})-(\d{2})-(\d{2})(?![\w-])/g, (all, year: string, month: string, day: string) =>
      date(all, Number(month), Number(day), year),
    )
    .replace(
      /(?<![\w/])(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?![\w/])/g,
      (all, first: string, second: string, written: string) => {
        // Two digits of a year are of this century up to 49, as in other programs.
        const year = written.length === 4 ? written : `${Number(written) < 50 ? 20 : 19}${written}`;
        const swapped = Number(first) > 12 || (dayFirst && Number(second) <= 12);
        if (swapped) return date(all, Number(second), Number(first), year);
        return date(all, Number(first), Number(second), year);
      },
    )
    .replace(
      new RegExp(String.raw`\b${MONTH}\s+(\d{1,2})(?:st|nd|rd|th|ST|ND|RD|TH)?(?:,?\s+(\d{4}))?(?![\w.:,]*\d)`, 'g'),
      (all, month: string, day: string, year?: string) =>
        Number(day) > 31 ? all : `${longMonth(month)} ${toOrdinal(Number(day))}${yearBehind(year)}`,
    )
    .replace(
      new RegExp(
        String.raw`(?<![\w.,])(\d{1,2})(?:st|nd|rd|th|ST|ND|RD|TH)?\s+(?:of\s+)?${MONTH}(?:,?\s+(\d{4}))?(?!\w)`,
        'g',
      ),
      (all, day: string, month: string, year?: string) =>
        Number(day) > 31 ? all : `the ${toOrdinal(Number(day))} of ${longMonth(month)}${yearBehind(year)}`,
    )
    .replace(/\bthe the\b/gi, 'the')
    .replace(new RegExp(String.raw`\b${MONTH}\s+(\d{4})\b`, 'g'), (_, month: string, year: string) => {
      return `${longMonth(month)} ${yearWords(year)}`;
    });
}

function date(all: string, month: number, day: number, year: string): string {
  const name = MONTHS[month - 1];
  return name === undefined || day < 1 || day > 31 ? all : `${name} ${toOrdinal(day)}${yearBehind(year)}`;
}

function longMonth(name: string): string {
  const start = name.slice(0, 3).toLowerCase();
  return MONTHS.find((month) => month.toLowerCase().startsWith(start)) ?? name;
}

function yearBehind(year: string | undefined): string {
  return year === undefined ? '' : `, ${yearWords(year)}`;
}

/** 1984 is nineteen eighty-four, 1905 nineteen oh five, 2005 two thousand five. */
function yearWords(year: string): string {
  const [century, rest] = [Number(year.slice(0, 2)), Number(year.slice(2))];
  if (century === 0 || (century % 10 === 0 && rest < 10)) return toCardinal(Number(year));
  if (rest === 0) return `${toCardinal(century)} hundred`;
  return `${toCardinal(century)} ${rest < 10 ? `oh ${toCardinal(rest)}` : toCardinal(rest)}`;
}

function decadeOf(century: string, decade: string): string {
  const tens = decade === '0' ? 'hundreds' : `${toCardinal(Number(`${decade}0`)).replace(/y$/, 'ie')}s`;
  return decade === '1' ? `${toCardinal(Number(century))} tens` : `${toCardinal(Number(century))} ${tens}`;
}

function money(sign: string, amount: string, scale: string | undefined): string {
  const [one, several, part, parts] = CURRENCIES[sign]!; // MONEY matches no other sign
  if (scale !== undefined) return `${number(amount)} ${AMOUNTS[scale.charAt(0).toLowerCase()] ?? scale} ${several}`;
  const [whole = '0', cents] = amount.replaceAll(',', '').split('.');
  const main = `${cardinal(whole)} ${Number(whole) === 1 ? one : several}`;
  if (cents === undefined || Number(cents) === 0) return main;
  if (cents.length !== 2) return `${number(amount)} ${several}`;
  const small = `${toCardinal(Number(cents))} ${Number(cents) === 1 ? part : parts}`;
  return Number(whole) === 0 ? small : `${main} and ${small}`;
}

function time(all: string, hour: string, minute: string, second?: string, half?: string): string {
  const hours = Number(hour);
  if (hours > 24) return all;
  const name = half === undefined ? '' : ` ${half.toUpperCase()} M`;
  const minutes = minute.startsWith('0') ? `oh ${toCardinal(Number(minute))}` : toCardinal(Number(minute));
  if (second !== undefined) return `${toCardinal(hours)} ${minutes} and ${toCardinal(Number(second))} seconds${name}`;
  if (minute === '00') return `${toCardinal(hours)}${name === '' ? " o'clock" : name}`;
  return `${toCardinal(hours)} ${minutes}${name}`;
}

function measured(amount: string, unit: string): string {
  const [one, several] = UNITS.get(unit) ?? [unit, unit];
  return `${number(amount, false)} ${amount === '1' ? one : several}`;
}

function ordinal(count: string): string {
  const value = Number(count.replaceAll(',', ''));
  return Number.isSafeInteger(value) ? toOrdinal(value) : number(count);
}

/** Digits with points and commas. `asYear`: four digits from 1500 to 2099 are read as a year. */
function number(digits: string, asYear = true): string {
  const plain = digits.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  if (/^(1[5-9]|20)\d\d$/.test(digits) && asYear) return yearWords(digits);
  if (/^\d+$/.test(plain)) return cardinal(plain);
  if (/^\d+\.\d+$/.test(plain)) {
    const [whole = '0', rest = ''] = plain.split('.');
    return `${cardinal(whole)} point ${digitByDigit(rest)}`;
  }
  // 2.3.1 is a section or a version; 1,2,3 a list.
  if (plain.includes('.')) return plain.split('.').map(cardinalOrList).join(' point ');
  return plain.split(',').map(cardinalOrList).join(', ');
}

function cardinalOrList(digits: string): string {
  return digits
    .split(',')
    .map((part) => (part === '' ? '' : cardinal(part)))
    .join(', ');
}

/** A number in words; digit by digit where it begins with 0 or has more than twelve. */
function cardinal(digits: string): string {
  if (digits.length > 12 || (digits.length > 1 && digits.startsWith('0'))) return digitByDigit(digits);
  return toCardinal(Number(digits));
}

function digitByDigit(digits: string): string {
  return [...digits].map((digit) => toCardinal(Number(digit))).join(' ');
}

function romanValue(roman: string): number {
  const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 };
  return [...roman].reduce((sum, letter, i) => {
    const value = values[letter] ?? 0;
    return sum + (value < (values[roman[i + 1] ?? ''] ?? 0) ? -value : value);
  }, 0);
}
