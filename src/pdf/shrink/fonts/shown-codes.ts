// Finds the codes of each font that a document shows anywhere: pages, forms, patterns, glyphs drawn by content. It
// gives up where content cannot be followed: an incomplete list would lose glyphs.

import { Failure } from '../../../contract/base/failure.ts';
import { SHOWS } from '../../content/operators.ts';
import { type Visitor, Walk } from '../../content/walk.ts';
import type { Pace } from '../../file/read/pace.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import type { ShownCodes } from '../../fonts/subset/font-use.ts';
import { contentStream, pageContent } from '../../page/contents.ts';
import { byteAt } from '../../syntax/arrays.ts';
import { Damage, Unreadable } from '../../syntax/damage.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { DRAWN_GLYPHS, type Survey } from '../objects/survey.ts';

interface Noted {
  readonly single: Set<number>;
  readonly double: Set<number>;
}

/** The codes by font object (`same` applied). Undefined where the font of some text cannot be told. */
export async function findShownCodes(
  { file, tree }: Source,
  survey: Survey,
  same: Int32Array,
  pace: Pace,
): Promise<ReadonlyMap<number, ShownCodes> | undefined> {
  const search = new Search(file, same);
  try {
    for (const page of tree.pages) {
      const dict = wholeDictOfPage(file, page);
      search.content(pageContent(file, dict), dict.get('Resources') ?? null);
      if (pace.isOver()) await pace.yield();
    }
    for (const num of survey.objects) {
      const drawn = survey.lengths.has(num);
      if (same[num] !== num || (!drawn && (survey.marks(num) & DRAWN_GLYPHS) === 0)) continue;
      const dict = file.object(num);
      if (!(dict instanceof Dict)) continue;
      if (drawn && (dict.name('Subtype') === 'Form' || dict.number('PatternType') === 1))
        search.content(contentStream(file, num), dict.get('Resources') ?? null);
      if (!drawn)
        for (const [, glyph] of file.dict(dict.get('CharProcs')) ?? [])
          if (glyph instanceof Ref) search.content(contentStream(file, glyph.num), dict.get('Resources') ?? null);
      if (pace.isOver()) await pace.yield();
    }
  } catch (error) {
    // Content that cannot be decoded, or that shows text of an unknown font, may show any code.
    if (error instanceof Damage || error instanceof Failure || error instanceof Unreadable) return undefined;
    throw error;
  }
  return search.fonts;
}

class Search implements Visitor {
  readonly fonts = new Map<number, Noted>();
  private readonly file: PdfFile;
  private readonly same: Int32Array;
  private readonly walk: Walk;
  private font: Noted | undefined;
  private readonly saved: (Noted | undefined)[] = [];
  /** Strings since the last operator, which decides whether they are shown. */
  private strings: Uint8Array[] = [];

  constructor(file: PdfFile, same: Int32Array) {
    this.file = file;
    this.same = same;
    this.walk = new Walk(file, 'whole');
  }

  content(bytes: Uint8Array, resources: Value): void {
    this.font = undefined;
    this.saved.length = 0;
    this.walk.begin(this).content(bytes, this.file.dict(resources));
  }

  text(bytes: Uint8Array, length: number): void {
    this.strings.push(bytes.slice(0, length));
  }

  operator(operator: string, walk: Walk): void {
    if (operator === 'Tf') this.font = this.noted(walk.resource('Font'));
    else if (operator === 'gs' && this.file.dict(walk.resource('ExtGState'))?.has('Font')) this.font = undefined;
    else if (operator === 'q') this.saved.push(this.font);
    else if (operator === 'Q') this.font = this.saved.pop();
    else if (SHOWS.has(operator)) note(this.font, this.strings);
    if (this.strings.length > 0) this.strings = [];
  }

  private noted(value: Value | undefined): Noted | undefined {
    // A font that is a direct object shares no descriptor: its codes are not needed.
    if (value instanceof Dict) return { single: new Set(), double: new Set() };
    if (!(value instanceof Ref)) return undefined;
    const num = this.same[value.num] ?? value.num;
    const noted = this.fonts.get(num) ?? { single: new Set<number>(), double: new Set<number>() };
    this.fonts.set(num, noted);
    return noted;
  }
}

function note(font: Noted | undefined, strings: readonly Uint8Array[]): void {
  if (strings.every(({ length }) => length === 0)) return;
  if (font === undefined) throw new Unreadable('text is shown with a font that is not known');
  for (const bytes of strings)
    for (let i = 0; i < bytes.length; i++) {
      font.single.add(byteAt(bytes, i));
      if (i % 2 === 0) font.double.add((byteAt(bytes, i) << 8) | (bytes[i + 1] ?? 0));
    }
}
