// Which codes of each font a document shows, anywhere: pages, forms, patterns, glyphs drawn by content. Says nothing
// rather than too little: one content that cannot be followed ends the whole search.

import type { Pace } from '../../pace.ts';
import { dictOfPage } from '../../read/page-dict.ts';
import type { PdfFile } from '../../read/pdf-file.ts';
import type { Source } from '../../read/source.ts';
import { padded } from '../../syntax/characters.ts';
import { Parser } from '../../syntax/parser.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { ContentLexer } from '../../text/content/content-lexer.ts';
import { DRAWN_GLYPHS, type Survey } from '../survey.ts';

const MOST_CONTENT = 32 << 20;
const MOST_SAVED = 4096;
const operator = (name: string) => [...name].reduce((code, letter, i) => code | (letter.charCodeAt(0) << (8 * i)), 0);
const [TF, TJ, TJ_LIST, NEXT, NEXT_SPACED] = ['Tf', 'Tj', 'TJ', "'", '"'].map(operator);
const [SAVE, RESTORE, DATA, STATE] = ['q', 'Q', 'ID', 'gs'].map(operator);

/** Strings shown with each font, by its object number, cut into codes of one byte and of two. */
export interface ShownCodes {
  readonly single: ReadonlySet<number>;
  readonly double: ReadonlySet<number>;
}

interface Noted {
  readonly single: Set<number>;
  readonly double: Set<number>;
}

/** By font object (`same` applied). Undefined where some text cannot be told the font of. */
export async function findShownCodes(
  { file, tree }: Source,
  survey: Survey,
  same: Int32Array,
  pace: Pace,
): Promise<ReadonlyMap<number, ShownCodes> | undefined> {
  const search = new Search(file, same);
  try {
    for (const page of tree.pages) {
      const dict = dictOfPage(file, page);
      if (dict === undefined) return undefined;
      const above = page.inherited.Resources;
      const resources = dict.get('Resources') ?? (above === undefined ? null : new Parser(padded(above)).value());
      search.content(contentsOf(file, dict.get('Contents')), resources);
      if (pace.isOver()) await pace.yield();
    }
    for (const num of survey.objects) {
      const drawn = survey.lengths.has(num);
      if (same[num] !== num || (!drawn && (survey.marks[num]! & DRAWN_GLYPHS) === 0)) continue;
      const dict = file.object(num);
      if (!(dict instanceof Dict)) continue;
      if (drawn && (dict.name('Subtype') === 'Form' || dict.number('PatternType') === 1))
        search.content(streamOf(file, num), dict.get('Resources') ?? null);
      if (!drawn)
        for (const [, glyph] of file.dict(dict.get('CharProcs')) ?? [])
          if (glyph instanceof Ref) search.content(streamOf(file, glyph.num), dict.get('Resources') ?? null);
      if (pace.isOver()) await pace.yield();
    }
  } catch (error) {
    // What cannot be decoded, or shows text of an unknown font, may show anything.
    if (error instanceof Error) return undefined;
    throw error;
  }
  return search.found;
}

class Search {
  readonly found = new Map<number, Noted>();
  private readonly file: PdfFile;
  private readonly same: Int32Array;

  constructor(file: PdfFile, same: Int32Array) {
    this.file = file;
    this.same = same;
  }

  content(bytes: Uint8Array, resources: Value): void {
    const lexer = new ContentLexer(bytes);
    const own = this.file.dict(resources);
    const fonts = this.file.dict(own?.get('Font'));
    const states = this.file.dict(own?.get('ExtGState'));
    const saved: (Noted | undefined)[] = [];
    let font: Noted | undefined;
    let name = '';
    // Strings since the last operator, which tells whether they are shown.
    let strings: Uint8Array[] = [];
    for (let token = lexer.next(); token !== 'end'; token = lexer.next()) {
      if (token === 'name') name = lexer.name;
      else if (token === 'string') strings.push(lexer.string.slice(0, lexer.length));
      if (token !== 'operator') continue;
      const code = lexer.operator;
      if (code === TF) font = this.noted(fonts?.get(name));
      else if (code === STATE && this.file.dict(states?.get(name))?.has('Font')) font = undefined;
      else if (code === SAVE && saved.length < MOST_SAVED) saved.push(font);
      else if (code === RESTORE) font = saved.pop() ?? font;
      else if (code === DATA) lexer.skipImage();
      else if (code === TJ || code === TJ_LIST || code === NEXT || code === NEXT_SPACED) note(font, strings);
      if (strings.length > 0) strings = [];
    }
  }

  private noted(value: Value | undefined): Noted | undefined {
    // A font that is no object of its own is nobody's to ask for.
    if (value instanceof Dict) return { single: new Set(), double: new Set() };
    if (!(value instanceof Ref)) return undefined;
    const num = this.same[value.num] ?? value.num;
    const noted = this.found.get(num) ?? { single: new Set<number>(), double: new Set<number>() };
    this.found.set(num, noted);
    return noted;
  }
}

function note(font: Noted | undefined, strings: readonly Uint8Array[]): void {
  if (strings.every(({ length }) => length === 0)) return;
  if (font === undefined) throw new Error('text is shown with a font that is not known');
  for (const bytes of strings)
    for (let i = 0; i < bytes.length; i++) {
      font.single.add(bytes[i]!);
      if (i % 2 === 0) font.double.add((bytes[i]! << 8) | (bytes[i + 1] ?? 0));
    }
}

function contentsOf(file: PdfFile, value: Value | undefined): Uint8Array {
  const found = file.resolve(value);
  const parts = (Array.isArray(found) ? found : [value]).flatMap((item) =>
    item instanceof Ref ? [streamOf(file, item.num), Buffer.from('\n')] : [],
  );
  return Buffer.concat(parts);
}

function streamOf(file: PdfFile, num: number): Uint8Array {
  const bytes = file.streamBytes(num, MOST_CONTENT)?.bytes;
  if (bytes === undefined) throw new Error('content has an unknown filter');
  return bytes;
}
