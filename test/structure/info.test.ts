import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutputFolder, pdfOf } from './run.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>';
let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

async function details(path: string): Promise<Record<string, unknown>> {
  const { record } = await folder.info(path);
  return Object.fromEntries(Object.entries(record.details ?? {}));
}

describe('info', () => {
  it.each([
    ['signed-twice.pdf', { signatures: 2, form_fields: 2, revisions: 3, linearized: false, encrypted: false }],
    ['linearized.pdf', { linearized: true, revisions: 1, page_sizes: { '580.56 x 294.24 pt': '1' } }],
    ['rotated-270.pdf', { signatures: 0, tagged: false, attachments: [], layers: [], javascript: false }],
    [
      'hybrid-xref.pdf',
      { fonts_embedded: [], fonts_not_embedded: ['Helvetica'], page_sizes: { '612 x 792 pt': '1-30' } },
    ],
  ])('of %s', async (name, expected) => {
    expect(await details(join(FIXTURES, name))).toMatchObject(expected);
  });

  it('counts no usage rights of Adobe Reader as a signature', async () => {
    const catalog = '<</Type/Catalog/Pages 2 0 R/Perms<</UR3 4 0 R>>>>';
    const rights = '<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 9 20 9]/Contents<00>>>';
    const path = folder.keep('rights.pdf', pdfOf([catalog, '<</Type/Pages/Kids[3 0 R]/Count 1>>', PAGE, rights]));
    expect(await details(path)).toMatchObject({ signatures: 0 });
  });

  it('knows the version behind what another program wrote in front', async () => {
    const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', PAGE];
    const path = folder.keep('in-front.pdf', `@PJL ENTER LANGUAGE=PDF\n${pdfOf(objects).replace('1.7', '2.0')}`);
    expect(await details(path)).toMatchObject({ version: '2.0' });
    const { path: merged } = await folder.merge([path, path]);
    expect(await details(merged)).toMatchObject({ version: '2.0' });
  });

  it('tells the size that is shown: the crop box, cut by the media box', async () => {
    const page = '<</Type/Page/Parent 2 0 R/CropBox[-50 100 400 500]/Rotate 90/UserUnit 2>>';
    const tree = '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>';
    const path = folder.keep('cropped.pdf', pdfOf(['<</Type/Catalog/Pages 2 0 R>>', tree, page]));
    expect(await details(path)).toMatchObject({ page_sizes: { '400 x 600 pt': '1' } });
  });

  it('finds scripts whose name is disguised, attachments of both kinds, and layers', async () => {
    const path = folder.keep(
      'everything.pdf',
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R/Names<</EmbeddedFiles<</Names[(key)5 0 R]>>>>/MarkInfo<</Marked true>>/StructTreeRoot<</K[]>>/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Rotate 90/Annots[7 0 R]>>',
        '<</S/J#61vaScript/JS(x)>>',
        '<</Type/Filespec/F(data.csv)>>',
        '<</Type/OCG/Name(draft)>>',
        '<</Type/Annot/Subtype/FileAttachment/Rect[0 0 1 1]/FS<</Type/Filespec/F(note.txt)>>>>',
      ]),
    );
    expect(await details(path)).toMatchObject({
      version: '1.7',
      page_sizes: { '200 x 100 pt': '1' },
      javascript: true,
      attachments: ['data.csv', 'note.txt'],
      layers: ['draft'],
      hidden_layers: ['draft'],
      tagged: true,
    });
  });
});
