// Holds that what `archive` writes is PDF/A, as veraPDF judges, says what had to go, and refuses what it cannot put right.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ByteSource, BytesResult } from '../../src/contract/base/ports.ts';
import { claimsOf, claimText } from '../../src/pdf/file/read/claims.ts';
import { memorySource } from '../../src/pdf/file/read/memory-source.ts';
import { openSound } from '../../src/pdf/file/read/open-by-table.ts';
import { judge, judgeClasses } from '../conformance/judge.mjs';
import { folder } from '../e2e/pdftool.ts';
import { archive, encrypt } from '../local.ts';
import { bytesOf, createContext, sourceOf } from '../properties/context.ts';
import { rawPdf } from '../text/raw-pdf.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
type Level = 'pdfa-2b' | 'pdfa-2u' | 'pdfa-3b';
/** Where the level makes a difference. */
const OTHER_LEVELS: readonly Level[] = ['pdfa-2u', 'pdfa-3b'];
const DIFFERENT = ['signs of Zapf Dingbats', 'an attached file', 'guide.pdf'];

const fixture = (name: string): ByteSource => sourceOf(name, readFileSync(join(FIXTURES, name)));

interface Parts {
  /** Entries of the page besides its content and resources. */
  readonly page?: string;
  readonly catalog?: string;
  readonly resources?: string;
  readonly content?: string;
  /** From object 5 on. */
  readonly others?: readonly (string | { dict: string; stream: string })[];
}

/** A document of one page. */
function document({ page = '', catalog = '', resources = '', content = '', others = [] }: Parts): ByteSource {
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<<${resources}>>${page}>>`,
    { dict: '', stream: content },
    ...others,
  ];
  return sourceOf('made.pdf', rawPdf(objects));
}

const TEXT = 'BT /F 20 Tf 20 100 Td (Hello) Tj ET';
const font = (name: string, more = ''): Parts => ({
  resources: '/Font<</F 5 0 R>>',
  content: TEXT,
  others: [`<</Type/Font/Subtype/Type1/BaseFont/${name}${more}>>`],
});

/** Documents that break rules which can be put right. */
const MADE: Readonly<Record<string, () => ByteSource>> = {
  'a font of the fourteen': () => document(font('Times-BoldItalic')),
  'Arial with widths of its own': () =>
    document(font('Arial,Bold', '/Encoding/WinAnsiEncoding/FirstChar 72/LastChar 72/Widths[800]')),
  'signs of Zapf Dingbats': () => document(font('ZapfDingbats')),
  'scripts and actions': () =>
    document({
      catalog:
        '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>/AA<</WC 5 0 R>>/Names<</JavaScript<</Names[(a) 5 0 R]>>>>',
      page: '/AA<</O 5 0 R>>/Annots[6 0 R 7 0 R]',
      others: [
        '<</S/JavaScript/JS(app.beep\\(\\))>>',
        '<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/A<</S/Launch/F(x.exe)/Next<</S/Nothing>>>>>>',
        '<</Type/Annot/Subtype/Link/Rect[50 0 90 50]/A<</S/Nothing>>>>',
      ],
    }),
  'annotations without flags and appearances': () =>
    document({
      page: '/Annots[5 0 R 6 0 R 7 0 R 8 0 R]',
      others: [
        '<</Type/Annot/Subtype/Highlight/Rect[10 10 90 30]/C[1 1 0]/QuadPoints[10 30 90 30 10 10 90 10]>>',
        '<</Type/Annot/Subtype/Square/Rect[100 10 150 60]/C[1 0 0]/F 2>>',
        '<</Type/Annot/Subtype/Movie/Rect[0 0 20 20]/Movie<<>>>>',
        '<</Type/Annot/Subtype/Ink/Rect[10 100 50 150]/InkList[[10 100 50 150]]/F 0>>',
      ],
    }),
  'colours of a press, by operator, picture and group': () =>
    document({
      page: '/Group<</S/Transparency/CS/DeviceCMYK>>',
      resources: '/XObject<</I 5 0 R>>/ColorSpace<</S[/Separation/Gold/DeviceCMYK 6 0 R]>>',
      content:
        '0 1 0 0 k 0 0 50 50 re f 1 0 0 rg 60 0 20 20 re f /S cs 1 scn 90 0 20 20 re f q 40 0 0 40 100 100 cm /I Do Q',
      others: [
        {
          dict: '/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceCMYK/Interpolate true',
          stream: 'abcd',
        },
        '<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[0 .2 .8 0]>>',
      ],
    }),
  'layers without a name': () =>
    document({
      catalog: '/OCProperties<</OCGs[5 0 R 6 0 R]/D<</Order[5 0 R]/AS[<</Event/View/OCGs[]/Category[/View]>>]>>>>',
      others: ['<</Type/OCG/Name(One)>>', '<</Type/OCG/Name(Two)>>'],
    }),
  'content that no rule has': () =>
    document({
      resources: '/XObject<</F 5 0 R>>/Font<</G 6 0 R>>',
      content: '1 0 0 rg bogus 10 10 20 20 re f /Odd ri /F Do',
      others: [
        { dict: '/Type/XObject/Subtype/Form/BBox[0 0 100 100]', stream: 'BT /G 9 Tf <4> Tj <4142> Tj ET' },
        '<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>',
      ],
    }),
  'an attached file': () =>
    document({
      catalog: '/Names<</EmbeddedFiles<</Names[(a.txt) 5 0 R]>>>>',
      others: ['<</Type/Filespec/F(a.txt)/EF<</F 6 0 R>>>>', { dict: '/Type/EmbeddedFile', stream: 'text' }],
    }),
  'guide.pdf': () => fixture('guide.pdf'),
  'outlines.pdf': () => fixture('outlines.pdf'),
  'inherited.pdf': () => fixture('inherited.pdf'),
  'PDF/A-1b': () => fixture('conformance/pdfa-1b.pdf'),
  'PDF/A-4': () => fixture('conformance/pdfa-4.pdf'),
  'PDF/UA-1': () => fixture('conformance/pdfua-1.pdf'),
};

const made = (file: ByteSource, to: Level = 'pdfa-2b', substitute_fonts = false) =>
  archive({ file, to, substitute_fonts }, createContext()) as Promise<BytesResult>;
const text = async (result: BytesResult): Promise<string> => Buffer.from(await bytesOf(result.body)).toString('latin1');

const classes = judgeClasses();

describe.skipIf(classes.path === undefined)(`veraPDF (${classes.why ?? 'is here'})`, () => {
  const verdicts = new Map<string, string>();
  const levelsOf = (name: string): Level[] => ['pdfa-2b', ...(DIFFERENT.includes(name) ? OTHER_LEVELS : [])];
  const cases = Object.keys(MADE).flatMap((name) => levelsOf(name).map((level) => `${name} to ${level}`));

  beforeAll(async () => {
    using here = folder();
    const files: [string, string][] = [];
    for (const [i, name] of Object.keys(MADE).entries()) {
      for (const level of levelsOf(name)) {
        const path = here.at(`${i}-${level}.pdf`);
        writeFileSync(path, await bytesOf((await made(MADE[name]!(), level)).body));
        files.push([level.replace('pdfa-', ''), path]);
      }
    }
    for (const [i, { verdict, rules }] of (await judge(files, classes)).entries())
      verdicts.set(cases[i] ?? '', `${verdict} ${rules}`.trim());
  }, 600_000);

  it.each(cases)('%s', (name) => {
    expect(verdicts.get(name)).toBe('PASS');
  });
});

describe('archive', () => {
  it('claims what it was asked for', async () => {
    for (const [level, claim] of [
      ['pdfa-2b', 'PDF/A-2b'],
      ['pdfa-2u', 'PDF/A-2u'],
      ['pdfa-3b', 'PDF/A-3b'],
    ] as const) {
      const { body } = await made(MADE['guide.pdf']!(), level);
      expect(claimsOf(await openSound(memorySource(await bytesOf(body), 'out.pdf'))).map(claimText)).toEqual([claim]);
    }
  });

  it('finds nothing to put right in what it has written', async () => {
    for (const name of ['colours of a press, by operator, picture and group', 'guide.pdf', 'a font of the fourteen']) {
      const once = await bytesOf((await made(MADE[name]!())).body);
      const twice = await made(sourceOf('once.pdf', once));
      expect(twice.warnings).toEqual([]);
    }
  });

  it('takes an encrypted document: what it adds to it is not encrypted', async () => {
    const locked = (await encrypt(
      { file: MADE['a font of the fourteen']!(), owner_password: 'owner' },
      { ...createContext(), random: (length) => new Uint8Array(randomBytes(length)) },
    )) as BytesResult;
    const result = await made(sourceOf('locked.pdf', await bytesOf(locked.body)));
    const file = await openSound(memorySource(await bytesOf(result.body), 'out.pdf'));
    expect(claimsOf(file).map(claimText)).toEqual(['PDF/A-2b']);
  });

  it('takes out scripts and actions, and names them', async () => {
    const result = await made(MADE['scripts and actions']!());
    expect(result.warnings?.join()).toMatch(/an action \(JavaScript\).*an action \(Launch\)/);
    expect(result.warnings?.join()).toMatch(/scripts of the document/);
    expect(await text(result)).not.toMatch(/JavaScript|app\.|Launch|Nothing/);
  });

  it('keeps an attached file in 3b alone', async () => {
    const [kept, gone] = [await made(MADE['an attached file']!(), 'pdfa-3b'), await made(MADE['an attached file']!())];
    expect(await text(kept)).toContain('/EmbeddedFiles');
    expect(await text(gone)).not.toContain('/EmbeddedFile');
    expect(kept.warnings).toEqual([]);
    expect(gone.warnings?.join()).toMatch(/the attached file a\.txt/);
  });

  it('refuses a font that is not embedded and has no twin, with its name and page', async () => {
    const refusal = made(document(font('Garamond')));
    await expect(refusal).rejects.toThrow(/cannot become PDF\/A-2b: the font Garamond on page 1 is not embedded/);
    await expect(refusal).rejects.toMatchObject({ code: 'unprocessable' });
    const substituted = await made(document(font('Garamond')), 'pdfa-2b', true);
    expect(substituted.warnings?.join()).toMatch(/font Garamond that was not embedded \(by LiberationSans-Regular\)/);
  });

  it('leaves a font alone that only the text behind a scan has', async () => {
    const hidden = document({ ...font('Garamond'), content: `3 Tr ${TEXT}` });
    expect((await made(hidden)).warnings).toEqual([]);
  });

  it('refuses pages that PDF/A has no room for', async () => {
    const small = document({ page: '/CropBox[0 0 2 2]' });
    await expect(made(small)).rejects.toThrow(/2 × 2 points/);
  });
});
