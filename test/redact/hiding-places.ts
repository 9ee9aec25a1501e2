// A document that holds one secret in every place of a PDF that can hold one, and for each place how another program
// would find it there. Nothing of src/ is used.
import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';

/** Stands in the region on the page. Each place has it with its own number behind it. */
export const SECRET = 'QUORLAX';

interface Place {
  readonly name: string;
  /** What is looked for, in all encodings; the secret and the place's number unless it is something else. */
  readonly mark: string;
}

/** The region, as a box of the displayed page. */
export const REGION = { page: 1, x: 50 / 500, y: 40 / 700, w: 300 / 500, h: 300 / 700, kind: 'manual', id: 'r1' };
const PAGE = [40, 30, 540, 730]; // the crop box: 500 x 700, its left bottom corner at 40, 30

interface Made {
  readonly bytes: Buffer;
  readonly places: readonly Place[];
}

export function hidingPlaces(): Made {
  const places: Place[] = [];
  const mark = (name: string, own?: string): string => {
    const text = own ?? `${SECRET}P${String(places.length + 1).padStart(2, '0')}`;
    places.push({ name, mark: text });
    return text;
  };
  const objects = new Map<number, Buffer>();
  let count = 0;
  const reserve = () => ++count;
  const set = (num: number, text: string | Buffer) => {
    objects.set(num, Buffer.from(text));
    return `${num} 0 R`;
  };
  const add = (text: string | Buffer) => set(reserve(), text);
  const stream = (entries: string, data: string | Buffer, packed = true) => {
    const plain = Buffer.from(data);
    const bytes = packed ? deflateSync(plain) : plain;
    const filter = packed ? '/Filter/FlateDecode' : '';
    return Buffer.concat([
      Buffer.from(`<<${entries}${filter}/Length ${bytes.length}>>\nstream\n`),
      bytes,
      Buffer.from('\nendstream'),
    ]);
  };
  const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex');
  const utf16 = (text: string) => `FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}`;
  const octal = (text: string) =>
    [...text].map((letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');

  const catalog = reserve();
  const pages = reserve();
  const page = reserve();
  const content = reserve();
  const helvetica = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');

  const courier = add('<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>');

  // Fonts whose codes are no text.
  const map = (pairs: readonly (readonly [string, string])[]) =>
    `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <${pairs[0]![0].replace(/./g, '0')}> <${pairs[0]![0].replace(/./g, 'f')}> endcodespacerange ${pairs.length} beginbfchar ${pairs.map(([from, to]) => `<${from}> <${to}>`).join(' ')} endbfchar endcmap end`;
  const unicode = (letter: string) => letter.charCodeAt(0).toString(16).padStart(4, '0');
  const composite = mark('text by a composite font');
  const letters = [...new Set(composite)];
  const cid = (letter: string) => (letters.indexOf(letter) + 1).toString(16).padStart(4, '0');
  const toUnicode = add(stream('', map(letters.map((letter) => [cid(letter), unicode(letter)] as const))));
  const cidFont = add(
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/Arial/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600/FontDescriptor<</Type/FontDescriptor/FontName/Arial/Flags 4/FontBBox[0 -200 1000 800]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>>>',
  );
  const type0 = add(
    `<</Type/Font/Subtype/Type0/BaseFont/Arial/Encoding/Identity-H/DescendantFonts[${cidFont}]/ToUnicode ${toUnicode}>>`,
  );
  const recoded = mark('text by a font with codes of its own');
  const own = [...new Set(recoded)];
  const code = (letter: string) => String.fromCharCode(0xc0 + own.indexOf(letter));
  const recodedMap = add(stream('', map(own.map((letter) => [hex(code(letter)), unicode(letter)] as const))));
  const names = own.map(
    (letter) =>
      `/${/\d/.test(letter) ? ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][Number(letter)] : letter}`,
  );
  const custom = add(
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 192/LastChar ${191 + own.length}/Widths[${own.map(() => 600).join(' ')}]/FontDescriptor<</Type/FontDescriptor/FontName/Helvetica/Flags 4/FontBBox[0 -200 1000 800]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>/Encoding<</Differences[192${names.join('')}]>>/ToUnicode ${recodedMap}>>`,
  );
  const drawn = mark('text by a Type 3 font');
  const glyphs = [...new Set(drawn)];
  const square = add(stream('', '600 0 0 0 500 700 d1 0 0 500 700 re f'));
  const type3 = add(
    `<</Type/Font/Subtype/Type3/FontMatrix[0.001 0 0 0.001 0 0]/FontBBox[0 -200 600 800]/FirstChar 48/LastChar 90/Widths[${Array.from({ length: 43 }, () => 600).join(' ')}]/CharProcs<<${glyphs.map((letter) => `/g${letter} ${square}`).join('')}>>/Encoding<</Differences[${glyphs.map((letter) => `${letter.charCodeAt(0)}/g${letter}`).join('')}]>>/Resources<<>>/ToUnicode ${add(stream('', map(glyphs.map((letter) => [hex(letter), unicode(letter)] as const))))}>>`,
  );

  // Pictures: their samples spell the secret.
  const samples = (text: string, width: number, height: number) => {
    const bytes = Buffer.alloc(width * height, 0x99);
    bytes.write(text, Math.floor(height / 2) * width + 4, 'latin1');
    return bytes;
  };
  const image = (text: string, more = '') =>
    add(
      stream(
        `/Type/XObject/Subtype/Image/Width 40/Height 20/BitsPerComponent 8/ColorSpace/DeviceGray${more}`,
        samples(text, 40, 20),
      ),
    );
  const mask = image(mark('pixels of a soft mask'));
  const picture = image(mark('pixels of a picture'), `/SMask ${mask}`);
  const alternate = image(mark('pixels of an alternate picture'));
  const withAlternate = image('nothing', `/Alternates[<</Image ${alternate}/DefaultForPrinting true>>]`);

  // Forms.
  const resources = `<</Font<</F1 ${helvetica}>>>>`;
  const form = (data: string, more = resources) =>
    add(stream(`/Type/XObject/Subtype/Form/BBox[-1000 -1000 2000 2000]/Resources ${more}`, data));
  const inner = form(`BT /F1 10 Tf 100 560 Td (${mark('text of a form in a form')}) Tj ET`);
  const nested = form('/Inner Do', `<</XObject<</Inner ${inner}>>>>`);
  const once = form(`BT /F1 10 Tf 100 575 Td (${mark('text of a form')}) Tj ET`);
  const unused = form(`BT /F1 10 Tf 100 100 Td (${mark('a form that is never drawn')}) Tj ET`);
  const cell = add(
    stream(
      `/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 200 20]/XStep 200/YStep 20/Resources ${resources}`,
      `BT 1 g /F1 10 Tf 2 5 Td (${mark('text in the cell of a pattern')}) Tj ET`,
    ),
  );

  // Layers.
  const layer = add(`<</Type/OCG/Name(${mark('name of a layer')})>>`);
  const hiddenLayer = add('<</Type/OCG/Name(Hidden)>>');

  const inlineText = mark('pixels of an inline picture');
  const inline = samples(inlineText, 40, 4).toString('latin1');
  const resourceName = mark('name of a resource');
  const covered = mark('text behind a picture, beside the region');
  const lines = [
    `% ${mark('comment in content')}`,
    'q 0.9 g 45 400 400 400 re f Q',
    `BT /F1 12 Tf 100 680 Td (${SECRET}) Tj ET`,
    `BT /F1 12 Tf 100 665 Td (${mark('text')} and more) Tj ET`,
    `BT /F1 12 Tf 100 650 Td [${[...mark('text with kerning')].map((letter) => `(${letter}) -20`).join(' ')}] TJ ET`,
    `BT /F1 12 Tf 100 635 Td <${hex(mark('text in hexadecimal'))}> Tj ET`,
    `BT /F1 12 Tf 100 620 Td (${octal(mark('text in octal'))}) Tj ET`,
    ...[...mark('text letter by letter')].map(
      (letter, i) => `BT /F5 12 Tf 1 0 0 1 ${200 + 7.2 * i} 650 Tm (${letter}) Tj ET`,
    ),
    `BT /F2 12 Tf 100 605 Td <${[...composite].map(cid).join('')}> Tj ET`,
    `BT /F3 12 Tf 200 605 Td <${hex([...recoded].map(code).join(''))}> Tj ET`,
    `BT /F4 12 Tf 100 590 Td (${drawn}) Tj ET`,
    `BT /${resourceName} 12 Tf 100 60 Td (kept) Tj ET`,
    `BT 3 Tr /F1 12 Tf 100 545 Td (${mark('invisible text over a scan')}) Tj 0 Tr ET`,
    '/Once Do /Nested Do',
    'q 120 0 0 60 100 470 cm /Picture Do Q',
    'q 30 0 0 15 300 470 cm /WithAlternate Do Q',
    `q 100 0 0 20 230 500 cm BI /W 40 /H 4 /BPC 8 /CS /G ID ${inline}\nEI Q`,
    `0 G 120 455 m ${mark('a letter drawn as a shape', '137.0113')} 460 l 150 440 130 445 125 450 c h f`,
    `/Span <</ActualText(${mark('replacement text of marked content')})>> BDC BT /F1 12 Tf 100 425 Td (x) Tj ET EMC`,
    '/Span /Words BDC BT /F1 12 Tf 100 410 Td (y) Tj ET EMC',
    `/OC /Hidden BDC BT /F1 12 Tf 100 300 Td (${mark('text in a hidden layer')}) Tj ET EMC`,
    '/OC /Shown BDC BT /F1 12 Tf 100 280 Td (in a layer) Tj ET EMC',
    `BT 1 g /F1 12 Tf 100 260 Td (${mark('white text, beside the region')}) Tj 0 g ET`,
    `BT 3 Tr /F1 12 Tf 100 240 Td (${mark('invisible text, beside the region')}) Tj 0 Tr ET`,
    `BT /F1 12 Tf 100 220 Td (${covered}) Tj ET q 200 0 0 30 90 210 cm /WithAlternate Do Q`,
    `BT /F1 12 Tf 100 15 Td (${mark('text beside the crop box')}) Tj ET`,
    '/Pattern cs /P1 scn 300 100 150 40 re f',
    'BT /F1 12 Tf 100 80 Td (This line stays.) Tj ET',
  ];

  const action = (text: string) => `<</S/URI/URI(http://example.com/?q=${text})>>`;
  const appearance = (text: string) =>
    add(
      stream(
        `/Type/XObject/Subtype/Form/BBox[0 0 150 20]/Resources ${resources}`,
        `BT /F1 10 Tf 2 5 Td (${text}) Tj ET`,
      ),
    );
  const note = mark('words of an annotation');
  const field = mark('value of a field');
  const widget = add(
    `<</Type/Annot/Subtype/Widget/FT/Tx/T(${mark('name of a field')})/V(${field})/DV(${field})/TU(${mark('description of a field')})/DA(/F1 10 Tf)/Rect[255 395 385 412]/F 4/AP<</N ${appearance(field)}>>>>`,
  );
  const annotations = [
    `<</Type/Annot/Subtype/FreeText/Contents(${note})/DA(/F1 10 Tf)/Rect[255 420 330 440]/F 4/AP<</N ${appearance(note)}>>>>`,
    `<</Type/Annot/Subtype/Text/Contents<${utf16(mark('note beside the region, in UTF-16'))}>/T(${mark('author of a note')})/Rect[450 650 470 670]>>`,
    `<</Type/Annot/Subtype/Link/Rect[400 300 480 320]/A${action(mark('address of a link beside the region'))}>>`,
    `<</Type/Annot/Subtype/Link/Rect[400 330 480 350]/A${action([...mark('address of a link, in percent signs')].map((letter) => `%${hex(letter)}`).join(''))}>>`,
    `<</Type/Annot/Subtype/FileAttachment/Rect[450 600 470 620]/FS<</Type/Filespec/F(a.txt)/EF<</F ${add(stream('/Type/EmbeddedFile', mark('file attached to an annotation')))}>>>>>>`,
  ];
  const struct = add(
    `<</Type/StructElem/S/P/Alt(${mark('alternative text')})/E(${mark('expansion of an abbreviation')})/ActualText<${utf16(mark('replacement text in the structure'))}>/T(${mark('title in the structure')})/Pg ${page} 0 R>>`,
  );

  set(content, stream('', Buffer.from(lines.join('\n'), 'latin1')));
  const thumb = add(
    stream('/Width 40/Height 20/BitsPerComponent 8/ColorSpace/DeviceGray', samples(mark('thumbnail'), 40, 20)),
  );
  const bead = `<</Type/Thread/I<</Title(${mark('title of an article')})>>>>`;
  set(
    page,
    `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 612 792]/CropBox[${PAGE.join(' ')}]/Contents ${content} 0 R/Resources<</Font<</F1 ${helvetica}/F2 ${type0}/F3 ${custom}/F4 ${type3}/F5 ${courier}/${resourceName} ${helvetica}>>/XObject<</Once ${once}/Nested ${nested}/Unused ${unused}/Picture ${picture}/WithAlternate ${withAlternate}>>/Pattern<</P1 ${cell}>>/Properties<</Words<</Alt(${mark('alternative text of marked content')})>>/Hidden ${hiddenLayer}/Shown ${layer}>>>>/Annots[${[...annotations.map((text) => add(text)), widget].join(' ')}]/Thumb ${thumb}/PieceInfo<</Tool<</Private(${mark('private data of a program')})/LastModified(D:2020)>>>>/Metadata ${add(stream('/Type/Metadata/Subtype/XML', `<x>${mark('metadata of a page')}</x>`, false))}/AA<</O<</S/JavaScript/JS(${mark('script of a page')})>>>>>>`,
  );
  set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`);
  const outline = reserve();
  const item = add(`<</Title(${mark('title of a bookmark')})/Parent ${outline} 0 R/Dest[${page} 0 R/Fit]>>`);
  set(outline, `<</Type/Outlines/First ${item}/Last ${item}/Count 1>>`);
  const file = add(stream('/Type/EmbeddedFile', `some words and ${mark('an attached file')}`));
  const spec = add(`<</Type/Filespec/F(b.txt)/Desc(${mark('description of an attached file')})/EF<</F ${file}>>>>`);
  set(
    catalog,
    `<</Type/Catalog/Pages ${pages} 0 R/Outlines ${outline} 0 R/PageLabels<</Nums[0<</P(${mark('label of a page')})/S/D>>]>>/Names<</EmbeddedFiles<</Names[(b)${spec}]>>/JavaScript<</Names[(s)<</S/JavaScript/JS(${mark('script of the document')})>>]>>/Dests<</Names[(${mark('name of a destination')})[${page} 0 R/Fit]]>>>>/OCProperties<</OCGs[${layer} ${hiddenLayer}]/D<</OFF[${hiddenLayer}]>>>>/AcroForm<</Fields[${widget}]/DA(/F1 10 Tf)/XFA ${add(stream('', `<xfa>${mark('XFA form')}</xfa>`))}>>/StructTreeRoot<</Type/StructTreeRoot/K ${struct}>>/MarkInfo<</Marked true>>/Threads[${bead}]/Metadata ${add(stream('/Type/Metadata/Subtype/XML', `<x:xmpmeta>${mark('metadata of the document')}</x:xmpmeta>`, false))}/Own(${mark('an entry of nobody in the catalog')})/Lang(${mark('language')})>>`,
  );
  const info = add(`<</Title(${mark('title of the document')})/Keywords<${utf16(mark('keywords in UTF-16'))}>>>`);
  add(`(${mark('an object that nothing refers to')})`);

  // The first revision has another content; the second one replaces it.
  const older = Buffer.from(stream('', `BT /F1 12 Tf 100 300 Td (${mark('an earlier revision')}) Tj ET`));
  const chunks: Buffer[] = [];
  let length = 0;
  const push = (text: string | Buffer) => {
    const bytes = Buffer.from(text);
    chunks.push(bytes);
    length += bytes.length;
  };
  const write = (entries: readonly (readonly [number, Buffer])[], previous: number | undefined): number => {
    const rows = entries.map(([num, bytes]) => {
      const at = length;
      push(`${num} 0 obj\n`);
      push(bytes);
      push('\nendobj\n');
      return `${num} 1\n${String(at).padStart(10, '0')} 00000 n \n`;
    });
    const start = length;
    const prev = previous === undefined ? '' : `/Prev ${previous}`;
    const id = `<${hex(mark(previous === undefined ? 'identifier of the first revision' : 'identifier of the file'))}>`;
    push(
      `xref\n0 1\n0000000000 65535 f \n${rows.join('')}trailer\n<</Size ${count + 1}/Root ${catalog} 0 R/Info ${info}/ID[${id}${id}]${prev}>>\nstartxref\n${start}\n%%EOF\n`,
    );
    return start;
  };
  push('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  const first = write(
    [...objects].map(([num, bytes]) => [num, num === content ? older : bytes] as const),
    undefined,
  );
  write([[content, objects.get(content)!]], first);
  push(`% ${mark('bytes behind the end')}\n`);
  return { bytes: Buffer.concat(chunks), places };
}

/** Ways in which a text can stand in the bytes of an uncompressed file. */
export function holds(bytes: Buffer, text: string): boolean {
  const latin = bytes.toString('latin1');
  const wide = Buffer.from(text, 'utf16le');
  const hex = latin.replace(/[\s<>]/g, '').toLowerCase();
  // Strings of one operator joined, numbers between them left out; escapes undone.
  const plain = latin.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  const joined = plain.replace(/\)\s*(?:-?[\d.]+\s*)*\(/g, '');
  const percent = latin.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return (
    latin.includes(text) ||
    joined.includes(text) ||
    percent.includes(text) ||
    bytes.includes(wide) ||
    bytes.includes(Buffer.from(wide).swap16()) ||
    hex.includes(Buffer.from(text, 'latin1').toString('hex')) ||
    hex.includes(Buffer.from(wide).swap16().toString('hex')) ||
    hex.includes(wide.toString('hex'))
  );
}
