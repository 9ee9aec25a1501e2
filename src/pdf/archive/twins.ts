// Embeds metric twins for fonts that are not embedded: Liberation Sans for Helvetica and Arial, Foxit's for Times,
// Courier, Symbol and Zapf Dingbats, from pdf.js. The twin gets the widths of the document.
import { type Encoding, encodingNamed } from '../fonts/encodings.ts';
import { characterNamed } from '../fonts/glyph-names.ts';
import { STANDARD_ENCODING } from '../fonts/programs/standard-strings.ts';
import { advanceOf, openTrueType, withGlyphs, withMetrics } from '../fonts/programs/truetype.ts';
import { unicodeMap } from '../fonts/programs/truetype-lookup.ts';
import { standardWidths } from '../fonts/standard-widths.ts';
import { toUnicodeText } from '../fonts/to-unicode.ts';
import { cffTwin, plainCharacter, symbolEncoding, type TwinProgram, type WantedGlyph } from '../fonts/twins.ts';
import { Dict, dictOf, Name, type Ref, type Value } from '../syntax/values.ts';
import type { ShownFont } from './content.ts';
import { codeNames } from './glyphs.ts';
import { type Conversion, reportChange } from './job.ts';

const FAMILIES: readonly (readonly [names: RegExp, file: string])[] = [
  [/^(?:Helvetica|Arial(?:MT)?|LiberationSans|NimbusSan(?:L|s)?)$/, 'LiberationSans'],
  [/^(?:Times(?:NewRoman)?(?:PS)?(?:MT)?|LiberationSerif|NimbusRom(?:No9L|an)?)$/, 'FoxitSerif'],
  [/^(?:Courier(?:New)?(?:PS)?(?:MT)?|LiberationMono|NimbusMon(?:L|oPS)?)$/, 'FoxitFixed'],
  [/^Symbol(?:MT)?$/, 'FoxitSymbol'],
  [/^ZapfDingbats$/, 'FoxitDingbats'],
];
const STYLE = /[-,]?(Roman|Regular|Regu|Bold|Italic|Oblique|Bold-?Italic|Bold-?Oblique)?(MT)?$/;
const [FIXED, SERIF, ITALIC] = [1, 2, 64];

interface Twin {
  /** Its file name without the ending. */
  readonly file: string;
  readonly isTrueType: boolean;
}

/** The twin of a font; undefined where it has none. `nearest`: then the most similar font. */
function twinOf(name: string, flags: number, nearest: boolean): Twin | undefined {
  const plain = name.replace(/^[A-Z]{6}\+/, '').replace(/\s/g, '');
  const family = FAMILIES.find(([names]) => names.test(plain.replace(STYLE, '')) || names.test(plain));
  if (family === undefined && !nearest) return undefined;
  const isFixed = (flags & FIXED) !== 0 || /mono|courier|typewriter/i.test(plain);
  const file = family?.[1] ?? (isFixed ? 'FoxitFixed' : (flags & SERIF) !== 0 ? 'FoxitSerif' : 'LiberationSans');
  const bold = /bold|black|heavy/i.test(plain) ? 'Bold' : '';
  const italic = /italic|oblique/i.test(plain) || (family === undefined && (flags & ITALIC) !== 0) ? 'Italic' : '';
  if (file === 'LiberationSans') return { file: `${file}-${`${bold}${italic}` || 'Regular'}`, isTrueType: true };
  const hasStyles = file === 'FoxitSerif' || file === 'FoxitFixed';
  return { file: `${file}${hasStyles ? `${bold}${italic}` : ''}`, isTrueType: false };
}

/** Embeds a twin for a simple font that is not embedded. Returns why it cannot; undefined on success. */
export async function embedTwin(
  job: Conversion,
  { num, dict }: ShownFont,
  codes: Iterable<number>,
  widthOf: (code: number) => number | undefined,
): Promise<string | undefined> {
  const { changes } = job;
  const name = changes.name(dict, 'BaseFont') ?? '';
  const descriptor = changes.dict(dict.get('FontDescriptor'));
  const twin = twinOf(name, changes.number(descriptor, 'Flags') ?? 0, job.substitute);
  if (twin === undefined) return 'is not embedded';
  const program = await job.fontFile(`${twin.file}${twin.isTrueType ? '.ttf' : '.pfb'}`);
  const isSymbolic = /Symbol|Dingbats/.test(twin.file);
  const signs = isSymbolic ? await symbolEncoding(twin.file === 'FoxitSymbol' ? 'Symbol' : 'ZapfDingbats') : undefined;
  const nameOf = codeNames(changes, dict, signs?.names ?? STANDARD_ENCODING);
  const usual = standardWidths(name.replace(/^[A-Z]{6}\+/, ''))?.widths;
  const wanted = [...new Set(codes)]
    .sort((a, b) => a - b)
    .map((code): WantedGlyph => {
      const glyph = nameOf(code);
      return { code, name: glyph, width: widthOf(code) ?? usual?.get(characterNamed(glyph ?? '') ?? '') };
    });
  const made = twin.isTrueType ? trueTypeTwin(program, wanted) : cffTwin(program, wanted);
  if ('missing' in made) return `is not embedded, and ${twin.file} has no ${made.missing}`;
  const font = new Dict(dict);
  const [first, last] = [wanted[0]?.code ?? 0, wanted.at(-1)?.code ?? 0];
  const widths: Value[] = new Array(last - first + 1).fill(0);
  wanted.forEach(({ code }, i) => {
    widths[code - first] = made.widths[i] ?? 0;
  });
  const base = new Name(`AAAAAA+${twin.file}`);
  const stream = new Dict(
    made.entry === 'FontFile3' ? [['Subtype', new Name('Type1C')]] : [['Length1', made.program.length]],
  );
  const file: Ref = changes.add(stream, made.program);
  const metrics = { FontBBox: [-200, -250, 1200, 1000], ItalicAngle: /Italic/.test(twin.file) ? -12 : 0 };
  const heights = { Ascent: 905, Descent: -212, CapHeight: 700, StemV: 80, [made.entry]: file };
  const about = { Type: new Name('FontDescriptor'), FontName: base, Flags: isSymbolic ? 4 : 32 };
  font.set('Type', new Name('Font')).set('Subtype', new Name(made.entry === 'FontFile3' ? 'Type1' : 'TrueType'));
  font.set('BaseFont', base).set('FirstChar', first).set('LastChar', last).set('Widths', widths);
  font.set('FontDescriptor', changes.add(dictOf({ ...about, ...metrics, ...heights })));
  font.set('Encoding', encodingOf(wanted, made.names, made.entry === 'FontFile2'));
  if (signs !== undefined && !font.has('ToUnicode'))
    font.set('ToUnicode', changes.add(new Dict(), Buffer.from(toUnicodeText(signs.characters, 1), 'latin1')));
  changes.set(num, font);
  reportChange(job, `font ${name} that was not embedded (by ${twin.file})`);
  return undefined;
}

function trueTypeTwin(bytes: Uint8Array, wanted: readonly WantedGlyph[]): TwinProgram {
  const font = openTrueType(bytes);
  const map = font && unicodeMap(font.tables);
  if (font === undefined || map === undefined) throw new TypeError('a font that comes with the program is damaged');
  const units = font.tables.get('head')?.getUint16(18) ?? 2048;
  const metrics = new Map<number, number>();
  const widths: number[] = [];
  const names: string[] = [];
  for (const { name = 'space', width } of wanted) {
    const character = plainCharacter(characterNamed(name));
    const glyph = map(character?.codePointAt(0) ?? 0);
    if (glyph === 0) return { missing: `'${character ?? name}'` };
    const advance = (advanceOf(font.tables, glyph) * 1000) / units;
    const other = metrics.get(glyph);
    const chosen = width === undefined || Math.abs(width - advance) <= 1 ? advance : width;
    metrics.set(glyph, other ?? Math.round((chosen * units) / 1000));
    widths.push(((other ?? metrics.get(glyph) ?? 0) * 1000) / units);
    names.push(name);
  }
  const subset = openTrueType(withGlyphs(font, metrics.keys(), false));
  return { program: subset === undefined ? bytes : withMetrics(subset, metrics), entry: 'FontFile2', widths, names };
}

/** An encoding with the name of each code; `isNamed`: as differences from WinAnsiEncoding, as TrueType requires. */
function encodingOf(wanted: readonly WantedGlyph[], names: readonly string[], isNamed: boolean): Value {
  const usual: Encoding = encodingNamed('WinAnsiEncoding');
  const differences: Value[] = [];
  for (const [i, { code }] of wanted.entries()) {
    const name = names[i] ?? 'space';
    if (isNamed && usual[code] === characterNamed(name)) continue;
    differences.push(code, new Name(name));
  }
  if (isNamed && differences.length === 0) return new Name('WinAnsiEncoding');
  const encoding = new Dict([['Type', new Name('Encoding')]]);
  if (isNamed) encoding.set('BaseEncoding', new Name('WinAnsiEncoding'));
  return encoding.set('Differences', differences);
}
