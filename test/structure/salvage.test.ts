import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutputFolder, pdfOf } from './run.ts';

const REPAIRED = 'is damaged and was repaired: its cross-reference table was made anew';
const repaired = (what: string) => `is damaged and was repaired: ${what}; its cross-reference table was made anew`;

let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

/** A document of two pages. */
function document(kids = '[3 0 R 4 0 R]'): string {
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids${kids}/Count 2/MediaBox[0 0 99 99]/Resources<</Font<</F 6 0 R>>/XObject<</X 7 0 R>>>>>>`,
    '<</Type/Page/Parent 2 0 R/Contents 5 0 R>>',
    '<</Type/Page/Parent 2 0 R/Contents[5 0 R 8 0 R]>>',
    '<</Length 3>>stream\nq Q\nendstream',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Length 3>>stream\nq Q\nendstream',
    '<</Length 3>>stream\nq Q\nendstream',
  ]);
}

/** It, cut where `until` begins. */
function cut(until: string): string {
  const whole = document();
  return whole.slice(0, whole.indexOf(until));
}

async function warningsOf(name: string, content: string): Promise<readonly string[]> {
  const path = folder.keep(name, content);
  const { warnings } = await folder.merge([path, path]);
  return warnings.map((warning) => warning.replace(name, 'it'));
}

describe('a file that was cut short', () => {
  it('is taken as it is where only its table is gone', async () => {
    expect(await warningsOf('whole.pdf', cut('xref\n'))).toEqual([`it ${REPAIRED}`]);
  });

  it('is salvaged with a word on what each page lost', async () => {
    expect(await warningsOf('content.pdf', cut('8 0 obj'))).toEqual([
      `it ${REPAIRED}`,
      'it: content of page 2 is missing',
    ]);
    expect(await warningsOf('all.pdf', cut('5 0 obj'))).toEqual([
      `it ${REPAIRED}`,
      'it: pages 1, 2 are blank: their contents are missing',
      'it: fonts of pages 1, 2 are missing',
      'it: pictures of pages 1, 2 are missing',
    ]);
  });

  it('names each page of which nothing is shown, and why', async () => {
    const noTable = document().replace(/startxref\n\d+/, 'startxref\n7');
    const blank = async (name: string, content: string) =>
      (await warningsOf(`${name}.pdf`, content)).filter((warning) => warning.includes('blank'));
    const stream = '<</Length 3>>stream\nq Q\nendstream\nendobj\n6 0 obj';
    expect(noTable).toContain(stream);
    const replaced = (by: string) => noTable.replace(stream, `${by}\nendobj\n6 0 obj`);
    expect(await blank('sound', noTable)).toEqual([]);
    expect(await blank('null', replaced('null'))).toEqual(['it: page 1 is blank: its contents are missing']);
    expect(await blank('none', noTable.replace('/Contents 5 0 R', ''))).toEqual([
      'it: page 1 is blank: its contents are missing',
    ]);
    expect(await blank('spaces', replaced('<</Length 3>>stream\n  \n\nendstream'))).toEqual([
      'it: page 1 is blank: its contents are empty',
    ]);
    expect(await blank('flate', replaced('<</Length 3/Filter/FlateDecode>>stream\nq Q\nendstream'))).toEqual([
      'it: page 1 is blank: its contents cannot be read',
    ]);
    expect(await blank('number', replaced('17'))).toEqual(['it: page 1 is blank: its contents cannot be read']);
  });

  it('keeps an object whose entry in a cross-reference stream has a type that there is not', async () => {
    const body = cut('xref\n');
    const rows = (typeOfContent: string) =>
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((num) => {
        const offset = num === 9 ? body.length : body.indexOf(`\n${num} 0 obj`) + 1;
        return `${num === 5 ? typeOfContent : '01'}${offset.toString(16).padStart(4, '0')}`;
      });
    const withStream = (type: string) => {
      const hex = `000000${rows(type).join('')}>`;
      const entries = `/Type/XRef/W[1 2 0]/Size 10/Root 1 0 R/Filter/ASCIIHexDecode/Length ${hex.length}`;
      return `${body}9 0 obj\n<<${entries}>>stream\n${hex}\nendstream\nendobj\nstartxref\n${body.length}\n%%EOF\n`;
    };
    expect(await warningsOf('third.pdf', withStream('01'))).toEqual([]);
    expect(await warningsOf('unknown.pdf', withStream('11'))).toEqual([`it ${REPAIRED}`]);
  });

  it('keeps a page whose content stream has lost the end of its dictionary', async () => {
    const data = '\x80q Q \x9cS[n\x84 \xfc>> 1 0 m';
    const damaged = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 99 99]>>',
      '<</Type/Page/Parent 2 0 R/Contents[4 0 R 5 0 R]>>',
      `<</Filt%r/Length ${data.length}>>stream\n${data}\nendstream`,
      '<</Length 3>>stream\nq Q\nendstream',
    ]);
    expect(await warningsOf('comment.pdf', damaged)).toEqual([
      `it ${repaired('what was left of object 4 (page 1) was kept')}`,
      'it: content of page 1 is not whole',
    ]);
  });

  it('says that the resources of a page are missing', async () => {
    const own = document().replace('/Contents 5 0 R', '/Contents 5 0 R/Resources 9 0 R');
    const noTable = own.replace(/startxref\n\d+/, 'startxref\n7');
    expect(await warningsOf('resources.pdf', noTable)).toContain('it: resources of page 1 are missing');
    const fonts = noTable.replace('/Resources 9 0 R', '/Resources<</Font 9 0 R>>');
    expect(await warningsOf('fonts.pdf', fonts)).toContain('it: fonts of page 1 are missing');
  });

  it('is salvaged with a word on lost pages', async () => {
    const noTable = document('[3 0 R 40 0 R]').replace(/startxref\n\d+/, 'startxref\n7');
    expect(await warningsOf('pages.pdf', noTable)).toEqual([
      `it ${repaired('page 2 was put where a page was missing')}`,
    ]);
    const nowhere = noTable.replace('/Page/Parent 2 0 R/Contents[', '/Pag/Parent 7 0 R/Content[');
    expect(await warningsOf('nowhere.pdf', nowhere)).toEqual([
      `it ${REPAIRED}`,
      'it: page 2 is blank: it is lost, and an empty page stands in its place',
    ]);
  });

  it('is salvaged with what is left of the stream it ends in', async () => {
    expect(await warningsOf('stream.pdf', cut('q Q\nendstream\nendobj\nxref'))).toEqual([
      `it ${repaired('what was left of object 8 (page 2) was kept')}`,
      'it: content of page 2 is not whole',
    ]);
  });

  it('is not taken for what it was before its last revision, whose table is gone', async () => {
    const revised = `${document()}3 0 obj\n<</Type/Page/Parent 2 0 R/Contents[5 0 R 9 0 R]>>\nendobj\n`;
    expect(await warningsOf('revised.pdf', revised)).toEqual([`it ${REPAIRED}`, 'it: content of page 1 is missing']);
    expect(await warningsOf('trailed.pdf', `${document()}${' '.repeat(99)}It has 12 objects.`)).toEqual([]);
  });

  it('keeps the number of each page, and says which one is not whole, where it ends inside one', async () => {
    expect(await warningsOf('inside.pdf', `${cut('4 0 obj')}4 0 obj\n<</Type/Page/Parent 2 0 R/Conte`)).toEqual([
      `it ${repaired('what was left of object 4 (page 2) was kept')}`,
      'it: pages 1, 2 are blank: their contents are missing',
      'it: fonts of pages 1, 2 are missing',
      'it: pictures of pages 1, 2 are missing',
      'it: page 2 is not whole',
    ]);
  });

  it('is refused where nothing is left of any page', async () => {
    await expect(warningsOf('nothing.pdf', `${cut('3 0 obj')}3 0 obj\n<</Ty`)).rejects.toMatchObject({
      code: 'unprocessable',
      kind: 'damaged',
    });
  });
});

describe('a file whose objects do not end', () => {
  it('loses them alone, and it is said', async () => {
    const open = document().replace('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>', '<</Type/Font/BaseFont(Helv');
    expect(await warningsOf('open.pdf', open.replace(/startxref\n\d+/, 'startxref\n7'))).toEqual([
      `it ${repaired('what was left of object 6 (pages 1, 2) was kept')}`,
      'it: fonts of pages 1, 2 are not whole',
    ]);
  });
});

describe('a file with a whole table', () => {
  it('is refused where pages it speaks of and parts of those it has are nowhere', async () => {
    const lost = document('[3 0 R]').replace('/F 6 0 R', '/F 9 0 R');
    await expect(warningsOf('lost.pdf', lost)).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringMatching(/it says that it has 2 pages; found: 1; fonts of page 1 are missing/),
    });
  });

  it('is taken for what it has where it only counts wrong', async () => {
    expect(await warningsOf('wrong.pdf', document('[3 0 R]'))).toEqual(['it: it says that it has 2 pages; found: 1']);
    expect(await warningsOf('fewer.pdf', document().replace('/Count 2', '/Count 1'))).toEqual([]);
  });
});

describe('objects whose numbers are damaged', () => {
  const FORM = '7 0 obj\n<</Type/XObject';
  const CONTENT = '8 0 obj\n<</Length 3>>';

  it('go back to the number that the table gives them', async () => {
    const renumbered = document().replace(FORM, FORM.replace('7', '8'));
    expect(await warningsOf('form.pdf', renumbered)).toEqual([
      `it ${repaired('object 7 (pages 1, 2) found under the number 8')}`,
    ]);
    const unused = document().replace(CONTENT, CONTENT.replace('8', '99'));
    expect(await warningsOf('content-99.pdf', unused)).toEqual([
      `it ${repaired('object 8 (page 2) found under the number 99')}`,
    ]);
  });

  it('are found where the places of a table are off by white space', async () => {
    const moved = document().replace(FORM, ` ${FORM.replace('7', '8')}`);
    const path = folder.keep('moved.pdf', moved);
    const { path: out, warnings } = await folder.merge([path, path]);
    expect(warnings.join()).toContain('object 7 (pages 1, 2) found under the number 8');
    expect(readFileSync(out, 'latin1').match(/\/Subtype\s*\/Form/g)).toHaveLength(2);
  });

  it('are told, with what was taken and the pages, where there is no table to tell them apart', async () => {
    const twice = document().replace(`${CONTENT}stream\nq Q`, `${CONTENT.replace('8', '5')}stream\nq W`);
    expect(await warningsOf('twice.pdf', twice.slice(0, twice.indexOf('xref\n')))).toEqual([
      `it ${repaired('the last of 2 was taken as object 5 (pages 1, 2)')}`,
      'it: content of page 2 is missing',
    ]);
  });

  it('are no guess where a later revision changed them', async () => {
    const page = '<</Type/Page/Parent 2 0 R/Contents[5 0 R 8 0 R]>>';
    expect(await warningsOf('revision.pdf', `${document()}3 0 obj\n${page}\nendobj\n`)).toEqual([`it ${REPAIRED}`]);
  });
});

describe('an array whose end is damaged', () => {
  it.each([
    [
      'numbers',
      '/MediaBox[0 0 50 60]/Contents',
      '/MediaBox[0 0 50 60/Contents',
      /\/MediaBox\s*\[\s*0\s+0\s+50\s+60\s*\]/,
    ],
    ['references', '/Contents[5 0 R 8 0 R]', '/Contents[5 0 R 8 0 R(', /\/Contents\s*\[\s*\d+ 0 R\s+\d+ 0 R\s*\]/],
  ])('is read up to the next key: %s', async (name, whole, damaged, expected) => {
    const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 50 60]/Contents[5 0 R 8 0 R]>>';
    const text = document().replace('<</Type/Page/Parent 2 0 R/Contents[5 0 R 8 0 R]>>', page.replace(whole, damaged));
    const path = folder.keep(`array-${name}.pdf`, text.replace(/startxref\n\d+/, 'startxref\n7'));
    const out = await folder.merge([path, path]);
    expect(out.warnings.join()).toContain('what was left of object 4 (page 2) was kept');
    expect(readFileSync(out.path, 'latin1')).toMatch(expected);
  });
});

describe('a dictionary whose beginning is damaged', () => {
  it.each([
    ['a bracket', '['],
    ['a string', '<!'],
    ['nothing', ''],
    ['noise', '#<<'],
  ])('is read where %s stands for it', async (name, begin) => {
    const page = '<</Type/Page/Parent 2 0 R/Contents[5 0 R 8 0 R]>>';
    const damaged = document().replace(page, page.replace('<<', begin));
    const noTable = damaged.replace(/startxref\n\d+/, 'startxref\n7');
    expect(await warningsOf(`${name}.pdf`, noTable)).toEqual([
      `it ${repaired('what was left of object 4 (page 2) was kept')}`,
      'it: page 2 is not whole',
    ]);
  });
});
