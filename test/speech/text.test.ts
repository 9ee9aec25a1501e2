// What is said for what is written: English as words, what is left out, and twenty real pages as they are heard.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { subtitles } from '../../src/speech/containers/subtitles.ts';
import { sayEnglish } from '../../src/speech/text/english.ts';
import { languageOf } from '../../src/speech/text/language.ts';
import { readPronunciations } from '../../src/speech/text/pronunciation.ts';
import { type SpokenBlock, writeScript } from '../../src/speech/text/script.ts';
import { sentencesOf } from '../../src/speech/text/sentences.ts';
import { toAscii } from '../../src/speech/text/transliterate.ts';
import { FIXTURES, scriptOf, spokenText } from './spoken.ts';

describe('English', () => {
  it.each([
    [
      '6.02 × 10²³ and 10⁻⁹',
      'six point zero two times ten to the power of twenty-three and ten to the power of minus nine',
    ],
    ['4 m² of H₂O', 'four meters squared of H two O'],
    ['open 24/7', 'open twenty-four seven'],
    ['on 11/23/26 and 1/2/98', 'on November twenty-third, twenty twenty-six and January second, nineteen ninety-eight'],
    ['It cost $2½ million', 'It cost two point five million dollars'],
    ['12½ of 3 ¾, and ½', 'twelve and a half of three and three quarters, and one half'],
    ['7⅛ inches and 5/8 of 2 ⅓', 'seven and one eighth inches and five eighths of two and one third'],
    ['Dr. Smith paid $3.50.', 'Doctor Smith paid three dollars and fifty cents.'],
    ['€1,000.05, £0.99 and ¥100', 'one thousand euros and five cents, ninety-nine pence and one hundred yen'],
    ['$3.5 billion and US$20m', 'three point five billion dollars and twenty million dollars'],
    ['between $.0013 and $1', 'between zero point zero zero one three dollars and one dollar'],
    ['on 12/03/2024', 'on December third, twenty twenty-four'],
    ['on 25/12/2024', 'on December twenty-fifth, twenty twenty-four'],
    ['since 2024-03-12', 'since March twelfth, twenty twenty-four'],
    ['March 3, 2021', 'March third, twenty twenty-one'],
    ['12 Jan. 1905', 'the twelfth of January, nineteen oh five'],
    ['JUNE 10TH', 'June tenth'],
    ['It may 5 times', 'It may five times'],
    ['in 1984, 2005 and the 1990s', 'in nineteen eighty-four, two thousand five and the nineteen nineties'],
    ['the 23rd, 1st and 102nd', 'the twenty-third, first and one hundred second'],
    ['at 10:45, 9:05 and 10:00', "at ten forty-five, nine oh five and ten o'clock"],
    ['1,250 of 0042', 'one thousand two hundred fifty of zero zero four two'],
    ['3.14 and -5', 'three point one four and minus five'],
    ['25% of 3/4', 'twenty-five percent of three quarters'],
    ['pp. 12–15, p. 3', 'pages twelve to fifteen, page three'],
    ['Fig. 3 (cf. Sec. 4.10)', 'figure three, compare section four point ten'],
    ['Chapter IV and World War II', 'Chapter four and World War two'],
    ['Henry VIII', 'Henry the eighth'],
    ['e.g. this, i.e. that, etc.', 'for example, this, that is, that, et cetera.'],
    ['Smith et al. vs. Jones', 'Smith and others versus Jones'],
    [
      '3.5 kg, 100 km/h, 10 ms, 1 GB, 20°C',
      'three point five kilograms, one hundred kilometers per hour, ten milliseconds, one gigabyte, twenty degrees Celsius',
    ],
    ['33°46′ N', 'thirty-three degrees forty-six minutes N'],
    ['C++ and C#, x = y + 2', 'C plus plus and C sharp, x equals y plus two'],
    ['a ≤ b ≠ c', 'a at most b is not c'],
    ['and/or, input/output', 'and or, input or output'],
    ['getElementById, snake_case', 'get Element By Id, snake case'],
    ['“quoted” — really… (aside)', 'quoted, really. aside'],
    ['FY2001, MP3', 'FY two thousand one, MP three'],
    ['Call 555-1234', 'Call five five five, one two three four'],
    [
      'at 973-645-5993 or (973) 645-5993',
      'at nine seven three, six four five, five nine nine three or nine seven three, six four five, five nine nine three',
    ],
    ['OMB 4040-0004', 'OMB four thousand forty, zero zero zero four'],
    ['2:00 P.M., 3:53pm and 11:03 a.m. sharp', 'two P M, three fifty-three P M and eleven oh three A M sharp'],
    ['22:15:55', 'twenty-two fifteen and fifty-five seconds'],
    ['the debtor(s) and box(es)', 'the debtors and boxes'],
    ['Listing 15-1, Figures 3-7', 'Listing fifteen dash one, Figures three to seven'],
    ['one.cache.example and .then() of app.js', 'one dot cache dot example and dot then, of app dot js'],
    ['A. Stanziale, Jr., Esq.', 'A. Stanziale, Junior, Esquire'],
  ])('%s', (written, said) => {
    // A pause at the end is the sentence's.
    expect(sayEnglish(written).replace(/,$/, '')).toBe(said);
  });

  it('reads a date with the day first where that is asked for', () => {
    expect(sayEnglish('12/03/2024', { dayFirst: true })).toBe('March twelfth, twenty twenty-four');
  });

  it('leaves plain words as they are', () => {
    const plain = "The keeper wasn't afraid; he wrote: come soon!";
    expect(sayEnglish(plain)).toBe(plain);
  });
});

describe('sentences', () => {
  it.each([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Dr. Smith met Mr. J. R. Jones. They spoke.', ['Dr. Smith met Mr. J. R. Jones.', 'They spoke.']],
    ['Along U.S. Highway 1, e.g. here. End.', ['Along U.S. Highway 1, e.g. here.', 'End.']],
    ['It is 3.5 kg. Next.', ['It is 3.5 kg.', 'Next.']],
    ['He said "Go." Then he left.', ['He said "Go."', 'Then he left.']],
  ])('%s', (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });

  it('are cut where nobody could say them in one breath, and nothing is lost', () => {
    const endless = Array.from({ length: 2_000 }, (_, i) => `word${i}`).join(' ');
    const pieces = sentencesOf(endless);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(400);
    expect(pieces.join(' ')).toBe(endless);
  });
});

describe('characters', () => {
  it('become what ASCII can say, or are told', () => {
    expect(toAscii('café “naïve” Straße ﬁn')).toEqual({ text: 'cafe naive Strasse fin', left: [] });
    expect(toAscii('α → β ≤ √2').text).toBe('alpha to beta at most root 2');
    expect(toAscii('• item †')).toEqual({ text: 'item', left: [] });
    expect(toAscii('say 你好 or привет').left).toEqual(['你', '好', 'п', 'р', 'и', 'в', 'е', 'т']);
  });
});

const OPTIONS = {
  language: 'en',
  asides: 'word',
  ascii: true,
  evenPauses: true,
  pronunciations: readPronunciations(undefined),
  chapters: true,
} as const;
const said = (text: string, options: Partial<Parameters<typeof writeScript>[1]> = {}) =>
  writeScript([{ page: 1, kind: 'text', text }], { ...OPTIONS, ...options }).sentences.map(({ spoken }) => spoken);

describe('the language of a text', () => {
  it.each([
    ['en', 'The keeper climbed the stairs of the tower and lit the lamp, which was not easy in this wind.'],
    ['it', 'Il guardiano salì le scale della torre e accese la lampada, che non era facile con questo vento di mare.'],
    ['de', 'Der Wärter stieg die Treppe des Turms hinauf und zündete die Lampe an, was bei dem Wind nicht leicht war.'],
    [
      'fr',
      'Le gardien monta les marches de la tour et alluma la lampe, ce qui n’était pas facile dans le vent du large.',
    ],
    ['es', 'El guardián subió las escaleras de la torre y encendió la lámpara, que no es fácil con el viento del mar.'],
    ['ar', 'صعد الحارس درج البرج وأشعل المصباح ولم يكن ذلك سهلا في هذه الريح القادمة من البحر البعيد'],
    ['ru', 'Смотритель поднялся по лестнице башни и зажёг лампу, что было нелегко при таком ветре.'],
    [undefined, 'Too short.'],
    [undefined, 'Smith, Jones, Miller, Baker, Cooper, Fisher, Mason, Taylor, Turner, Walker, Wright, Hunter, Porter'],
  ] as const)('is %s', (language, text) => {
    expect(languageOf(text)).toBe(language);
  });
});

describe('a script', () => {
  it.each([
    ['See https://example.com/a/b?c=d#e.', ['See link.'], ['See.'], ['See example dot com.']],
    [
      'Write to a.b@example.org now',
      ['Write to e-mail address now.'],
      ['Write to now.'],
      ['Write to a dot b at example dot org now.'],
    ],
  ])('says a word, nothing or all for %s', (text, word, skip, read) => {
    expect(said(text)).toEqual(word);
    expect(said(text, { asides: 'skip' })).toEqual(skip);
    expect(said(text, { asides: 'read' })).toEqual(read);
  });

  it.each([
    ['as shown before [12, 13–15].', ['as shown before.']],
    ['the end of a claim.12 Another one.³', ['the end of a claim.', 'Another one.']],
    ['see Fig.3 for MP3', ['see figure three for MP three.']],
    ['a term* and another†', ['a term and another.']],
    ['Contents ............ 12', ['Contents.']],
    ['the vector [1,0,0,1] of [noun]', ['the vector, one, zero, zero, one, of, noun.']],
    ['4 m² is x³, as Smith² says', ['four meters squared is x cubed, as Smith says.']],
    ['E=mc² was new in 1905¹', ['E equals mc squared was new in nineteen oh five.']],
    [
      'the list [1, 2, 3] of a text that names no source',
      ['the list, one, two, three, of a text that names no source.'],
    ],
    ['in two of them [2, 5], and by Knuth [3]', ['in two of them, and by Knuth.']],
  ])('leaves marks out of %s', (text, spoken) => {
    expect(said(text)).toEqual(spoken);
  });

  it('gives tables and code a word, and reads them where it is asked to', () => {
    const blocks: SpokenBlock[] = [
      { page: 1, kind: 'heading', level: 1, text: 'Title' },
      { page: 1, kind: 'table', text: 'a, b' },
      { page: 1, kind: 'code', text: 'x = 1' },
    ];
    const spoken = (asides: 'word' | 'skip' | 'read') =>
      writeScript(blocks, { ...OPTIONS, asides }).sentences.map((sentence) => sentence.spoken);
    expect(spoken('word')).toEqual(['Title.', 'Table.', 'Code.']);
    expect(spoken('skip')).toEqual(['Title.']);
    expect(spoken('read')).toEqual(['Title.', 'a, b.', 'x equals one.']);
  });

  it('is silent for longer where more ends, and where the text asks for it', () => {
    const blocks: SpokenBlock[] = [
      { page: 1, kind: 'heading', level: 1, text: 'First' },
      { page: 1, kind: 'text', text: 'One. Two. [pause:2] Three.' },
      { page: 2, kind: 'heading', level: 1, text: 'Second' },
      { page: 2, kind: 'text', text: 'Four.' },
    ];
    const { sentences, chapters } = writeScript(blocks, OPTIONS);
    expect(sentences.map(({ spoken, pause }) => `${spoken} ${pause}`)).toEqual([
      'First. 800',
      'One. 250',
      'Two. 2250',
      'Three. 1200',
      'Second. 800',
      'Four. 600',
    ]);
    expect(chapters).toEqual([
      { title: 'First', first: 0 },
      { title: 'Second', first: 4 },
    ]);
  });

  it('tells the characters that were left out', () => {
    const { unsaid } = writeScript([{ page: 3, kind: 'text', text: 'Hello 世界 and 世' }], OPTIONS);
    expect(unsaid).toEqual([
      { character: '世', times: 2, page: 3 },
      { character: '界', times: 1, page: 3 },
    ]);
  });
});

describe('pronunciation fixes', () => {
  it('are read as lines, as JSON, and as sounds', () => {
    const lines = readPronunciations(
      '# a comment\nSQL==sequel\nre:v(\\d)==version $1\npdftool=/P IY1 D IY1 EH1 F T UW1 L/\n',
    );
    expect(lines.apply('SQL v2, not MySQL')).toBe('sequel version 2, not MySQL');
    expect([...lines.phones]).toEqual([['pdftool', 'p iy1 d iy1 eh1 f t uw1 l'.split(' ')]]);
    expect(readPronunciations('{"GIF": "jif"}').apply('a GIF')).toBe('a jif');
  });

  it.each([
    ['a==b\nnonsense', /line 2: expected word==said/],
    ['{"a": 1}', /expected text for 'a'/],
    ['{"a": "b"', /begins as JSON and is none/],
    ['word=/P QQ1/', /line 1: 'qq1' is no sound/],
    ['re:(a==b', /line 1: '\(a' is no regular expression/],
    ['re:(a+)+==b', /line 1: .*may never end/],
  ])('say what is wrong with %j', (text, message) => {
    expect(() => readPronunciations(text)).toThrow(message);
  });
});

const PAGES: readonly (readonly [string, readonly number[]])[] = [
  ['guide.pdf', [5, 6, 9, 12, 21, 27, 33, 44, 60, 72, 78]],
  ['documents/pypdf--Seige_of_Vicksburg_Sample_OCR.pdf', [1, 2, 3, 4]],
  ['documents/sample-files--mistitled_outlines_example.pdf', [1, 2]],
  ['documents/pdfbox--PDFBOX-5792-240045.pdf', [1, 3]],
  ['documents/sample-files--pdflatex-image.pdf', [1]],
];

describe.each(PAGES)('%s', (file, pages) => {
  it.each(pages)('page %i is heard as it was', async (page) => {
    const name = `${file.replace(/^.*\//, '').replace('.pdf', '')}-${page}.txt`;
    await expect(await spokenText(join(FIXTURES, file), String(page))).toMatchFileSnapshot(join('pages', name));
  });
});

describe('a document', () => {
  it('has the chapters of its outline, or of its headings', async () => {
    const outline = await scriptOf(join(FIXTURES, 'documents/sample-files--mistitled_outlines_example.pdf'));
    expect(outline.chapters.length).toBeGreaterThan(1);
    const headings = await scriptOf(join(FIXTURES, 'guide.pdf'), '5-9');
    expect(headings.chapters.map(({ title }) => title)).toContain('Setting default font');
  });
});

it('subtitles have two lines of 42 characters at most, for 7 seconds at most', () => {
  const cues = [{ text: Array.from({ length: 30 }, (_, i) => `word${i}`).join(' '), start: 1, end: 31 }];
  const blocks = subtitles('srt', cues).trim().split('\n\n');
  const lines = blocks.flatMap((block) => block.split('\n').slice(2));
  expect(lines.join(' ')).toBe(cues[0]?.text);
  expect(lines.every((line) => line.length <= 42)).toBe(true);
  expect(blocks.every((block) => block.split('\n').length <= 4)).toBe(true);
  const times = blocks.map((block) => [...block.matchAll(/:(\d\d),(\d{3})/g)].map(([, s, ms]) => Number(`${s}.${ms}`)));
  expect(times[0]?.[0]).toBe(1);
  for (const [start = 0, end = 0] of times) expect(end - start).toBeLessThanOrEqual(7.001);
});
