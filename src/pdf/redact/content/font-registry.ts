import { listOf, numberAt } from '../../file/read/entries.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { differencesOf } from '../../fonts/encoding-differences.ts';
import { descendantOf } from '../../fonts/font-reader.ts';
import { type Code, type GlyphFont, readGlyphFont } from '../../fonts/glyph-font.ts';
import type { Use } from '../../fonts/subset/font-use.ts';
import { toUnicodeOf, toUnicodeText } from '../../fonts/to-unicode.ts';
import { byteAt } from '../../syntax/arrays.ts';
import { Damage, Unreadable } from '../../syntax/damage.ts';
import { Dict, dictOf, Name, Ref, type Value } from '../../syntax/values.ts';
import type { ValueCopier } from '../objects/copy-value.ts';
import { flateStream, name, type OutputDocument } from '../objects/output-document.ts';
import { type Program, programOf } from './font-programs.ts';

/** Entries of fonts and font descriptors that drawing needs. */
const FONT = 'Type Subtype BaseFont FirstChar LastChar FontMatrix FontBBox DW DW2 W2 CIDToGIDMap'.split(' ');
const DESCRIPTOR =
  `Type FontName Flags FontBBox ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth
  MissingWidth FontWeight FontStretch`.split(/\s+/);
const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'] as const;

/** A font of the source, with the codes that the output still shows. */
export interface UsedFont {
  readonly ref: Ref;
  readonly dict: Dict;
  /** The glyph metrics, or why they cannot be read. */
  readonly glyphs: GlyphFont | Unreadable;
  readonly single: Set<number>;
  readonly double: Set<number>;
  /** Text that could not be split into codes was shown: any glyph may be needed. */
  all: boolean;
  /** Text in this font was removed. */
  touched: boolean;
}

/** Rewrites the glyphs of a Type 3 font without private data. */
export type Redraw = (
  glyphs: ReadonlyMap<string, Ref>,
  resources: Value | undefined,
) => { readonly glyphs: Dict; readonly resources: Dict };

/** All fonts of a document. Each is written once, at the end, when the codes still in use are known. */
export class FontRegistry {
  private readonly file: PdfFile;
  private readonly output: OutputDocument;
  private readonly copier: ValueCopier;
  private readonly fonts = new Map<number | Dict, UsedFont>();
  private readonly written = new Set<UsedFont>();
  /** Programs that keep unused glyphs because their format cannot be subset. */
  whole = 0;

  constructor(file: PdfFile, output: OutputDocument, copier: ValueCopier) {
    this.file = file;
    this.output = output;
    this.copier = copier;
  }

  use(value: Value | undefined): UsedFont | undefined {
    const dict = this.file.dict(value);
    if (dict === undefined) return undefined;
    const key = value instanceof Ref ? value.num : dict;
    const known = this.fonts.get(key);
    if (known !== undefined) return known;
    const font: UsedFont = {
      ref: this.output.reserve(),
      dict,
      glyphs: this.read(value),
      single: new Set(),
      double: new Set(),
      all: false,
      touched: false,
    };
    this.fonts.set(key, font);
    return font;
  }

  private read(value: Value | undefined): GlyphFont | Unreadable {
    try {
      return readGlyphFont(this.file, value);
    } catch (error) {
      if (error instanceof Unreadable) return error;
      if (error instanceof Damage) return new Unreadable(error.message, { cause: error });
      throw error;
    }
  }

  /** Records codes that stay in use. */
  static shown({ single, double }: UsedFont, bytes: Uint8Array, codes: readonly Code[]): void {
    for (const { start, end, code } of codes) {
      for (let i = start; i < end; i++) single.add(byteAt(bytes, i));
      double.add(code);
    }
  }

  /** Writes the fonts. `redraw` is for Type 3, whose glyphs are content. */
  finish(redraw: Redraw): void {
    // Type 3 glyphs may use other fonts: repeat until no new font appears.
    for (;;) {
      const fresh = [...this.fonts.values()].filter((font) => !this.written.has(font));
      if (fresh.length === 0) return;
      const type3 = fresh.filter(({ dict }) => dict.name('Subtype') === 'Type3');
      for (const font of type3.length > 0 ? type3 : fresh) {
        this.written.add(font);
        this.output.set(font.ref, this.write(font, redraw));
      }
    }
  }

  private write(font: UsedFont, redraw: Redraw): Dict {
    const { dict } = font;
    const made = new Dict(this.copier.entries(dict, FONT));
    if (!made.has('Type')) made.set('Type', name('Font'));
    const map = this.toUnicode(font);
    if (map !== undefined) made.set('ToUnicode', map);
    const subtype = dict.name('Subtype');
    if (subtype === 'Type0') {
      const inner = descendantOf(this.file, dict) ?? new Dict();
      const program = this.program(inner, font);
      const descendant = new Dict(this.copier.entries(inner, FONT));
      descendant.set('CIDSystemInfo', this.copier.copy(inner.get('CIDSystemInfo')));
      if (inner.has('W')) descendant.set('W', this.compositeWidths(font, inner));
      this.describe(descendant, inner, program);
      made.set('DescendantFonts', [this.output.add(descendant)]);
      made.set('Encoding', this.copier.copy(dict.get('Encoding')));
      return made;
    }
    made.set('Encoding', this.encoding(font));
    if (dict.has('Widths')) made.set('Widths', this.simpleWidths(font));
    if (subtype === 'Type3') {
      const drawn = redraw(this.glyphs(font), dict.get('Resources'));
      made.set('CharProcs', drawn.glyphs);
      made.set('Resources', drawn.resources);
      return made;
    }
    const program = this.program(dict, font);
    if (program?.encoding !== undefined && !dict.has('Encoding'))
      made.set('Encoding', this.pruned(font, program.encoding));
    if (made.get('Encoding') === null) made.delete('Encoding');
    this.describe(made, dict, program);
    return made;
  }

  private describe(made: Dict, dict: Dict, program: Program | undefined): void {
    const descriptor = this.file.dict(dict.get('FontDescriptor'));
    if (descriptor === undefined) return;
    const copy = new Dict(this.copier.entries(descriptor, DESCRIPTOR));
    if (program !== undefined) {
      const { entry, subtype, bytes } = program;
      const lengths =
        entry === 'FontFile' ? type1Lengths(bytes) : entry === 'FontFile2' ? { Length1: bytes.length } : {};
      const about = { ...lengths, ...(subtype === undefined ? {} : { Subtype: name(subtype) }) };
      copy.set(entry, this.output.add(flateStream(Object.entries(about), bytes)));
    }
    made.set('FontDescriptor', this.output.add(copy));
  }

  /** The program of a font, without the glyphs that no font sharing it uses. */
  private program(dict: Dict, font: UsedFont): Program | undefined {
    const { file } = this;
    const descriptor = file.dict(dict.get('FontDescriptor'));
    for (const entry of PROGRAMS) {
      const ref = descriptor?.get(entry);
      if (!(ref instanceof Ref)) continue;
      const program = programOf(file, entry, ref.num, font.touched ? this.usesOf(ref.num) : []);
      if (font.touched && program?.pruned !== true) this.whole++;
      return program;
    }
    return undefined;
  }

  /** The fonts that share a program, with their codes; empty where one may need any glyph. */
  private usesOf(program: number): Use[] {
    const uses: Use[] = [];
    for (const { dict, single, double, all } of this.fonts.values()) {
      const inner = dict.name('Subtype') === 'Type0' ? descendantOf(this.file, dict) : undefined;
      const descriptor = this.file.dict((inner ?? dict).get('FontDescriptor'));
      const isIn = (value: Value | undefined) => value instanceof Ref && value.num === program;
      const same = PROGRAMS.some((entry) => isIn(descriptor?.get(entry)));
      if (!same) continue;
      if (all) return [];
      uses.push({ font: dict, codes: { single, double }, descendant: inner });
    }
    return uses;
  }

  private encoding(font: UsedFont): Value {
    const encoding = this.file.resolve(font.dict.get('Encoding'));
    return encoding instanceof Dict ? this.pruned(font, encoding) : this.copier.copy(encoding);
  }

  private pruned(font: UsedFont, encoding: Value): Value {
    if (!(encoding instanceof Dict)) return encoding;
    const names = differencesOf(this.file, new Dict([['Encoding', encoding]]));
    const list: Value[] = [];
    let next = -1;
    for (const [code, glyph] of [...names].sort(([a], [b]) => a - b)) {
      if (font.touched && !font.all && !font.single.has(code)) continue;
      if (code !== next) list.push(code);
      list.push(new Name(glyph));
      next = code + 1;
    }
    const base = this.file.resolve(encoding.get('BaseEncoding'));
    const made = dictOf({ Type: name('Encoding') });
    if (base instanceof Name) made.set('BaseEncoding', base);
    if (list.length > 0) made.set('Differences', list);
    return made;
  }

  private simpleWidths({ dict, single, touched, all }: UsedFont): Value {
    const from = numberAt(this.file, dict, 'FirstChar') ?? 0;
    return listOf(this.file, dict.get('Widths')).map((item, i) => {
      const width = this.file.resolve(item);
      return typeof width === 'number' && (!touched || all || single.has(from + i)) ? width : 0;
    });
  }

  /** /W reduced to the CIDs still in use; unchanged where codes are not CIDs. */
  private compositeWidths({ dict, double, touched, all }: UsedFont, inner: Dict): Value {
    const copy = this.copier.copy(this.file.resolve(inner.get('W')));
    const numbered = dict.name('Encoding') === 'Identity-H';
    if (!touched || all || !numbered || !Array.isArray(copy)) return copy;
    const out: Value[] = [];
    for (let i = 0; i + 1 < copy.length; ) {
      const [start, next] = [copy[i], this.plain(copy[i + 1])];
      if (typeof start !== 'number') break;
      if (Array.isArray(next)) {
        for (const [at, width] of next.entries()) if (double.has(start + at)) out.push(start + at, [width]);
        i += 2;
        continue;
      }
      const width = copy[i + 2];
      if (typeof next === 'number' && next - start <= 0xffff)
        for (let cid = start; cid <= next; cid++) if (double.has(cid)) out.push(cid, [width ?? 0]);
      i += 3;
    }
    return out;
  }

  /** Resolves a list that became an indirect object of the output. */
  private plain(value: Value | undefined): Value | undefined {
    if (!(value instanceof Ref)) return value;
    const object = this.output.get(value);
    if (object === undefined || (typeof object === 'object' && object !== null && 'data' in object)) return undefined;
    return object;
  }

  private toUnicode({ dict, single, double, touched, all, glyphs }: UsedFont): Ref | undefined {
    const map = toUnicodeOf(this.file, dict);
    // Rewritten in any case: the source may hold comments.
    if (map === undefined) return undefined;
    const simple = glyphs instanceof Unreadable ? dict.name('Subtype') !== 'Type0' : glyphs.simple;
    const shown = simple ? single : double;
    const kept = [...map].filter(([code]) => !touched || all || shown.has(code)).sort(([a], [b]) => a - b);
    return this.output.add(flateStream([], Buffer.from(toUnicodeText(new Map(kept), simple ? 1 : 2))));
  }

  private glyphs(font: UsedFont): Map<string, Ref> {
    const { dict } = font;
    const procs = this.file.dict(dict.get('CharProcs')) ?? new Dict();
    const names = differencesOf(this.file, dict);
    const wanted = new Set([...names].filter(([code]) => font.all || font.single.has(code)).map(([, glyph]) => glyph));
    const kept = new Map<string, Ref>();
    for (const [glyph, ref] of procs) if (wanted.has(glyph) && ref instanceof Ref) kept.set(glyph, ref);
    return kept;
  }
}

/** Lengths of the clear text, the encrypted part and the trailing zeros. */
function type1Lengths(bytes: Uint8Array): Record<string, number> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const word = view.indexOf('eexec');
  if (word < 0) return { Length1: bytes.length, Length2: 0, Length3: 0 };
  let start = word + 5;
  while (start < bytes.length && (bytes[start] === 0x0d || bytes[start] === 0x0a || bytes[start] === 0x20)) start++;
  const mark = view.lastIndexOf('cleartomark');
  let end = mark > start ? mark : bytes.length;
  while (end > start && /[0\s]/.test(String.fromCharCode(byteAt(bytes, end - 1)))) end--;
  return { Length1: start, Length2: end - start, Length3: bytes.length - end };
}
