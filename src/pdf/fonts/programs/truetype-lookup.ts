import type { SfntTables, TrueType } from './truetype.ts';

/** The glyph of a code; 0 where the map has none. */
type CharacterMap = (code: number) => number;

/** All maps of the program, whatever their platform; undefined where one has an unsupported format. */
export function characterMaps({ tables }: TrueType): readonly CharacterMap[] | undefined {
  const cmap = tables.get('cmap');
  if (cmap === undefined || cmap.byteLength < 4) return [];
  const maps: CharacterMap[] = [];
  const places = new Set<number>();
  for (let i = 0; i < cmap.getUint16(2); i++) {
    if (4 + i * 8 + 8 > cmap.byteLength) return undefined;
    places.add(cmap.getUint32(4 + i * 8 + 4));
  }
  for (const place of places) {
    if (place + 8 > cmap.byteLength) return undefined;
    const table = new DataView(cmap.buffer, cmap.byteOffset + place, cmap.byteLength - place);
    const format = table.getUint16(0);
    // Variants of characters are no codes of their own.
    if (format === 14) continue;
    const map = MAPS[format]?.(table);
    if (map === undefined) return undefined;
    maps.push(map);
  }
  return maps;
}

/** Encodings of the platforms Windows (3) and Unicode (0) for Unicode, the widest first; the last is for symbols. */
const UNICODE: readonly (readonly [platform: number, encoding: number])[] = [
  [3, 10],
  [0, 6],
  [0, 4],
  [3, 1],
  [0, 3],
  [0, 2],
  [0, 1],
  [0, 0],
  [3, 0],
];
/** The map for a platform and encoding; undefined where there is none, or none that is supported. */
export function mapFor(tables: SfntTables, platform: number, encoding: number): CharacterMap | undefined {
  const cmap = tables.get('cmap');
  for (let at = 4; cmap !== undefined && at < 4 + 8 * wordAt(cmap, 2) && at + 8 <= cmap.byteLength; at += 8) {
    const place = cmap.getUint32(at + 4);
    if (cmap.getUint16(at) !== platform || cmap.getUint16(at + 2) !== encoding || place + 8 > cmap.byteLength) continue;
    const table = new DataView(cmap.buffer, cmap.byteOffset + place, cmap.byteLength - place);
    const map = MAPS[table.getUint16(0)]?.(table);
    if (map !== undefined) return map;
  }
  return undefined;
}

export function mapCount(tables: SfntTables): number {
  const cmap = tables.get('cmap');
  return cmap === undefined ? 0 : wordAt(cmap, 2);
}

/** Where symbol fonts map single-byte codes. */
const SYMBOLS = 0xf000;

/** The glyph of each Unicode character; undefined where the program has no supported map. */
export function unicodeMap(tables: SfntTables): CharacterMap | undefined {
  for (const [platform, encoding] of UNICODE) {
    const map = mapFor(tables, platform, encoding);
    if (map === undefined) continue;
    return encoding === 0 && platform === 3 ? (code) => map(code) || (code < 256 ? map(SYMBOLS + code) : 0) : map;
  }
  return undefined;
}

const MAPS: Readonly<Record<number, (table: DataView) => CharacterMap>> = {
  0: (table) => (code) => (code < 256 ? byteAt(table, 6 + code) : 0),
  4: segments,
  6: (table) => {
    const [first, count] = [wordAt(table, 6), wordAt(table, 8)];
    return (code) => (code >= first && code < first + count ? wordAt(table, 10 + (code - first) * 2) : 0);
  },
  12: (table) => {
    const groups = table.byteLength < 16 ? 0 : table.getUint32(12);
    return (code) => {
      for (let i = 0, at = 16; i < groups && at + 12 <= table.byteLength; i++, at += 12)
        if (code >= table.getUint32(at) && code <= table.getUint32(at + 4))
          return table.getUint32(at + 8) + code - table.getUint32(at);
      return 0;
    };
  },
};

function segments(table: DataView): CharacterMap {
  const doubled = wordAt(table, 6);
  const [ends, starts, deltas, ranges] = [14, 16 + doubled, 16 + 2 * doubled, 16 + 3 * doubled];
  return (code) => {
    for (let at = 0; at < doubled; at += 2) {
      if (wordAt(table, ends + at) < code) continue;
      const start = wordAt(table, starts + at);
      if (start > code) return 0;
      const delta = wordAt(table, deltas + at);
      const range = wordAt(table, ranges + at);
      if (range === 0) return (code + delta) & 0xffff;
      const glyph = wordAt(table, ranges + at + range + (code - start) * 2);
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

/** Glyph names, where the program has them. */
export function glyphNames({ tables, glyphs }: TrueType): readonly (string | undefined)[] {
  const post = tables.get('post');
  const version = post === undefined || post.byteLength < 34 ? 0 : post.getUint32(0);
  if (post === undefined || version === 0x00030000) return [];
  if (version === 0x00010000) return MACINTOSH_GLYPHS;
  if (version !== 0x00020000) return [];
  const count = Math.min(glyphs, post.getUint16(32));
  const names: string[] = [];
  for (let at = 34 + count * 2; at < post.byteLength; ) {
    const length = byteAt(post, at);
    const end = Math.min(post.byteLength, at + 1 + length);
    names.push(Buffer.from(post.buffer, post.byteOffset + at + 1, end - at - 1).toString('latin1'));
    at = end;
  }
  return Array.from({ length: count }, (_, glyph) => {
    const index = wordAt(post, 34 + glyph * 2);
    return index < MACINTOSH_GLYPHS.length ? MACINTOSH_GLYPHS[index] : names[index - MACINTOSH_GLYPHS.length];
  });
}

function byteAt(table: DataView, at: number): number {
  return at < table.byteLength ? table.getUint8(at) : 0;
}

function wordAt(table: DataView, at: number): number {
  return at + 2 <= table.byteLength ? table.getUint16(at) : 0;
}

const MACINTOSH_GLYPHS: readonly string[] = `
.notdef .null nonmarkingreturn space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright
asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal
greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum
underscore grave a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde Adieresis Aring
Ccedilla Eacute Ntilde Odieresis Udieresis aacute agrave acircumflex adieresis atilde aring ccedilla eacute egrave
ecircumflex edieresis iacute igrave icircumflex idieresis ntilde oacute ograve ocircumflex odieresis otilde uacute ugrave
ucircumflex udieresis dagger degree cent sterling section bullet paragraph germandbls registered copyright trademark acute
dieresis notequal AE Oslash infinity plusminus lessequal greaterequal yen mu partialdiff summation product pi integral
ordfeminine ordmasculine Omega ae oslash questiondown exclamdown logicalnot radical florin approxequal Delta guillemotleft
guillemotright ellipsis nonbreakingspace Agrave Atilde Otilde OE oe endash emdash quotedblleft quotedblright quoteleft
quoteright divide lozenge ydieresis Ydieresis fraction currency guilsinglleft guilsinglright fi fl daggerdbl
periodcentered quotesinglbase quotedblbase perthousand Acircumflex Ecircumflex Aacute Edieresis Egrave Iacute Icircumflex
Idieresis Igrave Oacute Ocircumflex apple Ograve Uacute Ucircumflex Ugrave dotlessi circumflex tilde macron breve
dotaccent ring cedilla hungarumlaut ogonek caron Lslash lslash Scaron scaron Zcaron zcaron brokenbar Eth eth Yacute yacute
Thorn thorn minus multiply onesuperior twosuperior threesuperior onehalf onequarter threequarters franc Gbreve gbreve
Idotaccent Scedilla scedilla Cacute cacute Ccaron ccaron dcroat`
  .trim()
  .split(/\s+/);
