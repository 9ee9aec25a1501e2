const COMMANDS: Record<string, number[]> = {
  hstem: [1], vstem: [3], vmoveto: [4], rlineto: [5], hlineto: [6], vlineto: [7], rrcurveto: [8], closepath: [9],
  callsubr: [10], return: [11], hsbw: [13], endchar: [14], rmoveto: [21], hmoveto: [22], vhcurveto: [30],
  hvcurveto: [31], dotsection: [12, 0], vstem3: [12, 1], hstem3: [12, 2], seac: [12, 6], sbw: [12, 7], div: [12, 12],
  callothersubr: [12, 16], pop: [12, 17], setcurrentpoint: [12, 33],
}; // biome-ignore format: a table

/** The subroutines every Type 1 font begins with: flex and hint replacement. */
export const USUAL_SUBRS = [
  '3 0 callothersubr pop pop setcurrentpoint return',
  '0 1 callothersubr return',
  '0 2 callothersubr return',
  'return',
  '1 3 callothersubr pop callsubr return',
];

export function charstring(text: string): Uint8Array {
  return Uint8Array.from(
    text
      .trim()
      .split(/\s+/)
      .flatMap((word) => COMMANDS[word] ?? encode(Number(word))),
  );
}

function encode(value: number): number[] {
  if (!Number.isInteger(value)) throw new TypeError(`not a number or command: ${value}`);
  if (Math.abs(value) <= 107) return [value + 139];
  return [255, (value >> 24) & 255, (value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function encrypt(bytes: Uint8Array, key: number, lead: number): Buffer {
  let r = key;
  return Buffer.from(
    [...new Array<number>(lead).fill(0), ...bytes].map((plain) => {
      const cipher = plain ^ (r >> 8);
      r = ((cipher + r) * 52845 + 22719) & 0xffff;
      return cipher;
    }),
  );
}

interface Program {
  readonly glyphs: Readonly<Record<string, string>>;
  readonly subrs?: readonly string[];
  readonly encoding?: string;
  readonly privates?: string;
  readonly lenIV?: number;
  readonly hex?: boolean;
  readonly header?: string;
}

/** A font program as an embedded font stream holds it. Charstrings are written in the words of the Type 1 book. */
export function assembleType1(program: Program): Buffer {
  const { glyphs, subrs = USUAL_SUBRS, encoding = 'StandardEncoding def', privates = '', lenIV = 4 } = program;
  const secret: Buffer[] = [];
  const say = (text: string) => secret.push(Buffer.from(text, 'latin1'));
  const binary = (head: string, text: string, tail: string) => {
    const plain = charstring(text);
    const code = lenIV < 0 ? Buffer.from(plain) : encrypt(plain, 4330, lenIV);
    say(`${head} ${code.length} RD `);
    secret.push(code);
    say(tail);
  };
  say(`dup /Private 8 dict dup begin /RD {string currentfile exch readstring pop} executeonly def\n`);
  say(`/lenIV ${lenIV} def ${privates}\n/Subrs ${subrs.length} array\n`);
  for (const [number, text] of subrs.entries()) binary(`dup ${number}`, text, ' NP\n');
  say(`ND 2 index /CharStrings ${Object.keys(glyphs).length} dict dup begin\n`);
  for (const [name, text] of Object.entries(glyphs)) binary(`/${name}`, text, ' ND\n');
  say('end end readonly put noaccess put dup /FontName get exch definefont pop mark currentfile closefile\n');
  const cipher = encrypt(Buffer.concat(secret), 55665, 4);
  return Buffer.concat([
    Buffer.from(
      `%!PS-AdobeFont-1.0: Test\n11 dict begin /FontName /Test def ${program.header ?? ''} /PaintType 0 def\n` +
        `/FontMatrix [0.001 0 0 0.001 0 0] readonly def /Encoding ${encoding}\n/FontBBox {-50 -250 1000 900} def\n` +
        'currentdict end\ncurrentfile eexec\n',
    ),
    program.hex === true ? Buffer.from(cipher.toString('hex').replace(/.{64}/g, '$&\n')) : cipher,
    Buffer.from(`\n${`${'0'.repeat(64)}\n`.repeat(8)}cleartomark\n`),
  ]);
}

/** A page that shows every glyph named, in rows of 16, set in the font as it is embedded. `kind`: the key of the stream. */
export function specimen(font: Uint8Array, kind: 'FontFile' | 'FontFile3', names: readonly string[]): Buffer {
  const shown = names.slice(0, 223);
  const rows = Array.from({ length: Math.ceil(shown.length / 16) }, (_, row) =>
    shown.slice(row * 16, row * 16 + 16).map((_name, i) => (32 + row * 16 + i).toString(16).padStart(2, '0')),
  );
  const content = `BT /F 24 Tf 40 TL 20 760 Td ${rows.map((row) => `<${row.join('')}> Tj T*`).join('\n')} ET`;
  const codes = shown.map((name) => `/${name}`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    `<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Test/FirstChar 32/LastChar ${31 + shown.length}/Widths[${shown.map(() => 1400).join(' ')}]` +
      `/Encoding<</Type/Encoding/Differences[32 ${codes}]>>/FontDescriptor 6 0 R>>`,
    `<</Type/FontDescriptor/FontName/ABCDEF+Test/Flags 4/FontBBox[-50 -250 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80/${kind} 7 0 R>>`,
    Buffer.concat([
      Buffer.from(`<</Length ${font.length}${kind === 'FontFile3' ? '/Subtype/Type1C' : ''}>>stream\n`),
      font,
      Buffer.from('\nendstream'),
    ]),
  ];
  const parts = [Buffer.from('%PDF-1.5\n')];
  const offsets: number[] = [];
  for (const [i, object] of objects.entries()) {
    offsets.push(parts.reduce((sum, part) => sum + part.length, 0));
    parts.push(Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
  }
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(`xref\n0 8\n0000000000 65535 f \n${table}trailer<</Size 8/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}
