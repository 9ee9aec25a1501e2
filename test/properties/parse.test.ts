import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openPdf } from '../../src/pdf/file/open.ts';
import { readNames } from '../../src/pdf/structure/name-trees.ts';
import { Parser } from '../../src/pdf/syntax/parser.ts';
import { encodeName, latin1Text, stringText } from '../../src/pdf/syntax/serialize.ts';
import { Name, Ref } from '../../src/pdf/syntax/values.ts';
import { sourceOf } from './context.ts';

const parsed = (text: string) => new Parser(Buffer.from(`${text} `, 'latin1')).value();

it('a number is the one nearest to what is written', () => {
  const digits = fc.stringMatching(/^\d{0,12}$/);
  fc.assert(
    fc.property(fc.constantFrom('', '-', '+'), digits, fc.boolean(), digits, (sign, whole, point, fraction) => {
      fc.pre(whole.length + (point ? fraction.length : 0) > 0);
      const text = `${sign}${whole}${point ? `.${fraction}` : ''}`;
      expect(parsed(text)).toBe(Number(text));
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['--5', -5],
  ['5-3', 5],
  ['4.', 4],
  ['.5', 0.5],
  ['-.002', -0.002],
  ['12345678901234567890.5', 12345678901234567000],
  ['1.2.3', 1.2],
])('a number that is written oddly: %s', (text, value) => expect(parsed(text)).toBe(value));

it('a name is the one that stands there, whichever were read before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 }), { maxLength: 50 }),
      (names) => {
        for (const name of names) expect(parsed(`/${encodeName(name)}`)).toEqual(new Name(name));
      },
    ),
  );
});

it('a string given as characters is written as its bytes are', () => {
  const bytes = fc.uint8Array({ maxLength: 20 });
  fc.assert(
    fc.property(
      fc.oneof(
        bytes,
        fc.string({ unit: 'grapheme-ascii' }).map((text) => Buffer.from(text)),
      ),
      (given) => {
        expect(latin1Text(Buffer.from(given).toString('latin1'))).toBe(stringText(given));
      },
    ),
  );
});

it('a name tree has all its names, in every way they may be written', async () => {
  const leaf = '(a)5 0 R(b)[5 0 R/Fit](c\\051)6 0 R<64>7 0 R(e)8 0 R(a)9 0 R';
  const plain = '(x)5 0 R(y)<</D[5 0 R/Fit]>>(x)9 0 R (z) 6 0 R';
  const bytes = Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj',
      '4 0 obj<</Kids[5 0 R 6 0 R 7 0 R]>>endobj',
      `5 0 obj<</Limits[(a)(e)]/Names[${leaf}]>>endobj`,
      `6 0 obj<</Names [ ${plain} ]/Limits[(x)(z)]>>endobj`,
      '7 0 obj<</Names 8 0 R>>endobj',
      '8 0 obj[(far)9 0 R]endobj',
      'trailer<</Root 1 0 R>>',
    ].join('\n'),
    'latin1',
  );
  const file = await openPdf(sourceOf('names.pdf', bytes));
  const names = readNames(file, new Ref(4, 0), 'names');
  expect([...names.keys()]).toEqual(['a', 'b', 'c)', 'd', 'e', 'x', 'y', 'z', 'far']);
  expect([names.get('a'), names.get('x')]).toEqual([new Ref(5, 0), new Ref(5, 0)]);
});
