import type { PdfFile } from '../../read/pdf-file.ts';
import { type Dict, Name } from '../../syntax/values.ts';
import { type Encoding, encodingNamed } from '../../text/fonts/encodings.ts';
import type { ShownCodes } from './shown-codes.ts';

export interface Use {
  readonly font: Dict;
  readonly codes: ShownCodes | undefined;
  /** The font of a composite one that holds the glyphs; undefined: a simple font. */
  readonly descendant: Dict | undefined;
}

/** Names that a simple font gives its codes. */
export function differencesOf(file: PdfFile, font: Dict): ReadonlyMap<number, string> {
  const list = file.resolve(file.dict(font.get('Encoding'))?.get('Differences'));
  const names = new Map<number, string>();
  let code = 0;
  for (const item of Array.isArray(list) ? list : []) {
    const value = file.resolve(item);
    if (typeof value === 'number') code = value;
    else if (value instanceof Name) names.set(code++, value.value);
  }
  return names;
}

/** The codes of a composite font, where they are numbers of two bytes. */
export function numbersShown({ font, codes }: Use): ReadonlySet<number> | undefined {
  return /^Identity-[HV]$/.test(font.name('Encoding') ?? '') ? codes?.double : undefined;
}

/** Encodings that may hold for the codes of a simple font: the one that is named, else all. */
export function encodingsOf(font: Dict): readonly Encoding[] {
  const named = font.name('Encoding');
  if (named === 'WinAnsiEncoding' || named === 'MacRomanEncoding') return [encodingNamed(named)];
  return (['WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding'] as const).map(encodingNamed);
}

/** The number in a name that says nothing else. */
export function numberIn(name: string | undefined): number | undefined {
  const digits = /^(?:g|gid|glyph|cid|index)(\d+)$/i.exec(name ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
