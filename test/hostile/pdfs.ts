// Hostile PDFs, made from nothing: small files that ask for much memory, time or depth, or contradict themselves.
import { deflateSync } from 'node:zlib';

type Part = string | Buffer;

/** A file of these objects, numbered from 1, with a cross-reference table. The first is the catalog. */
function pdfOf(objects: readonly Part[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  let at = 9;
  const add = (part: Part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    parts.push(bytes);
    at += bytes.length;
  };
  const rows = objects.map((object, index) => {
    const row = `${String(at).padStart(10, '0')} 00000 n \n`;
    for (const part of [`${index + 1} 0 obj\n`, object, '\nendobj\n']) add(part);
    return row;
  });
  const start = at;
  add(`xref\n0 ${rows.length + 1}\n0000000000 65535 f \n${rows.join('')}`);
  add(`trailer<</Size ${rows.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(parts);
}

function streamOf(dict: string, data: Part): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  const head = `<<${dict}${/\/Length\b/.test(dict) ? '' : `/Length ${bytes.length}`}>>stream\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes, Buffer.from('\nendstream')]);
}

const flate = (data: Part, times = 1): Buffer => {
  let bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  for (let i = 0; i < times; i += 1) bytes = deflateSync(bytes, { level: 9 });
  return bytes;
};
const TREE = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>'];
const PAGE = '/Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]';
/** One page with this content; `more` are objects from 5 on. */
const pageOf = (content: Part, resources = '', more: readonly Part[] = [], page = '') =>
  pdfOf([
    ...TREE,
    `<<${PAGE}/Contents 4 0 R/Resources<<${resources}>>${page}>>`,
    typeof content === 'string' ? streamOf('', content) : content,
    ...more,
  ]);
/** A page, with these entries in the catalog and objects from 4 on. */
const catalog = (entries: string, more: readonly Part[] = []) =>
  pdfOf([`<</Type/Catalog/Pages 2 0 R${entries}>>`, TREE[1] ?? '', `<<${PAGE}>>`, ...more]);
const image = (dict: string, data: Part = 'x') =>
  pageOf('200 0 0 200 0 0 cm /I Do', '/XObject<</I 5 0 R>>', [streamOf(`/Type/XObject/Subtype/Image${dict}`, data)]);
const drawn = (dict: string, data: Part, entry: string, more: readonly Part[] = []) =>
  pageOf('/Pattern cs /P scn 0 0 200 200 re f /S sh', entry, [streamOf(dict, data), ...more]);
const font = (dict: string, more: readonly Part[] = []) =>
  pageOf('BT /F 12 Tf 10 100 Td (Hello) Tj ET', '/Font<</F 5 0 R>>', [`<</Type/Font${dict}>>`, ...more]);
const encrypted = (dict: string) =>
  pdfOf(
    [...TREE, `<<${PAGE}>>`, `<</Filter/Standard/O<${'00'.repeat(32)}>/U<${'00'.repeat(32)}>/P -4${dict}>>`],
    '/Encrypt 4 0 R/ID[<00><00>]',
  );
const GREY = '/ColorSpace/DeviceGray/BitsPerComponent 8';
const TILING = '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/Resources<<>>';
const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 200 200]';
const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}${close.repeat(levels)}`;
const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 ** 2, ' ');
const sfnt = (tables: number) => {
  const head = Buffer.alloc(12 + 16 * tables);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt16BE(tables, 4);
  for (let i = 0; i < tables; i += 1) {
    head.write(['glyf', 'loca', 'head', 'maxp'][i % 4] ?? '', 12 + 16 * i, 'latin1');
    head.writeUInt32BE(0xffffffff, 12 + 16 * i + 8);
    head.writeUInt32BE(0xffffffff, 12 + 16 * i + 12);
  }
  return head;
};

export const PDFS: Readonly<Record<string, () => Buffer>> = {
  // Files that are hardly any.
  empty: () => Buffer.alloc(0),
  'header alone': () => Buffer.from('%PDF-1.7\n'),
  'no PDF': () => Buffer.from('GIF89a'),
  'NUL bytes': () => Buffer.alloc(50_000),
  'cut in half': () => pageOf('q Q').subarray(0, 200),
  'startxref far behind the end': () => Buffer.from('%PDF-1.7\nstartxref\n99999999999\n%%EOF'),
  'startxref below 0': () => Buffer.from('%PDF-1.7\nstartxref\n-5\n%%EOF'),
  'table that is its own predecessor': () =>
    Buffer.from('%PDF-1.7\nxref\n0 0\ntrailer<</Prev 9/Size 9>>\nstartxref\n9\n%%EOF'),
  'table of 2^31 rows': () => Buffer.from('%PDF-1.7\nxref\n0 2147483647\ntrailer<</Size 1>>\nstartxref\n9\n%%EOF'),
  '100,000 headers of objects': () => Buffer.from(`%PDF-1.7\n${'1 0 obj\n'.repeat(100_000)}`),
  '200,000 empty objects': () =>
    Buffer.from(`%PDF-1.7\n${Array.from({ length: 200_000 }, (_, i) => `${i} 0 obj<<>>endobj`).join('\n')}`),
  // Trees.
  'root that is a number': () => pdfOf(['7']),
  'root that refers to itself': () => pdfOf(['1 0 R']),
  'pages that are their own kid': () => pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>']),
  'pages in a circle': () => pdfOf([TREE[0] ?? '', '<</Type/Pages/Kids[3 0 R]>>', '<</Type/Pages/Kids[2 0 R]>>']),
  'count of 2^31': () => pdfOf([TREE[0] ?? '', '<</Type/Pages/Kids[3 0 R]/Count 2147483647>>', `<<${PAGE}>>`]),
  'count below 0': () => pdfOf([TREE[0] ?? '', '<</Type/Pages/Kids[3 0 R]/Count -1>>', `<<${PAGE}>>`]),
  'one page 50,000 times': () =>
    pdfOf([TREE[0] ?? '', `<</Type/Pages/Kids[${'3 0 R '.repeat(50_000)}]/Count 50000>>`, `<<${PAGE}>>`]),
  'page tree 5,000 deep': () =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      ...Array.from({ length: 5_000 }, (_, i) => `<</Type/Pages/Kids[${i + 3} 0 R]/Count 1>>`),
      '<</Type/Page/MediaBox[0 0 9 9]>>',
    ]),
  'page tree that doubles 30 times': () =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      ...Array.from({ length: 30 }, (_, i) => `<</Type/Pages/Kids[${i + 3} 0 R ${i + 3} 0 R]/Count ${2 ** (30 - i)}>>`),
      '<</Type/Page/MediaBox[0 0 9 9]>>',
    ]),
  'bookmarks in a circle': () =>
    catalog('/Outlines 4 0 R', ['<</First 5 0 R/Last 5 0 R>>', '<</Title(a)/Next 5 0 R/First 4 0 R/Parent 4 0 R>>']),
  'bookmark with U+0000': () =>
    catalog('/Outlines 4 0 R', [
      '<</First 5 0 R/Last 5 0 R/Count 1>>',
      '<</Title<FEFF00410000D800>/Parent 4 0 R/Dest[3 0 R/Fit]>>',
    ]),
  'names in a circle': () => catalog('/Names<</Dests 4 0 R/EmbeddedFiles 4 0 R>>', ['<</Kids[4 0 R 4 0 R]>>']),
  'labels in a circle': () => catalog('/PageLabels 4 0 R', ['<</Kids[4 0 R]>>']),
  'labels of 2^31': () => catalog('/PageLabels<</Nums[0<</S/R/St 2147483647>>]>>'),
  'tags in a circle': () =>
    catalog('/StructTreeRoot 4 0 R/MarkInfo<</Marked true>>', [
      '<</Type/StructTreeRoot/K 5 0 R/RoleMap<</A/B/B/A>>>>',
      '<</S/A/K[5 0 R]/P 4 0 R>>',
    ]),
  'fields in a circle': () => catalog('/AcroForm<</Fields[4 0 R]>>', ['<</T(a)/Kids[4 0 R]/Parent 4 0 R>>']),
  'layers in a circle': () =>
    catalog('/OCProperties<</OCGs[4 0 R]/D<</Order 5 0 R>>>>', ['<</Type/OCG/Name(a)>>', '[5 0 R 5 0 R]']),
  'actions in a circle': () => catalog('/OpenAction 4 0 R', ['<</S/GoTo/D 4 0 R/Next[4 0 R 4 0 R]>>']),
  'attachment of 200 MB in 200 KB': () =>
    catalog('/Names<</EmbeddedFiles<</Names[(a)4 0 R]>>>>', [
      '<</Type/Filespec/F(a)/EF<</F 5 0 R>>>>',
      streamOf('/Filter/FlateDecode', flate(zeros(200))),
    ]),
  'metadata of entities': () =>
    catalog('/Metadata 4 0 R', [
      streamOf(
        '/Type/Metadata',
        `<!DOCTYPE x [${Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('')}]><x>&e9;</x>`,
      ),
    ]),
  // Values.
  'lists 100,000 deep': () => catalog(`/A ${nested('[', ']', 100_000)}`),
  'dictionaries 50,000 deep': () => catalog(`/A ${nested('<</A ', '>>', 50_000)}`),
  'string without an end': () => catalog(`/A (${'('.repeat(500_000)}`),
  'name of a megabyte': () => catalog(`/${'n'.repeat(1_000_000)} 1`),
  'number of a megabyte': () => catalog(`/A ${'9'.repeat(1_000_000)}`),
  'box of 1e30': () =>
    pdfOf([...TREE, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 1e30 1e30]/UserUnit 1000000000/Rotate 2147483647>>']),
  'box of 14,400 and a unit of 75,000': () =>
    pdfOf([...TREE, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 14400 14400]/UserUnit 75000>>']),
  'box without an area': () => pdfOf([...TREE, '<</Type/Page/Parent 2 0 R/MediaBox[5 5 5 5]>>']),
  'length that refers to itself': () => pageOf(Buffer.from('<</Length 4 0 R>>stream\nq Q\nendstream')),
  'length of 2^40': () => pageOf(Buffer.from('<</Length 1099511627776>>stream\nq Q\nendstream')),
  'object stream with its length in itself': () =>
    pdfOf([...TREE, `<<${PAGE}>>`, streamOf('/Type/ObjStm/N 1/First 4/Length 5 0 R', '5 0 99')]),
  'object stream of 2^31 objects': () =>
    pdfOf([...TREE, `<<${PAGE}>>`, streamOf('/Type/ObjStm/N 2147483647/First 4', '5 0 99')]),
  // Streams.
  'content of 200 MB in 200 KB': () => pageOf(streamOf('/Filter/FlateDecode', flate(zeros(200)))),
  'content packed twice': () => pageOf(streamOf('/Filter[/FlateDecode/FlateDecode]', flate(zeros(300), 2))),
  'content packed three times': () =>
    pageOf(streamOf('/Filter[/FlateDecode/FlateDecode/FlateDecode]', flate(zeros(300), 3))),
  'a thousand filters': () => pageOf(streamOf(`/Filter[${'/FlateDecode'.repeat(1_000)}]`, flate('q Q'))),
  'run lengths': () =>
    pageOf(streamOf('/Filter[/FlateDecode/RunLengthDecode]', flate(Buffer.alloc(10_000_000, '\u0081 ', 'latin1')))),
  'columns of 2^31': () =>
    pageOf(streamOf('/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2147483647>>', flate('q Q'))),
  'colours of 2^31': () =>
    pageOf(
      streamOf(
        '/Filter/FlateDecode/DecodeParms<</Predictor 2/Colors 2147483647/BitsPerComponent 2147483647>>',
        flate('q Q'),
      ),
    ),
  'unknown crypt filter': () => pageOf(streamOf('/Filter/Crypt/DecodeParms<</Name/None>>', 'q Q')),
  // Content.
  'a million q': () => pageOf(streamOf('/Filter/FlateDecode', flate('q '.repeat(1_000_000)))),
  '3,000,000 lines': () => pageOf(streamOf('/Filter/FlateDecode', flate('0 0 m 200 200 l S '.repeat(3_000_000)))),
  '300,000 words': () =>
    pageOf(
      streamOf('/Filter/FlateDecode', flate(`BT /F 1 Tf ${'(word ) Tj '.repeat(300_000)} ET`)),
      '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>',
    ),
  'inline picture without an end': () => pageOf(`BI /W 1000000 /H 1000000 /BPC 8 /CS /G ID ${'EI'.repeat(10_000)}`),
  'operands without an operator': () => pageOf(streamOf('/Filter/FlateDecode', flate('1 '.repeat(5_000_000)))),
  'lists in content 100,000 deep': () => pageOf(nested('[', ']', 100_000)),
  'form that draws itself': () =>
    pageOf('/X Do', '/XObject<</X 5 0 R>>', [streamOf(`${FORM}/Resources<</XObject<</X 5 0 R>>>>`, '/X Do /X Do')]),
  'forms that draw ten each, ten deep': () =>
    pageOf(
      '/X Do',
      '/XObject<</X 5 0 R>>',
      Array.from({ length: 10 }, (_, i) =>
        streamOf(`${FORM}/Resources<</XObject<</X ${i + 6} 0 R>>>>`, '/X Do '.repeat(10)),
      ),
    ),
  'tiles of 0.0001': () => drawn(`${TILING}/XStep 0.0001/YStep 0.0001`, '0 0 1 1 re f', '/Pattern<</P 5 0 R>>'),
  'tiles of 0': () => drawn(`${TILING}/XStep 0/YStep 0`, '0 0 1 1 re f', '/Pattern<</P 5 0 R>>'),
  'tiles in tiles': () =>
    drawn(
      `${TILING.replace('<<>>', '<</Pattern<</P 5 0 R>>>>')}/XStep 1/YStep 1`,
      '/Pattern cs /P scn 0 0 1 1 re f',
      '/Pattern<</P 5 0 R>>',
    ),
  'function of loops': () =>
    drawn(
      '/FunctionType 4/Domain[0 1]/Range[0 1]',
      nested('{ ', '} ', 10_000),
      '/Shading<</S<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 200 0]/Function 5 0 R>>>>',
    ),
  'function that is its own part': () =>
    pageOf('/S sh', '/Shading<</S<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 200 0]/Function 5 0 R>>>>', [
      '<</FunctionType 3/Domain[0 1]/Functions[5 0 R 5 0 R]/Bounds[0.5]/Encode[0 1 0 1]>>',
    ]),
  'function of 65,535 samples in 4 dimensions': () =>
    drawn(
      `/FunctionType 0/Domain[${'0 1 '.repeat(4)}]/Range[0 1]/Size[65535 65535 65535 65535]/BitsPerSample 32`,
      'x',
      '/Shading<</S<</ShadingType 1/ColorSpace/DeviceGray/Function 5 0 R>>>>',
    ),
  'mesh without an end': () =>
    drawn(
      '/ShadingType 5/VerticesPerRow 2147483647/BitsPerCoordinate 32/BitsPerComponent 16/ColorSpace/DeviceRGB/Decode[0 1 0 1 0 1 0 1 0 1]',
      'x'.repeat(10_000),
      '/Shading<</S 5 0 R>>',
    ),
  'colour space that is its own base': () =>
    pageOf('/C cs 0 sc 0 0 9 9 re f', '/ColorSpace<</C 5 0 R>>', ['[/Indexed 5 0 R 255 <00>]']),
  'colour of 5,000 inks': () =>
    pageOf('/C cs 0 sc 0 0 9 9 re f', '/ColorSpace<</C 5 0 R>>', [
      `[/DeviceN[${'/A'.repeat(5_000)}]/DeviceGray 6 0 R]`,
      '<</FunctionType 2/Domain[0 1]/N 1>>',
    ]),
  'mask that masks itself': () =>
    pageOf('/G gs 0 0 9 9 re f', '/ExtGState<</G 5 0 R>>', [
      '<</SMask<</S/Luminosity/G 6 0 R>>>>',
      streamOf(`${FORM}/Group<</S/Transparency>>/Resources<</ExtGState<</G 5 0 R>>>>`, '/G gs 0 0 9 9 re f'),
    ]),
  // Pictures.
  'picture of 60,000 × 60,000': () => image(`/Width 60000/Height 60000${GREY}/Filter/FlateDecode`, flate(zeros(50))),
  'picture of 2^31 × 2^31': () => image(`/Width 2147483647/Height 2147483647${GREY}`),
  'picture of -1 × 0': () => image(`/Width -1/Height 0${GREY}`),
  'picture that is its own mask': () => image(`/Width 9/Height 9${GREY}/SMask 5 0 R/Mask 5 0 R`, 'x'.repeat(81)),
  'fax of 2^31 columns': () =>
    image(
      '/Width 2147483647/Height 2147483647/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 2147483647/Rows 2147483647>>',
    ),
  'JBIG2 page of 2^32': () =>
    image(
      '/Width 9/Height 9/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode',
      Buffer.from('00000000300001000000130fffffff0fffffff00000000000000000000000000', 'hex'),
    ),
  'JPEG of 65,535 × 65,535': () =>
    image(
      `/Width 65535/Height 65535${GREY}/Filter/DCTDecode`,
      Buffer.from('ffd8ffc0000b08ffffffff01011100ffda0008010100003f00', 'hex'),
    ),
  'JPEG 2000 of 2^32': () =>
    image(
      '/Width 9/Height 9/Filter/JPXDecode',
      Buffer.from('ff4fff5100290000ffffffffffffffff0000000000000000ffffffffffffffff00000000000000000001070101', 'hex'),
    ),
  // Fonts.
  'font of 65,535 tables': () =>
    font('/Subtype/TrueType/BaseFont/A/FontDescriptor<</Type/FontDescriptor/FontName/A/Flags 4/FontFile2 6 0 R>>', [
      streamOf('', sfnt(4_000)),
    ]),
  'CFF that calls itself': () =>
    font('/Subtype/Type1/BaseFont/A/FontDescriptor<</Type/FontDescriptor/FontName/A/Flags 4/FontFile3 6 0 R>>', [
      streamOf('/Subtype/Type1C', Buffer.alloc(5_000, 0xff)),
    ]),
  'glyphs that draw their own font': () =>
    font(
      '/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 6 0 R>>/Encoding<</Differences[0/a 72/a 101/a]>>/FirstChar 0/LastChar 255/Widths[9]/Resources<</Font<</F 5 0 R>>>>',
      [streamOf('', 'BT /F 1 Tf (H) Tj ET')],
    ),
  'code map of 2^32': () =>
    font('/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R', [
      streamOf(
        '',
        '1 begincodespacerange <00000000><ffffffff> endcodespacerange 1 beginbfrange <00000000><ffffffff><0000> endbfrange',
      ),
    ]),
  'code map that uses itself': () =>
    font('/Subtype/Type0/BaseFont/A/Encoding 6 0 R/DescendantFonts[7 0 R]', [
      streamOf('/Type/CMap/UseCMap 6 0 R', '/A usecmap'),
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(A)/Ordering(B)/Supplement 0>>>>',
    ]),
  'widths of 2^31': () => font('/Subtype/Type1/BaseFont/A/FirstChar -2147483648/LastChar 2147483647/Widths[1]'),
  // Annotations.
  '50,000 annotations': () =>
    pageOf('q Q', '', ['<</Type/Annot/Subtype/Square/Rect[0 0 9 9]>>'], `/Annots[${'5 0 R '.repeat(50_000)}]`),
  'annotation that draws itself': () =>
    pageOf(
      'q Q',
      '',
      [
        '<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/AP<</N 6 0 R>>>>',
        streamOf(`${FORM}/Resources<</XObject<</X 6 0 R>>>>`, '/X Do'),
      ],
      '/Annots[5 0 R]',
    ),
  // Encryption.
  'key of 400,000,000 bits': () => encrypted('/V 2/R 3/Length 400000000'),
  'revision of 999,999': () => encrypted('/V 5/R 999999'),
  'hash of revision 6': () =>
    encrypted(`/V 5/R 6/Length 256/OE<${'00'.repeat(32)}>/UE<${'00'.repeat(32)}>/Perms<${'00'.repeat(16)}>`),
  'crypt filter of a number': () => encrypted('/V 4/R 4/CF 7/StmF/A/StrF/A'),
};
